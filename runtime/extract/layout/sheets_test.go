package layout

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Sheets without rules: names and texts at the left of columns that are as wide as
// they need, numbers at the right, two points between columns.
func TestSheets(t *testing.T) {
	cases := map[string]struct {
		reason string
		draw   func(*sketch)
		want   []string
	}{
		"FewRows": {"a name reaches into the strip before the numbers of its column", func(s *sketch) {
			s.text(100, "Name|Age|When", 58, 122, 186)
			for i, row := range []string{"Bob|20|10/10/10", "Jane|23|01/01/12", "Ian|34|11/11/15"} {
				y, cells := 113+13*float64(i), strings.SplitN(row, "|", 2)
				s.text(y, cells[0], 58)
				s.right(y, cells[1], 184, 235)
			}
		}, []string{"Name|Age|When", "Bob|20|10/10/10", "Jane|23|01/01/12", "Ian|34|11/11/15"}},
		"FewRowsOfWords": {"words that line up below others are no columns of numbers", func(s *sketch) {
			s.text(100, "Agricultural|highschool|office", 58, 122, 186)
			s.text(113, "Room four|eleven", 58, 160)
			s.text(126, "Shilky|building", 58, 160)
		}, nil},
		"NoNameOfRows": {"labels of rows have no name, and each further name is its own column's", func(s *sketch) {
			s.text(100, "Series 1|Series 2|Series 3", 124, 190, 256)
			for i, row := range []string{"Category 1|4.3|2.4|2", "Category 2|2.5|4.4|2", "Category 3|3.5|1.8|3", "Category 4|4.5|2.8|5"} {
				y, cells := 113+13*float64(i), strings.SplitN(row, "|", 2)
				s.text(y, cells[0], 58)
				s.right(y, cells[1], 188, 254, 320)
			}
		}, []string{"|Series 1|Series 2|Series 3", "Category 1|4.3|2.4|2", "Category 2|2.5|4.4|2", "Category 3|3.5|1.8|3", "Category 4|4.5|2.8|5"}},
		"NameOfTwoWords": {"the space between the words of a name is wider than the gap before it", func(s *sketch) {
			s.text(100, "Work|Budget|Target date", 58, 140, 196)
			for i, row := range []string{"Bench|$18,500|2026-08-21", "Parts|$24,000|2026-08-28", "Checks|$12,600|2026-09-04", "Notes|$9,800|2026-09-11", "Rollout|$7,200|2026-09-18"} {
				y, cells := 113+13*float64(i), strings.SplitN(row, "|", 2)
				s.text(y, cells[0], 58)
				s.right(y, cells[1], 194, 290)
			}
		}, []string{"Work|Budget|Target date", "Bench|$18,500|2026-08-21", "Parts|$24,000|2026-08-28", "Checks|$12,600|2026-09-04", "Notes|$9,800|2026-09-11", "Rollout|$7,200|2026-09-18"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := &sketch{}
			c.draw(s)
			if diff := cmp.Diff(strings.Join(c.want, "\n"), s.found()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}
