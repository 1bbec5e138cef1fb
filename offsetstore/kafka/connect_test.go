package kafka_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"math/big"
	"net"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"koffsets/offsetstore/kafka"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/sasl/plain"
)

func TestUnknownTopicNamesWhatMayBeMeantAndIsNotCreated(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 0, kfake.AllowAutoTopicCreation(), kfake.SeedTopics(1,
		"docker-connect-offsets", "orders", "__consumer_offsets", "mm2-offsets.A.internal"))
	_, desc, err := read(t, c.config())
	var unknown *kafka.UnknownTopicError
	if !errors.As(err, &unknown) {
		t.Fatalf("got %v, want an UnknownTopicError", err)
	}
	if diff := cmp.Diff([]string{"docker-connect-offsets", "mm2-offsets.A.internal"}, unknown.Candidates); diff != "" {
		t.Error(diff)
	}
	if c.TopicInfo(topicName) != nil {
		t.Error("the topic was created")
	}
	if desc.Topic != topicName || desc.Kind != "topic" {
		t.Errorf("%+v", desc)
	}
	var e *kafka.Error
	if !errors.As(err, &e) || !strings.Contains(e.Hint, "docker-connect-offsets, mm2-offsets.A.internal") {
		t.Errorf("the hint does not name them: %+v", e)
	}
}

func TestWholeTopicUnauthorised(t *testing.T) {
	t.Parallel()
	for name, key := range map[string]kmsg.Key{"may not be described": kmsg.Metadata, "may not be read": kmsg.Fetch} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCluster(t, 2)
			c.write(record(0, "a", "1"), record(1, "a", "1"))
			fault := kfake.Fault{Keys: []kmsg.Key{key}, Err: kerr.TopicAuthorizationFailed, Count: -1}
			if key == kmsg.Metadata {
				// A whole topic is refused, which the fake only does by access lists.
				c.refuseMetadata()
			} else {
				c.Fault(fault)
			}
			_, _, err := read(t, c.config())
			var refused *kafka.NotAllowedError
			var e *kafka.Error
			if !errors.As(err, &refused) || !errors.As(err, &e) || !strings.Contains(e.Hint, "DESCRIBE and READ") {
				t.Errorf("got %v", err)
			}
		})
	}
}

// refuseMetadata answers that the topic may not be described.
func (c *cluster) refuseMetadata() {
	c.ControlKey(int16(kmsg.Metadata), func(req kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		if len(req.(*kmsg.MetadataRequest).Topics) == 0 {
			return nil, nil, false
		}
		resp := req.ResponseKind().(*kmsg.MetadataResponse)
		topic := kmsg.NewMetadataResponseTopic()
		topic.Topic, topic.ErrorCode = kmsg.StringPtr(topicName), kerr.TopicAuthorizationFailed.Code
		resp.Topics = append(resp.Topics, topic)
		return resp, nil, true
	})
}

func TestNothingListens(t *testing.T) {
	t.Parallel()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := ln.Addr().String()
	ln.Close()
	_, _, err = read(t, kafka.Config{Bootstrap: []string{addr}, Topic: topicName})
	wantHint(t, err, "nothing listens there")
	if !strings.Contains(err.Error(), addr) {
		t.Errorf("%q does not name the address", err)
	}
}

func TestTheSecondBootstrapAddressServesWhenTheFirstIsDown(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 1, kfake.SeedTopics(1, "my_connect_offsets"))
	c.write(record(0, "a", "1"))
	cfg := c.config()
	cfg.Bootstrap = append([]string{listen(t, func(net.Conn) {})}, cfg.Bootstrap...)
	got, _, err := read(t, cfg)
	if err != nil || len(got) != 1 {
		t.Errorf("%d records, %v", len(got), err)
	}
	cfg.Topic = "no-such-topic"
	_, _, err = read(t, cfg)
	wantHint(t, err, "my_connect_offsets")
}

func TestUnknownHost(t *testing.T) {
	t.Parallel()
	_, _, err := read(t, kafka.Config{Bootstrap: []string{"no-such-host.invalid:9092"}, Topic: topicName})
	wantHint(t, err, "cannot be resolved")
}

func TestPlainTextToATLSPort(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 1, kfake.TLS(serverTLS(t)))
	_, _, err := read(t, c.config())
	wantHint(t, err, "the port speaks TLS")
}

func TestTLSToAPlainTextPort(t *testing.T) {
	t.Parallel()
	// A broker hangs up on a greeting it takes for an endless request.
	addr := listen(t, func(conn net.Conn) { _, _ = conn.Read(make([]byte, 1)) })
	_, _, err := read(t, kafka.Config{
		Bootstrap: []string{addr}, Topic: topicName, Options: []kgo.Opt{kgo.DialTLSConfig(new(tls.Config))},
	})
	wantHint(t, err, "ends the connection at once")
}

func TestUntrustedCertificate(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 1, kfake.TLS(serverTLS(t)))
	c.opts = []kgo.Opt{kgo.DialTLSConfig(new(tls.Config))}
	_, _, err := read(t, c.config())
	wantHint(t, err, "certificate is not trusted")
}

