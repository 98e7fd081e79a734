package waypost.framework;

import android.view.View;
import android.view.WindowManager;

/** One window that can be seen: where it lies, and what it lets through. */
record Pane(View root, WindowManager.LayoutParams attributes, String owner, int left, int top) {

  static Pane of(View root, String owner) {
    int[] at = new int[2];
    root.getLocationOnScreen(at);
    var attributes = (WindowManager.LayoutParams) root.getLayoutParams();
    return new Pane(root, attributes, owner, at[0], at[1]);
  }

  private boolean has(int flag) {
    return (attributes.flags & flag) != 0;
  }

  boolean contains(float x, float y) {
    return x >= left && y >= top && x < left + root.getWidth() && y < top + root.getHeight();
  }

  boolean touchable() {
    return !has(WindowManager.LayoutParams.FLAG_NOT_TOUCHABLE);
  }

  boolean focusable() {
    return !has(WindowManager.LayoutParams.FLAG_NOT_FOCUSABLE);
  }

  /** Whether it takes every touch, wherever that falls. */
  boolean modal() {
    return touchable() && focusable() && !has(WindowManager.LayoutParams.FLAG_NOT_TOUCH_MODAL);
  }

  boolean hearsOutside() {
    return has(WindowManager.LayoutParams.FLAG_WATCH_OUTSIDE_TOUCH);
  }

  /** How much darker what lies below is, 0 to 1. */
  float dim() {
    return has(WindowManager.LayoutParams.FLAG_DIM_BEHIND) ? attributes.dimAmount : 0;
  }

  /** Whether pictures of it are forbidden. */
  boolean secure() {
    return has(WindowManager.LayoutParams.FLAG_SECURE);
  }

  /** What sort of window it is. */
  String kind() {
    int type = attributes.type;
    if (type >= WindowManager.LayoutParams.FIRST_SYSTEM_WINDOW) {
      return "system";
    }
    if (type >= WindowManager.LayoutParams.FIRST_SUB_WINDOW) {
      return "popup";
    }
    return type == WindowManager.LayoutParams.TYPE_BASE_APPLICATION ? "activity" : "dialog";
  }
}
