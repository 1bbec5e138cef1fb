package koffsets;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.slf4j.helpers.FormattingTuple;
import org.slf4j.helpers.MessageFormatter;

/** What Kafka's classes logged at WARN and ERROR since the last {@link #clear}. */
public final class Log {
  public record Line(String text, Throwable thrown) {}

  private static final List<Line> LINES = new ArrayList<>();

  private Log() {}

  public static void clear() {
    LINES.clear();
  }

  public static List<Line> lines() {
    return LINES;
  }

  /** Answers a call of org.slf4j.Logger's method. */
  public static Object called(String method, String logger, Object[] arguments) {
    switch (method) {
      case "getName":
        return logger;
      case "isWarnEnabled", "isErrorEnabled":
        return true;
      case "warn", "error":
        // (format), (format, one), (format, one, two), (format, all) or (text, thrown)
        Object[] rest = Arrays.copyOfRange(arguments, 1, arguments.length);
        if (rest.length == 1 && rest[0] instanceof Object[] all) {
          rest = all;
        }
        FormattingTuple line = MessageFormatter.arrayFormat((String) arguments[0], rest);
        LINES.add(new Line(line.getMessage(), line.getThrowable()));
        return null;
      default:
        return method.startsWith("is") ? false : null;
    }
  }
}
