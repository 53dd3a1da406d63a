package plugin

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"

	"k8s.io/apimachinery/pkg/types"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/runtime/handoff"
)

// fillIn stands where a person has to decide. Neither the API server nor the
// command line takes it for a class or a status, so that a stub is refused with
// the values that there are until somebody has chosen.
const fillIn = "FILL-IN"

// stub writes a GoldenSet of hand-offs that is refused until a person has filled
// in what is right: what was handed to people has no answer that could be
// written down.
func stub(out io.Writer, of types.NamespacedName, hs []handoff.Handoff) error {
	var b strings.Builder
	fmt.Fprintf(&b, `# Questions that corpus %s handed to people. It is refused as long as %s stands in it: choose class and
# status of each question, say what its answer has to show, and add the set to spec.gate.goldenSets of the corpus.
apiVersion: %s
kind: GoldenSet
metadata:
  name: %s
  namespace: %s
spec:
  questions:
`, of, fillIn, v1alpha1.GroupVersion, quote(of.Name+"-handoffs"), quote(of.Namespace))
	taken := map[string]bool{}
	for _, h := range hs {
		name := slug(h.Question)
		if name == "" || taken[name] {
			name = strings.Trim(name+"-"+h.ID, "-")
		}
		taken[name] = true
		question(&b, name, h)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// question writes one entry. What is known of the hand-off stands beside it in
// comments, on one line each, so that nothing that was asked can end them.
func question(b *strings.Builder, name string, h handoff.Handoff) {
	fmt.Fprintf(b, "    - name: %s\n", quote(name))
	fmt.Fprintf(b, "      class: %s   # TableCount, TableSum, ExactID, Semantic, Historical, Access, MultiDocument or Refusal\n", fillIn)
	fmt.Fprintf(b, "      question: %s\n", quote(h.Question))
	fmt.Fprintln(b, "      as:")
	if h.As.Tenant != "" {
		fmt.Fprintf(b, "        tenant: %s\n", quote(h.As.Tenant))
	}
	if len(h.As.Groups) > 0 {
		fmt.Fprintf(b, "        groups: %s\n", quote(h.As.Groups))
	}
	if len(h.As.Claims) > 0 {
		fmt.Fprintf(b, "        claims: %s\n", quote(h.As.Claims))
	}
	fmt.Fprintf(b, "        asOf: %s\n", quote(h.As.AsOf.UTC().Format(time.RFC3339)))
	fmt.Fprintln(b, "      expect:")
	fmt.Fprintf(b, "        status: %s   # Answered, with evidence and facts; or NeedsHuman, where handing off is right\n", fillIn)
	fmt.Fprintf(b, "        # evidence: [%s]\n", strings.Join(candidates(h.Documents), ", "))
	fmt.Fprintln(b, "        # facts: [{anyOf: [\"what the answer must state\", \"or so\"]}]")
	fmt.Fprintf(b, "        # hand-off %s: asked %s, last %s of revision %d", h.ID, times(h.Times), h.Last.UTC().Format(time.RFC3339), h.Revision)
	if h.Mode != "" {
		fmt.Fprintf(b, ", in mode %s, which the golden set asks only if it is the corpus' own", line(string(h.Mode)))
	}
	fmt.Fprintln(b)
	for _, f := range h.Flags {
		fmt.Fprintf(b, "        #   %s\n", line(strings.Join(slices.DeleteFunc([]string{f.Stage, f.Reason, f.Detail}, func(s string) bool { return s == "" }), ": ")))
	}
}

func times(n int64) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// candidates are evidence to choose from: the documents that were found.
func candidates(documents []string) []string {
	const most = 5
	var out []string
	for _, d := range documents[:min(most, len(documents))] {
		out = append(out, line(quote(d+"#PASSAGE")))
	}
	if len(out) == 0 {
		out = []string{`"DOCUMENT#PASSAGE"`}
	}
	return out
}

// quote writes a value as JSON, which is YAML too.
func quote(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil { // strings and lists of them
		return `""`
	}
	return strings.TrimSpace(b.String())
}

// slug makes a name of a question's first words, up to 44 characters, since a name
// has 63 and an id may follow: those words that carry meaning, unless none does.
func slug(text string) string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	small := strings.Fields("a an the is are was were do does did of to for in on at and or our my we i you it this that what which how please can could")
	meaning := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return slices.Contains(small, w) })
	if len(meaning) == 0 {
		meaning = words
	}
	const longest = 44
	name := ""
	for _, w := range meaning {
		next := strings.TrimPrefix(name+"-"+w, "-")
		if len(next) > longest {
			return cmp.Or(name, next[:longest])
		}
		name = next
	}
	return name
}
