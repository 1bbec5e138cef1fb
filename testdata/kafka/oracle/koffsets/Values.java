package koffsets;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.json.JsonConverter;
import org.apache.kafka.connect.storage.OffsetBackingStore;
import org.apache.kafka.connect.storage.OffsetStorageReaderImpl;

/**
 * Asks a released Connect what a task gets for a value: the real OffsetStorageReaderImpl over a store that holds the
 * value under every key. Answer, in the words of testdata/values: class, refused field, Java's view of the map, what
 * the converter writes for it, and what Connect's REST does (the last three null where there is no map).
 */
public final class Values {
  private static final Pattern REFUSED = Pattern.compile("but field (.*) contains (.*)", Pattern.DOTALL);
  private static final Map<String, Object> PARTITION = Map.of("p", "v");

  private static final JsonConverter VALUES = Keys.converter(false);
  private static final ObjectMapper REST = new ObjectMapper();
  private static byte[] value;

  public static void main(String[] args) throws Exception {
    OffsetBackingStore store = (OffsetBackingStore) Proxy.newProxyInstance(Values.class.getClassLoader(),
        new Class<?>[] {OffsetBackingStore.class}, (proxy, method, arguments) -> {
          Map<ByteBuffer, ByteBuffer> found = new HashMap<>();
          for (Object key : (Collection<?>) arguments[0]) {
            found.put((ByteBuffer) key, value == null ? null : ByteBuffer.wrap(value));
          }
          return CompletableFuture.completedFuture(found);
        });
    OffsetStorageReaderImpl reader = new OffsetStorageReaderImpl(store, "c", Keys.converter(true), VALUES);
    for (String warm : new String[] {"{\"a\":[1]}", "x", "{\"a\":1}"}) {
      read(reader, warm.getBytes(StandardCharsets.UTF_8));
    }
    Frames.serve(asked -> read(reader, asked));
  }

  private static Object[] read(OffsetStorageReaderImpl reader, byte[] asked) throws Exception {
    value = asked;
    Log.clear();
    Map<Map<String, Object>, Map<String, Object>> offsets = reader.offsets(List.of(PARTITION));
    if (!Log.lines().isEmpty()) {
      return refused(Log.lines().get(0).thrown());
    }
    if (!offsets.containsKey(PARTITION)) {
      return new Object[] {"?absent", null, null, null, null};
    }
    Map<String, Object> offset = offsets.get(PARTITION);
    if (offset == null) {
      return new Object[] {asked == null ? "NULL_TOMBSTONE" : "NULL_LOOKALIKE", null, null, null, null};
    }
    return new Object[] {"OK", null, view(offset), VALUES.fromConnectData("", null, offset), REST.writeValueAsBytes(offset)};
  }

  private static Object[] refused(Throwable why) {
    if (why instanceof StackOverflowError) {
      return new Object[] {"STACK_OVERFLOW", null, null, null, null};
    }
    Object parsed;
    try {
      parsed = VALUES.toConnectData("", value).value();
    } catch (DataException e) {
      return new Object[] {"NOT_JSON", null, null, null, null};
    }
    if (!(parsed instanceof Map)) {
      return new Object[] {"NOT_MAP:" + parsed.getClass().getSimpleName(), null, null, null, null};
    }
    Matcher field = REFUSED.matcher(String.valueOf(why.getMessage()));
    if (!field.find()) {
      return new Object[] {"?" + why, null, null, null, null};
    }
    return new Object[] {"FIELD_NOT_PRIMITIVE:" + field.group(2), quoted(field.group(1)), view(parsed),
        VALUES.fromConnectData("", null, parsed), null};
  }

  /** A value with the Java class of every leaf. */
  private static String view(Object o) {
    if (o == null) {
      return "null";
    }
    if (o instanceof Map<?, ?> map) {
      StringJoiner fields = new StringJoiner(",", "{", "}");
      map.forEach((name, field) -> fields.add(quoted((String) name) + ":" + view(field)));
      return fields.toString();
    }
    if (o instanceof List<?> list) {
      StringJoiner elements = new StringJoiner(",", "[", "]");
      list.forEach(element -> elements.add(view(element)));
      return elements.toString();
    }
    return quoted(o.getClass().getSimpleName() + ":" + o);
  }

  private static String quoted(String s) {
    StringBuilder quoted = new StringBuilder("\"");
    for (char c : s.toCharArray()) {
      if (c < ' ' || c > '~') {
        quoted.append(String.format("\\u%04x", (int) c));
      } else {
        quoted.append(c == '"' || c == '\\' ? "\\" : "").append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
