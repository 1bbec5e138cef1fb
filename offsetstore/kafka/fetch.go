package kafka

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// fetch asks a leader for records. Nothing is waited for at the broker: what is
// to be read is there already.
func (r *reader) fetch(leader int32, ps []*partition) {
	req := kmsg.NewPtrFetchRequest()
	req.ReplicaID, req.MaxWaitMillis, req.MinBytes = -1, 0, 0
	req.MaxBytes = r.limit
	req.IsolationLevel, req.SessionID, req.SessionEpoch = 0, 0, -1
	t := kmsg.NewFetchRequestTopic()
	t.Topic, t.TopicID = r.cfg.Topic, r.topic.id // one or the other is sent
	r.served++
	for _, p := range ps {
		rp := kmsg.NewFetchRequestTopicPartition()
		rp.Partition, rp.CurrentLeaderEpoch, rp.FetchOffset = p.id, p.epoch, p.next
		rp.PartitionMaxBytes = min(max(r.cfg.partitionBytes, p.need), r.limit)
		t.Partitions = append(t.Partitions, rp)
		p.busy, p.served = true, r.served
	}
	req.Topics = append(req.Topics, t)
	asked := min(r.limit, int32(len(ps))*r.cfg.partitionBytes)
	r.requests[leader]++
	ps = slices.Clone(ps)
	r.do(func(ctx context.Context) func() error {
		resp, err := req.RequestWith(ctx, r.client.Broker(int(leader)))
		return func() error {
			r.requests[leader]--
			if err == nil {
				err = kerr.ErrorForCode(resp.ErrorCode)
			}
			if isTimeout(err) { // the line may be too slow for so much
				r.limit = max(min(r.limit, asked/8), minRequestBytes)
			}
			return r.fetched(ps, resp, err)
		}
	})
}

func (r *reader) fetched(ps []*partition, resp *kmsg.FetchResponse, err error) error {
	for _, p := range ps {
		p.busy = false
	}
	if err != nil {
		for _, p := range ps {
			if p.phase != done {
				r.failed(p, lineFault(err))
			}
		}
		return nil
	}
	r.byName = r.byName || resp.Version < 13 && r.topic.id != [16]byte{}
	for _, p := range ps {
		rp := partitionOf(resp, p.id)
		switch {
		case p.phase == done:
		case rp != nil:
			err = r.answer(p, rp, len(ps) == 1)
		case resp.ThrottleMillis > 0:
			r.failed(p, errThrottled)
		default:
			r.failed(p, errLeftOut)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

var errThrottled = errors.New("the broker throttles this client")

func partitionOf(resp *kmsg.FetchResponse, id int32) *kmsg.FetchResponseTopicPartition {
	for i := range resp.Topics {
		for j := range resp.Topics[i].Partitions {
			if p := &resp.Topics[i].Partitions[j]; p.Partition == id {
				return p
			}
		}
	}
	return nil
}

// emptyAnswers is how often a topic partition asked for by itself must have no
// bytes before its end is believed to hold no records.
const emptyAnswers = 2

// answer takes in what a fetch answer says of one topic partition.
func (r *reader) answer(p *partition, rp *kmsg.FetchResponseTopicPartition, alone bool) error {
	if rp.ErrorCode == kerr.OffsetOutOfRange.Code {
		r.failed(p, kerr.OffsetOutOfRange)
		return nil
	}
	if ok, err := r.answered(p, rp.ErrorCode); !ok {
		return err
	}
	before := p.next
	r.out.bytes += int64(len(rp.RecordBatches))
	cut, err := p.take(rp.RecordBatches, r.out)
	if p.next > before {
		r.moved(p)
	}
	if err == nil {
		err = r.out.flush()
	}
	var bad *corrupt
	switch {
	case errors.As(err, &bad):
		return r.unreadable(p, bad)
	case err != nil:
		return err
	case p.next >= p.end:
		return r.finish(p, nil)
	case p.next > before:
		return nil
	case rp.HighWatermark < p.end:
		r.failed(p, fmt.Errorf("the high watermark is %d, and was %d", rp.HighWatermark, p.end))
		return nil
	case !alone:
		p.alone = true
		return nil
	case len(rp.RecordBatches) > 0:
		return r.oversized(p, cut)
	}
	if p.empty++; p.empty < emptyAnswers {
		return nil
	}
	p.gap, p.next = true, p.end
	return r.finish(p, nil)
}

// unreadable asks for a damaged batch again a few times; the damage may have
// happened on the way.
func (r *reader) unreadable(p *partition, bad *corrupt) error {
	const attempts = 3
	if bad.again && p.tries+1 < attempts {
		r.failed(p, bad)
		return nil
	}
	return r.finish(p, bad)
}

// oversized asks for more bytes where a batch did not fit.
func (r *reader) oversized(p *partition, size int) error {
	if size > requestBytes || int32(size) <= p.need || size == 0 {
		return r.finish(p, fmt.Errorf("a batch of %d bytes does not arrive whole", size))
	}
	p.need = int32(size)
	r.limit = max(r.limit, p.need)
	return nil
}
