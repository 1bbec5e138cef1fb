package dump

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"koffsets/offsetstore"
)

// The lines around the records. Fields that are not listed are left alone: a
// later version may add some.
type headerLine struct {
	Schema string `json:"schema"`
	topicFields
	Isolation *string `json:"isolation"`
	Sealed    bool    `json:"sealed"`
}

type topicFields struct {
	Topic      *string `json:"topic"`
	Partitions *int    `json:"partitions"`
	ClusterID  *string `json:"cluster_id"`
	TopicID    *string `json:"topic_id"`
}

// summaryFields repeats the topic's fields: a source knows them for certain
// only once it was read.
type summaryFields struct {
	Records    *int               `json:"records"`
	Complete   *bool              `json:"complete"`
	Incomplete []incompleteFields `json:"incomplete"`
	topicFields
	Ranges []rangeFields `json:"ranges"`
}

type incompleteFields struct {
	Partition *int32 `json:"partition"`
	Offset    *int64 `json:"offset"`
	Reason    string `json:"reason"`
	Finding   string `json:"finding"`
}

type rangeFields struct {
	Partition  int32 `json:"partition"`
	Start      int64 `json:"start"`
	End        int64 `json:"end"`
	LastStable int64 `json:"last_stable"`
}

// header takes the first line, if it is one. A first line that is not is a
// record of a file without a header, or will be refused as one.
func (p *pass) header(b []byte) (bool, error) {
	schema := false
	s := scanner{b: b}
	err := s.object(func(name []byte) error {
		schema = schema || string(name) == "schema"
		return s.skip()
	})
	if !schema {
		return false, nil
	}
	var h headerLine
	if err == nil {
		err = json.Unmarshal(b, &h)
	}
	if err != nil {
		return true, p.broken(b, "header", err)
	}
	switch {
	case strings.HasPrefix(h.Schema, "koffsets.dump/") && h.Schema != Schema:
		return true, p.stop(unreadable, fmt.Errorf("the schema is %q, and this version reads %s", h.Schema, Schema))
	case h.Schema != Schema:
		return true, p.stop(unreadable, fmt.Errorf("the schema is %q; a dump is what koffsets export --as dump writes", h.Schema))
	case h.Partitions != nil && !goodCount(*h.Partitions):
		return true, p.stop(unreadable, fmt.Errorf("a header with %d topic partitions", *h.Partitions))
	}
	p.began, p.sealed = true, h.Sealed
	p.topic(h.topicFields)
	if h.Isolation != nil && *h.Isolation == offsetstore.ReadCommitted.String() {
		p.Notes = append(p.Notes, "the dump was taken with read_committed: aborted and open records are not in it")
	}
	return true, nil
}

func goodCount(partitions int) bool { return partitions >= 0 && partitions <= math.MaxInt32 }

// topic notes what a header or a summary says of the topic.
func (p *pass) topic(f topicFields) {
	if f.Partitions != nil && !p.partitionsAsked {
		p.Partitions = *f.Partitions
	}
	for _, t := range []struct {
		to   *string
		from *string
	}{{&p.Topic, f.Topic}, {&p.ClusterID, f.ClusterID}, {&p.TopicID, f.TopicID}} {
		if t.from != nil {
			*t.to = *t.from
		}
	}
}

// summary takes the line that seals a dump.
func (p *pass) summary(b []byte) error {
	var l struct {
		Summary *summaryFields `json:"summary"`
	}
	err := json.Unmarshal(b, &l)
	if err == nil && l.Summary == nil {
		err = errors.New("it is null")
	}
	if err != nil {
		return p.broken(b, "summary", err)
	}
	s := l.Summary
	p.began, p.ended = true, true
	p.topic(s.topicFields)
	switch {
	case s.Partitions != nil && !goodCount(*s.Partitions):
		return p.stop(unreadable, fmt.Errorf("a summary with %d topic partitions", *s.Partitions))
	case s.Records != nil && *s.Records != p.records:
		return p.stop(truncated, fmt.Errorf("the summary counts %d records, the lines before it hold %d", *s.Records, p.records))
	}
	for _, r := range s.Ranges {
		if n := len(p.Ranges); r.Partition < 0 || n > 0 && r.Partition <= p.Ranges[n-1].Partition || r.Start < 0 || r.End < r.Start {
			return p.stop(unreadable, errors.New("a summary with impossible ranges"))
		}
		p.Ranges = append(p.Ranges, offsetstore.Range(r))
	}
	for _, i := range s.Incomplete {
		p.Incomplete = append(p.Incomplete, i.incomplete())
	}
	if s.Complete != nil && !*s.Complete && len(p.Incomplete) == 0 {
		p.Incomplete = append(p.Incomplete, incompleteFields{Reason: "the dump says that it is incomplete"}.incomplete())
	}
	return nil
}

func (f incompleteFields) incomplete() offsetstore.Incomplete {
	i := offsetstore.Incomplete{Partition: offsetstore.Unknown, Offset: offsetstore.Unknown, Reason: f.Reason, Finding: unreadable}
	if f.Partition != nil {
		i.Partition = *f.Partition
	}
	if f.Offset != nil {
		i.Offset = *f.Offset
	}
	if f.Finding == string(truncated) {
		i.Finding = truncated
	}
	return i
}
