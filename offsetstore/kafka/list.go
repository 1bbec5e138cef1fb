package kafka

import (
	"context"
	"fmt"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// border is what a leader tells of a topic partition: where its log begins and
// ends, where it is stable to, and, where something was read already, how far
// the last leader epoch read goes.
type border struct {
	start, end, stable, epochEnd int64
	code                         int16
	answers                      int // of the three requests for offsets
}

// The timestamps that ask for borders instead of times.
const (
	latest   = -1
	earliest = -2
)

// list asks a leader for the borders of topic partitions. The last stable
// offset comes last: it must not be older than the end offset.
func (r *reader) list(leader int32, ps []*partition) {
	got := make(map[int32]*border, len(ps))
	for _, p := range ps {
		p.busy = true
		got[p.id] = &border{epochEnd: -1}
	}
	broker := r.client.Broker(int(leader))
	check := epochRequest(r.cfg.Topic, ps)
	r.do(func(ctx context.Context) func() error {
		err := r.listOne(ctx, broker, got, earliest, 0, func(b *border, at int64) { b.start = at })
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
			p.Partition, p.CurrentLeaderEpoch, p.Timestamp = id, -1, at
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
				b.answers++
				set(b, p.Offset)
			}
		}
	}
	return nil
}

// epochRequest asks how far the last leader epochs read go, nil where nothing
// was read yet: after an unclean election the log may have been cut back and
// have grown anew meanwhile, which offsets alone do not show.
func epochRequest(topic string, ps []*partition) *kmsg.OffsetForLeaderEpochRequest {
	t := kmsg.NewOffsetForLeaderEpochRequestTopic()
	t.Topic = topic
	for _, p := range ps {
		if p.leaderEpoch >= 0 {
			rp := kmsg.NewOffsetForLeaderEpochRequestTopicPartition()
			rp.Partition, rp.CurrentLeaderEpoch, rp.LeaderEpoch = p.id, -1, p.leaderEpoch
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
		case b.answers < 3 || b.start < 0 || b.end < b.start || b.stable < 0:
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
		p.start, p.end, p.next = b.start, b.end, b.start
		p.stable = min(b.stable, b.end)
		r.moved(p)
		if p.next >= p.end {
			return r.finish(p, nil)
		}
		return nil
	}
	cut := b.end
	if b.epochEnd >= 0 {
		cut = min(cut, b.epochEnd)
	}
	switch {
	case cut < p.next:
		return r.finish(p, fmt.Errorf("the log was cut back to offset %d after offset %d was read", cut, p.next-1))
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
