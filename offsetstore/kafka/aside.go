package kafka

import "koffsets/offsetstore"

// aside runs a sink in a goroutine of its own: while it takes one group of
// records in, the next is fetched and decoded. The groups go in order. The bytes
// of the records have to stay as they are until the aside is closed.
type aside struct {
	groups chan []offsetstore.Record // for the sink
	spare  chan []offsetstore.Record // closed once the sink takes no more
	err    error                     // of the sink; to be read once spare is closed
}

// groupsAhead is how many groups may wait for the sink.
const groupsAhead = 4

func newAside(sink func([]offsetstore.Record) error) *aside {
	a := &aside{
		groups: make(chan []offsetstore.Record, groupsAhead),
		spare:  make(chan []offsetstore.Record, groupsAhead),
	}
	for range groupsAhead {
		a.spare <- nil
	}
	go a.run(sink)
	return a
}

func (a *aside) run(sink func([]offsetstore.Record) error) {
	defer close(a.spare)
	for group := range a.groups {
		if a.err = sink(group); a.err != nil {
			return
		}
		a.spare <- group
	}
}

// take passes a group of records on. An error is one of the sink, for this or
// an earlier group.
func (a *aside) take(records []offsetstore.Record) error {
	group, ok := <-a.spare
	if !ok {
		return a.err
	}
	a.groups <- append(group[:0], records...) // there is room: it is one of those from spare
	return nil
}

// close waits until the sink has taken everything in, or failed.
func (a *aside) close() error {
	close(a.groups)
	for range a.spare {
	}
	return a.err
}
