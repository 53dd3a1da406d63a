package serve_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/hardgate-dev/hardgate/runtime/assembly"
	"github.com/hardgate-dev/hardgate/runtime/ingest"
	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/serve"
	"github.com/hardgate-dev/hardgate/runtime/settings"
	"github.com/hardgate-dev/hardgate/runtime/source"
)

const payroll = "../../config/samples/payroll"

// real is a corpus of the payroll sample behind the whole pipeline.
type real struct {
	corpus   serve.Corpus
	runtime  *assembly.Runtime
	place    assembly.Place
	settings settings.Corpus
}

// ingest makes a folder the corpus' next revision.
func (r real) ingest(t *testing.T, folder string, revision int64) ingest.Summary {
	t.Helper()
	docs := source.Dir{Path: folder}
	in, err := r.runtime.Ingester(t.Context(), r.place, docs, r.settings, assembly.Terms{})
	if err != nil {
		t.Fatal(err)
	}
	l, err := source.List(t.Context(), docs, assembly.Filter(r.settings.Source), []string{"metadata.jsonl"})
	if err != nil {
		t.Fatal(err)
	}
	sum, err := in.Run(t.Context(), l, revision, nil)
	if err != nil || sum.Failed > 0 || sum.Ingested < 2 {
		t.Fatalf("ingest revision %d: %+v, %v", revision, sum, err)
	}
	return sum
}

// withdraw takes the documents from the ServiceAccounts of namespace hr, in a
// second revision that nobody has verified.
func (r real) withdraw(t *testing.T) {
	t.Helper()
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(filepath.Join(payroll, "documents"))); err != nil {
		t.Fatal(err)
	}
	manifest := filepath.Join(folder, "metadata.jsonl")
	text, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(manifest, bytes.ReplaceAll(text, []byte("system:serviceaccounts:hr"), []byte("board")), 0o600); err != nil {
		t.Fatal(err)
	}
	if sum := r.ingest(t, folder, 2); sum.Withdrawn == 0 || sum.Fetched > 0 {
		t.Fatalf("only permissions were changed: %+v", sum)
	}
}

// newReal ingests the sample's registers.
func newReal(t *testing.T) real {
	t.Helper()
	manifests, err := settings.ReadFiles(payroll)
	if err != nil {
		t.Fatal(err)
	}
	spec := func(kind string) []byte {
		i := slices.IndexFunc(manifests, func(m settings.Manifest) bool { return m.Kind == kind })
		return manifests[i].Spec
	}
	c, err := settings.DecodeCorpus(spec("Corpus"))
	if err != nil {
		t.Fatal(err)
	}
	c.Source.Include = []string{"registers/*.pdf"}
	coll, err := settings.DecodeCollection(spec("Collection"))
	if err != nil {
		t.Fatal(err)
	}
	r := engine(t)
	st, err := r.Embedded(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p := assembly.Place{Store: st, Collection: "hr", Corpus: "payroll"}
	if err := st.Ensure(t.Context(), p.Collection, assembly.Schema(coll, "test")); err != nil {
		t.Fatal(err)
	}
	out := real{runtime: r, place: p, settings: c}
	out.ingest(t, filepath.Join(payroll, "documents"), 1)
	a, err := r.Asker(p, 1, c, assembly.Terms{})
	if err != nil {
		t.Fatal(err)
	}
	out.corpus = serve.Corpus{Asker: a, Revision: 1, Tenant: c.Access.Tenant}
	return out
}

// TestPayroll asks the real pipeline over HTTP with tokens of a real API server.
func TestPayroll(t *testing.T) {
	w := newWorld(t)
	sample := newReal(t)
	// The sample's documents are for the ServiceAccounts of namespace hr.
	if _, err := kube.CoreV1().Namespaces().Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "hr"}}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	outside := w.member("outside", asker, tracer)
	w.corpora[w.namespace+"/payroll"] = sample.corpus
	hr := *w
	hr.namespace = "hr"
	hr.corpora["hr/payroll"] = sample.corpus
	asks, traces := hr.member("asks", asker), hr.member("traces", asker, tracer)
	openapi := served(t)
	const question = "How many employees are in the April 2025 salary register?"

	clean := hr.ask(asks, "payroll", serve.Request{Question: question})
	full := hr.ask(traces, "payroll", serve.Request{Question: question})
	for name, got := range map[string]reply{"without trace": clean, "with trace": full} {
		openapi.conforms(t, "Response", got.body)
		if got.Response.Status != rag.Answered || !strings.Contains(got.Answer, "12 employees") {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
		if rows := cited(got.Response); len(rows) != 12 || !strings.Contains(rows[0], "ST001") || !strings.Contains(rows[11], "ST012") {
			t.Errorf("%s: the twelve rows are cited in order, not\n%s", name, strings.Join(rows, "\n"))
		}
	}
	if d := cmp.Diff(clean.Response, full.Response, cmpopts.IgnoreFields(serve.Response{}, "Pipeline")); d != "" {
		t.Errorf("the trace is beside the same answer (-clean +full):\n%s", d)
	}
	if clean.Pipeline != nil || full.Pipeline == nil || full.Pipeline.Retrieved == 0 || full.Pipeline.CharsBefore == 0 || full.Pipeline.Context.Hash != full.ContextHash {
		t.Errorf("pipeline without trace %v, with trace %+v", clean.Pipeline, full.Pipeline)
	}

	replay := hr.path("payroll", "answers/"+full.ContextHash+"/replay")
	if got := hr.do(http.MethodPost, replay, "Bearer "+traces, ""); got.status != 200 || got.Answer != full.Answer {
		t.Errorf("the kept context, answered again: %d %s", got.status, got.body)
	}

	other := w.ask(outside, "payroll", serve.Request{Question: question})
	if other.Response.Status != rag.NeedsHuman || len(other.Citations) > 0 || other.Pipeline == nil || other.Pipeline.Eligible != 0 || len(other.Pipeline.Hits) > 0 {
		t.Errorf("somebody of another namespace finds nothing, not even a candidate: %s", other.body)
	}
	if got := w.do(http.MethodPost, w.path("payroll", "answers/"+full.ContextHash+"/replay"), "Bearer "+outside, ""); got.status != 404 || got.Error.Code != "NoContext" {
		t.Errorf("nor by the hash of somebody else's answer: %d %s", got.status, got.body)
	}

	long := hr.ask(asks, "payroll", serve.Request{Question: question + strings.Repeat(" please", 300)})
	if long.Response.Status != rag.NeedsHuman || len(long.Degraded) == 0 || long.Degraded[0].Reason != "QuestionTooLong" || !strings.Contains(long.Degraded[0].Detail, "256") {
		t.Errorf("a question over the encoder's window is refused with both counts: %s", long.body)
	}

	sample.withdraw(t)
	if got := hr.do(http.MethodPost, replay, "Bearer "+traces, ""); got.status != 404 || got.Error.Code != "NoContext" {
		t.Errorf("a context with a passage that was withdrawn since: %d %s", got.status, got.body)
	}
}

// cited are the rows that an answer cites.
func cited(r serve.Response) []string {
	var out []string
	for _, c := range r.Citations {
		for _, u := range c.Units {
			out = append(out, fmt.Sprintf("%s: %s", u.Name, u.Text))
		}
	}
	return out
}
