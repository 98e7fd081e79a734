package waypost.framework;

import android.app.AlertDialog;
import android.app.Application;
import android.app.Dialog;
import android.content.Intent;
import android.graphics.Color;
import android.view.ContextThemeWrapper;
import android.view.View;
import android.view.WindowManager;
import android.widget.LinearLayout;
import android.widget.TextView;

/** The windows that are not the app's: the home screen, another app in front, and "keeps stopping". */
final class Notices {
  static final String SYSTEM = "android";
  static final String LAUNCHER = "com.waypost.launcher";
  static final String OUTSIDE = "com.waypost.outside";

  private final Application app;
  private Dialog shown;

  Notices(Application app) {
    this.app = app;
  }

  private ContextThemeWrapper themed(int style) {
    return new ContextThemeWrapper(app, style);
  }

  private CharSequence label() {
    return app.getPackageManager().getApplicationLabel(app.getApplicationInfo());
  }

  /** Says what Android says of an app that died; {@code closed} runs when that was read. */
  void crashed(Glass glass, Runnable closed) {
    Dialog dialog =
        new AlertDialog.Builder(themed(android.R.style.Theme_DeviceDefault_Light_Dialog_Alert))
            .setTitle(label() + " keeps stopping")
            .setPositiveButton("Close app", (d, which) -> {})
            .create();
    dialog.setOnDismissListener(d -> closed.run());
    show(dialog, glass, SYSTEM);
  }

  /** Asks for permissions as Android does; {@code answered} hears what the person said. */
  void asked(Glass glass, String what, java.util.function.Consumer<Boolean> answered) {
    boolean[] allowed = {false};
    Dialog dialog =
        new AlertDialog.Builder(themed(android.R.style.Theme_DeviceDefault_Light_Dialog_Alert))
            .setTitle("Allow " + label() + " to use " + what + "?")
            .setPositiveButton("Allow", (d, which) -> allowed[0] = true)
            .setNegativeButton("Don\u2019t allow", (d, which) -> {})
            .create();
    dialog.setOnDismissListener(d -> answered.accept(allowed[0]));
    show(dialog, glass, "com.android.permissioncontroller");
  }

  /** Stands in for the other app that an intent leads to. */
  void outside(Glass glass, Intent intent) {
    page(glass, OUTSIDE, "Another app", String.valueOf(intent.getAction()), null);
  }

  /** Shows the home screen, which has the app's name on it. */
  void home(Glass glass, Runnable opened) {
    page(glass, LAUNCHER, "Home", label(), view -> opened.run());
  }

  private void page(
      Glass glass, String owner, String title, CharSequence text, View.OnClickListener opened) {
    var context = themed(android.R.style.Theme_DeviceDefault_Light_NoActionBar);
    LinearLayout all = new LinearLayout(context);
    all.setOrientation(LinearLayout.VERTICAL);
    all.setPadding(48, 48, 48, 48);
    all.setBackgroundColor(Color.WHITE);
    for (CharSequence line : new CharSequence[] {title, text}) {
      TextView view = new TextView(context);
      view.setText(line);
      view.setTextSize(24);
      view.setPadding(24, 48, 24, 48);
      all.addView(view);
    }
    if (opened != null) {
      all.getChildAt(1).setOnClickListener(opened);
    }
    Dialog dialog = new Dialog(context, android.R.style.Theme_DeviceDefault_Light_NoActionBar);
    dialog.setContentView(all);
    dialog.setCancelable(false);
    show(dialog, glass, owner);
  }

  private void show(Dialog dialog, Glass glass, String owner) {
    clear();
    dialog.getWindow().setType(WindowManager.LayoutParams.TYPE_SYSTEM_ALERT);
    shown = dialog;
    dialog.show();
    glass.owned(dialog.getWindow().getDecorView(), owner);
  }

  /** Takes away what is shown, without anybody having answered it. */
  void clear() {
    if (shown != null) {
      shown.setOnDismissListener(null);
      shown.dismiss();
      shown = null;
    }
  }
}
