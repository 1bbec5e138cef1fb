package offsetstore

import (
	"bytes"
	"fmt"

	"koffsets/decode"
)

// entry reports what is wrong with a source partition.
func (l *findings) entry(e *Entry) {
	for i := range e.Copies {
		l.misplaced(e, &e.Copies[i])
		l.value(e, &e.Copies[i])
		l.wraps(e, &e.Copies[i])
	}
	if e.Nested && e.State != Deleted {
		l.nested(e)
	}
	l.alias(e)
	if e.Split {
		l.split(e)
	}
	if !e.Nested {
		l.falseReset(e)
		l.notCanonical(e)
	}
}

func (l *findings) misplaced(e *Entry, c *Copy) {
	if !c.Misplaced {
		return
	}
	home := Place{int32(decode.Home(c.Key, l.view.Description.Partitions)), Unknown}
	what := "A worker reads it all the same"
	if c.Tombstone {
		what = "A worker reads this tombstone all the same"
	}
	l.add(about(KeyMisplaced, e, c, fmt.Sprintf(
		"The key's home is %s. %s, but the connector writes to the home partition, so compaction never replaces this record.",
		l.view.at(home), what)))
}

// value reports a value that is in force but gives no source offset.
func (l *findings) value(e *Entry, c *Copy) {
	const lost = " A task finds no source offset and starts over, and GET leaves the entry out; the worker logs an error that begins with CRITICAL: Failed to deserialize offset data."
	var id ID
	var detail string
	switch o := &c.Offset; o.Verdict {
	case decode.ValueNotJSON:
		id, detail = ValueNotJSON, fmt.Sprintf("Byte %d of the value: %s.", o.ErrorAt, o.Reason)+lost
	case decode.ValueStackOverflow:
		id, detail = ValueNotJSON, "The value is nested more than 1,500 levels deep, which overflows the reader's stack."+lost
	case decode.ValueNotMap:
		id, detail = ValueNotMap, fmt.Sprintf("Java reads %s where it expects a map.", o.Class)+lost
	case decode.ValueFieldNotPrimitive:
		id, detail = ValueFieldNotPrimitive, fmt.Sprintf("The field %s holds a %s.", name(o.Field), o.Class)+lost
	case decode.ValueNullLookalike:
		id, detail = ValueNullLookalike, "The value reads as null, so a task starts over. It is no tombstone: GET goes on listing the source partition with null, and compaction keeps the record."
	default:
		return
	}
	l.add(about(id, e, c, detail))
}

func (l *findings) wraps(e *Entry, c *Copy) {
	if c.Tombstone {
		return
	}
	if c.parsed.Wraps {
		l.add(about(NumberWraps, e, c, "An integer of the key does not fit 64 bits. Connect reads the source partition as "+
			shorten(printable(string(e.SourcePartition.AppendCanonical(nil))))+"."))
	}
	if c.Offset.Wraps {
		l.add(about(NumberWraps, e, c, "An integer of the value does not fit 64 bits. Connect reads the source offset as "+
			shorten(printable(string(c.Offset.Map.AppendCanonical(nil))))+"."))
	}
}

func (l *findings) nested(e *Entry) {
	field := ""
	for _, f := range e.SourcePartition.Fields {
		if f.Value.Class == decode.JavaArrayList || f.Value.Class == decode.JavaHashMap {
			field = f.Name
			break
		}
	}
	l.add(about(KeyPartitionNotPrimitive, e, e.shownCopy(), fmt.Sprintf(
		"The field %s of the source partition holds a list or a map. No task finds this offset, GET leaves it out, and DELETE of any offsets of %s answers 500 until the record is gone.",
		name(field), name(e.Connector))))
}

