//go:build !linux

package worker

import "os/exec"

// launch starts a process. One that hangs outlives this one where the system
// can't tie them together.
func launch(cmd *exec.Cmd, _ <-chan struct{}) error { return cmd.Start() }
