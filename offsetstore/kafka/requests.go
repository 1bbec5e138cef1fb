package kafka

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// How much to ask for: at 1 MiB a topic partition a broker's work for each
// request no longer shows. More partitions than fit are asked for in turn.
const (
	partitionBytes  = 1 << 20
	requestBytes    = 50 << 20
	minRequestBytes = 64 << 10
	requestsOut     = 2 // to one broker: one is on the wire while one is decoded
)

// dispatch sends off whatever can go: leaders and offsets to be asked for,
// then fetch requests.
func (r *reader) dispatch() {
	toList := make(map[int32][]*partition)
	toFetch := make(map[int32][]*partition)
	leaderless := false
	reading := 0 // topic partitions before this one that are still to be read
	for _, p := range r.partitions {
		if p.phase == done {
			continue
		}
		reading++
		switch {
		case p.busy:
		case p.leader < 0:
			leaderless = true
		case p.phase == listing:
			toList[p.leader] = append(toList[p.leader], p)
		case r.inOrder && reading > 1:
		case r.requests[p.leader] < requestsOut:
			toFetch[p.leader] = append(toFetch[p.leader], p)
		}
	}
	if leaderless && !r.refreshing {
		r.refresh()
	}
	for leader, ps := range toList {
		r.list(leader, ps)
	}
	for leader, ps := range toFetch {
		r.share(leader, ps)
	}
}

// share spreads partitions over the requests that may still go to a broker.
func (r *reader) share(leader int32, ps []*partition) {
	slices.SortStableFunc(ps, func(a, b *partition) int { return cmp.Compare(a.served, b.served) })
	for free := requestsOut - r.requests[leader]; free > 0 && len(ps) > 0; free-- {
		n := min((len(ps)+free-1)/free, requestBytes/partitionBytes)
		if i := slices.IndexFunc(ps[:n], func(p *partition) bool { return p.alone }); i >= 0 {
			ps[0], ps[i] = ps[i], ps[0]
			n = 1
		}
		r.fetch(leader, ps[:n])
		ps = ps[n:]
	}
}

// refresh asks for the leaders, and whether the topic is still the same.
func (r *reader) refresh() {
	r.refreshing = true
	r.do(func(ctx context.Context) func() error {
		resp, err := metadataRequest(r.cfg.Topic).RequestWith(ctx, r.client)
		var t topic
		if err == nil {
			t, err = topicOf(resp, r.cfg.Topic)
		}
		return func() error { r.refreshing = false; return r.led(t, err) }
	})
}

var (
	errRecreated = errors.New("the topic was deleted and made anew while it was read")
	errDeleted   = errors.New("the topic was deleted while it was read")
	errUnsure    = errors.New("no broker could be asked whether the topic was the same to the end")
)

func (r *reader) led(t topic, err error) error {
	switch {
	case errors.Is(err, kerr.UnknownTopicOrPartition):
		return r.end(errDeleted)
	case err == nil && t.id != r.topic.id && t.id != [16]byte{} && r.topic.id != [16]byte{}:
		return r.end(errRecreated)
	case err == nil:
		r.remade = nil
	}
	for _, p := range r.partitions {
		if p.leader >= 0 || p.busy || p.phase == done {
			continue
		}
		leader, epoch, fault := int32(-1), int32(-1), err
		if fault == nil {
			leader, epoch, fault = t.leader(p.id)
		}
		if fault != nil {
			r.failed(p, lineFault(fault))
			continue
		}
		p.leader, p.epoch = leader, epoch
	}
	return nil
}

// end gives up the whole topic. Where everything was read already, what was read
// last may not have been the topic that was read first.
func (r *reader) end(why error) error {
	r.remade = why
	for _, p := range r.partitions {
		if p.phase == done {
			continue
		}
		r.remade = nil
		if err := r.finish(p, why); err != nil {
			return err
		}
	}
	return nil
}

// askSettings asks for what decides whether the topic can hold offsets.
func (r *reader) askSettings() {
	const policy = "cleanup.policy"
	r.asides++
	r.do(func(ctx context.Context) func() error {
		req := kmsg.NewPtrDescribeConfigsRequest()
		res := kmsg.NewDescribeConfigsRequestResource()
		res.ResourceType, res.ResourceName = kmsg.ConfigResourceTypeTopic, r.cfg.Topic
		res.ConfigNames = []string{policy}
		req.Resources = append(req.Resources, res)
		resp, err := req.RequestWith(ctx, r.client)
		if err == nil && len(resp.Resources) == 1 {
			err = kerr.ErrorForCode(resp.Resources[0].ErrorCode)
		}
		return func() error {
			r.asides = max(r.asides-1, 0)
			if err != nil {
				r.notes = append(r.notes, fmt.Sprintf("%s is not known: %s", policy, printable(err.Error())))
				return nil
			}
			for _, res := range resp.Resources {
				for _, c := range res.Configs {
					if c.Name == policy && c.Value != nil {
						r.settings = *c.Value
					}
				}
			}
			return nil
		}
	})
}
