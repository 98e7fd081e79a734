package waypost.framework;

import android.os.Looper;
import java.util.concurrent.TimeUnit;
import org.robolectric.Shadows;
import org.robolectric.shadows.ShadowLooper;
import org.robolectric.shadows.ShadowSystemClock;

/** The phone's time: it passes only while somebody waits, a frame at a time, and never for ever. */
final class Clock {
  /** Messages that one frame may hold: a handler that posts to itself without end gets no more. */
  private static final int MOST = 4000;

  private Clock() {}

  /** Lets so many milliseconds pass on the phone; {@code between} is called after each frame. */
  static void pass(long ms, Runnable between) {
    ShadowLooper main = Shadows.shadowOf(Looper.getMainLooper());
    for (long done = 0; done <= ms; done += Phone.FRAME) {
      drain(main);
      between.run();
      ShadowSystemClock.advanceBy(Phone.FRAME, TimeUnit.MILLISECONDS);
      drain(main);
    }
  }

  /** Gives the app's own threads a moment of real time to answer the main one. */
  static void breathe(long ms) {
    try {
      TimeUnit.MILLISECONDS.sleep(ms);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void drain(ShadowLooper main) {
    for (int n = 0; n < MOST && !main.isIdle(); n++) {
      main.runOneTask();
    }
  }
}
