package waypost.framework;

import android.app.Activity;
import android.app.ActionBar;
import android.app.Dialog;
import android.app.FragmentManager;
import android.os.Bundle;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowActivity;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/** Gives activities back what Robolectric's stand-in cuts short: going back, and managed dialogs. */
@Implements(Activity.class)
public class PlainActivity extends ShadowActivity {
  @RealObject private Activity real;

  @Override
  @Implementation
  protected void onBackPressed() {
    ActionBar bar = real.getActionBar();
    if (bar != null && bar.collapseActionView()) {
      return;
    }
    FragmentManager fragments = real.getFragmentManager();
    if (!fragments.isStateSaved() && fragments.popBackStackImmediate()) {
      return;
    }
    real.finish();
  }

  @Override
  @Implementation
  protected void showDialog(int id) {
    real.showDialog(id, null);
  }

  @Override
  @Implementation
  protected boolean showDialog(int id, Bundle more) {
    return Shadow.directlyOn(
        real,
        Activity.class,
        "showDialog",
        ClassParameter.from(int.class, id),
        ClassParameter.from(Bundle.class, more));
  }

  @Override
  @Implementation
  protected void dismissDialog(int id) {
    Shadow.directlyOn(
        real, Activity.class, "dismissDialog", ClassParameter.from(int.class, id));
  }

  @Override
  @Implementation
  protected void removeDialog(int id) {
    Shadow.directlyOn(real, Activity.class, "removeDialog", ClassParameter.from(int.class, id));
  }

  @Override
  public Dialog getDialogById(int id) {
    throw new UnsupportedOperationException("dialogs are kept by the activity itself");
  }
}
