package waypost.framework;

import org.junit.runner.JUnitCore;
import org.junit.runner.Result;
import org.junit.runner.notification.Failure;

/** Starts the phone, and ends with it. Robolectric lets nobody in but a test runner. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    Result result = JUnitCore.runClasses(Phone.class);
    for (Failure failure : result.getFailures()) {
      System.err.println(failure.getTrace());
    }
    System.exit(result.wasSuccessful() ? 0 : 1);
  }
}
