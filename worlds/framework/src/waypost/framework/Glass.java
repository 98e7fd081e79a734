package waypost.framework;

import android.app.Activity;
import android.graphics.Bitmap;
import android.graphics.Canvas;
import android.graphics.Color;
import android.os.IBinder;
import android.view.View;
import android.view.ViewGroup;
import android.view.ViewRootImpl;
import android.view.WindowManager;
import android.view.WindowManagerGlobal;
import android.webkit.WebView;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.HardwareRenderingScreenshot;
import org.robolectric.shadows.ShadowViewRootImpl;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/** What the window manager of a phone would know: which windows are seen, in what order, and which has the focus. */
final class Glass {
  private final Stack stack;
  private final Map<View, String> owners = new HashMap<>();
  private ViewRootImpl focused;

  Glass(Stack stack) {
    this.stack = stack;
  }

  /** Notes that a window is not the app's own. */
  void owned(View root, String owner) {
    owners.put(root, owner);
  }

  /** Returns the windows that can be seen, from the bottom up. */
  List<Pane> panes() {
    List<View> roots = new ArrayList<>(WindowManagerGlobal.getInstance().getWindowViews());
    owners.keySet().retainAll(roots);
    List<Pane> found = new ArrayList<>();
    if (!stack.home && stack.outside == null) {
      for (Stack.Entry entry : stack.shown()) {
        gather(entry.activity(), roots, found);
      }
    }
    for (View root : roots) {
      if (owners.containsKey(root) && seen(root)) {
        found.add(Pane.of(root, owners.get(root)));
      }
    }
    return found;
  }

  /**
   * Moves on what scrolls by itself, as drawing each frame does on a phone. A wheel that was flung and never
   * moved would turn through two thousand million values when it is touched next.
   */
  void roll() {
    for (Pane pane : panes()) {
      roll(pane.root());
    }
  }

  private static void roll(View view) {
    if (view.getVisibility() != View.VISIBLE || view instanceof WebView) {
      return;
    }
    view.computeScroll();
    if (view instanceof ViewGroup group) {
      for (int n = 0; n < group.getChildCount(); n++) {
        roll(group.getChildAt(n));
      }
    }
  }

  private void gather(Activity activity, List<View> roots, List<Pane> found) {
    IBinder token = activity.getActivityToken();
    for (View root : roots) {
      if (!owners.containsKey(root) && seen(root) && ofActivity(root, token, roots)) {
        found.add(Pane.of(root, activity.getPackageName()));
      }
    }
  }

  private static boolean seen(View root) {
    return root.isAttachedToWindow() && root.getVisibility() == View.VISIBLE && root.getWidth() > 0
        && root.getHeight() > 0;
  }

  /** Whether a window is an activity's: its own, a dialog of it, or what hangs on one of these. */
  private static boolean ofActivity(View root, IBinder token, List<View> roots) {
    var attributes = (WindowManager.LayoutParams) root.getLayoutParams();
    if (attributes.token == token || root.getWindowToken() == token) {
      return true;
    }
    if (attributes.type < WindowManager.LayoutParams.FIRST_SUB_WINDOW
        || attributes.type > WindowManager.LayoutParams.LAST_SUB_WINDOW) {
      return false;
    }
    for (View parent : roots) {
      if (parent != root && parent.getWindowToken() == attributes.token) {
        return ofActivity(parent, token, roots);
      }
    }
    return false;
  }

  /** Gives the focus to the window in front that takes it, and takes it from the one before. */
  void focus() {
    ViewRootImpl wanted = null;
    for (Pane pane : panes()) {
      wanted = pane.focusable() ? pane.root().getViewRootImpl() : wanted;
    }
    if (wanted == focused) {
      return;
    }
    if (focused != null && focused.getView() != null) {
      Shadow.<ShadowViewRootImpl>extract(focused).callWindowFocusChanged(false);
    }
    focused = wanted;
    if (focused != null) {
      Shadow.<ShadowViewRootImpl>extract(focused).callWindowFocusChanged(true);
    }
  }

  /** Returns the window that keys go to; null where none takes them. */
  View keys() {
    View found = null;
    for (Pane pane : panes()) {
      found = pane.focusable() ? pane.root() : found;
    }
    return found;
  }

  /** Returns what a screenshot shows, as PNG; null where a window forbids it. */
  byte[] picture() {
    Bitmap screen = Bitmap.createBitmap(Phone.WIDTH, Phone.HEIGHT, Bitmap.Config.ARGB_8888);
    Canvas canvas = new Canvas(screen);
    canvas.drawColor(Color.BLACK);
    for (Pane pane : panes()) {
      if (pane.secure()) {
        return null;
      }
      canvas.drawColor(Color.argb(pane.dim(), 0, 0, 0));
      View root = pane.root();
      Bitmap window = Bitmap.createBitmap(root.getWidth(), root.getHeight(), Bitmap.Config.ARGB_8888);
      draw(root, window);
      canvas.drawBitmap(window, pane.left(), pane.top(), null);
      window.recycle();
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    screen.compress(Bitmap.CompressFormat.PNG, 100, out);
    screen.recycle();
    return out.toByteArray();
  }

  /** Draws one window by the real renderer: shadows and layers need it, a plain canvas leaves them out. */
  private static void draw(View root, Bitmap window) {
    if (!root.isHardwareAccelerated()) { // The window asked for a plain canvas.
      root.draw(new Canvas(window));
      return;
    }
    ReflectionHelpers.callStaticMethod(
        HardwareRenderingScreenshot.class,
        "takeScreenshot",
        ClassParameter.from(View.class, root),
        ClassParameter.from(Bitmap.class, window));
  }
}
