// Package corpus makes records as offsets topics hold them, for benchmarks:
// keys and values in the shapes of the usual source connectors, with a few
// tombstones and odd keys among them. The same numbers give the same records.
package corpus

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"strings"
)

// Partitions is the partition count of an offsets topic unless told otherwise.
const Partitions = 25

// Records yields n records over the keys 0 to keys-1 in random order: one in a
// hundred keys odd, one in fifty values null.
func Records(n, keys int) iter.Seq2[[]byte, []byte] {
	return func(yield func(key, value []byte) bool) {
		r := rand.New(rand.NewPCG(3, 9))
		for range n {
			id := r.IntN(keys)
			key, value := []byte(Key(id)), []byte(Value(id, r.IntN(1e9)))
			switch r.IntN(100) {
			case 0:
				key = []byte(oddKey(r))
			case 1, 2:
				value = nil
			}
			if !yield(key, value) {
				return
			}
		}
	}
}

func oddKey(r *rand.Rand) string {
	return strings.ReplaceAll(oddKeys[r.IntN(len(oddKeys))], "#", fmt.Sprint(r.IntN(1e6)))
}

var oddKeys = []string{
	``, `  `, `null`, `#`, `"#"`, `connector-#`, `{"server":"s#"}`, `[]`, `["c#"]`, `["c#",{},null]`,
	`[null,{"p":#}]`, `[1,{"p":#}]`, `["c#",null]`, `["c#",[]]`, `["c#","p"]`, `["c#", {"p":"v"}]`, `["c#",{"p":"v"}] x`,
	`["c#",{"p":01}]`, `["c#",{"p":1e5}]`, `["c",{"p":1#8446744073709551616}]`, `["c#",{"p":"v"`, `["c#",{"p":"v",}]`,
	`["c#",{"p":{"x":1}}]`, `["c#",{"p":[1,2]}]`, "[\"c#\",{\"p\":\"\xff\"}]", `["caf\u00e9-#",{"p":"\ud83d\ude00"}]`,
	"[\"c\x01#\",{}]", `["c#",{"p":1,"p":2}]`, `["c#",{"x":{"p":[1,2,{"y":null}]}}]`, `['c#',{}]`,
}

// Key is the key with a number; each number has another.
func Key(id int) string {
	shape, i := id%shapes, id/shapes
	switch shape {
	case 0:
		return fmt.Sprintf(`["mysql-source-connector-%d",{"server":"dbserver-mysql-%d.internal.example"}]`, i%97, i)
	case 1:
		return fmt.Sprintf(`["postgres-source-connector-%d",{"server":"dbserver-pg-%d.internal.example"}]`, i%131, i)
	case 2:
		return fmt.Sprintf(`["sqlserver-source-%d",{"server":"mssql-%d.internal.example","database":"customers_%d"}]`, i%41, i%1009, i)
	case 3:
		return fmt.Sprintf(`["mongodb-cdc-connector-%d",{"rs":"rs%d","server_id":"mongo-%d.internal.example"}]`, i%53, i%9, i)
	case 4:
		return fmt.Sprintf(`["jdbc-source-%d",{"protocol":"1","table":"warehouse_%d.%s"}]`, i%17, i%997, topic(i))
	case 5:
		return fmt.Sprintf(`["east-%d->west.MirrorSourceConnector",{"cluster":"east-%d","partition":%d,"topic":"%s"}]`, i%20, i%20, i%64, topic(i))
	case 6:
		return fmt.Sprintf(`["east->west-%d.MirrorCheckpointConnector",{"partition":%d,"topic":"%s","group":"consumer-group-%d"}]`, i%20, i%64, topic(i), i%999)
	case 7:
		return fmt.Sprintf(`["MirrorHeartbeatConnector-%d",{"sourceClusterAlias":"east-%d","targetClusterAlias":"west-%d"}]`, i%13, i, i%1000)
	case 8:
		return fmt.Sprintf(`["file-source-%d",{"filename":"/var/data/incoming/%d/%s.txt"}]`, i%29, i, topic(i))
	case 9:
		return fmt.Sprintf(`["mongo-source-%d",{"ns":"mongodb+srv://cluster%d.example.net/%s"}]`, i%37, i%1000, topic(i))
	case 10:
		return fmt.Sprintf(`["s3-source-%d",{"bucket":"landing-zone-%d","partition":"%d","prefix":"topics/%s/partition=%d/year=2026/month=05/day=17/"}]`,
			i%7, i%100, i%64, topic(i), i%64)
	}
	return fmt.Sprintf(`["lager-größe-%d",{"server":"データベース-%d","database":"bestände_%d"}]`, i%19, i, i%1000)
}

const shapes = 12

func topic(i int) string { return fmt.Sprintf("inventory.public.orders_%d", i) }

// Value is a value for the key with a number; n tells it from others.
func Value(id, n int) string {
	i := id / shapes
	switch id % shapes {
	case 0:
		return fmt.Sprintf(`{"transaction_id":null,"ts_sec":%d,"file":"mysql-bin.%06d","pos":%d,"row":1,"server_id":%d,"event":2}`, 1_700_000_000+n%1e8, i%1e6, n, i%1000)
	case 1:
		return fmt.Sprintf(`{"transaction_id":null,"lsn_proc":%d,"messageType":"UPDATE","lsn":%d,"txId":%d,"ts_usec":%d}`, n, n, n%1e6, 1_700_000_000_000_000+n)
	case 2:
		return fmt.Sprintf(`{"event_serial_no":%d,"commit_lsn":"%08x:%08x:0003","change_lsn":"%08x:%08x:0002"}`, n%9, n, i, n, i)
	case 3:
		return fmt.Sprintf(`{"sec":%d,"ord":%d,"resume_token":"8265%08X000000032B0229296E04"}`, 1_700_000_000+n%1e8, n%50, n)
	case 4:
		return fmt.Sprintf(`{"timestamp_nanos":%d,"incrementing":%d,"timestamp":%d}`, n, i, 1_700_000_000_000+n)
	case 8:
		return fmt.Sprintf(`{"position":%d}`, n)
	case 9:
		return fmt.Sprintf(`{"_id":"{\"_data\": \"8262%08X2F000000022B0229296E04\"}","HEARTBEAT":"true"}`, n)
	case 10:
		return fmt.Sprintf(`{"lastFileRead":"topics/%s/partition=%d/%d+%010d.avro","fileOffset":"%d","eof":"true"}`, topic(i), i%64, i%64, n, n%1000)
	case 11:
		return fmt.Sprintf(`{"incrementing":%d,"beschreibung":"größer als %d"}`, n, n%100)
	}
	return fmt.Sprintf(`{"offset":%d}`, n)
}