func TestAPortThatIsNoBroker(t *testing.T) {
	t.Parallel()
	t.Run("says something else", func(t *testing.T) {
		t.Parallel()
		addr := listen(t, func(conn net.Conn) { _, _ = conn.Write([]byte("HTTP/1.1 400 Bad Request\r\n\r\n")) })
		_, _, err := read(t, kafka.Config{Bootstrap: []string{addr}, Topic: topicName, Timeout: time.Second})
		var e *kafka.Error
		if !errors.As(err, &e) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("says nothing", func(t *testing.T) {
		t.Parallel()
		done := make(chan struct{})
		t.Cleanup(func() { close(done) })
		addr := listen(t, func(net.Conn) { <-done })
		_, _, err := read(t, kafka.Config{Bootstrap: []string{addr}, Topic: topicName, Timeout: 300 * time.Millisecond})
		wantHint(t, err, "does not answer as a broker")
	})
}

func TestWrongPassword(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 1, kfake.EnableSASL(), kfake.Superuser("PLAIN", "u", "right"))
	c.opts = []kgo.Opt{kgo.SASL(plain.Auth{User: "u", Pass: "wrong"}.AsMechanism())}
	_, _, err := read(t, c.config())
	wantHint(t, err, "the password is wrong") // all that shows is the end of the connection
	if strings.Contains(err.Error(), "wrong") {
		t.Errorf("%q tells the password", err)
	}
}

func TestInterruptedWhileConnecting(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	addr := listen(t, func(net.Conn) { cancel() })
	_, _, err := readContext(ctx, t, kafka.Config{Bootstrap: []string{addr}, Topic: topicName})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func wantHint(t *testing.T, err error, hint string) {
	t.Helper()
	var e *kafka.Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want a kafka.Error", err)
	}
	if !strings.Contains(e.Hint, hint) {
		t.Errorf("%v\nhint %q does not say %q", err, e.Hint, hint)
	}
}

// listen serves each connection once.
func listen(t *testing.T, serve func(net.Conn)) string {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ln.Close() })
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				serve(conn)
			}()
		}
	}()
	return ln.Addr().String()
}

func serverTLS(t *testing.T) *tls.Config {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
}

func TestAnAnswerThatLeavesATopicPartitionOutIsNotTheTopic(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*kmsg.MetadataResponseTopic){
		"the first": func(t *kmsg.MetadataResponseTopic) { t.Partitions = t.Partitions[1:] },
		"another":   func(t *kmsg.MetadataResponseTopic) { t.Partitions = slices.Delete(t.Partitions, 1, 2) },
		"its id":    func(t *kmsg.MetadataResponseTopic) { t.Partitions[2].Partition = -1 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCluster(t, 3)
			c.answerMetadata(change)
			_, _, err := read(t, c.config())
			if err == nil || !strings.Contains(err.Error(), "leaves topic partition") {
				t.Errorf("got %v", err)
			}
		})
	}
}

// answerMetadata answers what the cluster would, changed.
func (c *cluster) answerMetadata(change func(*kmsg.MetadataResponseTopic)) {
	req := kmsg.NewPtrMetadataRequest()
	topic := kmsg.NewMetadataRequestTopic()
	topic.Topic = kmsg.StringPtr(topicName)
	req.Topics = append(req.Topics, topic)
	resp, err := req.RequestWith(context.Background(), c.client())
	if err != nil {
		c.t.Fatal(err)
	}
	slices.SortFunc(resp.Topics[0].Partitions, func(a, b kmsg.MetadataResponseTopicPartition) int {
		return int(a.Partition - b.Partition)
	})
	change(&resp.Topics[0])
	c.ControlKey(int16(kmsg.Metadata), func(req kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		resp.Version = req.GetVersion()
		return resp, nil, true
	})
}

// A long wait for the topic does not count as one for its records.
func TestPatienceBeginsAnewOnceTheTopicIsThere(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newVirtualCluster(t, 1)
		c.write(record(0, "a", "1"))
		cfg := c.config()
		cfg.Timeout = 12 * time.Second
		began := time.Now()
		c.ControlKey(int16(kmsg.Metadata), func(req kmsg.Request) (kmsg.Response, error, bool) {
			if c.KeepControl(); time.Since(began) > 11*time.Second {
				return nil, nil, false
			}
			resp := req.ResponseKind().(*kmsg.MetadataResponse)
			topic := kmsg.NewMetadataResponseTopic()
			topic.Topic, topic.ErrorCode = kmsg.StringPtr(topicName), kerr.LeaderNotAvailable.Code
			resp.Topics = append(resp.Topics, topic)
			return resp, nil, true
		})
		c.ControlKey(int16(kmsg.ListOffsets), func(kmsg.Request) (kmsg.Response, error, bool) {
			c.KeepControl()
			c.SleepControl(func() { time.Sleep(time.Second / 2) })
			return nil, nil, false
		})
		got, desc, err := read(t, cfg)
		if err != nil || !desc.Complete() || len(got) != 1 {
			t.Errorf("%d records, %v, %v", len(got), gaps(desc), err)
		}
	})
}
