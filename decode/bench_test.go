package decode

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"koffsets/release"
)

// The corpus is keys and values as source connectors write them, one in a
// hundred keys odd; 50 to 180 bytes a key, 90 at the middle.

func corpus(n int) (keys, values [][]byte) {
	r := rand.New(rand.NewPCG(3, 9))
	for range n {
		key, value := shape(r)
		if r.IntN(100) == 0 {
			key = strings.ReplaceAll(pick(r, oddKeys...), "#", strconv.Itoa(r.IntN(1e6)))
		}
		keys = append(keys, []byte(key))
		values = append(values, []byte(value))
	}
	return oneBehindTheOther(keys), oneBehindTheOther(values)
}

// oneBehindTheOther lays inputs out in memory as a fetch response does.
func oneBehindTheOther(inputs [][]byte) [][]byte {
	all := bytes.Join(inputs, nil)
	for i, in := range inputs {
		inputs[i], all = all[:len(in):len(in)], all[len(in):]
	}
	return inputs
}

var oddKeys = []string{
	``, `  `, `null`, `#`, `"#"`, `connector-#`, `{"server":"s#"}`, `[]`, `["c#"]`, `["c#",{},null]`,
	`[null,{"p":#}]`, `[1,{"p":#}]`, `["c#",null]`, `["c#",[]]`, `["c#","p"]`, `["c#", {"p":"v"}]`, `["c#",{"p":"v"}] x`,
	`["c#",{"p":01}]`, `["c#",{"p":1e5}]`, `["c",{"p":1#8446744073709551616}]`, `["c#",{"p":"v"`, `["c#",{"p":"v",}]`,
	`["c#",{"p":{"x":1}}]`, `["c#",{"p":[1,2]}]`, "[\"c#\",{\"p\":\"\xff\"}]", `["caf\u00e9-#",{"p":"\ud83d\ude00"}]`,
	"[\"c\x01#\",{}]", `["c#",{"p":1,"p":2}]`, "\x00\x00\x00\x00\x01[\"c#\",{}]", `['c#',{}]`,
}

// shape is a key and a value of one of the usual connectors.
func shape(r *rand.Rand) (key, value string) {
	n := func(limit int) int { return r.IntN(limit) }
	id, part := n(1000), n(64)
	topic := fmt.Sprintf("%s.%s.t_%d", pick(r, "inventory", "sales", "crm"), pick(r, "public", "dbo", "orders"), n(5000))
	offset := fmt.Sprintf(`{"offset":%d}`, r.Int64N(1<<33))
	switch n(12) {
	case 0:
		return fmt.Sprintf(`["mysql-source-connector-%d",{"server":"dbserver-mysql-%d.internal.example"}]`, id, n(1e6)),
			fmt.Sprintf(`{"transaction_id":null,"ts_sec":%d,"file":"mysql-bin.%06d","pos":%d,"row":1,"server_id":%d,"event":2}`, 1_600_000_000+n(1e8), n(1e6), n(1e9), n(1000))
	case 1:
		return fmt.Sprintf(`["postgres-source-connector-%d",{"server":"dbserver-pg-%d.internal.example"}]`, id, n(1e6)),
			fmt.Sprintf(`{"transaction_id":null,"lsn_proc":%d,"messageType":"UPDATE","lsn":%d,"txId":%d,"ts_usec":%d}`, n(1e9), n(1e9), n(1e6), 1_600_000_000_000_000+r.Int64N(1e14))
	case 2:
		return fmt.Sprintf(`["sqlserver-source-%d",{"server":"mssql-%d.internal.example","database":"customers_%d"}]`, id, n(1e6), n(1000)),
			fmt.Sprintf(`{"event_serial_no":%d,"commit_lsn":"%08x:%08x:0003","change_lsn":"%08x:%08x:0002"}`, n(9), n(1e9), n(1e9), n(1e9), n(1e9))
	case 3:
		return fmt.Sprintf(`["mongodb-cdc-connector-%d",{"rs":"rs%d","server_id":"mongo-%d.internal.example"}]`, id, n(9), n(1e6)),
			fmt.Sprintf(`{"sec":%d,"ord":%d,"resume_token":"8265%08X000000032B0229296E04"}`, 1_600_000_000+n(1e8), n(50), n(1e9))
	case 4:
		return fmt.Sprintf(`["jdbc-source-%d",{"protocol":"1","table":"warehouse_%d.%s"}]`, id, n(1000), topic),
			fmt.Sprintf(`{"timestamp_nanos":%d,"incrementing":%d,"timestamp":%d}`, n(1e9), n(1e9), 1_600_000_000_000+r.Int64N(1e11))
	case 5:
		return fmt.Sprintf(`["east-%d->west.MirrorSourceConnector",{"cluster":"east-%d","partition":%d,"topic":%q}]`, n(20), n(20), part, topic), offset
	case 6:
		return fmt.Sprintf(`["east->west-%d.MirrorCheckpointConnector",{"partition":%d,"topic":%q,"group":"consumer-group-%d"}]`, n(20), part, topic, n(1e6)), offset
	case 7:
		return fmt.Sprintf(`["MirrorHeartbeatConnector-%d",{"sourceClusterAlias":"east-%d","targetClusterAlias":"west-%d"}]`, id, n(1000), n(1000)), offset
	case 8:
		return fmt.Sprintf(`["file-source-%d",{"filename":"/var/data/incoming/%d/%s.txt"}]`, id, n(1e6), topic),
			fmt.Sprintf(`{"position":%d}`, n(1e9))
	case 9:
		return fmt.Sprintf(`["mongo-source-%d",{"ns":"mongodb+srv://cluster%d.example.net/%s"}]`, id, n(1000), topic),
			fmt.Sprintf(`{"_id":"{\"_data\": \"8262%08X2F000000022B0229296E04\"}","HEARTBEAT":"true"}`, n(1e9))
	case 10:
		return fmt.Sprintf(`["s3-source-%d",{"bucket":"landing-zone-%d","partition":"%d","prefix":"topics/%s/partition=%d/year=2024/month=05/day=17/"}]`, id, n(100), part, topic, part),
			fmt.Sprintf(`{"lastFileRead":"topics/%s/partition=%d/%s+%d+%010d.avro","fileOffset":"%d","eof":"true"}`, topic, part, topic, part, n(1e9), n(1000))
	}
	return fmt.Sprintf(`["lager-größe-%d",{"server":"データベース-%d","database":"bestände_%d"}]`, id, n(1e6), n(1000)),
		fmt.Sprintf(`{"incrementing":%d,"beschreibung":"größer als %d"}`, n(1e9), n(100))
}

