package kafka

import "flag"

// Seeds and OnlySeed say which seeded runs the tests make.
var (
	Seeds    = flag.Int("seeds", 500, "how many seeded runs of each kind")
	OnlySeed = flag.Int("seed", -1, "the one seed to run")
)

// WithPartitionBytes asks for so little that a small topic takes many answers.
func (c Config) WithPartitionBytes(n int32) Config {
	c.partitionBytes = n
	return c
}
