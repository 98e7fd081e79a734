package waypost.framework;

import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** The way in: one JSON object a line asks, one answers. On loopback, one client after the other. */
final class Control {
  private final Hand hand;
  private final int port;
  private boolean on = true;

  Control(Hand hand, int port) {
    this.hand = hand;
    this.port = port;
  }

  /** Serves until a client says {@code stop}. Everything runs on this thread, which is the app's main one. */
  void serve() throws IOException {
    try (ServerSocket door = new ServerSocket(port, 8, InetAddress.getLoopbackAddress())) {
      hand.restart();
      System.out.println("ready on port " + door.getLocalPort());
      while (on) {
        try (Socket client = door.accept()) {
          client.setTcpNoDelay(true);
          talk(client);
        } catch (IOException e) {
          System.err.println("a client went away: " + e);
        }
      }
    }
  }

  private void talk(Socket client) throws IOException {
    var in = new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));
    OutputStream out = client.getOutputStream();
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      JSONObject answer;
      try {
        answer = answered(new JSONObject(line));
      } catch (Throwable e) { // The app is guarded already: this is a fault of the phone itself.
        e.printStackTrace();
        answer = new JSONObject(java.util.Map.of("error", String.valueOf(e)));
      }
      out.write((answer + "\n").getBytes(StandardCharsets.UTF_8));
      out.flush();
      if (!on) {
        return;
      }
    }
  }

  private JSONObject answered(JSONObject asked) throws JSONException {
    JSONObject answer = new JSONObject();
    switch (asked.getString("do")) {
      case "hello" -> hello(answer);
      case "look" -> look(answer, asked.optBoolean("pixels"));
      case "tap" -> hand.tap(at(asked, "x"), at(asked, "y"));
      case "hold" -> hand.hold(at(asked, "x"), at(asked, "y"));
      case "swipe" ->
          hand.swipe(
              at(asked, "x"), at(asked, "y"), at(asked, "to_x"), at(asked, "to_y"), asked.getLong("ms"));
      case "type" -> answer.put("taken", hand.type(asked.getString("text"), asked.optBoolean("submit")));
      case "back" -> hand.back();
      case "home" -> hand.home();
      case "enter" -> hand.enter();
      case "wait" -> hand.pass(Math.min(60_000, asked.getLong("ms")));
      case "launch" -> hand.come();
      case "open" -> open(asked.getString("activity"));
      case "restart" -> hand.restart();
      case "stop" -> on = false;
      default -> answer.put("error", "nothing is known of " + asked.getString("do"));
    }
    return answer;
  }

  private static float at(JSONObject asked, String name) throws JSONException {
    return (float) asked.getDouble(name);
  }

  private void open(String activity) {
    hand.start(new Intent().setClassName(hand.stack.app, activity));
  }

  private void hello(JSONObject answer) throws JSONException {
    PackageManager packages = hand.stack.app.getPackageManager();
    String name = hand.stack.app.getPackageName();
    JSONArray activities = new JSONArray();
    try {
      PackageInfo info = packages.getPackageInfo(name, PackageManager.GET_ACTIVITIES);
      for (ActivityInfo activity : info.activities == null ? new ActivityInfo[0] : info.activities) {
        if (activity.targetActivity == null) { // An alias is one more name, and no activity.
          activities.put(activity.name);
        }
      }
      answer.put("version", info.versionName == null ? "" : info.versionName);
    } catch (PackageManager.NameNotFoundException e) {
      throw new IllegalStateException("the app is not installed: " + name, e);
    }
    answer.put("app", name);
    answer.put("android", android.os.Build.VERSION.RELEASE);
    answer.put("size", new JSONArray(List.of(Phone.WIDTH, Phone.HEIGHT)));
    answer.put("activities", activities);
  }

  private void look(JSONObject answer, boolean pixels) throws JSONException {
    hand.frame();
    byte[] picture = pixels ? hand.picture() : null; // First: what is drawn may die of it.
    List<Pane> panes = hand.glass.panes();
    Stack.Entry top = hand.stack.top();
    boolean ours = top != null && !hand.stack.home && hand.stack.outside == null;
    answer.put("tree", Tree.of(panes));
    answer.put("owner", panes.isEmpty() ? "" : panes.get(panes.size() - 1).owner());
    answer.put("activity", ours ? top.activity().getClass().getName() : "");
    answer.put("title", ours ? String.valueOf(top.activity().getTitle()) : "");
    answer.put("page", hand.page());
    answer.put("left", new JSONArray(hand.left));
    answer.put("deaths", new JSONArray(hand.deaths));
    if (pixels) {
      answer.put("secure", picture == null);
      answer.put("png", picture == null ? "" : Base64.getEncoder().encodeToString(picture));
    }
  }
}
