package worker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/tetratelabs/wazero"

	"github.com/hardgate-dev/hardgate/runtime/extract"
	"github.com/hardgate-dev/hardgate/runtime/extract/pdftest"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// role is the variable by which the test's own binary becomes a worker.
const role = "HARDGATE_TEST_WORKER"

func TestMain(m *testing.M) {
	ctx := context.Background()
	switch os.Getenv(role) {
	case "":
		os.Exit(m.Run())
	case "real":
		exit(Serve(ctx, os.Stdin, os.Stdout, extract.Options{CacheDir: os.Getenv("CACHE")}))
	case "parent":
		parent()
	case "odd":
		exit(serve(ctx, os.Stdin, os.Stdout, odd))
	}
	fmt.Fprintln(os.Stderr, "no such worker")
	os.Exit(3)
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// odd does what a file says that no reader survives.
func odd(_ context.Context, _ extract.Limits, f extract.File, _ func(extract.Part) error) reply {
	data := make([]byte, f.Size)
	if _, err := f.At.ReadAt(data, 0); err != nil && err != io.EOF {
		return reply{Done: true, Error: err.Error()}
	}
	switch string(data) {
	case "spin":
		f.Begins(3)
		spin(context.Background())
	case "exit":
		fmt.Fprintln(os.Stderr, "more memory is taken than need be\nthe disk is on fire")
		os.Exit(7)
	case "panic":
		f.Begins(3)
		fmt.Fprintln(os.Stderr, "more is taken than need be")
		panic("no such glyph")
	case "memory":
		fmt.Fprintln(os.Stderr, "runtime: cannot allocate memory\nfatal error: out of memory")
		os.Exit(2)
	case "kill":
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		time.Sleep(time.Minute)
	case "signal":
		_ = syscall.Kill(os.Getpid(), syscall.SIGTERM)
		time.Sleep(time.Minute)
	case "nonsense":
		fmt.Println(strings.Repeat("this is what I read ", 100))
		time.Sleep(time.Minute)
	case "long":
		f.Waits(time.Hour)
		time.Sleep(2 * time.Second)
	case "refuse":
		return reply{Done: true, Failure: &extract.Error{Reason: extract.Damaged, Page: 3, Detail: "torn", Skip: true}}
	case "broken":
		return reply{Done: true, Error: "engine is closed"}
	}
	return reply{Done: true, Ending: extract.Ending{Whole: &rag.Document{Title: f.Object.Key}}}
}

// endless is a WebAssembly module whose function f is a loop without an end.
const endless = "\x00asm\x01\x00\x00\x00\x01\x04\x01\x60\x00\x00\x03\x02\x01\x00\x07\x05\x01\x01f\x00\x00\x0a\x09\x01\x07\x00\x03\x40\x0c\x00\x0b\x0b"

// spin never returns: compiled as the PDF engine is, the loop can't be
// interrupted, not even for the garbage collector.
func spin(ctx context.Context) {
	r := wazero.NewRuntime(ctx)
	m, err := r.Instantiate(ctx, []byte(endless))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	go func() {
		time.Sleep(100 * time.Millisecond)
		runtime.GC()
		fmt.Fprintln(os.Stderr, "the collector got through")
		os.Exit(9)
	}()
	_, _ = m.ExportedFunction("f").Call(ctx)
}

// parent has a file read that never ends, and says which process does.
func parent() {
	self, err := os.Executable()
	if err != nil {
		exit(err)
	}
	w, err := start(context.Background(), Options{Command: []string{self}, Env: []string{role + "=odd"}})
	if err != nil {
		exit(err)
	}
	fmt.Println(w.cmd.Process.Pid)
	_, err = w.read(context.Background(), extract.Limits{}, named("a.pdf", "spin"), time.Hour)
	exit(err)
}

func pool(t *testing.T, as string, workers int) *Pool {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewPool(Options{Command: []string{self}, Env: []string{role + "=" + as, "CACHE=" + filepath.Join(cache, "hardgate", "wasm")}, Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	return p
}

func named(key, data string) extract.File {
	return extract.File{Object: rag.Object{Key: key}, Data: []byte(data)}
}

// What a worker reads must be what this process would have read, to the last bit:
// the same file must give the same chunks either way.
func TestSameAsInProcess(t *testing.T) {
	f := &pdftest.File{Title: "April"}
	rows := pdftest.RegisterRows(24 * 40) // more pages than are held back, and one table on all of them
	rows[30][len(rows[30])-1] = "0.00"    // a zero is a value like any other
	f.Register("Salary Register", rows, pdftest.Look{RowRules: true, ColumnRules: true})
	p := pool(t, "real", 1)
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	engine, err := extract.Open(t.Context(), extract.Options{CacheDir: filepath.Join(cache, "hardgate", "wasm"), Instances: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close()
	for name, file := range map[string]extract.File{"PDF": {Object: rag.Object{Key: "a.pdf", Version: "7"}, Data: f.Bytes()}, "Markdown": named("a.md", "# Leave\n\n| a | b |\n|---|---|\n| 1 | 0 |\n"), "Broken": named("a.pdf", "%PDF-1.7")} {
		want, wantErr := extract.New(engine, extract.Limits{}).Apply(t.Context(), file)
		got, gotErr := p.Apply(t.Context(), extract.Limits{}, file)
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-in process +worker):\n%s", name, diff)
		}
		if fmt.Sprint(wantErr) != fmt.Sprint(gotErr) {
			t.Errorf("%s: error %v, in process %v", name, gotErr, wantErr)
		}
	}
}

func TestWhatGoesWrong(t *testing.T) {
	p := pool(t, "odd", 1)
	cases := map[string]struct {
		reason, data, want string
		says               string
	}{
		"Spin":   {"a call that never comes back is killed", "spin", extract.Timeout, "was stopped"},
		"Exit":   {"a worker that ends fails its file, and says what it said", "exit", extract.Trapped, "ended with exit status 7 (the disk is on fire)"},
		"Refuse": {"a file's own failure arrives whole", "refuse", extract.Damaged, "torn"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := p.Apply(t.Context(), extract.Limits{Timeout: time.Millisecond}, named("a.pdf", c.data))
			var e *extract.Error
			if !errors.As(err, &e) || e.Reason != c.want || !strings.Contains(e.Detail, c.says) {
				t.Fatalf("%s: error %v", c.reason, err)
			}
			if c.data == "spin" && e.Page != 3 {
				t.Errorf("%s: it stopped on page 3, and the error names page %d", c.reason, e.Page)
			}
			if c.data == "refuse" && (e.Page != 3 || !e.Skip) {
				t.Errorf("%s: %+v", c.reason, e)
			}
			if d, err := p.Apply(t.Context(), extract.Limits{}, named("next.pdf", "")); err != nil || d.Title != "next.pdf" {
				t.Errorf("the file after it: %v", err)
			}
		})
	}
}

// TestDeath: a worker's death is told in words, with what helps; its stack goes to whoever
// keeps a log, and to nobody else.
func TestDeath(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]struct {
		reason, data string
		page         int
		says, helps  string
		log          string
	}{
		"Panic":    {"a fault of a library's", "panic", 3, "it panicked (no such glyph)", reprint, "goroutine "},
		"Memory":   {"of its own", "memory", 0, "it ran out of memory", enlarge, "fatal error: out of memory"},
		"Kill":     {"by the system where memory is short, without a word", "kill", 0, "the system killed it, as it does where memory is short", enlarge, ""},
		"Signal":   {"by another signal", "signal", 0, "signal 15 (terminated) ended it", reprint, ""},
		"Nonsense": {"a library that writes to the output is no answer", "nonsense", 0, "can't be understood", reprint, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var log string
			p, err := NewPool(Options{Command: []string{self}, Env: []string{role + "=odd"}, Workers: 1, Died: func(key string, page int, said string) {
				if key != "a.pdf" || page != c.page {
					t.Errorf("died over %q, page %d", key, page)
				}
				log = said
			}})
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			_, err = p.Apply(t.Context(), extract.Limits{}, named("a.pdf", c.data))
			var e *extract.Error
			if !errors.As(err, &e) || e.Reason != extract.Trapped || e.Page != c.page || !strings.Contains(e.Detail, c.says) || !strings.HasSuffix(e.Detail, c.helps) {
				t.Errorf("%s: error %v", c.reason, err)
			}
			if err != nil && strings.Contains(err.Error(), "goroutine") {
				t.Errorf("%s: a stack is no message: %v", c.reason, err)
			}
			if !strings.Contains(log, c.log) || strings.HasPrefix(log, "more is") {
				t.Errorf("%s: the log has %q", c.reason, log)
			}
		})
	}
}

