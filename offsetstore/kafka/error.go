package kafka

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"strconv"
	"strings"
	"syscall"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
)

// Error is a topic that could not be reached or read at all.
type Error struct {
	Msg  string // what failed, with the address or topic
	Hint string // what to do about it, or ""
	Err  error  // the cause, or nil
}

func (e *Error) Error() string {
	if e.Err == nil {
		return e.Msg
	}
	return e.Msg + ": " + printable(e.Err.Error())
}

func (e *Error) Unwrap() error { return e.Err }

// UnknownTopicError is the cause of an Error where the cluster has no such
// topic, or hides it.
type UnknownTopicError struct {
	Topic string
	// Candidates are the topics whose names look like Connect's offsets topics,
	// in order of name.
	Candidates []string
}

func (e *UnknownTopicError) Error() string { return "there is no such topic" }

// NotAllowedError is the cause of an Error where the cluster lets us see
// nothing of the topic.
type NotAllowedError struct{ Topic string }

func (e *NotAllowedError) Error() string { return "not allowed" }

// printable escapes what a terminal could take for something else: the texts of
// brokers and resolvers are not ours.
func printable(s string) string {
	q := strconv.Quote(s)
	if q = q[1 : len(q)-1]; !strings.Contains(q, `\`) {
		return s
	}
	return q
}

// hint says what to do about an error of a connection.
func hint(err error) string {
	var (
		dns     *net.DNSError
		header  tls.RecordHeaderError
		cert    *tls.CertificateVerificationError
		unknown x509.UnknownAuthorityError
		eof     *kgo.ErrFirstReadEOF
	)
	switch {
	case errors.As(err, &dns):
		return "the host name cannot be resolved: is --bootstrap-server right?"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "nothing listens there: is --bootstrap-server right, and is the broker running?"
	case errors.As(err, &header):
		return "the port does not speak TLS: set security.protocol to PLAINTEXT or SASL_PLAINTEXT, or choose the TLS port"
	case errors.As(err, &unknown), errors.As(err, &cert):
		return "the broker's certificate is not trusted: give the truststore of its authority (ssl.truststore.location)"
	case errors.Is(err, kerr.SaslAuthenticationFailed):
		return "the broker refuses the user name or password"
	case errors.Is(err, kerr.UnsupportedSaslMechanism):
		return "the broker does not offer this sasl.mechanism"
	case errors.As(err, &eof), errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET):
		return "the broker ends the connection at once: it may want TLS or SASL (koffsets speaks plain text for now), or the password is wrong"
	case errors.Is(err, context.DeadlineExceeded), isTimeout(err):
		return "something listens there but does not answer as a broker: is the port right? koffsets speaks plain text only, no TLS yet"
	}
	return ""
}

// lineFault puts a request's error in words: the library's guess at what a
// closed connection means holds for a first contact only.
func lineFault(err error) error {
	var (
		eof *kgo.ErrFirstReadEOF
		op  *net.OpError
	)
	switch {
	case errors.As(err, &eof), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the broker ended the connection")
	case isTimeout(err):
		return errors.New("the broker does not answer in time")
	case kgo.IsRetryableBrokerErr(err) && !errors.As(err, &op):
		return errors.New("the connection to the broker was lost")
	}
	return err
}

func isTimeout(err error) bool {
	var t net.Error
	return errors.As(err, &t) && t.Timeout()
}
