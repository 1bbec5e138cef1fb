package realkafka

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// Oracle is a JVM in which the classes of one Kafka release answer questions.
type Oracle struct {
	questions *bufio.Writer
	answers   *bufio.Reader
	process   *Process
}

// StartOracle starts one of the programs of the oracle folder ("Keys",
// "Values", "Store"; their comments say what they answer) on a release. It is
// stopped when the test is over.
func StartOracle(t testing.TB, release, program string, arguments ...string) *Oracle {
	t.Helper()
	Require(t)
	classPath := classes(t, "oracle") + string(filepath.ListSeparator) + Jars(t, WorkerJars, release)
	command := jvm(t.TempDir(), classPath, append([]string{"-Xmx2g", "koffsets." + program}, arguments...)...)
	theirIn, questions, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	answers, theirOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	command.Stdin, command.Stdout = theirIn, theirOut
	o := &Oracle{questions: bufio.NewWriterSize(questions, 1<<16), answers: bufio.NewReaderSize(answers, 1<<16)}
	o.process = start(t, "oracle-"+program+"-"+release, command)
	theirIn.Close()
	theirOut.Close()
	t.Cleanup(func() {
		questions.Close()
		answers.Close()
	})
	return o
}

// Ask asks all questions, nil being null, and hands over the answer to each: so
// many byte strings. The answer is the caller's.
func (o *Oracle) Ask(questions [][]byte, parts int, answered func(i int, answer [][]byte)) error {
	asked := make(chan error, 1)
	go func() { asked <- o.write(questions) }()
	for i := range questions {
		answer, err := o.Read(parts)
		if err != nil {
			return fmt.Errorf("question %d of %d: %w", i, len(questions), err)
		}
		answered(i, answer)
	}
	return <-asked
}

func (o *Oracle) write(questions [][]byte) error {
	for _, q := range questions {
		size := int32(len(q))
		if q == nil {
			size = -1
		}
		if err := binary.Write(o.questions, binary.BigEndian, size); err != nil {
			return err
		}
		if _, err := o.questions.Write(q); err != nil {
			return err
		}
	}
	return o.questions.Flush()
}

// Read reads so many byte strings of an answer.
func (o *Oracle) Read(parts int) ([][]byte, error) {
	answer := make([][]byte, parts)
	for i := range answer {
		var size int32
		if err := binary.Read(o.answers, binary.BigEndian, &size); err != nil {
			return nil, err
		}
		if size < 0 {
			continue
		}
		answer[i] = make([]byte, size)
		if _, err := io.ReadFull(o.answers, answer[i]); err != nil {
			return nil, err
		}
	}
	return answer, nil
}

// Loaded is what the memory of a worker's offset store holds of a topic.
type Loaded struct {
	Lookup  map[string][]byte // by exact key; a value nil is a tombstone
	Listing map[string][]byte // by connector: the JSON that REST answers with
}

// Load has a "Store" oracle load a topic as a starting worker does.
func (o *Oracle) Load(topic string) (Loaded, error) {
	loaded := Loaded{make(map[string][]byte), make(map[string][]byte)}
	if err := o.write([][]byte{[]byte(topic)}); err != nil {
		return loaded, err
	}
	for {
		entry, err := o.Read(3)
		switch {
		case err != nil:
			return loaded, fmt.Errorf("load %s: %w", topic, err)
		case entry[0] == nil:
			return loaded, nil
		case string(entry[0]) == "lookup":
			loaded.Lookup[string(entry[1])] = entry[2]
		default:
			loaded.Listing[string(entry[1])] = entry[2]
		}
	}
}
