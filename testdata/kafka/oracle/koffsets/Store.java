package koffsets;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.connect.json.JsonConverter;
import org.apache.kafka.connect.runtime.distributed.DistributedConfig;
import org.apache.kafka.connect.runtime.rest.entities.ConnectorOffset;
import org.apache.kafka.connect.runtime.rest.entities.ConnectorOffsets;
import org.apache.kafka.connect.storage.ConnectorOffsetBackingStore;
import org.apache.kafka.connect.storage.KafkaOffsetBackingStore;
import org.apache.kafka.connect.storage.OffsetBackingStore;
import org.apache.kafka.connect.storage.OffsetStorageReaderImpl;
import org.apache.kafka.connect.util.TopicAdmin;

/**
 * Loads a topic into the released KafkaOffsetBackingStore, as a worker does when it starts. Arguments: bootstrap
 * address, and a worker's properties as name=value. Question: a topic's name. Answer: three byte strings an entry, ended
 * by three nulls: "lookup", key and value of an entry of the store's memory; or "listing", connector and what REST shows
 * of it.
 */
public final class Store {
  public static void main(String[] args) throws Exception {
    // Closing waits for a fetch under way, which without new records lasts as long as fetch.max.wait.ms says.
    Map<String, String> properties = new HashMap<>(Map.of("bootstrap.servers", args[0], "group.id", "oracle",
        "fetch.max.wait.ms", "10",
        "config.storage.topic", "none", "status.storage.topic", "none",
        "key.converter", "org.apache.kafka.connect.storage.StringConverter",
        "value.converter", "org.apache.kafka.connect.storage.StringConverter"));
    for (String property : Arrays.asList(args).subList(1, args.length)) {
      properties.put(property.split("=")[0], property.split("=")[1]);
    }
    TopicAdmin admin = new TopicAdmin(new HashMap<>(Map.of("bootstrap.servers", args[0])));
    Frames.serve(topic -> {
      properties.put("offset.storage.topic", new String(topic, StandardCharsets.UTF_8));
      return load(properties, admin);
    });
  }

  private static Object[] load(Map<String, String> properties, TopicAdmin admin) throws Exception {
    JsonConverter keys = Keys.converter(true);
    KafkaOffsetBackingStore store = new KafkaOffsetBackingStore(() -> admin, () -> "oracle", keys);
    store.configure(new DistributedConfig(properties));
    store.start();
    try {
      return contents(store, properties.get("offset.storage.topic"), keys);
    } finally {
      store.stop();
    }
  }

  private static Object[] contents(KafkaOffsetBackingStore store, String topic, JsonConverter keys) throws Exception {
    List<Object> answer = new ArrayList<>();
    var data = KafkaOffsetBackingStore.class.getDeclaredField("data");
    data.setAccessible(true);
    @SuppressWarnings("unchecked")
    Map<ByteBuffer, ByteBuffer> lookup = (Map<ByteBuffer, ByteBuffer>) data.get(store);
    lookup.forEach((key, value) -> answer.addAll(Arrays.asList("lookup", bytes(key), bytes(value))));
    var partitions = KafkaOffsetBackingStore.class.getDeclaredField("connectorPartitions");
    partitions.setAccessible(true);
    OffsetBackingStore asked = ConnectorOffsetBackingStore.withOnlyWorkerStore(() -> null, store, topic);
    ObjectMapper rest = new ObjectMapper();
    for (Object connector : new TreeSet<>(((Map<?, ?>) partitions.get(store)).keySet())) {
      Set<Map<String, Object>> listed = asked.connectorPartitions((String) connector);
      List<ConnectorOffset> offsets = new ArrayList<>();
      new OffsetStorageReaderImpl(asked, (String) connector, keys, Keys.converter(false)).offsets(listed)
          .forEach((partition, offset) -> offsets.add(new ConnectorOffset(partition, offset)));
      answer.addAll(List.of("listing", connector, rest.writeValueAsBytes(new ConnectorOffsets(offsets))));
    }
    answer.addAll(Arrays.asList(null, null, null));
    return answer.toArray();
  }

  private static byte[] bytes(ByteBuffer b) {
    return b == null ? null : b.array();
  }
}
