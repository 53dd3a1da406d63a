package worker

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// A worker that hangs must not outlive a parent that was killed.
func TestWorkerEndsWithItsParent(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = []string{role + "=parent"}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	pid := strings.TrimSpace(line)
	time.Sleep(500 * time.Millisecond) // it hangs by now
	if !alive(pid) {
		t.Fatalf("process %s ended before its parent", pid)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // "signal: killed"
	for deadline := time.Now().Add(10 * time.Second); alive(pid); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("process %s outlives its parent", pid)
		}
	}
}

// alive reports whether a process runs; one that ended and that nobody waited for doesn't.
func alive(pid string) bool {
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(rest, "Z") && !strings.HasPrefix(rest, "X")
}
