package decode

import (
	"fmt"

	"koffsets/release"
)

// WorkerLog is the line a worker of the release logs for the key, or "" where
// it logs none. It is that of OffsetUtils, or, for a key that is Fatal, what
// KafkaBasedLog or the herder logs as things end. No such line names the record.
func WorkerLog(rules *release.Rules, c *Check) string {
	const ignoring = "Ignoring offset partition key with an unexpected "
	if !rules.JudgesKeys {
		return ""
	}
	switch c.Verdict {
	case KeyNull:
		return ignoring + "null value"
	case KeyNotJSON:
		if rules.ThrowsOnBadKey {
			return "Error polling: org.apache.kafka.connect.errors.DataException: " +
				"Converting byte[] to Kafka Connect data failed due to serialization error: "
		}
		return "Ignoring offset partition key with unknown serialization. Expected json."
	case KeyNotList:
		return ignoring + "format. Expected type: java.util.List, actual type: " + c.Class.String()
	case KeyWrongSize:
		return fmt.Sprintf("%snumber of elements. Expected: 2, actual: %d", ignoring, c.Size)
	case KeyNameNotString:
		return ignoring + "format for the first element in the partition key list. " +
			"Expected type: java.lang.String, actual type: " + c.Class.String()
	case KeyPartitionNull:
		if rules.SilentNullPartition {
			return ""
		}
		fallthrough
	case KeyPartitionNotMap:
		return ignoring + "format for the second element in the partition key list. " +
			"Expected type: java.util.Map, actual type: " + c.Class.String()
	case KeyTooDeep:
		return "Uncaught exception in herder work thread, exiting: "
	}
	return ""
}
