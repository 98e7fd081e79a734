package waypost.framework;

import android.os.SystemClock;
import android.view.InputDevice;
import android.view.MotionEvent;
import java.util.List;

/** One finger on the glass: what it touches first has the whole gesture. */
final class Finger {
  private static final long STEP = 16;

  private final Glass glass;
  private final Runnable between;
  private Pane touched;
  private long since;

  Finger(Glass glass, Runnable between) {
    this.glass = glass;
    this.between = between;
  }

  /** Puts the finger down, holds it, and lifts it. */
  void press(float x, float y, long ms) {
    down(x, y);
    Clock.pass(ms, between);
    send(MotionEvent.ACTION_UP, x, y);
  }

  /** Moves the finger over the glass; {@code held} is how long it rests before it is lifted. */
  void swipe(float x, float y, float endX, float endY, long ms, long held) {
    down(x, y);
    long steps = Math.max(2, ms / STEP);
    for (long n = 1; n <= steps; n++) {
      Clock.pass(0, between);
      send(MotionEvent.ACTION_MOVE, x + (endX - x) * n / steps, y + (endY - y) * n / steps);
    }
    if (held > 0) {
      Clock.pass(held, between);
      send(MotionEvent.ACTION_MOVE, endX, endY);
    }
    send(MotionEvent.ACTION_UP, endX, endY);
  }

  private void down(float x, float y) {
    since = SystemClock.uptimeMillis();
    touched = null;
    List<Pane> panes = glass.panes();
    for (int n = panes.size() - 1; n >= 0 && touched == null; n--) {
      Pane pane = panes.get(n);
      if (pane.touchable() && (pane.modal() || pane.contains(x, y))) {
        touched = pane;
      } else if (pane.touchable() && pane.hearsOutside()) {
        dispatch(pane, MotionEvent.ACTION_OUTSIDE, x, y);
      }
    }
    send(MotionEvent.ACTION_DOWN, x, y);
  }

  private void send(int action, float x, float y) {
    if (touched != null && touched.root().isAttachedToWindow()) {
      dispatch(touched, action, x, y);
    }
  }

  private void dispatch(Pane pane, int action, float x, float y) {
    long now = SystemClock.uptimeMillis();
    MotionEvent event = MotionEvent.obtain(since, now, action, x, y, 0);
    event.setSource(InputDevice.SOURCE_TOUCHSCREEN);
    event.offsetLocation(-pane.left(), -pane.top());
    pane.root().dispatchTouchEvent(event);
    event.recycle();
  }
}
