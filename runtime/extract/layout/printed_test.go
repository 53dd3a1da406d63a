package layout

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// sketch is a sheet drawn by tests: letters are half an em of ten points wide.
type sketch struct{ Sheet }

const sketchSize = 10

// text sets a line; a "|" in it moves to the next x.
func (s *sketch) text(y float64, line string, xs ...float64) {
	for k, t := range strings.Split(line, "|") {
		if t != "" {
			s.Glyphs = typed(s.Glyphs, xs[k], y, sketchSize, t)
		}
	}
}

// right sets texts that end at the given x.
func (s *sketch) right(y float64, line string, xs ...float64) {
	for k, t := range strings.Split(line, "|") {
		s.Glyphs = typed(s.Glyphs, xs[k]-float64(utf8.RuneCountInString(t))*sketchSize/2, y, sketchSize, t)
	}
}

func (s *sketch) across(y float64, from, to float64) {
	s.Rulings = append(s.Rulings, Ruling{At: y, From: from, To: to})
}

func (s *sketch) down(x float64, from, to float64) {
	s.Rulings = append(s.Rulings, Ruling{Vertical: true, At: x, From: from, To: to})
}

// grid rules all borders.
func (s *sketch) grid(xs, ys []float64) {
	for _, y := range ys {
		s.across(y, xs[0], xs[len(xs)-1])
	}
	for _, x := range xs {
		s.down(x, ys[0], ys[len(ys)-1])
	}
}

// found lists the tables of a sheet, a line a row, with a rule between tables.
func (s *sketch) found() string {
	s.Width, s.Height = 600, 800
	var out []string
	for _, p := range Prepare(1, s.Sheet).Analyse().Pieces {
		if p.Table == nil {
			continue
		}
		if len(out) > 0 {
			out = append(out, "--")
		}
		for _, r := range p.Table.Rows {
			var cells []string
			for _, c := range r.Cells {
				cells = append(cells, c.Text)
			}
			out = append(out, strings.Join(cells, "|"))
		}
	}
	return strings.Join(out, "\n")
}

