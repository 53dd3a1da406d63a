package assembly

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/extract/pdftest"
	"github.com/hardgate-dev/hardgate/runtime/ingest"
	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/settings"
	"github.com/hardgate-dev/hardgate/runtime/source"
)

// may is when the tests' questions are asked.
var may = time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)

// shared is opened once: the model can't be closed, and the PDF engine is dear.
var shared = sync.OnceValues(func() (*Runtime, error) {
	return Open(Options{ModelDir: settings.ModelDir(os.Getenv), CacheDir: settings.EngineDir(os.Getenv), Version: "test"})
})

// engine is a runtime with a store of its own; contexts are kept in dir, or in
// memory where it is "".
func engine(t *testing.T, dir string) *Runtime {
	t.Helper()
	r, err := shared()
	if err != nil {
		t.Fatalf("%v: run `make setup`", err)
	}
	fresh, err := r.Fresh(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	fresh.keep, fresh.desk = newContexts(dir), newHandoffs(dir)
	t.Cleanup(func() {
		if err := fresh.Close(); err != nil {
			t.Error(err)
		}
	})
	return fresh
}

// library is a corpus of a few PDFs in a folder.
type library struct {
	*testing.T
	runtime  *Runtime
	dir      source.Dir
	fields   map[string]map[string]any
	place    Place
	settings settings.Corpus
	listing  source.Listing
}

// newLibrary holds a register of six employees and three memos, one of them for
// the board alone.
func newLibrary(t *testing.T, r *Runtime) *library {
	t.Helper()
	l := &library{T: t, runtime: r, dir: source.Dir{Path: t.TempDir()}, fields: map[string]map[string]any{}}
	register := &pdftest.File{}
	register.Register("Salary Register April 2026", pdftest.RegisterRows(6), pdftest.Look{RowRules: true, ColumnRules: true, BoldHeader: true})
	l.write("register.pdf", register, staff())
	l.memo("canteen.pdf", "Canteen", "The canteen opens at noon and closes at two.", staff())
	l.memo("leave.pdf", "Annual leave", "Annual leave is twenty-four days a year.", staff("valid_to", "2026-06-01"))
	l.memo("bonus.pdf", "Bonus of the board", "The bonus of the board is ten percent of the profit.", staff("groups", []any{"board"}))

	l.settings = settings.NewCorpus()
	l.settings.Documents.Metadata = []settings.Metadata{{Manifest: "metadata.jsonl"}}
	l.settings.Eligibility = settings.Eligibility{
		Constants: []settings.Constant{{Field: "status", Values: []string{"published"}}},
		Identity:  []settings.IdentityRule{{Field: "groups", Claim: "groups"}},
		Validity:  &settings.Validity{From: "valid_from", To: "valid_to"},
	}
	client, err := r.Embedded(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c := collection(t)
	if missing := Unindexed(l.settings.Eligibility, c); len(missing) > 0 {
		t.Fatal(missing)
	}
	name, err := Physical("test", "hr", "docs", c, r.Model())
	if err != nil {
		t.Fatal(err)
	}
	if err := client.Ensure(t.Context(), name, Schema(c, "test")); err != nil {
		t.Fatal(err)
	}
	l.place = Place{Store: client, Collection: name, Corpus: "library-1"}
	return l
}

func collection(t *testing.T) settings.Collection {
	t.Helper()
	c, err := settings.DecodeCollection([]byte(`
store: {embedded: {}}
payloadIndexes:
- {field: status, type: Keyword}
- {field: groups, type: Keyword}
- {field: valid_from, type: Datetime}
- {field: valid_to, type: Datetime}
`))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// staff are fields that admit the group staff, changed in pairs.
func staff(change ...any) map[string]any {
	f := map[string]any{"status": "published", "groups": []any{"staff", "board"}, "valid_from": "2026-01-01"}
	for i := 0; i < len(change); i += 2 {
		f[change[i].(string)] = change[i+1]
	}
	return f
}

func (l *library) write(key string, f *pdftest.File, fields map[string]any) {
	l.Helper()
	if err := os.WriteFile(filepath.Join(l.dir.Path, key), f.Bytes(), 0o600); err != nil {
		l.Fatal(err)
	}
	l.fields[key] = fields
}

func (l *library) memo(key, title, text string, fields map[string]any) {
	l.Helper()
	f := &pdftest.File{Title: title}
	p := f.A4()
	p.Text(60, 80, 16, pdftest.Bold, title)
	p.Text(60, 120, 10, pdftest.Regular, text)
	l.write(key, f, fields)
}

// ingest makes the folder revision n.
func (l *library) ingest(n int64) ingest.Summary {
	l.Helper()
	var manifest []byte
	for key, fields := range l.fields {
		line := map[string]any{"key": key}
		maps.Copy(line, fields)
		text, err := json.Marshal(line)
		if err != nil {
			l.Fatal(err)
		}
		manifest = append(append(manifest, text...), '\n')
	}
	if err := os.WriteFile(filepath.Join(l.dir.Path, "metadata.jsonl"), manifest, 0o600); err != nil {
		l.Fatal(err)
	}
	in, err := l.runtime.Ingester(context.Background(), l.place, l.dir, l.settings, Terms{})
	if err != nil {
		l.Fatal(err)
	}
	side, err := in.Manifests()
	if err != nil {
		l.Fatal(err)
	}
	if l.listing, err = source.List(context.Background(), l.dir, Filter(l.settings.Source), side); err != nil {
		l.Fatal(err)
	}
	sum, err := in.Run(context.Background(), l.listing, n, nil)
	if err != nil {
		l.Fatal(err)
	}
	if sum.Failed > 0 {
		l.Fatalf("failures: %+v", sum.Failures)
	}
	return sum
}

func (l *library) asker(n int64) *Asker {
	l.Helper()
	a, err := l.runtime.Asker(l.place, n, l.settings, Terms{})
	if err != nil {
		l.Fatal(err)
	}
	return a
}

// by asks as a member of these groups.
func by(text string, groups ...string) rag.Question {
	return rag.Question{Text: text, AsOf: may, Identity: rag.Identity{User: "u", Groups: groups}}
}
