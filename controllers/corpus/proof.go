package corpus

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/snapshot"
	"github.com/hardgate-dev/hardgate/runtime/assembly"
	"github.com/hardgate-dev/hardgate/runtime/evaluate"
	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// ErasureSchema is the schema of an erasure's receipt.
const ErasureSchema = "hardgate.erasure/v1"

// ErasureReceipt proves that documents were erased. It names them, and holds no
// text of theirs.
type ErasureReceipt struct {
	Schema      string    `json:"schema"`
	Corpus      string    `json:"corpus"`
	Documents   []string  `json:"documents"`
	ErasedAt    time.Time `json:"erasedAt"`
	Store       string    `json:"store"`
	Collections []Emptied `json:"collections"`
	Revision    int64     `json:"revision,omitempty"` // that was asked; absent when none serves
	Modes       []Asked   `json:"modes,omitempty"`
	Contexts    int       `json:"contexts"` // kept prompt contexts that quoted them and were deleted
	Receipts    []string  `json:"receipts"` // of golden sets, written anew without the documents' passages
	NotCovered  []string  `json:"notCovered"`

	name string
}

// Emptied is a physical collection.
type Emptied struct {
	Collection string `json:"collection"`
	Aside      string `json:"aside,omitempty"` // the store of a move that doesn't serve
	Deleted    int    `json:"deleted"`         // points
	Left       int    `json:"left"`
}

// Asked is what one mode found, asked for each document by its name and titles,
// without any eligibility.
type Asked struct {
	Mode       rag.Mode `json:"mode"`
	Questions  int      `json:"questions"`
	Candidates int      `json:"candidates"` // of all channels
	Hits       int      `json:"hits"`       // of the erased documents, among candidates and hits
	Refused    []string `json:"refused,omitempty"`
}

func (e *ErasureReceipt) deleted() int {
	n := 0
	for _, c := range e.Collections {
		n += c.Deleted
	}
	return n
}

// notCovered is what an erasure can't reach.
func notCovered(store string) []string {
	out := []string{
		"backups of the store, of its volume and of the cluster",
		"the source: remove the object there, and its older versions",
		"golden sets, the erase annotation, status.erased and this receipt, which name the document",
		"questions that were handed to people, which name the documents that were found for them",
		"events, logs and answers that were given before",
	}
	if store == "qdrant" {
		out = append(out, "files of the Qdrant server, which drops deleted points when its optimizer rewrites their segment")
	}
	return out
}

// erasure is the job that erases documents and proves it. It may be run again
// after it ended anywhere.
type erasure struct {
	*Reconciler
	corpus    *v1alpha1.Corpus
	documents []string
	all       []string // that have a tombstone
	store     string
	places    []assembly.Place
	aside     *aside // beside the store that serves; nil: nothing
	revision  int64
	prober    *assembly.Asker // nil: nothing serves
}

// aside is a store that a move of the Collection has beside the one that serves.
type aside struct {
	place   string
	copying bool // still: what is on the way arrives after it was erased
	store   *store.Client
	places  []assembly.Place
	err     error // why it can't be reached
}

// emptyAside erases in the store that a move has beside. One that can't be reached
// holds no erasure up: the move's end clears it or makes it the same.
func (e *erasure) emptyAside(ctx context.Context, out *ErasureReceipt) {
	a := e.aside
	if a == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, storeBudget)
	defer cancel()
	before := len(out.Collections)
	for _, p := range a.places {
		if a.err == nil {
			_, a.err = e.empty(ctx, p, out)
		}
	}
	for i := range out.Collections[before:] {
		out.Collections[before+i].Aside = a.place
	}
	switch {
	case a.err != nil:
		out.NotCovered = append(out.NotCovered, fmt.Sprintf("what a move of the Collection has at %s, until the move is done or taken back: %v", a.place, a.err))
	case a.copying:
		out.NotCovered = append(out.NotCovered, fmt.Sprintf("what a move of the Collection was just copying to %s, until its last pass", a.place))
	}
}

