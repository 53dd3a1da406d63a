package chunk

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// TestSections cuts documents by their headings: a clause is whole where it fits,
// and where it doesn't it is cut between paragraphs and lists, never within one
// that fits a piece; every piece says whose clause it is.
func TestSections(t *testing.T) {
	const (
		rate = "Detention is $65.00 an hour after two free hours, and never more than $520.00 per stop." // 87 characters
		form = "The charge is supported by the times on the bill of lading or by a gate log."            // 76
		list = "The desk needs:\n- the signed bill of lading\n- photographs of the pallets\n- the invoice of the goods"
		laid = "|Stop|Free|Rate\n|Pickup|2 h|$65.00\n|Delivery|2 h|$65.00"
	)
	cases := map[string]struct {
		reason, text string
		size         int
		want         []string // of each piece: its heading and its body, lines parted by ¦
	}{
		"whole": {"a rate and its cap stay together with all of their clause", "# Detention\n" + rate + "\n\n" + form, 1200,
			[]string{"Detention: " + rate + " ¦ " + form}},
		"no neighbour": {"a short clause isn't filled up with the next", "# Detention\n" + rate + "\n# Proof\n" + form, 1200,
			[]string{"Detention: " + rate, "Proof: " + form}},
		"paragraphs": {"over the size it is cut between paragraphs, the heading repeated", "# Detention\n" + rate + "\n\n" + form, 100,
			[]string{"Detention: " + rate, "Detention: " + form}},
		"list": {"a list that fits a piece goes there whole, with what introduces it", "# Claims\n" + form + "\n\n" + list, 130,
			[]string{"Claims: " + form, "Claims: The desk needs: ¦ - the signed bill of lading ¦ - photographs of the pallets ¦ - the invoice of the goods"}},
		"table": {"so does a table, under its column names", "# Detention\n" + rate + "\n" + laid + "\n" + form, 90,
			[]string{"Detention: " + rate, "Detention: Stop | Free | Rate ¦ Pickup | 2 h | $65.00 ¦ Delivery | 2 h | $65.00", "Detention: " + form}},
		"subsection": {"a heading above without a text of its own is shown with it", "# Charges\n## Detention\n" + rate, 1200,
			[]string{"Charges: Detention: " + rate}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			chunks := apply(t, Options{Strategy: Headings, Size: c.size, Window: 256}, document(c.text))
			var got []string
			for _, ch := range chunks {
				got = append(got, ch.Heading+": "+strings.ReplaceAll(ch.Body(), "\n", " ¦ "))
				if !strings.HasPrefix(ch.Search(), "Handbook\n"+ch.Heading+"\n") {
					t.Errorf("what is embedded begins with title and heading: %q", ch.Search())
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}

// TestSectionOverTheWindow cuts a section that the size would admit and the
// encoder would not read, title and heading included.
func TestSectionOverTheWindow(t *testing.T) {
	text := "# Cargo liability and claims\n"
	for range 12 {
		text += "The carrier pays what the goods have lost, up to the limit of its insurance.\n\n"
	}
	doc := document(text)
	chunks := apply(t, Options{Strategy: Headings, Size: 1200, Window: 64}, doc)
	if len(chunks) < 2 {
		t.Fatalf("%d pieces", len(chunks))
	}
	for _, ch := range chunks {
		if n := (pieces{}).Count(ch.Search()); n > 64 || ch.Heading != "Cargo liability and claims" || ch.Title != "Handbook" {
			t.Errorf("piece %d of %d wordpieces under %q, %q", ch.Piece, n, ch.Title, ch.Heading)
		}
		if slices.ContainsFunc(ch.Units, func(u rag.Unit) bool { return u.Parts > 0 }) {
			t.Errorf("piece %d cuts a sentence that fits: %q", ch.Piece, ch.Body())
		}
	}
}
