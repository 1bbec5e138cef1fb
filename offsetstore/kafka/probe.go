package kafka

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

const tlsHint = "the port speaks TLS, which koffsets does not yet: choose a plain-text port"

// unreachable explains why no bootstrap address answered.
func (r *reader) unreachable(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return context.Canceled
	}
	e := &Error{Msg: "cannot reach the cluster", Hint: hint(err), Err: err}
	if dials(err) || !r.plainText() {
		return e
	}
	// Spoken to in plain text, a TLS port hangs up or says nothing. What it is
	// can be found out by greeting it once in its own language.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), min(r.cfg.Timeout, 2*time.Second))
	defer cancel()
	for _, addr := range r.cfg.Bootstrap {
		if r.speaksTLS(ctx, addr) {
			e.Hint = tlsHint
			break
		}
	}
	return e
}

// dials reports whether not even a connection came about.
func dials(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

func (r *reader) plainText() bool {
	on, _ := r.client.OptValue(kgo.DialTLS).(bool)
	return !on
}

func (r *reader) speaksTLS(ctx context.Context, addr string) bool {
	dial, ok := r.client.OptValue(kgo.Dialer).(func(context.Context, string, string) (net.Conn, error))
	if !ok || dial == nil {
		return false
	}
	conn, err := dial(ctx, "tcp", addr)
	if err != nil {
		return false
	}
	defer conn.Close()
	// Nothing is sent over this connection, so that it need not be trusted.
	err = tls.Client(conn, &tls.Config{InsecureSkipVerify: true}).HandshakeContext(ctx)
	var alert tls.AlertError
	return err == nil || errors.As(err, &alert)
}
