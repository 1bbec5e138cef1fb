package cmd

import (
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// connection is the group of flags that says which topic on which cluster.
type connection struct {
	bootstrap string
	topic     string
	timeout   time.Duration
}

func (g *connection) register(c *cobra.Command) {
	c.Flags().StringVarP(&g.bootstrap, "bootstrap-server", "b", "", "a broker's `HOST:PORT`, or several, separated by commas")
	c.Flags().StringVarP(&g.topic, "topic", "t", "connect-offsets", "the offsets `TOPIC`")
	c.Flags().DurationVar(&g.timeout, "timeout", 30*time.Second, "longest `TIME` without progress")
	complete(c, "bootstrap-server")
	complete(c, "topic", "connect-offsets")
	complete(c, "timeout", "10s", "30s", "2m")
}

// check looks at what is needed whatever the source; a live topic needs more.
func (g *connection) check() error {
	if g.timeout <= 0 {
		return failf("for example --timeout 30s", "--timeout must be more than nothing, not %s", g.timeout)
	}
	if g.topic == "" {
		return failf("the default is connect-offsets", "--topic is empty")
	}
	return nil
}

// brokers are the addresses given, at least one.
func (g *connection) brokers() ([]string, error) {
	var all []string
	for broker := range strings.SplitSeq(g.bootstrap, ",") {
		broker = strings.TrimSpace(broker)
		if _, host, ok := strings.Cut(broker, "://"); ok {
			return nil, failf("leave the scheme out: -b "+host, "%s is no HOST:PORT of a broker", quoted(broker))
		}
		if broker != "" {
			all = append(all, broker)
		}
	}
	if len(all) == 0 {
		return nil, failf("give -b HOST:PORT or KOFFSETS_BOOTSTRAP_SERVER, or try it out with the source sandbox",
			"a live topic needs --bootstrap-server")
	}
	return all, nil
}
