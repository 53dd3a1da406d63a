// Package worker reads files in processes of their own, which can be killed.
//
// The PDF engine is compiled code inside this process: a call that never comes
// back can't be interrupted, holds its instance for ever, and, since the runtime
// can't stop its thread either, brings the whole process to a halt at the next
// garbage collection. So what must not hang (the operator) reads files through a
// Pool: each worker is the program itself, started with a command that runs
// Serve. It gets files one after the other on its standard input and answers on
// its standard output; past a file's deadline it is killed, the file fails, and
// the next one gets a new worker. A worker that crashes takes nothing along.
package worker

import (
	"time"

	"github.com/hardgate-dev/hardgate/runtime/extract"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// request is a message to a worker: a file to read, or a piece of it that was asked for.
type request struct {
	Limits extract.Limits
	File   file
	Piece  []byte // with it, nothing else
}

// file is an extract.File on the wire. Its bytes stay where they are: a worker asks
// for what it needs of them, so that a file of 200 MB is there once and not three times.
type file struct {
	Object   rag.Object
	Size     int64
	Password string
}

// reply is one message of a worker. What it reads comes page by page, and no page
// stays with it. Documents travel as gob: in JSON, boxes would be rounded, and the
// same file would give other chunks than in process.
type reply struct {
	Ready   bool          // the engine is open; the first message of all
	Waits   time.Duration // work is about to begin that may take so long beyond the file's deadline
	Wants   *span         // of the file, to be sent
	Page    int           // that is read next
	Part    *extract.Part
	Done    bool // the file is read, or can't be
	Ending  extract.Ending
	Failure *extract.Error // of the file
	Error   string         // of the worker
}

// span is a piece of a file.
type span struct{ Offset, Length int64 }

// Temporary is an error of the worker, not of the file: it could not be started,
// or broke down before it looked at the file. Trying again may help.
type Temporary struct{ Err error }

func (t *Temporary) Error() string { return "extraction worker: " + t.Err.Error() }

// Unwrap returns the cause.
func (t *Temporary) Unwrap() error { return t.Err }

// Temporary marks the error for whoever decides between failing a file and trying again.
func (t *Temporary) Temporary() bool { return true }
