package waypost.framework;

import android.content.res.Resources;
import android.graphics.Rect;
import android.view.View;
import android.view.ViewGroup;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityNodeProvider;
import java.util.List;

/** Windows in, the XML that uiautomator writes of them out: what each view tells an accessibility service. */
final class Tree {
  private static final int DEEPEST = 120;
  private final StringBuilder out = new StringBuilder();

  private Tree() {}

  /**
   * Writes the windows from the bottom up.
   *
   * <p>A window that takes every touch hides those below it from services, as on a phone, where windows that
   * cannot be touched are not reported.
   */
  static String of(List<Pane> panes) {
    Tree tree = new Tree();
    tree.out.append("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">");
    int from = panes.size() - 1;
    while (from > 0 && !panes.get(from).modal()) {
      from--;
    }
    for (Pane pane : panes.subList(Math.max(from, 0), panes.size())) {
      Rect room = new Rect(0, 0, Phone.WIDTH, Phone.HEIGHT);
      tree.view(pane.root(), pane.owner(), 0, room, 0);
    }
    return tree.out.append("</hierarchy>").toString();
  }

  private void view(View view, String owner, int index, Rect room, int depth) {
    if (!view.isVisibleToUser() || depth > DEEPEST) {
      return;
    }
    AccessibilityNodeProvider provider = view.getAccessibilityNodeProvider();
    AccessibilityNodeInfo node = provider == null
        ? view.createAccessibilityNodeInfo()
        : provider.createAccessibilityNodeInfo(AccessibilityNodeProvider.HOST_VIEW_ID);
    if (node == null) {
      return;
    }
    Rect seen = open(node, owner, name(view), index, room);
    int next = 0;
    if (provider != null) {
      next = virtual(provider, node, owner, seen, depth + 1);
    }
    if (view instanceof ViewGroup group) {
      for (int n = 0; n < group.getChildCount(); n++) {
        view(group.getChildAt(n), owner, next++, seen, depth + 1);
      }
    }
    out.append("</node>");
  }

  /** Writes the parts that a view only tells of, such as the days of a calendar; returns how many there are. */
  private int virtual(
      AccessibilityNodeProvider provider, AccessibilityNodeInfo node, String owner, Rect room, int depth) {
    int written = 0;
    for (int n = 0; n < node.getChildCount() && depth <= DEEPEST; n++) {
      int id = AccessibilityNodeInfo.getVirtualDescendantId(node.getChildId(n));
      if (id == AccessibilityNodeProvider.HOST_VIEW_ID) {
        continue; // A view of its own.
      }
      AccessibilityNodeInfo child = provider.createAccessibilityNodeInfo(id);
      if (child == null || !child.isVisibleToUser()) {
        continue;
      }
      Rect seen = open(child, owner, "", written++, room);
      virtual(provider, child, owner, seen, depth + 1);
      out.append("</node>");
    }
    return written;
  }

  private Rect open(AccessibilityNodeInfo node, String owner, String id, int index, Rect room) {
    Rect seen = new Rect();
    node.getBoundsInScreen(seen);
    if (!seen.intersect(room)) {
      seen.setEmpty();
    }
    out.append("<node index=\"").append(index).append('"');
    said("text", node.getText());
    said("resource-id", id);
    said("class", node.getClassName());
    said("package", owner);
    said("content-desc", node.getContentDescription());
    flag("checkable", node.isCheckable());
    flag("checked", node.isChecked());
    flag("clickable", node.isClickable());
    flag("enabled", node.isEnabled());
    flag("focusable", node.isFocusable());
    flag("focused", node.isFocused());
    flag("scrollable", node.isScrollable());
    flag("long-clickable", node.isLongClickable());
    flag("password", node.isPassword());
    flag("selected", node.isSelected());
    if (node.getHintText() != null) {
      said("hint", node.getHintText());
      flag("showing-hint", node.isShowingHintText());
    }
    if (node.isHeading()) {
      flag("heading", true);
    }
    out.append(" bounds=\"[").append(seen.left).append(',').append(seen.top).append("][");
    out.append(seen.right).append(',').append(seen.bottom).append("]\">");
    return seen;
  }

  private static String name(View view) {
    int id = view.getId();
    if (id == View.NO_ID || id >>> 24 == 0) {
      return "";
    }
    try {
      return view.getResources().getResourceName(id);
    } catch (Resources.NotFoundException e) {
      return "";
    }
  }

  private void flag(String name, boolean on) {
    out.append(' ').append(name).append("=\"").append(on).append('"');
  }

  private void said(String name, CharSequence text) {
    out.append(' ').append(name).append("=\"");
    for (int n = 0; text != null && n < text.length(); n++) {
      char c = text.charAt(n);
      switch (c) {
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '"' -> out.append("&quot;");
        case '\n', '\t' -> out.append("&#").append((int) c).append(';');
        default -> out.append(c < ' ' || c == 0xFFFE || c == 0xFFFF || lone(text, n) ? '.' : c);
      }
    }
    out.append('"');
  }

  /** Whether a character is half of a pair whose other half is missing: no XML can hold it. */
  private static boolean lone(CharSequence text, int n) {
    char c = text.charAt(n);
    if (Character.isHighSurrogate(c)) {
      return n + 1 >= text.length() || !Character.isLowSurrogate(text.charAt(n + 1));
    }
    return Character.isLowSurrogate(c) && (n == 0 || !Character.isHighSurrogate(text.charAt(n - 1)));
  }
}