// Tables as word processors print them, and prose that only looks like one.
func TestPrintedTables(t *testing.T) {
	xs := []float64{53, 153, 253}
	edges := []float64{50, 150, 250, 350}
	cases := map[string]struct {
		reason string
		draw   func(*sketch)
		want   []string
	}{
		"BrokenWord": {"a word wider than its column goes on on the next line; a word that just fits does not", func(s *sketch) {
			narrow := []float64{50, 99, 145, 245} // room for 8.6, 8 and more letters between insets of 3
			at := []float64{53, 102, 148}
			s.grid(narrow, []float64{100, 130, 150, 170})
			s.text(112, "Telephon|Employee|Name of the", at...)
			s.text(124, "es|of the|owner", at...)
			s.text(144, "12|3|Anitha", at...)
			s.text(164, "14|5|Selvam", at...)
		}, []string{"Telephones|Employee of the|Name of the owner", "12|3|Anitha", "14|5|Selvam"}},
		"BrokenAmount": {"so does an amount, which is no second row", func(s *sketch) {
			narrow := []float64{50, 99, 148, 197}
			at := []float64{53, 102, 151}
			s.grid(narrow, []float64{100, 120, 140, 160, 180, 210, 230})
			s.text(114, "No|Net|Gross", at...)
			s.text(134, "1|10,5|11,5", at...)
			s.text(154, "2|20,5|21,5", at...)
			s.text(174, "3|30,5|31,5", at...)
			s.text(192, "Total|1660777,|2660777,", at...)
			s.text(204, "sum|94|94", at...)
			s.text(224, "5|1,5|1,5", at...)
		}, []string{"No|Net|Gross", "1|10,5|11,5", "2|20,5|21,5", "3|30,5|31,5", "Total sum|1660777,94|2660777,94", "5|1,5|1,5"}},
		"BrokenWithoutBorders": {"dates, addresses, numbers of documents and words are broken in columns without borders too", func(s *sketch) {
			at := []float64{50, 110, 180, 280}
			s.text(100, "Code|Date|Address|State", at...)
			for i, row := range []string{"INV-008|2024-06-2|anitha@mill.co|Cancelle\n1|2|m|d", "INV-008|2024-07-1|selvam@yard.co|Cancelle\n2|3|m|d",
				"INV-009|2024-08-0|priya@mill.com|Open\n4|1", "INV-009|2024-08-2|bo@yard.com|Open\n7|3"} {
				for k, line := range strings.Split(row, "\n") {
					s.text(130+30*float64(i)+12*float64(k), line, at...)
				}
			}
		}, []string{"Code|Date|Address|State", "INV-0081|2024-06-22|anitha@mill.com|Cancelled", "INV-0082|2024-07-13|selvam@yard.com|Cancelled",
			"INV-0094|2024-08-01|priya@mill.com|Open", "INV-0097|2024-08-23|bo@yard.com|Open"}},
		"CentredLine": {"a line of a centred cell that reaches over its column's edge belongs to the column in which most of it lies", func(s *sketch) {
			for i, row := range []string{"Anna|Clerk|York|10", "Bo|Driver|Leeds|11", "Selvam|Guard|Salem|12", "Priya|Nurse|Erode|13"} {
				for k, x := range []float64{80, 170, 250, 330} {
					cell := strings.Split(row, "|")[k]
					s.text(100+40*float64(i), cell, x-2.5*float64(len(cell)))
				}
			}
			s.text(174, "Senior mistress of", 116) // above Guard's row, over the edge left of it
			s.text(186, "the guards", 145)
		}, []string{"Anna|Clerk|York|10", "Bo|Driver|Leeds|11", "Selvam|Senior mistress of Guard the guards|Salem|12", "Priya|Nurse|Erode|13"}},
		"BandsOfAnyHeight": {"rows shaded alternately are parted at the bands' edges, however high each is", func(s *sketch) {
			at, y := []float64{53, 153, 253}, 100.0
			for i, row := range []string{"A1|Yarn|1.0", "A2|Dye for the\nnorth mill\nand yard|2.0", "A3|Boots|3.0", "A4|Freight of\nthe south\nand north|4.0", "A5|Cloth|5.0", "A6|Rent|6.0", "A7|Oil|7.0"} {
				cells := strings.Split(row, "|")
				lines := strings.Split(cells[1], "\n")
				if i%2 == 0 {
					s.Fills = append(s.Fills, rag.Box{X0: 50, Y0: y, X1: 350, Y1: y + 12*float64(len(lines))})
					s.Rulings = append(s.Rulings, Ruling{At: y, From: 50, To: 350, Weak: true}, Ruling{At: y + 12*float64(len(lines)), From: 50, To: 350, Weak: true},
						Ruling{Vertical: true, At: 50, From: y, To: y + 12*float64(len(lines)), Weak: true}, Ruling{Vertical: true, At: 350, From: y, To: y + 12*float64(len(lines)), Weak: true})
				}
				for k, l := range lines {
					s.text(y+9+12*float64(k), l, at[1])
				}
				s.text(y+9+6*float64(len(lines)-1), cells[0]+"||"+cells[2], at...)
				y += 12 * float64(len(lines))
			}
		}, []string{"A1|Yarn|1.0", "A2|Dye for the north mill and yard|2.0", "A3|Boots|3.0", "A4|Freight of the south and north|4.0", "A5|Cloth|5.0", "A6|Rent|6.0", "A7|Oil|7.0"}},
		"CellsOfTwoLines": {"every row has one cell of two lines, and the others centred beside them", func(s *sketch) {
			at := []float64{50, 120, 240, 300}
			s.text(100, "Code|Amount|Qty|Year", at...)
			for i, row := range []string{"A1|250|3|2021", "A2|1714|4|2022", "A3|68|5|2021", "A4|77|12|2023", "A5|9|8|2023"} {
				y, cells := 130+30*float64(i), strings.Split(row, "|")
				s.right(y-6, cells[1], 160)
				s.text(y, cells[0]+"||"+cells[2]+"|"+cells[3], at...)
				s.right(y+6, "ref "+cells[0], 160)
			}
		}, []string{"Code|Amount|Qty|Year", "A1|250 ref A1|3|2021", "A2|1714 ref A2|4|2022", "A3|68 ref A3|5|2021", "A4|77 ref A4|12|2023", "A5|9 ref A5|8|2023"}},
		"RestOfTheLastName": {"the last row's name goes on below it, closer than rows stand", func(s *sketch) {
			for i, row := range []string{"Company|Town|Net", "Acme Partners 1|Leeds|1.50", "Blue Ocean 2|York|2.50", "Smith & Jones|Lyon|3.50"} {
				s.text(100+20*float64(i), row, 50, 150, 250)
			}
			s.text(171, "70", 50)
		}, []string{"Company|Town|Net", "Acme Partners 1|Leeds|1.50", "Blue Ocean 2|York|2.50", "Smith & Jones 70|Lyon|3.50"}},
		"TwoLinesOfNumbers": {"two numbers in one row of many are a pair that wraps, not two rows", func(s *sketch) {
			s.grid(edges, []float64{100, 120, 140, 160, 180, 210})
			for i, row := range []string{"No|Place|Date", "01|Dellys|16.09", "02|Isser|17.09", "03|Corso|18.09"} {
				s.text(114+20*float64(i), row, xs...)
			}
			s.text(192, "0|Sidi|19.09", xs...)
			s.text(204, "4|Daoud|20.09", xs...)
		}, []string{"No|Place|Date", "01|Dellys|16.09", "02|Isser|17.09", "03|Corso|18.09", "04|Sidi Daoud|19.09 20.09"}},
		"SentenceBelow": {"a sentence whose words happen to fall between the borders is no further row", func(s *sketch) {
			s.grid(edges, []float64{100, 120, 140, 160})
			for i, row := range []string{"Post|Name|Dept", "Clerk|Anitha|Mill", "Guard|Selvam|Yard"} {
				s.text(114+20*float64(i), row, xs...)
			}
			s.text(170, "each of them was in the mill last year at the very end", 53)
		}, []string{"Post|Name|Dept", "Clerk|Anitha|Mill", "Guard|Selvam|Yard"}},
		"BoxesOverText": {"boxes to be ticked that stand over the words of a line are no columns", func(s *sketch) {
			s.text(112, "of international character or without such relation", 50)
			for _, x := range []float64{78, 138, 198} {
				s.grid([]float64{x, x + 12}, []float64{102, 116})
			}
			s.across(102, 50, 300)
			s.across(116, 50, 300)
		}, nil},
		"Stretched": {"lines of prose whose few words are stretched to the measure are no rows", func(s *sketch) {
			s.text(100, "Technical|assignment|works", 50, 190, 335)
			s.text(112, "for the equipment of the building", 50)
			s.text(124, "at the place of the object", 50)
			s.text(136, "address:|Petersburg", 50, 290)
		}, nil},
		"StretchedBehindNumber": {"nor are they behind a number and a tab", func(s *sketch) {
			s.text(100, "4.4.|The contractor may:", 80, 120)
			s.text(112, "4.4.1.|Perform|works|before|time", 80, 120, 175, 220, 270)
		}, nil},
		"DeepList": {"an item's number may have five levels, and the rest of an item begins left of it", func(s *sketch) {
			for i, line := range []string{"4.2.1.3.|Show the zones here", "4.2.1.4.|Load plan of object", "4.2.1.5.|Create layers of scheme", "4.2.1.5.1.|Scheme of object with", "4.2.1.5.2.|Scheme of all floors"} {
				s.text(100+24*float64(i), line, 80, 150)
				s.text(112+24*float64(i), "their sections", 50)
			}
		}, nil},
		"LineNumbers": {"a standard whose lines are counted in the margin stays prose", func(s *sketch) {
			for i, line := range []string{"Status:", "this document is updated from time to time on no", "schedule of which members are told in advance, so", "that they can comment on it before it is approved", "by the board, as its rules say in the end.", "Abstract: a sample of how the styles are used"} {
				s.text(100+12*float64(i), string(rune('4'+i))+"|"+line, 50, 80)
			}
		}, nil},
		"ListFromTheRight": {"a list in Hebrew has its numbers on the right", func(s *sketch) {
			for i, line := range []string{"הס לכה ךס|-|1", "לכה ךס|-|2", "ךס הס|-|3", "לכה הס ךס|-|4", "הס לכה|-|5"} {
				s.right(100+14*float64(i), line, 270, 300, 330)
			}
		}, nil},
		"WrappingRows": {"rows that all wrap stand far apart, and an amount's decimals go on below it", func(s *sketch) {
			s.right(100, "Time|Survival|Left", 100, 200, 280)
			for i, row := range []string{"10.00|0.55|48", "12.00|0.50|47", "14.00|0.48|46", "16.00|0.45|45", "17.00|0.43|44"} {
				y := 136 + 36*float64(i)
				s.right(y, row, 100, 200, 280)
				s.right(y+12, "00", 100)
			}
		}, []string{"Time|Survival|Left", "10.0000|0.55|48", "12.0000|0.50|47", "14.0000|0.48|46", "16.0000|0.45|45", "17.0000|0.43|44"}},
		"DotsForNothing": {"an amount that ends where those above and below do reaches over no other column's beginning", func(s *sketch) {
			for i, row := range []string{"a|0.55|0.44|48", "b|.|.|47", "c|0.50|0.49|46", "d|.|.|45", "e|0.48|0.51|44", "f|.|.|43", "g|0.45|0.54|42", "h|.|.|41", "i|0.43|0.56|40"} {
				y := 100 + 30*float64(i)
				s.right(y, row, 60, 120, 155, 220)
				if i%2 == 0 {
					s.right(y+12, string(rune('1'+i)), 155) // its last decimal
				}
			}
		}, []string{"a|0.55|0.441|48", "b|.|.|47", "c|0.50|0.493|46", "d|.|.|45", "e|0.48|0.515|44", "f|.|.|43", "g|0.45|0.547|42", "h|.|.|41", "i|0.43|0.569|40"}},
		"TightAmounts": {"amounts of a typewriter that nearly touch in one row are those of their columns", func(s *sketch) {
			at := []float64{150, 180, 210, 240, 270}
			for i, row := range []string{"800|880|960|104|112", "160|176|192|208|224", "80|88|96|104|112", "53|59|64|69|75"} {
				s.text(100+12*float64(i), "0.9"+string(rune('1'+i)), 60)
				s.right(100+12*float64(i), row, at...)
			}
			s.text(148, "0.95|1,600 1,760 1,920 2,080 2,240", 60, 125)
		}, []string{"0.91|800|880|960|104|112", "0.92|160|176|192|208|224", "0.93|80|88|96|104|112", "0.94|53|59|64|69|75", "0.95|1,600|1,760|1,920|2,080|2,240"}},
		"IndexRuled": {"only the names and the index are ruled, and each row of the index has its line beside it", func(s *sketch) {
			s.grid(edges[:2], []float64{120, 134, 148, 162, 176, 190})
			s.grid(edges[1:], []float64{106, 120})
			s.down(350, 120, 190)
			s.across(190, 150, 350)
			s.text(117, "|Post|Dept", xs...)
			for i, row := range []string{"0|Clerk|Mill", "1|Guard|Yard", "2|Driver|Yard", "3|Fitter|Mill", "4|Guard|Mill"} {
				s.text(131+14*float64(i), row, xs...)
			}
		}, []string{"|Post|Dept", "0|Clerk|Mill", "1|Guard|Yard", "2|Driver|Yard", "3|Fitter|Mill", "4|Guard|Mill"}},
		"LabelBesideLines": {"the lines of a ruled row are rows, though a label stands beside this row and the next", func(s *sketch) {
			s.grid(edges, []float64{100, 120, 160})
			s.across(200, 50, 350)
			for _, x := range edges {
				s.down(x, 160, 200)
			}
			s.Rulings = slices.DeleteFunc(s.Rulings, func(r Ruling) bool { return !r.Vertical && r.At == 160 })
			s.across(160, 50, 250)
			s.text(114, "City|Pay|Part", xs...)
			for i, row := range []string{"Dubai|163", "Mecca|120", "Seoul|123", "Taipei|101", "Hanoi|118", "Busan|107"} {
				s.text(131+12*float64(i)+4*float64(i/3), row, xs...)
			}
			s.text(164, "||Top", xs...)
		}, []string{"City|Pay|Part", "Dubai|163|Top", "Mecca|120|Top", "Seoul|123|Top", "Taipei|101|Top", "Hanoi|118|Top", "Busan|107|Top"}},
		"Marker": {"colour laid over the words of lines, as a marker does, makes no cells", func(s *sketch) {
			for i, line := range []string{"A key element of the program is the review process", "where a company can analyze the software it uses", "and understand its rights and obligations"} {
				x := 60.0
				if i == 0 {
					x = 50
				}
				y := 100 + 12*float64(i)
				s.text(y, line, x)
				b := rag.Box{X0: x, Y0: y - 9, X1: x + 5*float64(len(line)), Y1: y + 3}
				s.Fills = append(s.Fills, b)
				s.Rulings = append(s.Rulings, Ruling{At: b.Y0, From: b.X0, To: b.X1, Weak: true}, Ruling{At: b.Y1, From: b.X0, To: b.X1, Weak: true},
					Ruling{Vertical: true, At: b.X0, From: b.Y0, To: b.Y1, Weak: true}, Ruling{Vertical: true, At: b.X1, From: b.Y0, To: b.Y1, Weak: true})
			}
		}, nil},
		"DatesBeforeNames": {"dates that nearly touch the column behind them fill their own, though only its name stands at the left of it", func(s *sketch) {
			s.text(100, "Cost|Stock value|Last counted|Bin", 60, 120, 190, 260)
			for i, row := range []string{"72.73|2400.09|2026-06-02", "52.51|5040.96|2026-06-03", "9.83|12297.48|2026-06-04", "25.09|5946.33|2026-06-05", "1.92|161.28|2026-06-06"} {
				s.right(114+14*float64(i), row, 100, 188, 258)
				s.text(114+14*float64(i), []string{"B1", "C2", "A3", "B41", "C5"}[i], 260)
			}
		}, []string{"Cost|Stock value|Last counted|Bin", "72.73|2400.09|2026-06-02|B1", "52.51|5040.96|2026-06-03|C2", "9.83|12297.48|2026-06-04|A3", "25.09|5946.33|2026-06-05|B41", "1.92|161.28|2026-06-06|C5"}},
		"CloseNames": {"names close behind numbers begin their column, though the foot of a letter stands out of it", func(s *sketch) {
			for i, row := range []string{"100|John|Doe", "101|Fred|Nurk", "102|Hans|Meier", "103|Jean|Dupont", "104|Mario|Rossi"} {
				x := 67.0
				if strings.Contains(row, "|J") {
					x = 66.4
				}
				s.text(100+14*float64(i), row, 50, x, 130)
			}
		}, []string{"100|John|Doe", "101|Fred|Nurk", "102|Hans|Meier", "103|Jean|Dupont", "104|Mario|Rossi"}},
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

// TestBrokenCounters joins the numbers of a column that counts the rows and has no room
// for a further digit; two numbers that do not count on stay two.
func TestBrokenCounters(t *testing.T) {
	var table Table
	for _, text := range []string{"No", "98", "99", "10\n0", "10\n1", "10\n3"} {
		table.Rows = append(table.Rows, Row{Cells: []Cell{{Text: text}}})
	}
	table.mendCounters()
	var got []string
	for _, r := range table.Rows {
		got = append(got, r.Cells[0].Text)
	}
	if diff := cmp.Diff([]string{"No", "98", "99", "100", "101", "10\n3"}, got); diff != "" {
		t.Errorf("counters (-want +got):\n%s", diff)
	}
}
