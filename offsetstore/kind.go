package offsetstore

import "koffsets/release"

// The kinds of finding.
const (
	KeyNull                  ID = "key-null"
	KeyNotJSON               ID = "key-not-json"
	KeyNotList               ID = "key-not-list"
	KeyWrongSize             ID = "key-wrong-size"
	KeyNameNotString         ID = "key-name-not-string"
	KeyPartitionNotMap       ID = "key-partition-not-map"
	KeyPartitionNull         ID = "key-partition-null"
	KeyTooDeep               ID = "key-too-deep"
	KeyPartitionNotPrimitive ID = "key-partition-not-primitive"
	KeyAlias                 ID = "key-alias"
	KeyNotCanonical          ID = "key-not-canonical"
	FalseReset               ID = "false-reset"
	RESTBlind                ID = "rest-blind"
	KeyMisplaced             ID = "key-misplaced"
	KeySplit                 ID = "key-split"
	ValueNotJSON             ID = "value-not-json"
	ValueNotMap              ID = "value-not-map"
	ValueFieldNotPrimitive   ID = "value-field-not-primitive"
	ValueNullLookalike       ID = "value-null-lookalike"
	NumberWraps              ID = "number-wraps"
	IsolationDiffers         ID = "isolation-differs"
	TransactionOpen          ID = "transaction-open"
	TopicNotCompacted        ID = "topic-not-compacted"
	TopicPolicyMixed         ID = "topic-policy-mixed"
	TopicUnderReplicated     ID = "topic-under-replicated"
	TopicPartitionsGrown     ID = "topic-partitions-grown"
	TopicSingleReplica       ID = "topic-single-replica"
	TopicNotOffsets          ID = "topic-not-offsets"
	ReadIncomplete           ID = "read-incomplete"
	FileTruncated            ID = "file-truncated"
)

// Kind is a kind of finding.
type Kind struct {
	ID ID
	// Title says in a few words what is wrong.
	Title string
	// Severity is what a finding of the kind has unless Rule says otherwise.
	Severity Severity
	// Rule says when the severity is another one, or is "".
	Rule string
}

var kinds = [...]Kind{
	{KeyNull, "a record without a key", Error, ""},
	{KeyNotJSON, "a key that is not JSON", Error, "fatal for 3.5.0, 3.5.1 and 3.6.0, which drop the rest of the poll batch"},
	{KeyNotList, "a key that is JSON but no list", Error, ""},
	{KeyWrongSize, "a key that is a list, but not of two elements", Error, ""},
	{KeyNameNotString, "a key whose first element is no string", Error, ""},
	{KeyPartitionNotMap, "a key whose second element is no map", Error, ""},
	{KeyPartitionNull, "a key whose source partition is null", Warning, "info for 3.6.2, 3.7.1 and later, which skip it without a word"},
	{KeyTooDeep, "a key nested so deeply that it can end the worker", Fatal, ""},
	{KeyPartitionNotPrimitive, "a list or a map inside a source partition", Error, ""},
	{KeyAlias, "one source partition under several spellings", Warning, "error where one spelling is live and another was written later"},
	{KeyNotCanonical, "a key that the REST API does not find again", Warning, ""},
	{FalseReset, "a reset that resets nothing: the task still finds its offset", Error, ""},
	{RESTBlind, "a connector whose offsets the REST API neither shows nor resets", Warning, ""},
	{KeyMisplaced, "a record on another topic partition than its key's", Warning, ""},
	{KeySplit, "one key on several topic partitions", Error, "warning where all of its records are tombstones"},
	{ValueNotJSON, "a source offset that is not JSON", Error, ""},
	{ValueNotMap, "a source offset that is no map", Error, ""},
	{ValueFieldNotPrimitive, "a list or a map inside a source offset", Error, ""},
	{ValueNullLookalike, "a source offset that reads as null, yet is no tombstone", Warning, ""},
	{NumberWraps, "an integer beyond 64 bits, cut without a word", Warning, ""},
	{IsolationDiffers, "read_uncommitted and read_committed readers find different offsets", Warning, ""},
	{TransactionOpen, "a transaction that has not ended", Warning, ""},
	{TopicNotCompacted, "the topic is not compacted: offsets expire", Error, ""},
	{TopicPolicyMixed, "the topic is compacted but also deletes: offsets expire", Error, ""},
	{TopicUnderReplicated, "topic partitions with replicas out of sync", Warning, ""},
	{TopicPartitionsGrown, "the topic was given more partitions after keys were written", Warning, ""},
	{TopicSingleReplica, "the topic has a single replica", Warning, ""},
	{TopicNotOffsets, "this does not look like an offsets topic", Warning, ""},
	{ReadIncomplete, "the topic was not read to its end", Error, ""},
	{FileTruncated, "the file ends too early", Error, ""},
}

// Kinds is the one table of findings, in the order of docs/findings.md.
func Kinds() []Kind { return append([]Kind(nil), kinds[:]...) }

// LookupKind finds a kind by its id.
func LookupKind(id string) (Kind, bool) {
	for _, k := range kinds {
		if string(k.ID) == id {
			return k, true
		}
	}
	return Kind{}, false
}

// SeverityFor is the kind's usual severity when judged as a release.
func (k Kind) SeverityFor(rules *release.Rules) Severity {
	switch {
	case k.ID == KeyNotJSON && rules.ThrowsOnBadKey:
		return Fatal
	case k.ID == KeyPartitionNull && rules.SilentNullPartition:
		return Info
	}
	return k.Severity
}
