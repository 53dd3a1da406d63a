package remote

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// questions opens what is remembered in dir of the server's model.
func (s *server) questions(t *testing.T, r Remembered, change func(*Options)) *Questions {
	t.Helper()
	client, _ := s.client(t, change)
	q, err := NewQuestions(client.Queries(), r)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func ask(t *testing.T, embed Embedder, questions ...string) {
	t.Helper()
	got, err := embed.Embed(t.Context(), questions)
	if err != nil {
		t.Fatal(err)
	}
	for i, q := range questions {
		if !near(got[i], q) {
			t.Errorf("question %q was given another vector", q)
		}
	}
}

func kept(t *testing.T, dir string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

func TestGoldenQuestions(t *testing.T) {
	const asks, edited = "What is the detention rate?", "What is the detention rate per hour?"
	cases := map[string]struct {
		reason string
		second func(t *testing.T, s *server, dir string, q *Questions) *Questions // asks again, and whom
		counts Counts                                                             // of the one that was asked last
		inputs int                                                                // texts that the server was sent in all
	}{
		"again": {"asked twice, embedded once", func(t *testing.T, _ *server, _ string, q *Questions) *Questions {
			ask(t, q.Golden(), asks)
			return q
		}, Counts{Hits: 1, Misses: 1}, 1},
		"edited": {"an edited question is another one", func(t *testing.T, _ *server, _ string, q *Questions) *Questions {
			ask(t, q.Golden(), edited)
			return q
		}, Counts{Misses: 2}, 2},
		"restarted": {"a restart asks the server nothing", func(t *testing.T, s *server, dir string, _ *Questions) *Questions {
			q := s.questions(t, Remembered{Dir: dir}, nil)
			ask(t, q.Golden(), asks)
			ask(t, q, asks) // a tenant's too, from memory
			return q
		}, Counts{Hits: 2}, 1},
		"restarted and edited": {"the old vector stays unused", func(t *testing.T, s *server, dir string, _ *Questions) *Questions {
			q := s.questions(t, Remembered{Dir: dir}, nil)
			ask(t, q.Golden(), edited, asks)
			return q
		}, Counts{Hits: 1, Misses: 1}, 2},
		"another model": {"one text, two spaces", func(t *testing.T, s *server, dir string, _ *Questions) *Questions {
			q := s.questions(t, Remembered{Dir: dir}, func(o *Options) { o.Model = "pike" })
			ask(t, q.Golden(), asks)
			return q
		}, Counts{Misses: 1}, 2},
		"tenant": {"a tenant doesn't read the disk either", func(t *testing.T, s *server, dir string, _ *Questions) *Questions {
			q := s.questions(t, Remembered{Dir: dir}, nil)
			ask(t, q, asks)
			return q
		}, Counts{Misses: 1}, 2},
		"in one call": {"a text that stands twice is embedded once", func(t *testing.T, _ *server, _ string, q *Questions) *Questions {
			ask(t, q.Golden(), edited, asks, edited)
			return q
		}, Counts{Hits: 1, Misses: 2}, 2},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s, dir := serve(t), t.TempDir()
			q := s.questions(t, Remembered{Dir: dir}, nil)
			ask(t, q.Golden(), asks)
			q = c.second(t, s, dir, q)
			if d := cmp.Diff(c.counts, q.Counts()); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
			n := 0
			for _, a := range s.requests() {
				n += len(a.Input)
			}
			if n != c.inputs {
				t.Errorf("%s: the server embedded %d texts, want %d", c.reason, n, c.inputs)
			}
		})
	}
}

func TestTenantsQuestionsAreNeverWritten(t *testing.T) {
	s, dir := serve(t), t.TempDir()
	q := s.questions(t, Remembered{Dir: dir}, nil)
	ask(t, q, "Why was my invoice short-paid?")
	if got := kept(t, dir); len(got) > 0 {
		t.Errorf("written: %v", got)
	}
	ask(t, q.Golden(), "Why was my invoice short-paid?") // now it is a golden set's, and remembered already
	if got := kept(t, dir); len(got) != 1 {
		t.Errorf("a golden question that memory had is kept too, got %v", got)
	}
	if d := cmp.Diff(Counts{Hits: 1, Misses: 1}, q.Counts()); d != "" {
		t.Errorf("counts (-want +got):\n%s", d)
	}
}