func pick(r *rand.Rand, s ...string) string { return s[r.IntN(len(s))] }

const corpusSize = 1 << 14

// each runs f over the corpus, one input an iteration.
func each(b *testing.B, inputs [][]byte, f func([]byte)) {
	size := 0
	for _, in := range inputs {
		size += len(in)
	}
	b.SetBytes(int64(size / len(inputs)))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		f(inputs[i%corpusSize])
	}
}

func BenchmarkKey(b *testing.B) {
	keys, _ := corpus(corpusSize)
	rules := release.MustParse("3.9.1").Rules
	b.Run("check", func(b *testing.B) { each(b, keys, func(k []byte) { CheckKey(&rules, k) }) })
	b.Run("parse", func(b *testing.B) { each(b, keys, func(k []byte) { ParseKey(&rules, k) }) })
	b.Run("home", func(b *testing.B) { each(b, keys, func(k []byte) { Home(k, 25) }) })
	b.Run("json-raw-messages", func(b *testing.B) {
		each(b, keys, func(k []byte) { jsonCheckKey(k) })
	})
}

// jsonCheckKey gets what CheckKey does, near enough, by the standard library.
func jsonCheckKey(key []byte) (name string, partition json.RawMessage, ok bool) {
	var raw []json.RawMessage
	if json.Unmarshal(key, &raw) != nil || len(raw) != 2 {
		return "", nil, false
	}
	if json.Unmarshal(raw[0], &name) != nil {
		return "", nil, false
	}
	return name, raw[1], raw[1][0] == '{'
}

func BenchmarkValue(b *testing.B) {
	_, values := corpus(corpusSize)
	rules := release.MustParse("3.9.1").Rules
	b.Run("check", func(b *testing.B) { each(b, values, func(v []byte) { CheckValue(&rules, v) }) })
	b.Run("parse", func(b *testing.B) { each(b, values, func(v []byte) { ParseValue(&rules, v) }) })
	b.Run("json-valid", func(b *testing.B) { each(b, values, func(v []byte) { json.Valid(v) }) })
}

func TestChecksAllocateNothing(t *testing.T) {
	// Not parallel: allocations are counted for the whole process.
	keys, values := corpus(corpusSize)
	rules := release.MustParse("3.9.1").Rules
	if n := testing.AllocsPerRun(1, func() {
		for _, k := range keys {
			if len(k) == 0 || k[0] != 0 { // no UTF-32
				CheckKey(&rules, k)
			}
		}
		for _, v := range values {
			CheckValue(&rules, v)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
