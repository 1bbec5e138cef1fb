package realkafka

import (
	"bytes"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// stopWithin is how long a process may take to stop when asked politely.
const stopWithin = 15 * time.Second

// Process is a running JVM, its log in a file.
type Process struct {
	log  string // path of its log file
	cmd  *exec.Cmd
	done chan struct{} // closed when the process has ended
	err  error         // how it ended; read after done
}

// jvmFlags keep a JVM small and quick to start.
var jvmFlags = [...]string{
	"-Xmx512m", "-Xms64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
	"-Dorg.slf4j.simpleLogger.showDateTime=true",
	"-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS",
}

// jvm is the command that runs a main class in dir. Options of the JVM may stand
// before the class; they win over the harness's own.
func jvm(dir, classPath string, arguments ...string) *exec.Cmd {
	command := exec.Command("java", append(append(jvmFlags[:len(jvmFlags):len(jvmFlags)], "-cp", classPath), arguments...)...)
	command.Dir = dir
	return command
}

// start starts a command and stops it when the test and its subtests are over.
// What it writes, unless it goes elsewhere, goes to a log file; if the test
// fails the end of it is printed and the file stays.
func start(t testing.TB, name string, command *exec.Cmd) *Process {
	t.Helper()
	log, err := os.CreateTemp("", "koffsets-"+name+"-*.log")
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	p := &Process{log: log.Name(), cmd: command, done: make(chan struct{})}
	if command.Stdout == nil {
		command.Stdout = log
	}
	command.Stderr = log
	dieWithParent(command)
	if err := command.Start(); err != nil {
		t.Fatalf("start %s: %v", name, err)
	}
	go func() {
		p.err = command.Wait()
		close(p.done)
	}()
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("%s: the end of %s:\n%s", name, p.log, p.tail())
		}
		p.Stop()
		if !t.Failed() {
			os.Remove(p.log)
		}
	})
	return p
}

// Stop asks the process to end (SIGTERM), and kills it if it does not.
func (p *Process) Stop() {
	p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.done:
	case <-time.After(stopWithin):
		p.Kill()
	}
}

// Kill ends the process at once, as kill -9 does.
func (p *Process) Kill() {
	p.cmd.Process.Kill()
	<-p.done
}

// Ended is closed when the process has ended, for whatever reason.
func (p *Process) Ended() <-chan struct{} { return p.done }

// tail is the end of the log.
func (p *Process) tail() []byte {
	const most = 8 << 10
	log, err := os.ReadFile(p.log)
	if err != nil {
		return []byte(err.Error())
	}
	if len(log) > most {
		log = log[len(log)-most:]
		log = log[bytes.IndexByte(log, '\n')+1:]
	}
	return log
}