func TestDamagedFiles(t *testing.T) {
	const asks = "What is the detention rate?"
	cases := map[string]struct {
		reason string
		damage func(data []byte) []byte
	}{
		"empty":   {"a crash of the disk", func([]byte) []byte { return nil }},
		"cut":     {"half a file", func(b []byte) []byte { return b[:len(b)/2] }},
		"text":    {"another question's vector", func(b []byte) []byte { return bytes.Replace(b, []byte("detention"), []byte("insurance"), 1) }},
		"vector":  {"one bit of the vector", func(b []byte) []byte { return flip(b, `"vector":"`) }},
		"sum":     {"or of its sum", func(b []byte) []byte { return flip(b, `"sum":"`) }},
		"foreign": {"another file of JSON", func([]byte) []byte { return []byte(`{"identity":""}`) }},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s, dir := serve(t), t.TempDir()
			ask(t, s.questions(t, Remembered{Dir: dir}, nil).Golden(), asks)
			path := kept(t, dir)[0]
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			damaged := c.damage(data)
			if bytes.Equal(damaged, data) {
				t.Fatal("nothing was damaged")
			}
			if err := os.WriteFile(path, damaged, 0o600); err != nil {
				t.Fatal(err)
			}
			q := s.questions(t, Remembered{Dir: dir}, nil)
			ask(t, q.Golden(), asks)
			if d := cmp.Diff(Counts{Misses: 1, Corrupt: 1}, q.Counts()); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
			q = s.questions(t, Remembered{Dir: dir}, nil)
			ask(t, q.Golden(), asks)
			if d := cmp.Diff(Counts{Hits: 1}, q.Counts()); d != "" {
				t.Errorf("it was not mended (-want +got):\n%s", d)
			}
		})
	}
}

// flip changes the sign after a mark.
func flip(b []byte, mark string) []byte {
	out := bytes.Clone(b)
	i := bytes.Index(out, []byte(mark)) + len(mark)
	if out[i] == 'A' {
		out[i] = 'B'
	} else {
		out[i] = 'A'
	}
	return out
}

func TestFilesAreBounded(t *testing.T) {
	s, dir := serve(t), t.TempDir()
	foreign := filepath.Join(dir, "README.md")
	left := filepath.Join(dir, "1234"+unfinished)
	old := time.Now().Add(-2 * abandoned)
	for _, path := range []string{foreign, left} {
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
	q := s.questions(t, Remembered{Dir: dir, Files: 10}, nil)
	for i := range 35 {
		ask(t, q.Golden(), fmt.Sprintf("question %d", i))
	}
	if n := len(kept(t, dir)); n != 11 {
		t.Errorf("%d files, want 10 and the foreign one", n)
	}
	if _, err := os.Stat(foreign); err != nil {
		t.Errorf("a foreign file is not ours to remove: %v", err)
	}
	if _, err := os.Stat(left); err == nil {
		t.Error("what a crash left is still there")
	}
	again := s.questions(t, Remembered{Dir: dir, Files: 10}, nil)
	ask(t, again.Golden(), "question 34")
	if d := cmp.Diff(Counts{Hits: 1}, again.Counts()); d != "" {
		t.Errorf("the latest stays (-want +got):\n%s", d)
	}
}

func TestDirectoryGoesAway(t *testing.T) {
	s, dir := serve(t), filepath.Join(t.TempDir(), "questions")
	q := s.questions(t, Remembered{Dir: dir}, nil)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	ask(t, q.Golden(), "an evaluation goes on")
	if d := cmp.Diff(Counts{Misses: 1, Unwritten: 1}, q.Counts()); d != "" {
		t.Errorf("and says what it could not keep (-want +got):\n%s", d)
	}
}

func TestNewQuestionsRefuses(t *testing.T) {
	s := serve(t)
	client, _ := s.client(t, nil)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for reason, r := range map[string]Remembered{"no directory": {Dir: file}, "negative memory": {Memory: -1}, "negative files": {Files: -1}} {
		if _, err := NewQuestions(client.Queries(), r); err == nil {
			t.Errorf("%s was accepted", reason)
		}
	}
}
