package evidence

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

func as(groups ...string) rag.Identity { return rag.Identity{Groups: groups} }

func day(t *testing.T, s string) time.Time {
	t.Helper()
	at, err := time.Parse(time.DateOnly, s)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// TestFailsClosed: where who asks, about what or as of when admits nothing, nothing
// is searched for and the question goes to people.
func TestFailsClosed(t *testing.T) {
	const window = "Within how many days of delivery can a replacement AX-42 be requested?"
	now := time.Now().Format(time.DateOnly)
	cases := map[string]struct {
		reason   string
		question string
		who      rag.Identity
		asOf     string
		flag     string // on the answer; "" = none by retrieval
	}{
		"TwoProducts":      {"which of the two is a person's to say", "Is the AX-42 or the AX-24 the heavier unit?", as("sales"), now, "QuestionAmbiguous"},
		"UnknownProduct":   {"no document has it, and others are no substitute", strings.ReplaceAll(window, "AX-42", "AX-99"), as("sales"), now, ""},
		"NoGroups":         {"a claim that is missing admits nothing", window, as(), now, "ClaimMissing"},
		"BlankGroup":       {"blank is missing", window, as(" "), now, "ClaimMissing"},
		"AnotherGroup":     {"no document is for visitors", window, as("visitors"), now, ""},
		"GroupAsClaim":     {"another claim of the same value is not the group", window, rag.Identity{Claims: map[string][]string{"role": {"sales"}}}, now, "ClaimMissing"},
		"BeforeEverything": {"nothing was in force", window, as("sales"), "1999-12-31", ""},
		"YearOne":          {"the least date that can be asked about", window, as("sales"), "0001-01-01", ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			l := theLab(t)
			a := l.full.asker(t, l.full.settings, l.store)
			q := rag.Question{Text: c.question, Identity: c.who, AsOf: day(t, c.asOf)}
			answer, _, err := a.Ask(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			if answer.Status != rag.NeedsHuman || len(answer.Citations) > 0 {
				t.Errorf("%s: %s, citing %v: %s", c.reason, answer.Status, answer.Citations, answer.Text)
			}
			found, err := a.Retrieve(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			if found.Eligible != 0 || len(found.Channels)+len(found.Hits) > 0 {
				t.Errorf("%s: %d eligible, channels %v, %d hits", c.reason, found.Eligible, found.Channels, len(found.Hits))
			}
			if flagged := slices.ContainsFunc(answer.Flags, func(f rag.Flag) bool { return f.Reason == c.flag }); flagged != (c.flag != "") {
				t.Errorf("%s: flags %+v, want %q", c.reason, answer.Flags, c.flag)
			}
		})
	}
}

// TestSameProductTwice: naming one product twice is no ambiguity.
func TestSameProductTwice(t *testing.T) {
	l := theLab(t)
	got, err := l.full.asker(t, l.full.settings, l.store).Retrieve(t.Context(), rag.Question{Text: "My AX-42 is hot: what is the limit for an AX-42?", Identity: as("sales"), AsOf: time.Now()})
	if err != nil || len(got.Flags) > 0 || got.Eligible == 0 {
		t.Errorf("eligible %d, flags %v, %v", got.Eligible, got.Flags, err)
	}
	if strings.Contains(got.Ranking, "AX-42") {
		t.Errorf("ranked by %q: the product has selected already", got.Ranking)
	}
}

// TestInForce asks one question as of several days. From the first day on, up to
// but not including the last: both policies live in the corpus, and one answers.
func TestInForce(t *testing.T) {
	cases := map[string]struct {
		reason, asOf string
		want         []string // revisions of the policy and the guide among all candidates
	}{
		"February":         {"the older policy is the right one", "2026-02-01T00:00:00Z", []string{"rack-guide-v1", "returns-v1"}},
		"LastMoment":       {"the end is exclusive", "2026-03-31T23:59:59Z", []string{"rack-guide-v1", "returns-v1"}},
		"FirstMoment":      {"the beginning is inclusive", "2026-04-01T00:00:00Z", []string{"rack-guide-v1", "returns-v2"}},
		"Today":            {"the newer of both", time.Now().UTC().Format(time.RFC3339), []string{"rack-guide-v2", "returns-v2"}},
		"FarFuture":        {"what is known today to go on, and nothing that ends before", "2199-01-01T00:00:00Z", []string{"rack-guide-v2", "returns-v2"}},
		"AnotherTimeZone":  {"still March in New York is April in UTC", "2026-03-31T20:00:00-04:00", []string{"rack-guide-v1", "returns-v2"}},
		"BeforeTheGuide":   {"a day on which only the policy was in force", "2025-01-15T00:00:00Z", []string{"returns-v1"}},
		"EverythingIsOver": {"the eve of the first policy", "2024-12-31T23:59:59Z", nil},
	}
	l := theLab(t)
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			at, err := time.Parse(time.RFC3339, c.asOf)
			if err != nil {
				t.Fatal(err)
			}
			got, err := l.full.asker(t, l.full.settings, l.store).Retrieve(t.Context(), rag.Question{Text: "How long is the replacement window, and how much room for airflow does the AX-42 need?", Identity: as("sales"), AsOf: at})
			if err != nil {
				t.Fatal(err)
			}
			var seen []string
			for _, ch := range got.Channels {
				for _, cand := range ch.Candidates {
					d, _, _ := strings.Cut(cand.Evidence, "#")
					if strings.HasPrefix(d, "returns-") || strings.HasPrefix(d, "rack-guide-") {
						seen = append(seen, d)
					}
				}
			}
			slices.Sort(seen)
			if d := cmp.Diff(c.want, slices.Compact(seen)); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
		})
	}
}

// TestRevisionsAreNotJoined: the guides have a passage of the same name, and one
// even of the same words. Each hit is of one revision, with that one's units.
func TestRevisionsAreNotJoined(t *testing.T) {
	l := theLab(t)
	for document, c := range map[string]struct{ asOf, says, never string }{
		"rack-guide-v1": {"2026-02-01", "30 mm", "60 mm"},
		"rack-guide-v2": {time.Now().Format(time.DateOnly), "60 mm", "30 mm"},
	} {
		got, err := l.full.asker(t, l.full.settings, l.store).Retrieve(t.Context(), rag.Question{Text: "How much free space for airflow on its rails does an AX-42 need in a rack?", Identity: as("sales"), AsOf: day(t, c.asOf)})
		if err != nil {
			t.Fatal(err)
		}
		passages := map[string]string{}
		for _, h := range got.Hits {
			if strings.HasPrefix(h.Document, "rack-guide") {
				if h.Document != document {
					t.Errorf("as of %s a hit is of %s", c.asOf, h.Document)
				}
				passages[h.Evidence()] = h.Body()
			}
			for _, u := range h.Units {
				if !strings.HasPrefix(u.Name, h.Passage+".") {
					t.Errorf("%s holds unit %s", h.Evidence(), u.Name)
				}
			}
		}
		airflow := passages[document+"#airflow"]
		if !strings.Contains(airflow, c.says) || strings.Contains(airflow, c.never) {
			t.Errorf("%s#airflow says %q", document, airflow)
		}
		if passages[document+"#rails"] == "" {
			t.Errorf("%s#rails, which both revisions have word for word, is not among the hits: %v", document, passages)
		}
	}
}
