package extract_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/extract/pdftest"
)

// A page in Hebrew or Arabic is read from the right, and so are its tables:
// a row begins with its key, wherever that is printed.
func TestTablesFromTheRight(t *testing.T) {
	cases := map[string]struct {
		reason string
		draw   func(*pdftest.Page)
		want   [][]string
	}{
		"Aligned": {"columns that nothing rules", func(*pdftest.Page) {},
			[][]string{{"סך", "2004", "2005"}, {"הכל", "134", "22"}, {"הס", "164", "23"}, {"לך", "116", "24"}}},
		"Ruled": {"a cell over two columns keeps its text in the first of them", func(p *pdftest.Page) {
			for i := range 6 {
				y := 88 + 14*float64(i)
				p.Rule(60, y, 330, y)
				if i == 5 {
					break
				}
				for _, x := range []float64{60, 150, 240, 330} {
					if i > 0 || x != 150 {
						p.Rule(x, y, x, y+14)
					}
				}
			}
			p.Coded(100, 98, 10, "F3", 3, 4)
		}, [][]string{{"", "כה", ""}, {"סך", "2004", "2005"}, {"הכל", "134", "22"}, {"הס", "164", "23"}, {"לך", "116", "24"}}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f := &pdftest.File{}
			f.Unicode("hebrew", map[int]string{1: "ס", 2: "ך", 3: "ה", 4: "כ", 5: "ל"}, nil)
			p := f.A4()
			p.Font("F3", "hebrew")
			c.draw(p)
			for i, row := range [][]string{{"2005", "2004"}, {"22", "134"}, {"23", "164"}, {"24", "116"}} {
				y := 112 + 14*float64(i)
				p.Text(80, y, 10, pdftest.Regular, row[0])
				p.Text(170, y, 10, pdftest.Regular, row[1])
				p.Coded(260, y, 10, "F3", [][]int{{2, 1}, {5, 4, 3}, {1, 3}, {2, 5}}[i]...) // the last letter at the left
			}
			ts := tables(apply(t, f))
			if len(ts) != 1 {
				t.Fatalf("%s: %d tables, want 1", c.reason, len(ts))
			}
			if diff := cmp.Diff(c.want, texts(ts[0].Rows)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}
