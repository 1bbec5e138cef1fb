// Package kafka reads a live offsets topic: every record up to the end offsets
// as of the start, at both isolation levels in one pass, or the reason for each
// topic partition that could not be read to there. It leaves no trace on the
// cluster: it joins no group, commits nothing, and lets no topic be created.
// It knows nothing of what the records mean, nor of flags and output.
package kafka

import (
	"context"
	"strings"
	"time"

	"koffsets/offsetstore"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kversion"
)

// DefaultTimeout is how long a reading waits without progress.
const DefaultTimeout = 30 * time.Second

// Config says which topic to read, and how.
type Config struct {
	Bootstrap []string // host:port of brokers
	Topic     string
	// Timeout is the longest wait without progress; 0 is DefaultTimeout. What
	// still stands out then is reported as incomplete.
	Timeout  time.Duration
	ClientID string // "" is "koffsets"
	// InOrder hands the topic partitions over one after the other, so that the
	// same topic gives the same records in the same order. One that does not
	// get on is passed over at Timeout, and the rest is read as it comes.
	InOrder bool
	// Options are added to the client's: how to dial, TLS, SASL.
	Options []kgo.Opt
	// Progress, if not nil, is called while reading, between two calls of the
	// sink.
	Progress func(Progress)
	// Kind and Name are for the Description; "" is "topic" and the bootstrap
	// addresses.
	Kind, Name string

	partitionBytes int32 // of a topic partition in one answer
}

// Progress is how far a reading is.
type Progress struct {
	Partitions, Done int   // topic partitions in all, and read to their end
	Offsets, Read    int64 // offsets to go through in all, and gone through
	Records          int64 // handed to the sink
	Bytes            int64 // as fetched
}

type source struct{ cfg Config }

// New is a live topic as a source. Nothing is dialled before Read.
func New(cfg Config) offsetstore.Source {
	if cfg.Timeout <= 0 {
		cfg.Timeout = DefaultTimeout
	}
	if cfg.ClientID == "" {
		cfg.ClientID = "koffsets"
	}
	if cfg.partitionBytes == 0 {
		cfg.partitionBytes = partitionBytes
	}
	if cfg.Kind == "" {
		cfg.Kind = "topic"
	}
	if cfg.Name == "" {
		cfg.Name = strings.Join(cfg.Bootstrap, ",")
	}
	return &source{cfg}
}

// Read implements offsetstore.Source. A topic that could not be reached or read
// at all is an *Error.
func (s *source) Read(ctx context.Context, sink offsetstore.Sink) (offsetstore.Description, error) {
	desc := offsetstore.Description{Kind: s.cfg.Kind, Name: s.cfg.Name, Topic: s.cfg.Topic}
	client, err := kgo.NewClient(s.options()...)
	if err != nil {
		return desc, &Error{Msg: "cannot set up the connection to " + s.cfg.Name, Err: err}
	}
	defer client.Close()
	r := newReader(s.cfg, client, func(records []offsetstore.Record) error { return sink(&desc, records) })
	defer r.stop()
	topic, err := r.connect(ctx)
	if err != nil {
		return desc, err
	}
	topic.describe(&desc)
	err = r.read(ctx, topic)
	r.describe(&desc)
	return desc, err
}

// unpackedBytes bounds what a compressed batch may become: a few bytes can claim
// to be gigabytes.
const unpackedBytes = 256 << 20

// unpacker is the client's decompressor, with its bound.
func unpacker(client *kgo.Client) kgo.Decompressor {
	return client.OptValue(kgo.WithDecompressor).(kgo.Decompressor)
}

func (s *source) options() []kgo.Opt {
	// A request may take a part of the wait only, so that there is time to try
	// once more, elsewhere or with less.
	part := min(max(s.cfg.Timeout/3, 100*time.Millisecond), 15*time.Minute)
	return append([]kgo.Opt{
		kgo.SeedBrokers(s.cfg.Bootstrap...),
		kgo.ClientID(s.cfg.ClientID),
		kgo.DialTimeout(part),
		kgo.RequestTimeoutOverhead(part),
		kgo.RetryTimeout(s.cfg.Timeout),
		kgo.RequestRetries(2),
		kgo.MetadataMinAge(250 * time.Millisecond),
		kgo.DisableClientMetrics(),
		kgo.MaxDecompressBatchBytes(unpackedBytes),
		// From 0.11 on a metadata request can ask not to create the topic.
		kgo.MinVersions(kversion.V0_11_0()),
	}, s.cfg.Options...)
}
