package offsetstore

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"koffsets/decode"
)

// nowhere is the place of a finding about the whole topic.
var nowhere = Place{Unknown, Unknown}

// general is a finding about a place, or about the whole topic.
func general(id ID, p Place, format string, args ...any) Finding {
	return Finding{ID: id, Place: p, Timestamp: Unknown, Detail: fmt.Sprintf(format, args...)}
}

// blind reports connectors of which the REST API finds no offset, though
// their tasks do.
func (l *findings) blind() {
	v := l.view
	for _, n := range v.names {
		c := v.connectors[n]
		if c.ownOrder == 0 || c.ownOrder < c.live {
			continue
		}
		f := general(RESTBlind, nowhere, "Every live key of %s (%d) has its fields in an order of the connector's own: GET shows null for each, and DELETE would answer 200 and write tombstones that reset nothing.",
			name(n), c.live)
		f.Connector, f.HasConnector = n, true
		l.add(f)
	}
}

// isolation reports open transactions, and keys that the two isolation levels
// read differently.
func (l *findings) isolation() {
	v := l.view
	for _, s := range v.shards {
		if s.open {
			f := general(TransactionOpen, Place{s.partition, max(s.openPlace.offset, Unknown)},
				"A transaction begins here and has not ended. read_committed readers see nothing of this topic partition from here on (%s); a worker with exactly-once support waits for its end at every start.",
				count(s.behind, "record"))
			f.Timestamp = s.openPlace.timestamp
			l.add(f)
		}
		for _, it := range s.over.each {
			l.differs(s, it)
		}
	}
	for _, r := range v.Description.Ranges {
		seen := slices.ContainsFunc(v.shards, func(s *shard) bool { return s.partition == r.Partition && s.open })
		if r.LastStable < r.End && !seen {
			l.add(general(TransactionOpen, Place{r.Partition, r.LastStable},
				"The last stable offset lies before the end (%d): a transaction has not ended.", r.End))
		}
	}
}

// differs compares what the two isolation levels find under a key.
func (l *findings) differs(s *shard, uncommitted item) {
	key := uncommitted.key()
	now := l.version(s, uncommitted)
	then := Copy{Tombstone: true}
	committed := s.main.lookup(hashOf(s.main.seed, key), key)
	if committed != nil {
		then = l.version(s, committed)
	}
	if now.Tombstone == then.Tombstone && bytes.Equal(now.Value, then.Value) {
		return
	}
	before := "nothing"
	if committed != nil {
		before = fmt.Sprintf("%s (%s)", offsetOf(&then), l.view.at(then.Place))
	}
	k := decode.ParseKey(&l.view.Release.Rules, key)
	f := about(IsolationDiffers, &Entry{Connector: k.Connector, SourcePartition: k.SourcePartition}, &now, fmt.Sprintf(
		"read_uncommitted readers find %s here, read_committed readers find %s.", offsetOf(&now), before))
	f.Places = []Place{now.Place}
	if committed != nil {
		f.Places = append(f.Places, then.Place)
	}
	l.add(f)
}

// version is an item as a copy.
func (l *findings) version(s *shard, it item) Copy {
	key, value := it.key(), it.value()
	return Copy{
		Place: Place{s.partition, max(it.offset(), Unknown)}, Timestamp: it.timestamp(), Key: key, Value: value,
		Tombstone: value == nil, Offset: decode.ParseValue(&l.view.Release.Rules, value),
	}
}

// topic reports what is wrong with the topic itself.
func (l *findings) topic() {
	v := l.view
	if set := v.Description.Settings; set != nil {
		l.policy(set.CleanupPolicy)
		if len(set.UnderReplicated) > 0 {
			l.add(general(TopicUnderReplicated, nowhere, "Replicas are out of sync on %s: %s.",
				count(len(set.UnderReplicated), "topic partition"),
				list(len(set.UnderReplicated), func(i int) string { return fmt.Sprint(set.UnderReplicated[i]) })))
		}
		if set.ReplicationFactor == 1 {
			l.add(general(TopicSingleReplica, nowhere, "Every record has one copy: when its broker is lost, so are the offsets. Connect creates the topic with three replicas unless told otherwise."))
		}
	}
	if n := v.grownFrom(); n > 0 {
		l.add(general(TopicPartitionsGrown, nowhere, "All %s off their home lie where a topic of %s has them: it was given %d later. Connectors write to the new homes; the old records stay and are read as well.",
			count(len(v.strays), "record"), count(n, "partition"), v.Description.Partitions-n))
	}
	if v.Summary.Malformed > 0 && v.Summary.NullPartitions == 0 && v.index.len() == 0 {
		l.add(general(TopicNotOffsets, nowhere, "This does not look like an offsets topic: of %s, not one key names a source partition.",
			count(v.Summary.Malformed, "record")))
	}
}

// policy: Connect starts on no topic whose cleanup.policy is not compact alone.
func (l *findings) policy(policy string) {
	if policy == "" {
		return
	}
	var compacts, others bool
	for p := range strings.SplitSeq(policy, ",") {
		if strings.TrimSpace(p) == "compact" {
			compacts = true
		} else {
			others = true
		}
	}
	const refuses = "cleanup.policy is %s: Kafka deletes offsets by age or size, and a worker refuses to start on this topic."
	switch {
	case !compacts:
		l.add(general(TopicNotCompacted, nowhere, refuses, printable(policy)))
	case others:
		l.add(general(TopicPolicyMixed, nowhere, refuses, printable(policy)))
	}
}

// grownFrom is the smaller partition count that explains every stray, or 0. Few
// strays fit some count by chance, so at least three keys are wanted.
func (v *View) grownFrom() int {
	keys := make(map[string]bool)
	for _, s := range v.strays {
		if keys[string(s.key)] = true; len(keys) == 3 {
			break
		}
	}
	if len(keys) < 3 {
		return 0
	}
	// A key lies on partition hash mod n, so n divides hash - partition.
	const whole = 1 << 31
	divisible, most := 0, 0
	for _, s := range v.strays {
		divisible = gcd(divisible, decode.Home(s.key, whole)-int(s.partition))
		most = max(most, int(s.partition))
	}
	best := 0
	for d := 1; d*d <= divisible; d++ {
		if divisible%d != 0 {
			continue
		}
		for _, n := range [...]int{d, divisible / d} {
			if n > most && n < v.Description.Partitions {
				best = max(best, n)
			}
		}
	}
	return best
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

// reading reports where the source ended early.
func (l *findings) reading() {
	for _, in := range l.view.Description.Incomplete {
		id := in.Finding
		if id == "" {
			id = ReadIncomplete
		}
		detail := printable(in.Reason) + "."
		if in.Offset >= 0 {
			detail = fmt.Sprintf("Not read from offset %d on: %s", in.Offset, detail)
		}
		l.add(general(id, Place{in.Partition, in.Offset}, "%s", detail))
	}
}
