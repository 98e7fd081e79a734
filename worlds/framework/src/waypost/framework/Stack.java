package waypost.framework;

import android.app.Activity;
import android.app.Application;
import android.content.ComponentName;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.content.res.TypedArray;
import com.android.internal.R;
import java.util.ArrayList;
import java.util.List;
import org.robolectric.Robolectric;
import org.robolectric.android.controller.ActivityController;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowActivity;

/** The app's activities, as the activity manager of a phone would keep them: one task, newest last. */
final class Stack {
  private static final int MOST = 60;

  enum State {
    RESUMED,
    PAUSED,
    STOPPED
  }

  /** One activity that lives. */
  static final class Entry {
    final ActivityController<? extends Activity> controller;
    final ActivityInfo info;
    final Launches.Launch launch;
    State state = State.RESUMED;

    Entry(ActivityController<? extends Activity> controller, ActivityInfo info, Launches.Launch launch) {
      this.controller = controller;
      this.info = info;
      this.launch = launch;
    }

    Activity activity() {
      return controller.get();
    }

    /** Whether nothing below shows through. */
    boolean opaque() {
      TypedArray style = activity().obtainStyledAttributes(R.styleable.Window);
      try {
        return !ActivityInfo.isTranslucentOrFloating(style);
      } finally {
        style.recycle();
      }
    }
  }

  final Application app;
  /** An intent to another app that is "in front" now; null where the app itself is. */
  Launches.Launch outside;
  /** Whether the app was left for the home screen. */
  boolean home = true;

  private final List<Entry> entries = new ArrayList<>();
  private final Launches launches;

  Stack(Application app, Launches launches) {
    this.app = app;
    this.launches = launches;
  }

  Entry top() {
    return entries.isEmpty() ? null : entries.get(entries.size() - 1);
  }

  /** Returns the activities that can be seen, from the bottom up. */
  List<Entry> shown() {
    int from = entries.size() - 1;
    while (from > 0 && !entries.get(from).opaque()) {
      from--;
    }
    return from < 0 ? List.of() : List.copyOf(entries.subList(from, entries.size()));
  }

  /** Carries out what the app asked for: starts, ends, answers. Ends after a while, whatever it asks. */
  void settle() {
    for (int turn = 0; turn < MOST; turn++) {
      Entry ended = ended();
      if (!launches.pending.isEmpty()) {
        start(launches.pending.poll());
      } else if (ended != null) {
        end(ended);
      } else {
        break;
      }
    }
    if (entries.isEmpty() && outside == null) {
      home = true;
    }
  }

  /** Starts an activity of the app by its class; null for what its icon starts. */
  void open(Intent intent) {
    home = false;
    outside = null;
    launches.pending.add(new Launches.Launch(null, null, intent, -1));
    settle();
  }

  Intent main() {
    Intent intent = app.getPackageManager().getLaunchIntentForPackage(app.getPackageName());
    if (intent == null) {
      throw new IllegalStateException("the app has no activity that a launcher shows");
    }
    return intent;
  }

  /** Goes to the home screen; the app stays as it is, stopped. */
  void leave() {
    Entry top = top();
    if (!home && top != null) {
      pause(top);
      stop(top);
    }
    outside = null;
    home = true;
  }

  /** Comes back to the app, which is where it was. */
  void come() {
    home = false;
    outside = null;
    Entry top = top();
    if (top == null) {
      open(main());
    } else {
      reveal(top);
    }
  }

  /** Comes back from another app with its answer. */
  void comeBack(int code, Intent data) {
    Launches.Launch left = outside;
    outside = null;
    Entry top = top();
    if (top == null) {
      home = true;
      return;
    }
    wake(top);
    if (left != null && left.requestCode() >= 0) {
      answer(left, code, data);
    }
    reveal(top);
    settle();
  }

  /** Ends all activities as a killed process does: whatever they throw is heard by nobody. */
  void kill() {
    launches.pending.clear();
    for (int n = entries.size() - 1; n >= 0; n--) {
      Entry entry = entries.get(n);
      try {
        if (entry.state == State.RESUMED) {
          entry.controller.pause();
        }
        if (entry.state != State.STOPPED) {
          entry.controller.stop();
        }
      } catch (Throwable e) {
        System.err.println("while it was killed: " + e);
      }
      try {
        entry.controller.destroy();
      } catch (Throwable e) {
        System.err.println("while it was killed: " + e);
      }
    }
    entries.clear();
    launches.pending.clear();
    outside = null;
    home = true;
  }

  private void start(Launches.Launch launch) {
    Intent intent = launch.intent();
    ActivityInfo info = launches.resolve(intent);
    Entry top = top();
    if (info == null) {
      if (top != null && top.state == State.RESUMED) {
        pause(top);
        stop(top);
      }
      outside = launch;
      return;
    }
    String name = info.targetActivity != null ? info.targetActivity : info.name;
    if (reused(launch, name, info)) {
      return;
    }
    top = top();
    if (top != null && top.state == State.RESUMED) {
      pause(top);
    }
    begin(launch, info, name);
  }

