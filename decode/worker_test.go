package decode

import (
	"strings"
	"testing"

	"koffsets/release"
)

// rulesNamed are the rules of an executed release.
func rulesNamed(name string) *release.Rules {
	r := release.MustParse(name)
	return &r.Rules
}

func TestWorkerLogsTheLinesOfKafka(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ release, key, want string }{
		{"3.6.1", `["c",{}]`, ""},
		{"3.6.1", "NULL", "Ignoring offset partition key with an unexpected null value"},
		{"3.6.1", "x", "Ignoring offset partition key with unknown serialization. Expected json."},
		{"3.5.1", "x", "Error polling: org.apache.kafka.connect.errors.DataException: Converting byte[] to Kafka Connect data failed due to serialization error: "},
		{"3.6.0", "[", "Error polling: org.apache.kafka.connect.errors.DataException: Converting byte[] to Kafka Connect data failed due to serialization error: "},
		{"3.5.2", `{}`, "Ignoring offset partition key with an unexpected format. Expected type: java.util.List, actual type: java.util.HashMap"},
		{"4.4.0", ``, "Ignoring offset partition key with an unexpected format. Expected type: java.util.List, actual type: null"},
		{"4.4.0", `[1,2,3]`, "Ignoring offset partition key with an unexpected number of elements. Expected: 2, actual: 3"},
		{"3.6.1", `[1.5,{}]`, "Ignoring offset partition key with an unexpected format for the first element in the partition key list. Expected type: java.lang.String, actual type: java.lang.Double"},
		{"3.6.1", `["c",true]`, "Ignoring offset partition key with an unexpected format for the second element in the partition key list. Expected type: java.util.Map, actual type: java.lang.Boolean"},
		{"3.7.0", `["c",null]`, "Ignoring offset partition key with an unexpected format for the second element in the partition key list. Expected type: java.util.Map, actual type: null"},
		{"3.6.2", `["c",null]`, ""},
		{"4.4.0", `["c",null]`, ""},
		{"3.6.1", strings.Repeat("[", 1501) + strings.Repeat("]", 1501), "Uncaught exception in herder work thread, exiting: "},
		{"3.3.0", "x", ""},
	} {
		key := []byte(c.key)
		if c.key == "NULL" {
			key = nil
		}
		rules := rulesNamed(c.release)
		check := CheckKey(rules, key)
		if got := WorkerLog(rules, &check); got != c.want {
			t.Errorf("%.40s on %s: %q, want %q", c.key, c.release, got, c.want)
		}
	}
}

func TestFatalIsWhatCostsTheWorkerMoreThanTheKey(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 1501) + strings.Repeat("]", 1501)
	for _, c := range []struct {
		release, key string
		want         bool
	}{
		{"3.6.0", "x", true},
		{"3.6.1", "x", false},
		{"3.6.0", `{}`, false},
		{"3.6.1", deep, true},
		{"3.7.0", deep, false},
		{"3.6.1", deep[1 : len(deep)-1], false},
	} {
		check := CheckKey(rulesNamed(c.release), []byte(c.key))
		if got := check.Fatal(rulesNamed(c.release)); got != c.want {
			t.Errorf("%.40s on %s: fatal %v", c.key, c.release, got)
		}
	}
}