// alias reports two spellings of one source partition, at the newest record
// under another spelling than the connector's own.
func (l *findings) alias(e *Entry) {
	if len(e.spellings) == 1 {
		return
	}
	own := e.Copies[e.own()].Key
	other := e.last(func(i int) bool { return !bytes.Equal(e.Copies[i].Key, own) })
	f := about(KeyAlias, e, &e.Copies[other], fmt.Sprintf(
		"%s name this source partition: %s. A task finds only what lies under the bytes it writes itself.",
		count(len(e.spellings), "spelling"), list(len(e.spellings), func(i int) string {
			c := &e.Copies[e.spellings[i].winner]
			return fmt.Sprintf("%s holds %s (%s)", spelling(c.Key), offsetOf(c), l.view.at(c.Place))
		})))
	if e.orderDecides && !e.resetInVain() {
		f.Detail += " Whether GET lists it after a restart hangs on the order in which the worker reads the topic partitions."
	}
	if e.Listed.Shown && e.instanceDecides() {
		f.Detail += " Which order of fields GET looks up, and so what it shows, hangs on the record that the worker read first."
	}
	f.Places = e.places()
	severity := Warning
	if e.overtaken() {
		severity = Error
	}
	l.grade(f, severity)
}

// overtaken reports whether a spelling is live and another was written later.
func (e *Entry) overtaken() bool {
	newest := e.last(e.any)
	next := e.last(func(i int) bool { return !bytes.Equal(e.Copies[i].Key, e.Copies[newest].Key) })
	for i := range e.Copies {
		if !e.alive(i) {
			continue
		}
		if !bytes.Equal(e.Copies[i].Key, e.Copies[newest].Key) || e.later(i, next) {
			return true
		}
	}
	return false
}

func (l *findings) split(e *Entry) {
	for _, s := range e.spellings {
		all := s.copies
		if len(all) == 1 {
			continue
		}
		detail := "This key lies on " + count(len(all), "topic partition") + ": " + list(len(all), func(i int) string {
			c := &e.Copies[all[i]]
			return l.view.at(c.Place) + " holds " + offsetOf(c)
		}) + "."
		if e.Ambiguous {
			detail += " Which of them a worker finds hangs on the order in which it reads the topic partitions."
		}
		f := about(KeySplit, e, &e.Copies[all[0]], detail)
		severity := Warning
		for _, i := range all {
			f.Places = append(f.Places, e.Copies[i].Place)
			if !e.Copies[i].Tombstone {
				severity = Error
			}
		}
		l.grade(f, severity)
	}
}

// falseReset reports a source partition that the listing has lost while a task
// still finds its offset.
func (l *findings) falseReset(e *Entry) {
	if !e.resetInVain() {
		return
	}
	live, _ := e.lookup(e.Copies[e.own()].Key)
	if e.Found.Own == nil {
		live = e.canonical
	}
	tombstone := &e.Copies[e.last(e.any)]
	detail := fmt.Sprintf("This tombstone is of another spelling than %s: GET shows nothing, yet a task goes on from %s (%s).",
		spelling(live.Key), offsetOf(live), l.view.at(live.Place))
	if e.orderDecides {
		detail += " Whether GET lists it again after a restart hangs on the order in which the worker reads the topic partitions."
	}
	f := about(FalseReset, e, tombstone, detail)
	f.Places = []Place{tombstone.Place, live.Place}
	l.add(f)
}

func (e *Entry) resetInVain() bool {
	return e.gone() && (e.Found.Canonical != nil || e.Found.Own != nil)
}

// notCanonical reports a live key that the REST API cannot find, as it looks
// for the canonical spelling.
func (l *findings) notCanonical(e *Entry) {
	live := e.shownCopy()
	if live.Tombstone || e.Canonical || e.canonical != nil {
		return
	}
	shows := "shows null for it"
	if !e.Listed.Shown {
		shows = "does not show it"
	}
	detail := fmt.Sprintf("GET looks for %s and %s. ", spelling(e.CanonicalKey), shows)
	if live.Spelling == decode.OwnOrder {
		detail += "The connector may well write its fields in an order of its own; then its tasks do find the offset."
	} else {
		detail += "No worker writes these bytes, so no task finds the offset."
	}
	l.add(about(KeyNotCanonical, e, live, detail))
}

func (e *Entry) shownCopy() *Copy { return &e.Copies[e.shown()] }

func (e *Entry) places() []Place {
	places := make([]Place, len(e.Copies))
	for i := range e.Copies {
		places[i] = e.Copies[i].Place
	}
	return places
}
