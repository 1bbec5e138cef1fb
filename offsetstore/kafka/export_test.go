package kafka

// WithPartitionBytes asks for so little that a small topic takes many answers.
func (c Config) WithPartitionBytes(n int32) Config {
	c.partitionBytes = n
	return c
}
