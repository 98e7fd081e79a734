package waypost.framework;

import java.io.PrintWriter;
import java.io.StringWriter;

/** What the app died of last; told by any thread, asked by the phone's own. */
final class Crash {
  private Throwable error;

  synchronized void happened(Throwable found) {
    if (error == null) {
      error = found;
    }
  }

  /** Returns what happened since this was asked last, null where nothing did. */
  synchronized Throwable take() {
    Throwable found = error;
    error = null;
    return found;
  }

  /** Returns the innermost cause and where it came from, as a person reads it. */
  static String said(Throwable error) {
    StringWriter text = new StringWriter();
    error.printStackTrace(new PrintWriter(text));
    return text.toString();
  }
}
