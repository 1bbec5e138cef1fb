package kafka

import (
	"context"
	"fmt"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// border is what a leader tells of a topic partition, -1 where it does not:
// where its log begins and ends, up to where all transactions were decided
// before the end was taken, and up to where after that.
type border struct {
	start, decided, end, stable int64

	epoch    int32 // of the leader asked
	epochEnd int64 // how far the leader epoch goes in which the end was taken first
	code     int16
}

// The timestamps that ask for borders instead of times.
const (
	latest   = -1
	earliest = -2
)

// list asks a leader for the borders of topic partitions. The last stable
// offset is asked for on both sides of the end offset: the markers of all that
// is decided before the end is taken lie below the end, and what is not decided
// after it has no marker there.
func (r *reader) list(leader int32, ps []*partition) {
	got := make(map[int32]*border, len(ps))
	for _, p := range ps {
		p.busy = true
		got[p.id] = &border{start: -1, decided: -1, end: -1, stable: -1, epochEnd: -1, epoch: p.epoch}
	}
	broker := r.client.Broker(int(leader))
	check := epochRequest(r.cfg.Topic, ps)
	r.do(func(ctx context.Context) func() error {
		err := r.listOne(ctx, broker, got, earliest, 0, func(b *border, at int64) { b.start = at })
		if err == nil {
			err = r.listOne(ctx, broker, got, latest, 1, func(b *border, at int64) { b.decided = at })
		}
		if err == nil {
			err = r.listOne(ctx, broker, got, latest, 0, func(b *border, at int64) { b.end = at })
		}
		if err == nil {
			err = r.listOne(ctx, broker, got, latest, 1, func(b *border, at int64) { b.stable = at })
		}
		if err == nil && check != nil {
			err = epochEnds(ctx, broker, check, got)
		}
		return func() error { return r.listed(ps, got, err) }
	})
}

func (r *reader) listOne(
	ctx context.Context, broker *kgo.Broker, got map[int32]*border, at int64, isolation int8, set func(*border, int64),
) error {
	req := kmsg.NewPtrListOffsetsRequest()
	req.ReplicaID, req.IsolationLevel = -1, isolation
	t := kmsg.NewListOffsetsRequestTopic()
	t.Topic = r.cfg.Topic
	for id, b := range got {
		if b.code == 0 {
			p := kmsg.NewListOffsetsRequestTopicPartition()
			p.Partition, p.CurrentLeaderEpoch, p.Timestamp = id, b.epoch, at
			t.Partitions = append(t.Partitions, p)
		}
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
			if b := got[p.Partition]; b != nil && t.Topic == r.cfg.Topic {
				b.code = p.ErrorCode
				set(b, p.Offset)
			}
		}
	}
	return nil
}

// epochRequest asks how far the leader epochs go in which the ends were taken,
// nil where none was yet: after an unclean election the log may have been cut
// back and have grown anew meanwhile, which offsets alone do not show.
func epochRequest(topic string, ps []*partition) *kmsg.OffsetForLeaderEpochRequest {
	t := kmsg.NewOffsetForLeaderEpochRequestTopic()
	t.Topic = topic
	for _, p := range ps {
		if p.listed && p.endEpoch >= 0 {
			rp := kmsg.NewOffsetForLeaderEpochRequestTopicPartition()
			rp.Partition, rp.CurrentLeaderEpoch, rp.LeaderEpoch = p.id, p.epoch, p.endEpoch
			t.Partitions = append(t.Partitions, rp)
		}
	}
	if len(t.Partitions) == 0 {
		return nil
	}
	req := kmsg.NewPtrOffsetForLeaderEpochRequest()
	req.ReplicaID = -1
	req.Topics = append(req.Topics, t)
	return req
}

func epochEnds(ctx context.Context, broker *kgo.Broker, req *kmsg.OffsetForLeaderEpochRequest, got map[int32]*border) error {
	resp, err := req.RequestWith(ctx, broker)
	if err != nil {
		return err
	}
	for _, t := range resp.Topics {
		for _, p := range t.Partitions {
			if b := got[p.Partition]; b != nil && b.code == 0 {
				b.code, b.epochEnd = p.ErrorCode, p.EndOffset // -1: not known any more
			}
		}
	}
	return nil
}

func (r *reader) listed(ps []*partition, got map[int32]*border, err error) error {
	for _, p := range ps {
		p.busy = false
		b := got[p.id]
		if p.phase == done {
			continue
		}
		if err != nil {
			r.failed(p, lineFault(err))
			continue
		}
		ok, err := r.answered(p, b.code)
		switch {
		case err != nil:
			return err
		case !ok:
			continue
		case b.start < 0 || b.end < b.start || b.decided < 0 || b.stable < 0:
			r.failed(p, errLeftOut)
			continue
		}
		if err := r.bordered(p, b); err != nil {
			return err
		}
	}
	return nil
}

var errLeftOut = fmt.Errorf("the broker's answer leaves the partition out: %w", kerr.UnknownServerError)

// bordered takes in the borders of a topic partition: the first time they say
// what to read, later whether what was read, and what was to be, still stands.
func (r *reader) bordered(p *partition, b *border) error {
	p.phase = reading
	if !p.listed {
		p.listed = true
		p.start, p.end, p.next, p.open = b.start, b.end, b.start, b.end
		p.decided, p.stable, p.endEpoch = b.decided, min(b.stable, b.end), b.epoch
		r.moved(p)
		if p.next >= p.end {
			r.byName = r.byName || r.topic.id != [16]byte{}
			return r.finish(p, nil)
		}
		return nil
	}
	cut, least := b.epochEnd, p.end
	if cut < 0 { // a new leader may not know yet that the log goes further
		cut, least = b.end, p.next
	}
	switch {
	case cut < least:
		return r.finish(p, fmt.Errorf("the log was cut back to offset %d while it was read; it had gone to %d", cut, p.end))
	case b.start > p.next:
		to := min(b.start, p.end)
		p.stop(fmt.Errorf("the records at offsets %d to %d were deleted before they could be read", p.next, to-1))
		p.next = to
		r.moved(p)
		if p.next == p.end {
			return r.finish(p, nil)
		}
	}
	return nil
}
