package waypost.framework;

import static org.robolectric.Shadows.shadowOf;

import android.app.Activity;
import android.app.ActivityThread;
import android.app.Application;
import android.view.accessibility.AccessibilityManager;
import java.time.Duration;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.annotation.Config;
import org.robolectric.annotation.GraphicsMode;
import org.robolectric.annotation.LooperMode;
import org.robolectric.shadows.ShadowChoreographer;
import org.robolectric.shadows.ShadowViewConfiguration;
import org.robolectric.util.ReflectionHelpers;

/** One Android phone with one app on it: 1080 x 2400 pixels, 400 dots an inch, Android 14. */
@RunWith(RobolectricTestRunner.class)
@Config(
    sdk = 34,
    qualifiers = "en-rUS-w432dp-h960dp-port-notnight-400dpi",
    shadows = {
      PlainActivity.class,
      PlainTabs.Host.class,
      PlainTabs.Spec.class,
      PlainTabs.Strip.class,
      PlainTabs.Group.class
    })
@GraphicsMode(GraphicsMode.Mode.NATIVE)
@LooperMode(LooperMode.Mode.PAUSED)
public class Phone {
  static final int WIDTH = 1080;
  static final int HEIGHT = 2400;
  static final long FRAME = 16;

  @Test
  public void serve() throws Exception {
    ShadowChoreographer.setPaused(true);
    ShadowChoreographer.setFrameDelay(Duration.ofMillis(FRAME));
    ShadowViewConfiguration.setHasPermanentMenuKey(false);
    Application app = RuntimeEnvironment.getApplication();
    // As uiautomator does: rows of lists tell that they can be tapped only where a service listens.
    shadowOf(app.getSystemService(AccessibilityManager.class)).setEnabled(true);
    Crash crash = new Crash();
    Thread.setDefaultUncaughtExceptionHandler((thread, error) -> crash.happened(error));
    Launches launches = new Launches(app);
    ActivityThread thread = (ActivityThread) RuntimeEnvironment.getActivityThread();
    ReflectionHelpers.setField(thread, "mInstrumentation", launches);
    Stack stack = new Stack(app, launches);
    Glass glass = new Glass(stack);
    Notices notices = new Notices(app);
    Hand hand = new Hand(stack, glass, notices, crash);
    new Control(hand, Integer.getInteger("waypost.port", 0)).serve();
  }

  /** The activity that a child of a group of activities belongs to. */
  static Activity outermost(Activity activity) {
    Activity found = activity;
    while (found != null && found.getParent() != null) {
      found = found.getParent();
    }
    return found;
  }
}
