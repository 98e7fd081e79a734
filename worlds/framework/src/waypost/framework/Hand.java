package waypost.framework;

import android.content.Intent;
import android.content.pm.PackageManager;
import android.os.Bundle;
import android.os.SystemClock;
import android.view.KeyEvent;
import android.view.View;
import android.view.inputmethod.EditorInfo;
import android.view.inputmethod.ExtractedText;
import android.view.inputmethod.ExtractedTextRequest;
import android.view.inputmethod.InputConnection;
import java.util.ArrayList;
import java.util.List;
import org.robolectric.Shadows;

/** The phone as a person holds it: what is done is done to the end, and a crash is one more thing to see. */
final class Hand {
  /** Milliseconds that the phone is given to come to rest after a touch, a fling, a start. */
  private static final long AFTER_TOUCH = 640;
  private static final long AFTER_FLING = 1600;
  private static final long AFTER_START = 960;
  private static final long TAP = 48;
  private static final long HOLD = 640;
  private static final String ASK = "android.content.pm.action.REQUEST_PERMISSIONS";

  final Stack stack;
  final Glass glass;
  /** Intents that left the app, oldest first. */
  final List<String> left = new ArrayList<>();
  /** What the app died of, oldest first. */
  final List<String> deaths = new ArrayList<>();

  private final Notices notices;
  private final Crash crash;
  private final Finger finger;
  private Launches.Launch told;
  private boolean atHome;
  private boolean dying;

  Hand(Stack stack, Glass glass, Notices notices, Crash crash) {
    this.stack = stack;
    this.glass = glass;
    this.notices = notices;
    this.crash = crash;
    this.finger = new Finger(glass, this::between);
  }

  /** Does something to the phone, and lets it come to rest. */
  private void doing(long rest, Runnable work) {
    guarded(work);
    for (int turn = 0; turn < 3; turn++) {
      guarded(() -> Clock.pass(rest / 3, this::between));
      Clock.breathe(4);
    }
  }

  /** Runs what may run the app's code; whatever it throws is the app's death. */
  private void guarded(Runnable work) {
    try {
      work.run();
    } catch (Throwable e) {
      crash.happened(e);
    }
    bury();
  }

  private void between() {
    stack.settle();
    glass.focus();
    glass.roll();
    if (!dying) {
      notice();
    }
  }

  /** Shows what is not the app's own, where that changed. */
  private void notice() {
    if (stack.outside != told) {
      told = stack.outside;
      if (told != null && ASK.equals(told.intent().getAction())) {
        ask(told);
      } else if (told != null) {
        left.add(told.intent().toString());
        notices.outside(glass, told.intent());
      } else {
        notices.clear();
      }
    }
    if (stack.home != atHome && told == null) {
      atHome = stack.home;
      if (atHome) {
        notices.home(glass, stack::come);
      } else {
        notices.clear();
      }
    }
  }

  private void ask(Launches.Launch launch) {
    String[] names = launch.intent().getStringArrayExtra(PackageManager.EXTRA_REQUEST_PERMISSIONS_NAMES);
    String what = names == null ? "something" : String.join(", ", names).replace("android.permission.", "");
    notices.asked(glass, what, allowed -> {
      if (allowed && names != null) {
        Shadows.shadowOf(stack.app).grantPermissions(names);
      }
      int[] results = new int[names == null ? 0 : names.length];
      java.util.Arrays.fill(
          results, allowed ? PackageManager.PERMISSION_GRANTED : PackageManager.PERMISSION_DENIED);
      Intent answer = new Intent(ASK)
          .putExtra(PackageManager.EXTRA_REQUEST_PERMISSIONS_NAMES, names)
          .putExtra(PackageManager.EXTRA_REQUEST_PERMISSIONS_RESULTS, results);
      stack.comeBack(android.app.Activity.RESULT_OK, answer);
    });
  }

  /** Ends the app where it died, and says so on the screen. */
  private void bury() {
    Throwable error = crash.take();
    if (error == null) {
      return;
    }
    String said = Crash.said(error);
    if (dying) {
      System.err.println("after it had died: " + said);
      return;
    }
    deaths.add(said);
    System.err.println("the app died: " + said);
    dying = true;
    stack.kill();
    notices.crashed(glass, () -> {
      dying = false;
      atHome = false;
      stack.open(stack.main());
    });
    told = null;
  }

