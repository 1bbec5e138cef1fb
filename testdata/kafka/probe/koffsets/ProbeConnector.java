package koffsets;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.source.SourceConnector;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;

/**
 * A source connector whose offsets are what its configuration says. Property "tasks" is a JSON array with an element a
 * task: "partition" is its source partition, kept in the order of its fields ("hash": true for a HashMap instead), and
 * "offsets" the source offsets it commits one after the other, each with a record to the topic of property "topic";
 * null resets. "feed", if set, is a file of more such offsets, one a line; when it is there the task commits them and
 * deletes it first. Each task appends what it found when it started, as one JSON line, to the file of property "report".
 */
public class ProbeConnector extends SourceConnector {
  private Map<String, String> properties;

  @Override
  public void start(Map<String, String> properties) {
    this.properties = properties;
  }

  @Override
  public List<Map<String, String>> taskConfigs(int most) {
    List<Map<String, String>> tasks = new ArrayList<>();
    for (JsonNode task : Probe.parse(properties.get("tasks"), JsonNode.class)) {
      Map<String, String> config = new HashMap<>(properties);
      config.put("task", task.toString());
      tasks.add(config);
    }
    return tasks;
  }

  @Override
  public Class<? extends Task> taskClass() {
    return Probe.class;
  }

  @Override
  public ConfigDef config() {
    return new ConfigDef();
  }

  @Override
  public void stop() {}

  @Override
  public String version() {
    return "1";
  }

  /** A task of the connector. */
  public static class Probe extends SourceTask {
    private static final ObjectMapper JSON = new ObjectMapper();

    private String topic;
    private String feed;
    private Map<String, ?> partition;
    private final List<Map<String, ?>> offsets = new ArrayList<>();

    static <T> T parse(String text, Class<T> type) {
      try {
        return JSON.readValue(text, type);
      } catch (Exception e) {
        throw new IllegalArgumentException(text, e);
      }
    }

    @Override
    @SuppressWarnings("unchecked")
    public void start(Map<String, String> properties) {
      topic = properties.get("topic");
      JsonNode task = parse(properties.get("task"), JsonNode.class);
      partition = JSON.convertValue(task.get("partition"), LinkedHashMap.class);
      if (task.path("hash").asBoolean()) {
        partition = new HashMap<>(partition);
      }
      task.path("offsets").forEach(this::take);
      feed = task.path("feed").asText("");
      Map<String, Object> report = new LinkedHashMap<>();
      report.put("partition", partition);
      report.put("found", context.offsetStorageReader().offset(partition));
      try {
        Files.writeString(Path.of(properties.get("report")), JSON.writeValueAsString(report) + "\n",
            StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      } catch (java.io.IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }

    private void take(JsonNode offset) {
      offsets.add(JSON.convertValue(offset, HashMap.class));
    }

    @Override
    public List<SourceRecord> poll() throws InterruptedException {
      if (offsets.isEmpty() && !feed.isEmpty() && Files.exists(Path.of(feed))) {
        try {
          Files.readAllLines(Path.of(feed)).forEach(line -> take(parse(line, JsonNode.class)));
          Files.delete(Path.of(feed));
        } catch (java.io.IOException e) {
          throw new java.io.UncheckedIOException(e);
        }
      }
      if (offsets.isEmpty()) {
        Thread.sleep(50);
        return null;
      }
      return List.of(new SourceRecord(partition, offsets.remove(0), topic, Schema.STRING_SCHEMA, "record"));
    }

    @Override
    public void stop() {}

    @Override
    public String version() {
      return "1";
    }
  }
}
