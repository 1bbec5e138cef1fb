package kafka

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"

	"koffsets/offsetstore"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// topic is what a metadata answer tells of the topic.
type topic struct {
	id         [16]byte
	cluster    string
	partitions []kmsg.MetadataResponseTopicPartition // by id: 0, 1, …
}

var errNoTopicInAnswer = errors.New("the broker's answer leaves the topic out")

func topicOf(resp *kmsg.MetadataResponse, name string) (topic, error) {
	for i := range resp.Topics {
		t := &resp.Topics[i]
		if t.Topic == nil || *t.Topic != name {
			continue
		}
		if err := kerr.ErrorForCode(t.ErrorCode); err != nil {
			return topic{}, err
		}
		got := topic{id: t.TopicID, partitions: t.Partitions}
		if resp.ClusterID != nil {
			got.cluster = *resp.ClusterID
		}
		byID := func(a, b kmsg.MetadataResponseTopicPartition) int { return cmp.Compare(a.Partition, b.Partition) }
		slices.SortStableFunc(got.partitions, byID)
		got.partitions = slices.CompactFunc(got.partitions, func(a, b kmsg.MetadataResponseTopicPartition) bool {
			return a.Partition == b.Partition
		})
		for want, p := range got.partitions {
			if p.Partition != int32(want) {
				return topic{}, fmt.Errorf("the broker's answer leaves topic partition %d out: %w", want, kerr.UnknownServerError)
			}
		}
		return got, nil
	}
	return topic{}, errNoTopicInAnswer
}

// leader is the broker to ask about a topic partition, and its leader epoch. A
// replica that is down elsewhere is no concern.
func (t *topic) leader(id int32) (leader, epoch int32, err error) {
	if int(id) >= len(t.partitions) {
		return -1, -1, kerr.UnknownTopicOrPartition
	}
	p := &t.partitions[id]
	if fault := kerr.ErrorForCode(p.ErrorCode); fault != nil && !errors.Is(fault, kerr.ReplicaNotAvailable) {
		return -1, -1, fault
	}
	if p.Leader < 0 {
		return -1, -1, kerr.LeaderNotAvailable
	}
	return p.Leader, p.LeaderEpoch, nil
}

func metadataRequest(topics ...string) *kmsg.MetadataRequest {
	req := kmsg.NewPtrMetadataRequest()
	req.AllowAutoTopicCreation = false
	for _, name := range topics {
		t := kmsg.NewMetadataRequestTopic()
		t.Topic = kmsg.StringPtr(name)
		req.Topics = append(req.Topics, t)
	}
	return req
}

// describe fills in what the metadata tell.
func (t *topic) describe(d *offsetstore.Description) {
	d.ClusterID, d.Partitions = t.cluster, len(t.partitions)
	if t.id != ([16]byte{}) {
		d.TopicID = base64.RawURLEncoding.EncodeToString(t.id[:])
	}
	s := &offsetstore.Settings{}
	for _, p := range t.partitions {
		if s.ReplicationFactor == 0 || len(p.Replicas) < s.ReplicationFactor {
			s.ReplicationFactor = len(p.Replicas)
		}
		if len(p.ISR) < len(p.Replicas) {
			s.UnderReplicated = append(s.UnderReplicated, p.Partition)
		}
	}
	d.Settings = s
}

// connect asks each bootstrap address in turn until one tells about the topic,
// again for as long as the cluster is just making it.
func (r *reader) connect(ctx context.Context) (topic, error) {
	ctx, cancel := context.WithTimeout(ctx, r.cfg.Timeout)
	defer cancel()
	for tries := 1; ; tries++ {
		seed, resp, err := r.firstAnswer(ctx)
		if err != nil {
			return topic{}, r.unreachable(ctx, err)
		}
		t, err := topicOf(resp, r.cfg.Topic)
		if err == nil && len(t.partitions) == 0 {
			err = kerr.LeaderNotAvailable
		}
		if err == nil || errors.Is(err, kerr.UnknownTopicOrPartition) || !kerr.IsRetriable(err) || !pause(ctx, tries) {
			return t, r.refused(ctx, seed, err)
		}
	}
}

func (r *reader) firstAnswer(ctx context.Context) (*kgo.Broker, *kmsg.MetadataResponse, error) {
	var errs []error
	for i, seed := range r.client.SeedBrokers() {
		resp, err := metadataRequest(r.cfg.Topic).RequestWith(ctx, seed)
		if err == nil {
			// The client need not try the others once more.
			err = r.client.UpdateSeedBrokers(r.cfg.Bootstrap[i])
			return r.client.SeedBrokers()[0], resp, err
		}
		errs = append(errs, fmt.Errorf("%s: %w", r.cfg.Bootstrap[i], err))
	}
	return nil, nil, errors.Join(errs...)
}

// refused turns what a broker says of the topic into an *Error.
func (r *reader) refused(ctx context.Context, seed *kgo.Broker, err error) error {
	e := &Error{Msg: "cannot read the topic " + printable(r.cfg.Topic) + " at " + r.cfg.Name, Err: err}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, kerr.UnknownTopicOrPartition):
		unknown := &UnknownTopicError{Topic: r.cfg.Topic, Candidates: candidates(ctx, seed)}
		if len(unknown.Candidates) > 0 {
			e.Hint = "these look like offsets topics: " + printable(strings.Join(unknown.Candidates, ", "))
		}
		e.Err = unknown
	case errors.Is(err, kerr.TopicAuthorizationFailed):
		e.Hint, e.Err = notAllowedHint, &NotAllowedError{r.cfg.Topic}
	}
	return e
}

const notAllowedHint = "the user needs the rights DESCRIBE and READ on the topic"

// candidates are the topics that may have been meant.
func candidates(ctx context.Context, seed *kgo.Broker) (names []string) {
	all := metadataRequest()
	all.Topics = nil // every topic
	resp, err := all.RequestWith(ctx, seed)
	if err != nil {
		return nil
	}
	for _, t := range resp.Topics {
		if t.Topic != nil && looksLikeOffsets(*t.Topic) {
			names = append(names, *t.Topic)
		}
	}
	slices.Sort(names)
	return names
}

// looksLikeOffsets knows the names that Connect and its distributions use:
// connect-offsets, connect-cluster-offsets, mm2-offsets.A.internal,
// my_connect_offsets, __amazon_msk_connect_offsets_NAME_ID. Not Kafka's own
// topic of consumer offsets.
func looksLikeOffsets(name string) bool {
	return strings.Contains(strings.ToLower(name), "offsets") && name != "__consumer_offsets"
}