func (e *erasure) run(ctx context.Context, _ func(int, int)) (any, error) {
	out := &ErasureReceipt{
		Schema: ErasureSchema, Corpus: e.corpus.Namespace + "/" + e.corpus.Name, Documents: e.documents, Store: e.store,
		Revision: e.revision, Receipts: []string{}, NotCovered: notCovered(e.store), name: receiptName(e.corpus, e.documents),
	}
	questions := slices.Clone(e.documents)
	for _, p := range e.places {
		titles, err := e.empty(ctx, p, out)
		if err != nil {
			return nil, err
		}
		questions = append(questions, titles...)
	}
	e.emptyAside(ctx, out)
	var err error
	if out.Contexts, err = e.Runtime.Bar(string(e.corpus.UID), e.all); err != nil {
		return nil, err
	}
	e.Runtime.Purge()
	if err := e.Runtime.Compact(); err != nil {
		return nil, fmt.Errorf("rewrite the embedded store's files: %w", err)
	}
	if out.Receipts, err = e.redact(ctx); err != nil {
		return nil, err
	}
	slices.Sort(questions)
	if err := e.probe(ctx, slices.Compact(questions), out); err != nil {
		return nil, err
	}
	out.ErasedAt = e.Clock.Now().UTC().Truncate(time.Second)
	return out, e.save(ctx, out)
}

// empty deletes the documents from a collection and counts what is left. It
// returns their titles, by which they are asked for afterwards.
func (e *erasure) empty(ctx context.Context, p assembly.Place, out *ErasureReceipt) ([]string, error) {
	ledger := e.Runtime.Ledger(p)
	had, err := ledger.Held(ctx, e.documents)
	if err != nil && store.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	byDocument, err := ledger.Titles(ctx, e.documents)
	if err != nil {
		return nil, err
	}
	if err := ledger.Erase(ctx, e.documents); err != nil {
		return nil, err
	}
	left, err := ledger.Held(ctx, e.documents)
	if err == nil && left > 0 {
		err = fmt.Errorf("%d points are left in %q", left, p.Collection)
	}
	if err != nil {
		return nil, err
	}
	out.Collections = append(out.Collections, Emptied{Collection: p.Collection, Deleted: had, Left: left})
	var titles []string
	for _, t := range byDocument {
		titles = append(titles, t...)
	}
	return titles, nil
}

// maxQuestion bounds a title that is asked, bytes: within every encoder's window.
const maxQuestion = 200

// probe asks what serves for the documents in every mode.
func (e *erasure) probe(ctx context.Context, questions []string, out *ErasureReceipt) error {
	if e.prober == nil {
		return nil
	}
	for _, mode := range assembly.Probes() {
		asked := Asked{Mode: mode}
		for _, q := range questions {
			found, err := e.prober.Retrieve(ctx, rag.Question{Text: clip(q, maxQuestion), AsOf: e.Clock.Now(), Mode: mode})
			if err != nil {
				return fmt.Errorf("ask in mode %s: %w", mode, err)
			}
			asked.Questions++
			for _, f := range found.Flags {
				asked.Refused = append(asked.Refused, f.Reason)
			}
			for _, c := range found.Channels {
				for _, x := range c.Candidates {
					document, _, _ := strings.Cut(x.Evidence, "#")
					asked.count(e.documents, document)
					asked.Candidates++
				}
			}
			for _, h := range found.Hits {
				asked.count(e.documents, h.Document)
			}
		}
		if asked.Hits > 0 {
			return fmt.Errorf("mode %s still finds them: %d hits", mode, asked.Hits)
		}
		out.Modes = append(out.Modes, asked)
	}
	return nil
}

func (a *Asked) count(erased []string, document string) {
	if slices.Contains(erased, document) {
		a.Hits++
	}
}