func TestWaitingIsNotCounted(t *testing.T) {
	p := pool(t, "odd", 1)
	w, err := p.take(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer w.kill()
	d, err := w.read(t.Context(), extract.Limits{}, named("a", "long"), time.Second)
	if err != nil || d.Title != "a" {
		t.Errorf("a file of two seconds that announced an hour was given one second: %v", err)
	}
}

func TestTrouble(t *testing.T) {
	cases := map[string]struct {
		reason  string
		command []string
		env     string
		data    string
	}{
		"NoProgram":  {"nothing to start", []string{"/nowhere/hardgate"}, "", ""},
		"EndsAtOnce": {"it says why", []string{os.Args[0]}, "nobody", ""},
		"Broken":     {"the worker's trouble is not the file's", []string{os.Args[0]}, "odd", "broken"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			p, err := NewPool(Options{Command: c.command, Env: []string{role + "=" + c.env}})
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			_, err = p.Apply(t.Context(), extract.Limits{}, named("a.pdf", c.data))
			var temporary *Temporary
			if !errors.As(err, &temporary) {
				t.Errorf("%s: error %v, want one that is worth another try", c.reason, err)
			}
		})
	}
}

func TestCancellation(t *testing.T) {
	p := pool(t, "odd", 1)
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err := p.Apply(ctx, extract.Limits{}, named("a.pdf", "spin")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want the caller's", err)
	}
}

func TestManyAtATime(t *testing.T) {
	p := pool(t, "odd", 3)
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() {
			key := fmt.Sprintf("%d.pdf", i)
			d, err := p.Apply(context.Background(), extract.Limits{}, named(key, strings.Repeat("x", 100_000)))
			if err != nil || d.Title != key {
				t.Errorf("%s: got %q, %v", key, d.Title, err)
			}
		})
	}
	wg.Wait()
	if n := len(p.idle); n < 1 || n > 3 {
		t.Errorf("%d workers, want at most 3", n)
	}
}

func TestTail(t *testing.T) {
	var s tail
	for i := range 3000 {
		fmt.Fprintf(&s, "line %d\n", i)
	}
	if s.text.Len() > tailBytes || s.last("") != "line 2999" {
		t.Errorf("%d bytes kept, the last line is %q", s.text.Len(), s.last(""))
	}
	if n, err := s.Write(bytes.Repeat([]byte("x"), 3*tailBytes)); err != nil || n != 3*tailBytes || s.text.Len() > tailBytes {
		t.Errorf("%d written, %v, %d kept", n, err, s.text.Len())
	}
}
