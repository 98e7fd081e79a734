package waypost.framework;

import android.app.TabActivity;
import android.widget.TabHost;
import android.widget.TabWidget;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowLinearLayout;
import org.robolectric.shadows.ShadowViewGroup;

/** Gives tabs back to Android: Robolectric's stand-ins keep them in a list, and show none. */
final class PlainTabs {
  private PlainTabs() {}

  /** The real {@link TabHost}. */
  @Implements(TabHost.class)
  public static class Host extends ShadowViewGroup {}

  /** The real {@link TabHost.TabSpec}. */
  @Implements(TabHost.TabSpec.class)
  public static class Spec {}

  /** The real {@link TabWidget}. */
  @Implements(TabWidget.class)
  public static class Strip extends ShadowLinearLayout {}

  /** The real {@link TabActivity}. */
  @Implements(TabActivity.class)
  public static class Group extends PlainActivity {}
}
