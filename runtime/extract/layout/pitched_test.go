package layout

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// typewriter lays lines out in a font of fixed pitch, one string a line.
func typewriter(text string) Sheet {
	const size, cell, step = 8.0, 4.8, 9.4
	s := Sheet{Width: 842, Height: 595}
	for i, line := range strings.Split(strings.Trim(text, "\n"), "\n") {
		y := 60 + step*float64(i)
		for k, r := range []rune(line) {
			x := 30 + cell*float64(k)
			s.Glyphs = append(s.Glyphs, Glyph{Text: string(r), Rune: r, X: x, Y: y, Size: size, Object: uint64(i + 1), Order: len(s.Glyphs),
				Box: rag.Box{X0: x, Y0: y - ascent*size, X1: x + cell, Y1: y + descent*size}})
		}
	}
	return s
}

func TestListings(t *testing.T) {
	for name, c := range map[string]struct{ reason, page, want string }{
		"SingleBlanks": {"columns meet at one blank, which in a date or an account's name parts nothing", `
NORTHERN MILLS    REGISTER OF ENTRIES     PAGE 1

------------------------------------------------
Date        Vchr   Account       Debit    Credit
------------------------------------------------
01 Jan 2024 JV1001 4100 Sales   412.50          
12 Feb 2024 JV1002 5210 Freight        10,250.00
30 May 2023 JV1003 4100 Sales   999.00          
17 Oct 2025 JV1004 1200 Bank            3,100.00
09 Jan 2024 JV1005 5210 Freight   1.20          
02 May 2024 JV1006 1200 Bank             -412.50
`, `Date|Vchr|Account|Debit|Credit
01 Jan 2024|JV1001|4100 Sales|412.50|
12 Feb 2024|JV1002|5210 Freight||10,250.00
30 May 2023|JV1003|4100 Sales|999.00|
17 Oct 2025|JV1004|1200 Bank||3,100.00
09 Jan 2024|JV1005|5210 Freight|1.20|
02 May 2024|JV1006|1200 Bank||-412.50
`},
		"Words": {"columns of words part at one blank where their names do", `
Code Name             Town      State   Since     
--------------------------------------------------
E325 Siobhan Zahra    New Delhi on hold 18.05.2023
C316 Soren Li         Oslo      active  27.07.2021
B221 Mary-Ann Garcia  New Delhi closed  02.11.2019
A845 Jean-Luc Weissmu Rotterdam on hold 13.01.2020
D118 Tom OBriain      Chennai   active  21.04.2022
E907 Ilse Fernandez   Oslo      closed  09.09.2024
`, `Code|Name|Town|State|Since
E325|Siobhan Zahra|New Delhi|on hold|18.05.2023
C316|Soren Li|Oslo|active|27.07.2021
B221|Mary-Ann Garcia|New Delhi|closed|02.11.2019
A845|Jean-Luc Weissmu|Rotterdam|on hold|13.01.2020
D118|Tom OBriain|Chennai|active|21.04.2022
E907|Ilse Fernandez|Oslo|closed|09.09.2024
`},
		"Dates": {"a year below no name, behind a day and its comma, belongs to its date", `
Invoice   Date         Total Status
-----------------------------------
INV-00817 Mar 14, 2023 91.31 Open
INV-00818 Jan 06, 2024  1.10 Overdue
INV-00819 Apr 04, 2023 29.81 Open
INV-00820 Feb 29, 2024  8.00 Open
INV-00821 Feb 12, 2023 54.82 Paid
INV-00822 Aug 17, 2023 67.15 Paid
`, `Invoice|Date|Total|Status
INV-00817|Mar 14, 2023|91.31|Open
INV-00818|Jan 06, 2024|1.10|Overdue
INV-00819|Apr 04, 2023|29.81|Open
INV-00820|Feb 29, 2024|8.00|Open
INV-00821|Feb 12, 2023|54.82|Paid
INV-00822|Aug 17, 2023|67.15|Paid
`},
		"Bars": {"bars touch the values beside them", `
+----+-------+---------+
|No  |Item   |    Value|
+----+-------+---------+
|A101|Cotton |   312.40|
|A102|Dyed   |10,500.00|
|A103|Box    |     1.00|
+----+-------+---------+
`, `No|Item|Value
A101|Cotton|312.40
A102|Dyed|10,500.00
A103|Box|1.00
`},
		"Program": {"the words of a program line up by chance", `
WHEN VERIFY ( USER , 'HR' ) = 1
THEN EMPLOYEES . TAX
WHEN VERIFY ( USER , 'MGR' ) = 1
THEN EMPLOYEES . TAX
WHEN VERIFY ( USER , 'EMP' ) = 1
THEN EMPLOYEES . TAX
ELSE EMPLOYEES . NAME
`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var got strings.Builder
			for _, piece := range Prepare(1, typewriter(c.page)).Analyse().Pieces {
				if piece.Table == nil {
					continue
				}
				for _, row := range piece.Table.Rows {
					for k := range row.Cells {
						if k > 0 {
							got.WriteByte('|')
						}
						got.WriteString(row.Cells[k].Text)
					}
					got.WriteByte('\n')
				}
			}
			if diff := cmp.Diff(c.want, got.String()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}
