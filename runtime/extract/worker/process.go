package worker

import (
	"bufio"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/extract"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// process is one running worker.
type process struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	encoder *gob.Encoder
	replies chan reply // closed when the process ends or says nonsense
	broke   error      // why they are closed, then
	said    *tail      // on its standard error
	files   int
	ended   bool // not to be used again
	dead    bool // killed
	died    func(key string, page int, said string)
	gone    chan struct{} // closed when the process is
}

// start starts a worker and waits until its engine is open.
func start(ctx context.Context, o Options) (*process, error) {
	w := &process{cmd: exec.Command(o.Command[0], o.Command[1:]...), replies: make(chan reply), said: &tail{}, died: o.Died, gone: make(chan struct{})}
	w.cmd.Env, w.cmd.Stderr = o.Env, w.said
	if w.cmd.Env == nil {
		w.cmd.Env = []string{} // nil would pass on all of ours
	}
	in, err := w.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := launch(w.cmd, w.gone); err != nil {
		close(w.gone)
		return nil, err
	}
	w.in, w.encoder = in, gob.NewEncoder(in)
	go w.listen(out)
	timer := time.NewTimer(startup)
	defer timer.Stop()
	select {
	case r, ok := <-w.replies:
		if ok && r.Ready {
			return w, nil
		}
		w.kill()
		return nil, errors.New(w.said.last("it ended at once"))
	case <-timer.C:
		err = fmt.Errorf("it was not ready after %v", startup)
	case <-ctx.Done():
		err = ctx.Err()
	}
	w.kill()
	return nil, err
}

// listen passes on what the worker answers.
func (w *process) listen(out io.Reader) {
	defer close(w.replies)
	decoder := gob.NewDecoder(bufio.NewReaderSize(out, 1<<16))
	for {
		var r reply
		if w.broke = decoder.Decode(&r); w.broke != nil {
			return
		}
		w.replies <- r
	}
}

// read has a file read, for as long as is admitted.
func (w *process) read(ctx context.Context, limits extract.Limits, f extract.File, limit time.Duration) (rag.Document, error) {
	w.files++
	o := &order{process: w, file: f, assembly: &extract.Assembly{}}
	o.send(request{Limits: limits, File: file{f.Object, int64(len(f.Data)), f.Password}})
	timer := time.NewTimer(limit)
	defer timer.Stop()
	deadline := time.Now().Add(limit)
	for {
		select {
		case err := <-o.sent:
			if err != nil {
				w.ended = true
				return rag.Document{}, &Temporary{fmt.Errorf("send the file: %w", err)}
			}
			o.sent = nil
		case r, ok := <-w.replies:
			switch {
			case !ok:
				return rag.Document{}, w.crashed(o)
			case r.Done:
				return o.result(r)
			}
			if err := o.take(r); err != nil {
				w.ended = true
				return rag.Document{}, &Temporary{err}
			}
			deadline = deadline.Add(r.Waits)
			timer.Reset(time.Until(deadline))
		case <-timer.C:
			w.ended = true
			return rag.Document{}, &extract.Error{Reason: extract.Timeout, Page: o.page,
				Detail: fmt.Sprintf("reading it did not end within %v, and was stopped; print the file to a new PDF, or exclude it", limit)}
		case <-ctx.Done():
			w.ended = true
			return rag.Document{}, ctx.Err()
		}
	}
}

// order is a file that a worker is reading.
type order struct {
	process  *process
	file     extract.File
	assembly *extract.Assembly
	page     int        // that is being read; 0 = none yet
	sent     chan error // of the message on its way, nil for none
}

// send sends a message, after the one before, beside what the worker says meanwhile.
func (o *order) send(q request) {
	before, sent := o.sent, make(chan error, 1)
	go func() {
		if before != nil {
			if err := <-before; err != nil {
				sent <- err
				return
			}
		}
		sent <- o.process.encoder.Encode(q)
	}()
	o.sent = sent
}

// take takes what comes before a file's end: a part of the document, or a question.
func (o *order) take(r reply) error {
	o.page = max(o.page, r.Page)
	if r.Part != nil {
		return o.assembly.Add(*r.Part)
	}
	if r.Wants == nil {
		return nil
	}
	from, to := r.Wants.Offset, r.Wants.Offset+r.Wants.Length
	if from < 0 || to < from || to > int64(len(o.file.Data)) {
		return fmt.Errorf("it asked for bytes %d to %d of %d", from, to, len(o.file.Data))
	}
	o.send(request{Piece: o.file.Data[from:to]})
	return nil
}

func (o *order) result(r reply) (rag.Document, error) {
	switch {
	case r.Failure != nil:
		return rag.Document{}, r.Failure
	case r.Error != "":
		return rag.Document{}, &Temporary{errors.New(r.Error)}
	}
	return o.assembly.Document(o.file, r.Ending)
}

// kill ends the process, whatever it is doing; the second time it does nothing.
func (w *process) kill() {
	if w.dead {
		return
	}
	w.ended, w.dead = true, true
	_ = w.in.Close()         // one that dies by itself has closed its output already, and keeps its own cause
	_ = w.cmd.Process.Kill() // it may be gone already
	for range w.replies {    // until the listener has seen the end
	}
	_ = w.cmd.Wait() // "signal: killed" is what was asked for
	close(w.gone)
}