// save writes the receipt, which is immutable. One that is there already is of the
// same erasure, whose end was not put on record.
func (e *erasure) save(ctx context.Context, out *ErasureReceipt) error {
	data, err := json.MarshalIndent(out, "", " ")
	if err != nil {
		return fmt.Errorf("encode receipt: %w", err)
	}
	err = e.Client.Create(ctx, e.configMap(out.name, nil, map[string]string{v1alpha1.ErasureReceiptKey: string(data)}))
	if err != nil && !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("save receipt %q: %w", out.name, err)
	}
	return nil
}

func (e *erasure) configMap(name string, like *corev1.ConfigMap, data map[string]string) *corev1.ConfigMap {
	immutable := true
	owner := metav1.NewControllerRef(e.corpus, v1alpha1.GroupVersion.WithKind("Corpus"))
	m := &corev1.ConfigMap{Immutable: &immutable, Data: data, ObjectMeta: metav1.ObjectMeta{
		Namespace: e.corpus.Namespace, Name: name, OwnerReferences: []metav1.OwnerReference{*owner},
		Labels: map[string]string{snapshot.CorpusLabel: snapshot.Bounded(e.corpus.Name, snapshot.LongestLabel)},
	}}
	if like != nil {
		m.Labels, m.Annotations = like.Labels, like.Annotations
	}
	return m
}

// redact writes the golden sets' receipts anew that name a passage of the
// documents. A receipt can't be changed in place: its successor is written under
// another name before it goes.
func (e *erasure) redact(ctx context.Context) ([]string, error) {
	var all corev1.ConfigMapList
	match := client.MatchingLabels{snapshot.CorpusLabel: snapshot.Bounded(e.corpus.Name, snapshot.LongestLabel)}
	if err := e.Client.List(ctx, &all, client.InNamespace(e.corpus.Namespace), match); err != nil {
		return nil, fmt.Errorf("list receipts: %w", err)
	}
	written := []string{}
	for i := range all.Items {
		m := &all.Items[i]
		text, has := m.Data[evaluate.ReceiptKey]
		if !has || !metav1.IsControlledBy(m, e.corpus) {
			continue
		}
		receipt, err := evaluate.DecodeReceipt([]byte(text))
		if err != nil {
			return written, fmt.Errorf("read receipt %q (delete it to go on): %w", m.Name, err)
		}
		if !blacken(receipt, e.documents) {
			continue
		}
		data, err := receipt.Encode()
		if err != nil {
			return written, err
		}
		sum := sha256.Sum256(data)
		name := snapshot.Bounded(m.Name, 253-len("-redacted-")-8) + "-redacted-" + hex.EncodeToString(sum[:4])
		if err := e.Client.Create(ctx, e.configMap(name, m, map[string]string{evaluate.ReceiptKey: string(data)})); err != nil && !apierrors.IsAlreadyExists(err) {
			return written, fmt.Errorf("write receipt %q anew: %w", m.Name, err)
		}
		gone := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: m.Namespace, Name: m.Name}}
		if err := client.IgnoreNotFound(e.Client.Delete(ctx, gone)); err != nil {
			return written, fmt.Errorf("delete receipt %q: %w", m.Name, err)
		}
		written = append(written, name)
	}
	return written, nil
}

// erasedEvidence stands where an erased document's passage was named.
const erasedEvidence = "erased"

// blacken takes the documents' passages out of a receipt, and reports whether there
// were any. Verdicts stay.
func blacken(r *evaluate.Receipt, documents []string) bool {
	changed := false
	for i := range r.Sets {
		for j := range r.Sets[i].Questions {
			evidence := r.Sets[i].Questions[j].Evidence
			for k := range evidence {
				if document, _, _ := strings.Cut(evidence[k].ID, "#"); slices.Contains(documents, document) {
					evidence[k].ID, changed = erasedEvidence, true
				}
			}
		}
	}
	return changed
}