  /** Kills the app and starts it afresh. */
  void restart() {
    start(stack.main());
  }

  /** Kills the app and starts one of its activities, as the only one. */
  void start(Intent intent) {
    notices.clear();
    dying = false;
    stack.kill();
    told = null;
    atHome = false;
    doing(AFTER_START, () -> stack.open(intent));
  }

  void come() {
    doing(AFTER_START, () -> {
      if (stack.home || stack.outside != null) {
        stack.come();
      }
    });
  }

  void tap(float x, float y) {
    doing(AFTER_TOUCH, () -> finger.press(x, y, TAP));
  }

  void hold(float x, float y) {
    doing(AFTER_TOUCH, () -> finger.press(x, y, HOLD));
  }

  void swipe(float x, float y, float endX, float endY, long ms) {
    doing(AFTER_FLING, () -> finger.swipe(x, y, endX, endY, ms, 96));
  }

  /** Lets one frame pass, so that what was asked for last is laid out. */
  void frame() {
    guarded(() -> Clock.pass(0, this::between));
  }

  /** Draws the screen; a window that forbids it gives null, and one that can't be drawn has killed its app. */
  byte[] picture() {
    byte[][] drawn = {null};
    guarded(() -> drawn[0] = glass.picture());
    return drawn[0];
  }

  void pass(long ms) {
    doing(ms, () -> {});
  }

  void back() {
    doing(AFTER_TOUCH, () -> {
      if (stack.outside != null && !ASK.equals(stack.outside.intent().getAction())) {
        stack.comeBack(android.app.Activity.RESULT_CANCELED, null);
      } else {
        key(KeyEvent.KEYCODE_BACK);
      }
    });
  }

  void home() {
    doing(AFTER_TOUCH, () -> {
      if (!dying) {
        stack.leave();
      }
    });
  }

  void enter() {
    doing(AFTER_TOUCH, () -> key(KeyEvent.KEYCODE_ENTER));
  }

  private void key(int code) {
    View root = glass.keys();
    if (root == null) {
      return;
    }
    long now = SystemClock.uptimeMillis();
    for (int action : new int[] {KeyEvent.ACTION_DOWN, KeyEvent.ACTION_UP}) {
      KeyEvent event = new KeyEvent(now, now, action, code, 0);
      if (!root.dispatchKeyEventPreIme(event) && root.isAttachedToWindow()) {
        root.dispatchKeyEvent(event);
      }
    }
  }

  /** Replaces what the focused field holds; false where nothing takes text. */
  boolean type(String text, boolean submit) {
    boolean[] taken = {false};
    doing(AFTER_TOUCH, () -> taken[0] = typed(text, submit));
    return taken[0];
  }

  private boolean typed(String text, boolean submit) {
    View root = glass.keys();
    View field = root == null ? null : root.findFocus();
    EditorInfo info = new EditorInfo();
    InputConnection connection = field == null ? null : field.onCreateInputConnection(info);
    if (connection == null) {
      return false;
    }
    ExtractedText held = connection.getExtractedText(new ExtractedTextRequest(), 0);
    connection.beginBatchEdit();
    connection.setSelection(0, held == null || held.text == null ? 0 : held.text.length());
    connection.commitText(text, 1);
    connection.endBatchEdit();
    if (submit) {
      connection.performEditorAction(info.imeOptions & EditorInfo.IME_MASK_ACTION);
    }
    return true;
  }

  /** Says what page this is, for scoring: the activity with what it was started with, and what lies over it. */
  String page() {
    if (dying) {
      return "crash";
    }
    if (stack.home || stack.outside != null) {
      return stack.home ? "home" : "outside";
    }
    StringBuilder said = new StringBuilder(stack.top().activity().getClass().getName());
    Bundle extras = stack.top().activity().getIntent().getExtras();
    if (extras != null) {
      for (String name : new java.util.TreeSet<>(extras.keySet())) {
        said.append('|').append(name).append('=').append(extras.get(name));
      }
    }
    for (Pane pane : glass.panes()) {
      if (!pane.kind().equals("activity")) {
        said.append('+').append(pane.kind()).append(':').append(pane.attributes().getTitle());
      }
    }
    return said.toString();
  }
}
