package realkafka

import (
	"os/exec"
	"syscall"
)

// dieWithParent has the kernel kill the process when the test process ends
// without its cleanups, as after a time-out of go test.
func dieWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
