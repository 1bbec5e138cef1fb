package koffsets;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.json.JsonConverter;
import org.apache.kafka.connect.storage.OffsetUtils;

/**
 * Asks a released Connect what it makes of a key: OffsetUtils.processPartitionKey, and the converter that writes keys.
 * Answer: the class as testdata/keys names it, the line a worker logs (null for none), the canonical spelling (null
 * where there is none), and what kept it from being written (null for nothing).
 */
public final class Keys {
  private static final byte[] LIVE = "{}".getBytes(StandardCharsets.UTF_8);

  /** A part of a log line, and the class it stands for. The rest of the line is the actual type or size. */
  private static final String[][] REFUSALS = {
    {"unexpected null value", "NULL_KEY"},
    {"unknown serialization. Expected json.", "BAD_JSON"},
    {"number of elements. Expected: 2, actual: ", "WRONG_SIZE:"},
    {"first element in the partition key list. Expected type: java.lang.String, actual type: ", "BAD_NAME:"},
    {"second element in the partition key list. Expected type: java.util.Map, actual type: ", "BAD_PARTITION:"},
    {"unexpected format. Expected type: java.util.List, actual type: ", "NOT_LIST:"},
  };

  public static void main(String[] args) throws Exception {
    JsonConverter converter = converter(true);
    // Load the classes with little on the stack, as in a worker that has read good keys before a deep one.
    for (String key : new String[] {"[\"c\",{\"p\":1}]", "x", "[1,2,3]"}) {
      judge(converter, key.getBytes(StandardCharsets.UTF_8));
    }
    Frames.serve(key -> judge(converter, key));
  }

  /** The converter that a worker keeps its offsets with. */
  static JsonConverter converter(boolean forKeys) {
    JsonConverter converter = new JsonConverter();
    converter.configure(Map.of("schemas.enable", "false"), forKeys);
    return converter;
  }

  private static Object[] judge(JsonConverter converter, byte[] key) {
    Map<String, Set<Map<String, Object>>> connectors = new HashMap<>();
    Log.clear();
    try {
      OffsetUtils.processPartitionKey(key, LIVE, converter, connectors);
    } catch (StackOverflowError e) {
      return new Object[] {"FATAL_DEPTH", null, null, null};
    } catch (DataException e) {
      return new Object[] {"THROW:DataException", null, null, null};
    }
    String line = Log.lines().isEmpty() ? null : Log.lines().get(0).text();
    if (connectors.isEmpty()) {
      return new Object[] {line == null ? "NULL_PARTITION" : refusal(line), line, null, null};
    }
    String connector = connectors.keySet().iterator().next();
    Map<String, Object> partition = connectors.get(connector).iterator().next();
    byte[] canonical = null;
    String failure = null;
    try {
      canonical = converter.fromConnectData("", null, Arrays.asList(connector, partition));
    } catch (Exception e) {
      failure = e.getClass().getSimpleName();
    }
    String verdict = "OK";
    try {
      OffsetUtils.validateFormat((Object) partition);
    } catch (DataException e) {
      verdict = "OK_INVALID_FORMAT";
    }
    return new Object[] {verdict, line, canonical, failure};
  }

  private static String refusal(String line) {
    for (String[] r : REFUSALS) {
      int at = line.indexOf(r[0]);
      if (at >= 0) {
        String actual = line.substring(at + r[0].length()).replaceFirst("^java\\.(lang|util)\\.", "");
        return r[1] + (r[1].endsWith(":") ? actual : "");
      }
    }
    return "?" + line;
  }
}
