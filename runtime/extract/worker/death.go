package worker

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"sync"
	"syscall"

	"github.com/hardgate-dev/hardgate/runtime/extract"
)

// crashed is the file's failure when its worker is gone. What it said on its standard
// error, a stack for one, is for a log.
func (w *process) crashed(o *order) error {
	if err := w.broke; !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		w.kill()
		return &extract.Error{Reason: extract.Trapped, Page: o.page,
			Detail: fmt.Sprintf("the process that reads files answered what can't be understood (%v), and was stopped; print the file to a new PDF, or leave it out", err)}
	}
	w.kill()
	if w.died != nil {
		w.died(o.file.Object.Key, o.page, w.said.lastWords())
	}
	cause, remedy := death(w.cmd.ProcessState, w.said.lastWords())
	return &extract.Error{Reason: extract.Trapped, Page: o.page, Detail: fmt.Sprintf("the process that reads files died over it: %s; %s", cause, remedy)}
}

const (
	reprint = "print the file to a new PDF, or leave it out"
	enlarge = "give the process more memory, have fewer files read at a time, or split the file"
)

// noMemory is how Go, C and the system say it.
var noMemory = regexp.MustCompile(`(?i)out of memory|cannot allocate memory|bad_alloc`)

// death says in words what a process died of, and what helps.
func death(state *os.ProcessState, said string) (cause, remedy string) {
	var status syscall.WaitStatus
	if state != nil { // else nobody could wait for it
		status, _ = state.Sys().(syscall.WaitStatus)
	}
	first, _, _ := strings.Cut(said, "\n")
	why, panicked := strings.CutPrefix(first, "panic: ")
	fault, stopped := strings.CutPrefix(first, "fatal error: ")
	switch {
	case noMemory.MatchString(said):
		return "it ran out of memory", enlarge
	case status.Signaled() && status.Signal() == syscall.SIGKILL:
		return "the system killed it, as it does where memory is short", enlarge
	case status.Signaled():
		return fmt.Sprintf("signal %d (%v) ended it", int(status.Signal()), status.Signal()), reprint
	case panicked:
		return fmt.Sprintf("it panicked (%s)", why), reprint
	case stopped:
		return fmt.Sprintf("its runtime stopped it (%s)", fault), reprint
	case said == "":
		return fmt.Sprintf("it ended with %v, without a word", state), reprint
	}
	return fmt.Sprintf("it ended with %v (%s)", state, said[strings.LastIndexByte(said, '\n')+1:]), reprint
}

// tail keeps the last of what a process says. It is safe for concurrent use.
type tail struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// tailBytes have room for the stacks of the few goroutines that a worker has.
const tailBytes = 64 << 10

// Write implements io.Writer. It never fails.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(p)
	if len(p) > tailBytes {
		p = p[len(p)-tailBytes:]
	}
	if over := t.text.Len() + len(p) - tailBytes; over > 0 {
		t.text.Next(over)
	}
	t.text.Write(p) // never fails
	return n, nil
}

// dying is the line with which Go begins what it says of its end.
var dying = regexp.MustCompile(`(?m)^(panic|fatal error): `)

// lastWords are what was said of the end where that can be told, else all that is kept.
func (t *tail) lastWords() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := strings.TrimSpace(t.text.String())
	if at := dying.FindStringIndex(text); at != nil {
		return text[at[0]:]
	}
	return text
}

// last is the last line, or that of the end; what stands for none if there is none.
func (t *tail) last(none string) string {
	text := t.lastWords()
	switch {
	case text == "":
		return none
	case dying.MatchString(text):
		first, _, _ := strings.Cut(text, "\n")
		return first
	}
	return text[strings.LastIndexByte(text, '\n')+1:]
}
