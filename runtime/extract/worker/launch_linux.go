package worker

import (
	"os/exec"
	"runtime"
	"syscall"
)

// launch starts a process that ends with this one, however this one ends: a
// worker that hangs would never notice that nobody waits for it any more. The
// kernel's signal comes when the thread that started the process ends, so that
// thread is kept until done.
func launch(cmd *exec.Cmd, done <-chan struct{}) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		started <- cmd.Start()
		<-done
	}()
	return <-started
}
