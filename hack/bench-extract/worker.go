package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/extract"
	"github.com/hardgate-dev/hardgate/runtime/extract/ocr"
	"github.com/hardgate-dev/hardgate/runtime/extract/worker"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// peaks is what one file took, read as the product reads: by a worker process,
// for a process that gets the document. MB of resident memory at its highest, the
// program's own file included.
type peaks struct {
	Pages      int
	Error      string
	Worker     float64 // the process that reads
	Caller     float64 // the one that holds the file and the document
	Recogniser float64 // Tesseract, a process of its own; 0 = none ran
	Seconds    float64
}

// peak reads the file of a path through a worker of the product, in a process that
// does nothing else, and writes what it took.
func (o *options) peak(ctx context.Context, out io.Writer) error {
	data, err := os.ReadFile(o.peaked)
	if err != nil {
		return err
	}
	pool, err := worker.NewPool(worker.Options{Command: []string{o.product, "extract-worker", "--extract-cache-dir=" + o.cache}, Env: []string{"PATH=" + os.Getenv("PATH")}, Workers: 1})
	if err != nil {
		return err
	}
	defer pool.Close() //nolint:errcheck // it never fails
	var p peaks
	watched, stop := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watched)
		const often = 20 * time.Millisecond
		for {
			p.watch()
			select {
			case <-stop:
				return
			case <-time.After(often):
			}
		}
	}()
	began := time.Now()
	doc, err := pool.Apply(ctx, extract.Limits{OCR: ocr.Options{Engine: ocr.Tesseract}}, extract.File{Object: rag.Object{Key: filepath.Base(o.peaked)}, Data: data})
	close(stop)
	<-watched
	p.watch()
	p.Seconds, p.Pages, p.Caller = time.Since(began).Seconds(), len(doc.Pages), resident("self")
	if err != nil {
		p.Error = err.Error()
	}
	return json.NewEncoder(out).Encode(p)
}

// watch looks at this process's children, and at theirs.
func (p *peaks) watch() {
	for _, c := range children(os.Getpid()) {
		p.Worker = max(p.Worker, resident(strconv.Itoa(c)))
		for _, g := range children(c) {
			p.Recogniser = max(p.Recogniser, resident(strconv.Itoa(g)))
		}
	}
}

func children(of int) []int {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil
	}
	var out []int
	for _, path := range stats {
		line, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		_, after, _ := strings.Cut(string(line), ") ") // state, parent
		var state string
		var parent int
		if _, err := fmt.Sscan(after, &state, &parent); err != nil || parent != of {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err == nil {
			out = append(out, pid)
		}
	}
	return out
}

// resident is the most that a process had in memory, MB. The highest value that the
// system reports when a process has ended is no use: it counts the parent's as well.
func resident(pid string) float64 {
	status, err := os.ReadFile("/proc/" + pid + "/status")
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	var kib float64
	if _, err := fmt.Sscan(after, &kib); err != nil {
		return 0
	}
	return kib * 1024 / 1e6
}

// peaksOf has a file read by a worker of the product, which is built where nobody named one.
func (b *bench) peaksOf(ctx context.Context, path string) (peaks, error) {
	if b.product == "" {
		b.product = filepath.Join(b.work, "hardgate")
		if out, err := exec.CommandContext(ctx, "go", "build", "-o", b.product, ".").CombinedOutput(); err != nil {
			return peaks{}, fmt.Errorf("build the program: %w\n%s", err, out)
		}
	}
	out, err := exec.CommandContext(ctx, mustSelf(), "-peak", path, "-product", b.product, "-cache", b.cache).Output()
	if err != nil {
		return peaks{}, fmt.Errorf("read %s by a worker: %w", path, err)
	}
	var p peaks
	return p, json.Unmarshal(out, &p)
}
