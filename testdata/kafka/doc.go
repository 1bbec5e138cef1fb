// Package realkafka runs real Kafka for tests: a broker from the jars that
// Kafka publishes, fetched by Maven, and clients that write to it and read it
// back without koffsets. It knows nothing of koffsets: what a test compares must
// not come from what it tests. It lies under testdata so that no build sees it
// but those of the tests that import it.
package realkafka