  private void begin(Launches.Launch launch, ActivityInfo info, String name) {
    Intent intent = new Intent(launch.intent());
    intent.setComponent(new ComponentName(info.packageName, info.name));
    ActivityController<? extends Activity> made = Robolectric.buildActivity(named(name), intent);
    Entry entry = new Entry(made, info, launch);
    if (launch.caller() != null && launch.requestCode() >= 0) {
      ShadowActivity shadow = Shadow.extract(made.get());
      shadow.setCallingActivity(launch.caller().getComponentName());
    }
    entries.add(entry);
    ShadowActivity shadow = Shadow.extract(made.get());
    shadow.setIsTaskRoot(entries.size() == 1);
    made.create();
    if (made.get().isFinishing()) {
      entry.state = State.STOPPED; // One that only passes on never shows.
      return;
    }
    made.start().postCreate(null).resume().visible().topActivityResumed(true);
    if (entry.opaque()) {
      for (Entry below : entries.subList(0, entries.size() - 1)) {
        stop(below);
      }
    }
  }

  private Class<? extends Activity> named(String name) {
    try {
      return Class.forName(name).asSubclass(Activity.class);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("the app has no class " + name, e);
    }
  }

  /** Whether an activity that is there already takes the intent, by its launch mode or the intent's flags. */
  private boolean reused(Launches.Launch launch, String name, ActivityInfo info) {
    int flags = launch.intent().getFlags();
    boolean single = info.launchMode >= ActivityInfo.LAUNCH_SINGLE_TASK;
    if ((flags & Intent.FLAG_ACTIVITY_CLEAR_TASK) != 0) {
      for (Entry entry : List.copyOf(entries)) {
        entry.activity().finish();
        end(entry);
      }
      return false;
    }
    int at = entries.size() - 1;
    while (at >= 0 && !entries.get(at).activity().getClass().getName().equals(name)) {
      at--;
    }
    if (at < 0) {
      return false;
    }
    Entry found = entries.get(at);
    boolean onTop = at == entries.size() - 1;
    boolean top = info.launchMode == ActivityInfo.LAUNCH_SINGLE_TOP
        || (flags & Intent.FLAG_ACTIVITY_SINGLE_TOP) != 0;
    boolean clear = single || (flags & Intent.FLAG_ACTIVITY_CLEAR_TOP) != 0;
    if (onTop && (top || single)) {
      found.controller.newIntent(launch.intent());
      return true;
    }
    if ((flags & Intent.FLAG_ACTIVITY_REORDER_TO_FRONT) != 0) {
      pause(top());
      entries.remove(found);
      entries.add(found);
      found.controller.newIntent(launch.intent());
      reveal(found);
      return true;
    }
    if (!clear) {
      return false;
    }
    for (Entry above : List.copyOf(entries.subList(at + 1, entries.size()))) {
      above.activity().finish();
    }
    if (!single && !top) {
      found.activity().finish(); // Made anew, as a standard activity is.
    }
    while (ended() != null) {
      end(ended());
    }
    if (!single && !top) {
      return false;
    }
    found.controller.newIntent(launch.intent());
    return true;
  }

  private Entry ended() {
    for (int n = entries.size() - 1; n >= 0; n--) {
      if (entries.get(n).activity().isFinishing()) {
        return entries.get(n);
      }
    }
    return null;
  }

  private void end(Entry entry) {
    boolean front = entry == top();
    boolean made = entry.state != State.STOPPED;
    if (entry.state == State.RESUMED) {
      pause(entry);
    }
    entries.remove(entry);
    boolean back = front && outside == null && !home && top() != null;
    if (back) {
      wake(top());
    }
    ShadowActivity shadow = Shadow.extract(entry.activity());
    if (entry.launch.requestCode() >= 0) {
      answer(entry.launch, shadow.getResultCode(), shadow.getResultIntent());
    }
    if (back) {
      reveal(top());
    }
    if (made) {
      stop(entry);
    }
    entry.controller.destroy();
  }

  private void answer(Launches.Launch launch, int code, Intent data) {
    for (Entry entry : entries) {
      if (entry.activity() == launch.caller() && !entry.activity().isFinishing()) {
        ShadowActivity shadow = Shadow.extract(entry.activity());
        shadow.internalCallDispatchActivityResult(launch.who(), launch.requestCode(), code, data);
      }
    }
  }

  /** Starts a stopped activity again; answers are heard between this and its resumption. */
  private void wake(Entry entry) {
    if (entry.state == State.STOPPED) {
      entry.controller.restart();
      entry.state = State.PAUSED;
    }
  }

  private void reveal(Entry entry) {
    wake(entry);
    if (entry.state != State.RESUMED) {
      entry.controller.resume().visible().topActivityResumed(true);
    }
    entry.state = State.RESUMED;
  }

  private void pause(Entry entry) {
    if (entry.state == State.RESUMED) {
      entry.controller.topActivityResumed(false).pause();
      entry.state = State.PAUSED;
    }
  }

  private void stop(Entry entry) {
    if (entry.state == State.PAUSED) {
      entry.controller.stop();
      entry.state = State.STOPPED;
    }
  }
}
