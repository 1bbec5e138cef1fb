package sandbox_test

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"koffsets/decode"
	"koffsets/offsetstore"
	"koffsets/offsetstore/dump"
	"koffsets/offsetstore/sandbox"
)

var update = flag.Bool("update", false, "write the fixtures anew")

// The fixtures are files so that they can be looked at, and generated so that
// they can be changed.
func TestFixturesAreWhatTheGeneratorWrites(t *testing.T) {
	t.Parallel()
	for name, build := range map[string]func(*topic){"incident": incident, "clean": clean} {
		want := generate(t, build)
		if *update {
			if err := os.WriteFile(filepath.Join("fixtures", name+".jsonl"), want, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		got, err := sandbox.Fixture(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("fixtures/%s.jsonl is not what the generator writes: go generate ./offsetstore/sandbox", name)
		}
	}
}

const partitions = 25

// topic is an offsets topic in the making. Its clock starts in the morning of
// 2026-11-30 (UTC) and goes on a few seconds with each record.
type topic struct {
	rand *rand.PCG
	now  int64
	logs [partitions][]offsetstore.Record
	next [partitions]int64
}

func generate(t *testing.T, build func(*topic)) []byte {
	t.Helper()
	b := &topic{rand: rand.NewPCG(15800, 15693), now: 1796025600000}
	build(b)
	var buf bytes.Buffer
	w := dump.NewWriter(&buf, offsetstore.ReadUncommitted)
	d := offsetstore.Description{Topic: sandbox.Topic, Partitions: partitions}
	for p, log := range b.logs {
		if err := w.Write(&d, log); err != nil {
			t.Fatal(err)
		}
		stable := b.next[p]
		if i := slices.IndexFunc(log, func(r offsetstore.Record) bool { return r.Txn == offsetstore.TxnOpen }); i >= 0 {
			stable = log[i].Offset
		}
		d.Ranges = append(d.Ranges, offsetstore.Range{Partition: int32(p), End: b.next[p], LastStable: stable})
	}
	if err := w.Close(d); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// below is a number from 0 to n-1, at random but the same each time.
func (b *topic) below(n int) int { return int(b.rand.Uint64() % uint64(n)) }

// write puts a record where Connect's producer would put it.
func (b *topic) write(key, value string) { b.writeAt(home(key), []byte(key), value) }

func home(key string) int { return decode.Home([]byte(key), partitions) }

// writeAt puts a record on a topic partition; the value "" is a tombstone.
func (b *topic) writeAt(p int, key []byte, value string) {
	b.now += int64(1000 + b.below(20_000))
	r := offsetstore.Record{Partition: int32(p), Offset: b.next[p], Timestamp: b.now, Key: key}
	if value != "" {
		r.Value = []byte(value)
	}
	b.next[p]++
	b.logs[p] = append(b.logs[p], r)
}

// last is the record written last to a topic partition.
func (b *topic) last(p int) *offsetstore.Record { return &b.logs[p][len(b.logs[p])-1] }

// commit makes the record of a key that was written last a transaction of its
// own, as an exactly-once worker writes it.
func (b *topic) commit(key string) { b.next[home(key)]++ }

// abort is commit, but the transaction is aborted.
func (b *topic) abort(key string) {
	b.last(home(key)).Txn = offsetstore.TxnAborted
	b.next[home(key)]++
}

// open is commit, but the transaction is not ended.
func (b *topic) open(key string) { b.last(home(key)).Txn = offsetstore.TxnOpen }

// The connectors, each with keys and values of the shape its kind writes.

func mysqlKey(server string) string { return fmt.Sprintf(`["mysql-cdc",{"server":"%s"}]`, server) }

func (b *topic) mysql(server string, file, pos int) {
	b.write(mysqlKey(server), fmt.Sprintf(
		`{"transaction_id":null,"ts_sec":%d,"file":"bin.%06d","pos":%d,"row":1,"server_id":4711,"event":2}`, b.now/1000, file, pos))
}

const postgresKey = `["pg-cdc",{"server":"crm"}]`

func (b *topic) postgres(lsn string, tx int) {
	b.write(postgresKey, fmt.Sprintf(
		`{"transaction_id":null,"lsn_proc":%s,"messageType":"UPDATE","lsn":%s,"txId":%d,"ts_usec":%d}`, lsn, lsn, tx, b.now*1000))
}

func sqlServerKey(database int) string {
	return fmt.Sprintf(`["mssql-cdc",{"server":"erp","database":"db%02d"}]`, database)
}

func (b *topic) sqlServer(database, lsn int) {
	b.write(sqlServerKey(database), fmt.Sprintf(
		`{"event_serial_no":1,"commit_lsn":"00000100:%08x:0003","change_lsn":"00000100:%08x:0002"}`, lsn, lsn))
}

func jdbcKey(table int) string {
	return fmt.Sprintf(`["jdbc-orders",{"protocol":"1","table":"shop.orders_%03d"}]`, table)
}

func (b *topic) jdbc(table int) {
	b.write(jdbcKey(table), fmt.Sprintf(
		`{"timestamp_nanos":%d,"incrementing":%d,"timestamp":%d}`, b.below(1000)*1_000_000, 1000+b.below(90_000), b.now))
}

var mirrored = []string{"orders", "payments", "customers", "shipments", "inventory", "audit.log", "clicks", "returns"}

func (b *topic) mirrorSource(topic string, partition int) {
	b.write(fmt.Sprintf(`["MirrorSourceConnector",{"cluster":"east","partition":%d,"topic":"%s"}]`, partition, topic),
		fmt.Sprintf(`{"offset":%d}`, b.below(5_000_000)))
}

func (b *topic) mirrorCheckpoint(group, topic string, partition int) {
	b.write(fmt.Sprintf(`["MirrorCheckpointConnector",{"partition":%d,"topic":"%s","group":"%s"}]`, partition, topic, group), `{"offset":0}`)
}

func (b *topic) mirrorHeartbeat() {
	b.write(`["MirrorHeartbeatConnector",{"sourceClusterAlias":"east","targetClusterAlias":"west"}]`, `{"offset":0}`)
}

func (b *topic) mongo(collection string) {
	b.write(fmt.Sprintf(`["mongo-users",{"ns":"mongodb://mongo-1:27017/shop.%s"}]`, collection),
		fmt.Sprintf(`{"_id":"{\"_data\": \"8262EC3E2F%08X2B0229296E04\"}"}`, b.below(1<<31)))
}

func s3Key(path string) string { return fmt.Sprintf(`["s3-in",{"path":"%s"}]`, path) }

func (b *topic) s3(path string, line int) { b.write(s3Key(path), fmt.Sprintf(`{"line":%d}`, line)) }

func fileKey(name string) string { return fmt.Sprintf(`["file-logs",{"filename":"%s"}]`, name) }

// pulseKey has the order of FilePulse's own map, which is not that of the map
// Connect's REST API reads it into.
func pulseKey(i int) string {
	return fmt.Sprintf(`["pulse-logs",{"name":"app-%02d.log","path":"/var/log/app","hash":"%d"}]`, i, 539398661+i*104729)
}

func (b *topic) pulse(i int) {
	b.write(pulseKey(i), fmt.Sprintf(`{"position":%d,"rows":%d,"timestamp":%d}`, b.below(1<<20), b.below(1<<13), b.now))
}

// incident is a topic to which one of each thing has happened.
func incident(b *topic) {
	b.populate()
	b.brokenKeys()
	b.spellings()
	b.brokenValues()
	b.commits(1284 - 2 - b.count())
	// The last two belong to transactions: one that was aborted, one that hangs.
	b.postgres("27486001", 801)
	b.abort(postgresKey)
	b.sqlServer(7, 0xbeef)
	b.open(sqlServerKey(7))
}

func (b *topic) count() (n int) {
	for _, log := range b.logs {
		n += len(log)
	}
	return n
}

// populate writes what worked all day.
func (b *topic) populate() {
	for i := range 5 {
		b.mysql("shop", 7, 154+i*911)
		b.postgres(fmt.Sprint(27485360+i*96), 743+i)
		b.commit(postgresKey)
	}
	b.mysql("eu", 3, 817)
	b.write(mysqlKey("eu"), "")
	for i := range 40 {
		b.sqlServer(i, 0xc00+i)
	}
	for i := range 220 {
		b.jdbc(i)
	}
	for i := range 33 {
		b.write(jdbcKey(180+i), "") // tables that were dropped
	}
	for _, topic := range mirrored {
		for p := range 48 {
			b.mirrorSource(topic, p)
		}
	}
	for _, group := range []string{"billing", "search", "fraud"} {
		for _, topic := range mirrored[:4] {
			for p := range 12 {
				b.mirrorCheckpoint(group, topic, p)
			}
		}
	}
	b.mirrorHeartbeat()
	for _, collection := range []string{"users", "carts", "sessions", "reviews"} {
		b.mongo(collection)
	}
	for i := range 200 {
		b.s3(fmt.Sprintf("in/2026-11-30/%04d.csv", i), 100+b.below(900))
	}
	for i := range 8 {
		b.write(fileKey(fmt.Sprintf("/var/log/app-%d.log", i)), fmt.Sprintf(`{"position":%d}`, b.below(1<<20)))
	}
	for i := range 14 {
		b.pulse(i)
	}
}

// commits are the later commits of connectors at work.
func (b *topic) commits(n int) {
	for range n {
		switch b.below(4) {
		case 0:
			b.jdbc(b.below(180))
		case 1:
			b.s3(fmt.Sprintf("in/2026-11-30/%04d.csv", b.below(200)), 1000+b.below(900))
		default:
			b.mirrorSource(mirrored[b.below(len(mirrored))], b.below(48))
		}
	}
}

// brokenKeys are those no worker can use.
func (b *topic) brokenKeys() {
	b.writeAt(3, []byte("orders-source|inventory"), `{"pos":4711}`)                              // a key of another tool
	schema := []byte("\x00\x00\x00\x00\x2a" + `["jdbc-orders",{"table":"orders"}]`)              // Confluent's magic byte and schema id
	b.writeAt(decode.Home(schema, partitions), schema, `{"incrementing":88123}`)                 //
	b.write(`{"schema":null,"payload":["mysql-cdc",{"server":"shop"}]}`, `{"pos":154}`)          // an envelope
	b.write(`["mysql-cdc"]`, `{"file":"bin.000007","pos":154}`)                                  // no source partition
	b.write(`[1,{"server":"shop"}]`, `{"pos":154}`)                                              // a name that is none
	b.write(`["mysql-cdc","shop"]`, `{"pos":154}`)                                               // a source partition that is no map
	b.write(`["mongo-users",null]`, `{"_id":"{\"_data\": \"8262EC3E2F000000022B0229296E04\"}"}`) // no source partition, as some connectors mean it
	b.write(`["mongo-users",{"ns":{"ns":"mongodb://mongo-1:27017/shop.users"}}]`, `{"_id":"1"}`) // one that no connector may have
	b.writeAt(11, nil, `{"position":1}`)                                                         // no key
}

// spellings are keys that name a source partition in other bytes, or lie where
// they do not belong.
func (b *topic) spellings() {
	b.write(`["jdbc-orders", {"protocol":"1","table":"shop.orders_001"}]`, `{"incrementing":17}`) // a hand-written reset to 17
	b.write(`["mysql-cdc", {"server":"shop"}]`, "")                                               // a hand-written reset that is none
	b.writeAt((home(s3Key("in/moved.csv"))+5)%partitions, []byte(s3Key("in/moved.csv")), `{"line":100}`)
	b.s3("in/a.csv", 100)
	b.writeAt((home(s3Key("in/a.csv"))+16)%partitions, []byte(s3Key("in/a.csv")), `{"line":250}`)
}

// brokenValues are those that make a task start over, and one that lies.
func (b *topic) brokenValues() {
	b.write(fileKey("/var/log/cut.log"), `{"position":15`)
	b.write(fileKey("/var/log/bare.log"), `15295`)
	b.write(fileKey("/var/log/list.log"), `{"position":[15295]}`)
	b.write(fileKey("/var/log/null.log"), `null`)
	b.write(fileKey("/var/log/wrap.log"), `{"position":18446744073709551620}`)
}

// clean is a topic with which nothing is wrong.
func clean(b *topic) {
	for i := range 4 {
		b.mysql("shop", 7, 154+i*911)
		b.postgres(fmt.Sprint(27485360+i*96), 743+i)
		b.commit(postgresKey)
	}
	b.mysql("eu", 3, 817)
	b.write(mysqlKey("eu"), "")
	for i := range 12 {
		b.sqlServer(i, 0xc00+i)
		b.jdbc(i)
	}
	for _, topic := range mirrored[:3] {
		for p := range 6 {
			b.mirrorSource(topic, p)
			b.mirrorCheckpoint("billing", topic, p)
		}
	}
	b.mirrorHeartbeat()
	b.mongo("users")
	for i := range 20 {
		b.s3(fmt.Sprintf("in/2026-11-30/%04d.csv", i), 100+b.below(900))
	}
	for range 30 {
		b.jdbc(b.below(12))
		b.mirrorSource(mirrored[b.below(3)], b.below(6))
	}
	b.write(jdbcKey(11), "")
}
