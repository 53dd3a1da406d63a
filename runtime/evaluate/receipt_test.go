package evaluate

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

func TestReceiptHoldsNoText(t *testing.T) {
	b := newBench()
	b.desk.reply = func(a *rag.Answer) { a.Text = strings.Replace(a.Text, "12 employees", "112 employees", 1) }
	b.desk.unfiltered = "dense"
	data, err := b.run(t).Receipt().Encode()
	if err != nil {
		t.Fatal(err)
	}
	secrets := []string{"112 employees", "12 employees", "Person A", "ST001", "24 days", "How many", "eighteen", "20 cm"}
	for _, s := range secrets {
		if strings.Contains(string(data), s) {
			t.Errorf("the receipt holds %q", s)
		}
	}
	for _, want := range []string{`"hardgate.receipt/v1"`, "april-headcount", "FactMissing", "IneligibleCandidate", "Leave_Policy-v2#annual-leave", "sha256:"} {
		if !strings.Contains(string(data), want) {
			t.Errorf("the receipt lacks %q", want)
		}
	}
}

func TestReceiptFile(t *testing.T) {
	r := newBench().run(t).Receipt()
	path := filepath.Join(t.TempDir(), "receipt.json")
	if err := WriteReceipt(path, r); err != nil {
		t.Fatal(err)
	}
	got, err := ReadReceipt(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(r, got); d != "" {
		t.Errorf("read back (-want +got):\n%s", d)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := WriteReceipt(path, r); !errors.Is(err, os.ErrExist) {
		t.Errorf("overwriting: %v", err)
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Errorf("the receipt was changed (%v)", err)
	}
	if _, err := DecodeReceipt([]byte(`{"schema": "hardgate.eval/v1"}`)); err == nil {
		t.Error("a scorecard was read as a receipt")
	}
}

func TestReceiptIsBounded(t *testing.T) {
	r := newBench().run(t).Receipt()
	q := r.Sets[0].Questions[0]
	q.Evidence = []ReceiptEvidence{{ID: strings.Repeat("x", 300), Rank: 1}}
	r.Sets[0].Questions = nil
	for i := range 700 {
		q.Name = fmt.Sprintf("q%d", i)
		r.Sets[0].Questions = append(r.Sets[0].Questions, q)
	}
	r.Sets[0].Questions[699].Passed = false
	data, err := r.Encode()
	if err != nil {
		t.Fatal(err)
	}
	var got Receipt
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if len(data) > MaxReceiptBytes || !got.Abridged || len(got.Sets[0].Questions) != 700 || len(got.Sets[0].Questions[0].Evidence) != 0 || len(got.Sets[0].Questions[699].Evidence) != 1 {
		t.Errorf("%d bytes, abridged %v: every verdict and the evidence of failed questions stay", len(data), got.Abridged)
	}
	if r.Abridged || len(r.Sets[0].Questions[0].Evidence) == 0 {
		t.Error("encoding changed the receipt")
	}
	for i := range r.Sets[0].Questions {
		r.Sets[0].Questions[i].Hash = strings.Repeat("h", 400)
	}
	if _, err := r.Encode(); err == nil {
		t.Error("a receipt over the bound was written")
	}
}

func TestCompare(t *testing.T) {
	a := newBench().run(t).Receipt()
	b := newBench()
	b.desk.compress = func(hits []rag.Hit) []rag.Hit {
		for i := range hits {
			if hits[i].Table {
				hits[i].Units = hits[i].Units[:2]
			}
		}
		return hits
	}
	qs := b.cfg.Sets[0].Key.Questions
	b.question("airflow").Question += " Please."
	b.question("leave-today").Name = "leave-now"
	b.cfg.Sets[0].Key.Questions = slices.DeleteFunc(qs, func(q settings.GoldenQuestion) bool { return q.Name == "night-shift" })
	now := b.run(t).Receipt()
	var got []string
	for _, c := range Compare(a, now) {
		got = append(got, strings.TrimSpace(fmt.Sprintf("%s %s %s %s", c.Question, c.Kind, c.Now.Stage, c.Now.Reason)))
	}
	want := []string{
		"april-headcount Broken compression EntitiesLost", "mill-gross Broken compression EntitiesLost", "leave-now Added",
		"airflow Edited", "leave-today Removed", "night-shift Removed",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("changes (-want +got):\n%s", d)
	}
	if c := Compare(now, a)[0]; c.Kind != Fixed {
		t.Errorf("the other way round: %+v", c)
	}
	if cs := Compare(a, a); len(cs) != 0 {
		t.Errorf("a receipt differs from itself: %+v", cs)
	}
	moved := *now
	moved.Sets = slices.Clone(now.Sets)
	moved.Sets[0].Questions = slices.Clone(now.Sets[0].Questions)
	moved.Sets[0].Questions[0].Failures = []ReceiptFailure{{Stage: StageRerank, Reason: EntitiesLost}}
	if cs := Compare(now, &moved); len(cs) != 1 || cs[0].Kind != Moved || cs[0].Was.Stage != StageCompression || cs[0].Now.Stage != StageRerank {
		t.Errorf("another stage: %+v", cs)
	}
}
