package koffsets;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
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
 * address, isolation level, most records of a poll. Question: a topic's name. Answer: three byte strings an entry, ended by three nulls:
 * "lookup", key and value of an entry of the store's memory; or "listing", connector and what REST shows of it.
 */
public final class Store {
  public static void main(String[] args) throws Exception {
    Frames.serve(topic -> load(args[0], Map.of("isolation.level", args[1], "max.poll.records", args[2]), new String(topic, StandardCharsets.UTF_8)));
  }

  private static Object[] load(String bootstrap, Map<String, Object> settings, String topic) throws Exception {
    Map<String, Object> consumer = new HashMap<>(settings);
    consumer.putAll(Map.of("bootstrap.servers", bootstrap, "auto.offset.reset", "earliest", "enable.auto.commit", "false",
        "key.deserializer", ByteArrayDeserializer.class, "value.deserializer", ByteArrayDeserializer.class));
    JsonConverter keys = Keys.converter(true);
    TopicAdmin admin = new TopicAdmin(new HashMap<>(Map.of("bootstrap.servers", bootstrap)));
    KafkaOffsetBackingStore store = KafkaOffsetBackingStore.readOnlyStore(topic, new KafkaConsumer<>(consumer), admin, keys);
    store.configure(worker(bootstrap, topic));
    store.start();
    try {
      return contents(store, topic, keys);
    } finally {
      store.stop();
      admin.close();
    }
  }

  private static DistributedConfig worker(String bootstrap, String topic) {
    String strings = "org.apache.kafka.connect.storage.StringConverter";
    return new DistributedConfig(new HashMap<>(Map.of("bootstrap.servers", bootstrap, "group.id", "oracle",
        "offset.storage.topic", topic, "config.storage.topic", "none", "status.storage.topic", "none",
        "key.converter", strings, "value.converter", strings)));
  }

  private static Object[] contents(KafkaOffsetBackingStore store, String topic, JsonConverter keys) throws Exception {
    List<Object> answer = new ArrayList<>();
    var data = KafkaOffsetBackingStore.class.getDeclaredField("data");
    data.setAccessible(true);
    @SuppressWarnings("unchecked")
    Map<ByteBuffer, ByteBuffer> lookup = (Map<ByteBuffer, ByteBuffer>) data.get(store);
    lookup.forEach((key, value) -> answer.addAll(java.util.Arrays.asList("lookup", bytes(key), bytes(value))));
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
    answer.addAll(java.util.Arrays.asList(null, null, null));
    return answer.toArray();
  }

  private static byte[] bytes(ByteBuffer b) {
    return b == null ? null : b.array();
  }
}
