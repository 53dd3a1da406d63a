package html_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/hardgate-dev/hardgate/runtime/extract/html"
)

// unclosed are elements of formatting that nothing closes, no two alike.
func unclosed(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "<font id=%d>", i)
	}
	return b.String()
}

// Small files that ask for more than there is are refused, or read in the time of others.
func TestBounds(t *testing.T) {
	cases := map[string]struct {
		reason, in string
		want       error
	}{
		"Nested":    {"each level of raised text took twice as long", "<p>x" + strings.Repeat("<sup>", 60) + "1", nil},
		"Many":      {"more elements than are read", strings.Repeat("<p>a", 600_000), html.ErrTooLarge},
		"Reopened":  {"what is not closed is opened again in each paragraph", "<p>" + unclosed(400) + "x</p>" + strings.Repeat("<p>x</p>", 5000), html.ErrTooLarge},
		"Careless":  {"the same formatting, never closed, is opened three times at most", strings.Repeat("<p><font color=red>x", 20_000), nil},
		"Anchors":   {"a link ends the one before", strings.Repeat("<p><a name=x1>x<p><a name=x2>y", 20_000), nil},
		"Balanced":  {"what is closed is not opened again", strings.Repeat("<div><b><i>x</i></b></div>", 20_000), nil},
		"WideTable": {"rows as wide as the widest make more cells than are read: it is read as text", "<table><tr>" + strings.Repeat("<td>a", 1500) + strings.Repeat("<tr><td>a<td>b", 1500) + "</table>", nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			doc, ok, err := html.Read([]byte(c.in))
			if !errors.Is(err, c.want) || (err == nil) != ok {
				t.Fatalf("%s: text %v, error %v, want %v", c.reason, ok, err, c.want)
			}
			if name == "WideTable" && (len(doc.Problems) != 1 || doc.Problems[0].Reason != html.TableSkipped) {
				t.Errorf("%s: problems %v", c.reason, doc.Problems)
			}
		})
	}
}
