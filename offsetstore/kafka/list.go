package kafka

import (
	"context"
	"fmt"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// offsets are the borders of a topic partition as its leader tells them.
type offsets struct {
	start, end, stable int64
	code               int16
	answers            int // of the three requests
}

// The timestamps that ask for borders instead of times.
const (
	latest   = -1
	earliest = -2
)

// list asks a leader for the borders of topic partitions. The last stable
// offset comes last: it must not be older than the end offset.
func (r *reader) list(leader int32, ps []*partition) {
	for _, p := range ps {
		p.busy = true
	}
	r.do(func(ctx context.Context) func() error {
		got := make(map[int32]*offsets, len(ps))
		for _, p := range ps {
			got[p.id] = &offsets{}
		}
		broker := r.client.Broker(int(leader))
		err := r.listOne(ctx, broker, ps, earliest, 0, func(p int32, at int64) { got[p].start = at }, got)
		if err == nil {
			err = r.listOne(ctx, broker, ps, latest, 0, func(p int32, at int64) { got[p].end = at }, got)
		}
		if err == nil {
			err = r.listOne(ctx, broker, ps, latest, 1, func(p int32, at int64) { got[p].stable = at }, got)
		}
		return func() error { return r.listed(ps, got, err) }
	})
}

func (r *reader) listOne(
	ctx context.Context, broker *kgo.Broker, ps []*partition, at int64, isolation int8,
	set func(int32, int64), got map[int32]*offsets,
) error {
	req := kmsg.NewPtrListOffsetsRequest()
	req.ReplicaID, req.IsolationLevel = -1, isolation
	t := kmsg.NewListOffsetsRequestTopic()
	t.Topic = r.cfg.Topic
	for _, p := range ps {
		if got[p.id].code != 0 {
			continue
		}
		rp := kmsg.NewListOffsetsRequestTopicPartition()
		rp.Partition, rp.CurrentLeaderEpoch, rp.Timestamp = p.id, -1, at
		t.Partitions = append(t.Partitions, rp)
	}
	if len(t.Partitions) == 0 {
		return nil
	}
	req.Topics = append(req.Topics, t)
	resp, err := req.RequestWith(ctx, broker)
	if err != nil {
		return err
	}
	for _, t := range resp.Topics {
		for _, p := range t.Partitions {
			if o := got[p.Partition]; o != nil && t.Topic == r.cfg.Topic {
				o.code = p.ErrorCode
				o.answers++
				set(p.Partition, p.Offset)
			}
		}
	}
	return nil
}

func (r *reader) listed(ps []*partition, got map[int32]*offsets, err error) error {
	for _, p := range ps {
		p.busy = false
		o := got[p.id]
		if p.phase == done {
			continue
		}
		if err != nil {
			r.failed(p, err)
			continue
		}
		ok, err := r.answered(p, o.code)
		switch {
		case err != nil:
			return err
		case !ok:
			continue
		case o.answers < 3 || o.start < 0 || o.end < o.start || o.stable < 0:
			r.failed(p, errLeftOut)
			continue
		}
		if err := r.border(p, o); err != nil {
			return err
		}
	}
	return nil
}

var errLeftOut = fmt.Errorf("the broker's answer leaves the partition out: %w", kerr.UnknownServerError)

// border takes in the borders of a topic partition: the first time they say
// what to read, later whether what was to be read is still there.
func (r *reader) border(p *partition, o *offsets) error {
	if !p.listed {
		p.listed = true
		p.start, p.end, p.next = o.start, o.end, o.start
		p.stable = min(o.stable, o.end)
		r.moved(p)
		p.phase = reading
		if p.start >= p.end {
			return r.finish(p, nil)
		}
		return nil
	}
	p.phase = reading
	switch {
	case o.end < p.next:
		return r.finish(p, fmt.Errorf("the log was cut back to offset %d after offset %d was read", o.end, p.next-1))
	case o.start > p.next:
		to := min(o.start, p.end)
		p.stop(fmt.Errorf("the records at offsets %d to %d were deleted before they could be read", p.next, to-1))
		p.next = to
		r.moved(p)
		if p.next == p.end {
			return r.finish(p, nil)
		}
		return nil
	}
	r.failed(p, kerr.OffsetOutOfRange)
	return nil
}
