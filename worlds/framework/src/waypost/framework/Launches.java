package waypost.framework;

import android.app.Activity;
import android.app.Application;
import android.content.ActivityNotFoundException;
import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.content.pm.PackageManager;
import android.content.pm.ResolveInfo;
import android.os.Bundle;
import android.os.IBinder;
import android.os.UserHandle;
import java.util.ArrayDeque;
import java.util.Deque;
import org.robolectric.android.internal.RoboMonitoringInstrumentation;

/** Takes every start of an activity that the app asks for, and keeps it until the stack carries it out. */
final class Launches extends RoboMonitoringInstrumentation {
  /** One start: by whom, of what, and whether an answer is waited for. */
  record Launch(Activity caller, String who, Intent intent, int requestCode) {}

  final Deque<Launch> pending = new ArrayDeque<>();
  private final Application app;

  Launches(Application app) {
    this.app = app;
    onCreate(new Bundle());
  }

  /** Returns what an intent means inside the app; null where it leads out of it. */
  ActivityInfo resolve(Intent intent) {
    PackageManager packages = app.getPackageManager();
    ComponentName named = intent.getComponent();
    if (named != null && !named.getPackageName().equals(app.getPackageName())) {
      return null;
    }
    if (named != null) {
      try {
        return packages.getActivityInfo(named, PackageManager.GET_META_DATA);
      } catch (PackageManager.NameNotFoundException e) {
        throw new ActivityNotFoundException("Unable to find explicit activity class " + named);
      }
    }
    for (ResolveInfo found : packages.queryIntentActivities(intent, PackageManager.MATCH_DEFAULT_ONLY)) {
      if (found.activityInfo.packageName.equals(app.getPackageName())) {
        return found.activityInfo;
      }
    }
    return null;
  }

  private ActivityResult taken(Activity caller, String who, Intent intent, int requestCode) {
    resolve(intent); // One that is named and not there fails at once, as it does on a phone.
    pending.add(new Launch(Phone.outermost(caller), who, new Intent(intent), requestCode));
    return null;
  }

  @Override
  public ActivityResult execStartActivity(
      Context who,
      IBinder contextThread,
      IBinder token,
      Activity target,
      Intent intent,
      int requestCode,
      Bundle options) {
    String child = target != null && target.getParent() != null ? childId(target) : null;
    return taken(target, child, intent, requestCode);
  }

  @Override
  public ActivityResult execStartActivity(
      Context who,
      IBinder contextThread,
      IBinder token,
      String target,
      Intent intent,
      int requestCode,
      Bundle options) {
    return taken(who instanceof Activity a ? a : null, target, intent, requestCode);
  }

  @Override
  public ActivityResult execStartActivity(
      Context who,
      IBinder contextThread,
      IBinder token,
      String target,
      Intent intent,
      int requestCode,
      Bundle options,
      UserHandle user) {
    return taken(who instanceof Activity a ? a : null, target, intent, requestCode);
  }

  private static String childId(Activity child) {
    return org.robolectric.util.ReflectionHelpers.getField(child, "mEmbeddedID");
  }
}
