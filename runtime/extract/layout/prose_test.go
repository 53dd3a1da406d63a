package layout

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// laidOut makes records of rows whose cells are set apart by bars.
func laidOut(rows ...string) []record {
	out := make([]record, len(rows))
	for i, row := range rows {
		texts := strings.Split(row, "|")
		out[i].cells = make([]Cell, len(texts))
		for k, s := range texts {
			if s != "" {
				out[i].put(k, s, rag.Box{X0: float64(k) * 100, X1: float64(k)*100 + 50}, nil)
			}
		}
	}
	return out
}

func TestProsaic(t *testing.T) {
	for name, c := range map[string]struct {
		reason string
		rows   []string
		want   bool
	}{
		"Bullets":      {"items behind a sign of a symbol font, however short", []string{"\uf0b7|Printing", "\uf0b7|Faxes", "\uf0b7|Scans"}, true},
		"TwoLists":     {"lists beside each other", []string{"•|Printing|•|Post", "•|Faxes|•|Mail", "•|Scans||"}, true},
		"Outline":      {"markers of two levels", []string{"1.|Item|", "2.|Item|", "|a.|Detail", "|b.|Detail", "3.|Item|"}, true},
		"Signs":        {"signs and their names: each stands for itself", []string{"✎|Pencil", "✂|Scissors", "✈|Plane", "✉|Letter"}, false},
		"Numbered":     {"numbered names are a table", []string{"1.|Anna Berger", "2.|Tom Miller", "3.|Ivana Novak"}, false},
		"Euros":        {"a currency is no bullet", []string{"€|1,200", "€|1,300", "€|900"}, false},
		"Figures":      {"numbers alone are no outline", []string{"1.|1.|5", "2.|7.|6", "3.|9.|1"}, false},
		"References":   {"works that a text refers to", []string{"[1]|A. Berger, On the age of rocks", "[2]|T. Miller, A history of glass", "[12]|I. Novak, Notes on water"}, true},
		"Equations":    {"their numbers count on", []string{"f(x) = a + b|(1)", "g(x) = c + d|(2)", "h(y) = 1|(3)"}, true},
		"Losses":       {"amounts in brackets do not", []string{"Rent|(3)", "Fuel|(12)", "Post|(4)"}, false},
		"LabelledLoss": {"nor do they stand alone", []string{"Item|Loss", "Fuel|(1)", "Post|(2)"}, false},
		"Contents":     {"sections and their pages", []string{"1.1 Scope|2", "1.2 Terms|2", "2 Rules of play|4", "2.1 Moves|5"}, true},
		"Chapters":     {"chapters and their pages", []string{"1|Scope|1", "2|Terms|4", "3|Rules|4", "4|Moves|9"}, true},
		"Leaders":      {"dots lead to the page", []string{"Scope .......|1", "Terms .......|4", "Rules .......|4", "Moves .......|9"}, true},
		"Counts":       {"amounts go up and down", []string{"1|Scope|1", "2|Terms|4", "3|Rules|3", "4|Moves|9"}, false},
		"Ascending":    {"numbers alone are data", []string{"1|1|1", "2|2|2", "3|3|3", "4|4|4"}, false},
		"Index":        {"terms and their pages", []string{"Acid, 12|Iron, 4", "Air, 3, 17|Lead, 6–9", "Base, 4|Salt, 8", "Boron, 12|Tin, 4", "Coal, 9|Zinc, 8", "Dust, 1|", "Earth, 2|", "Fire, 3, 5|"}, true},
		"Form":         {"labels beside blanks", []string{"Name:|________", "Town:|________", "Member|☐ Yes ☐ No"}, true},
		"Scales":       {"ticks at the left and at the right of a chart", []string{"20,000|100", "18,000|90", "16,000|80", "14,000|70", "Year|"}, true},
		"Falling":      {"amounts that fall by chance", []string{"20,000|100", "18,500|91", "16,000|80", "14,000|72"}, false},
		"Rising":       {"a table of what goes up", []string{"1|100", "2|200", "3|300", "4|400"}, false},
		"Values":       {"values above the bars of a chart", []string{"|50|59||", "41||||", "||17|22|25", "2||||"}, true},
		"Named":        {"names tell what few numbers are", []string{"North|50|||", "South||41||", "East|||17|", "West||||25"}, false},
		"FewNamed":     {"a name with several numbers is a row", []string{"||4|", "|6||", "North|50|21|", "|||17", "|5||", "9|||"}, false},
		"Program":      {"constants of a program, and what it remarks", []string{"/* Blending */|", "const GLenum ZERO|= 0;", "const GLenum ONE|= 1;", "const GLenum SRC_COLOR|= 0x0300;"}, true},
		"Constants":    {"a table of the same", []string{"ZERO|0", "ONE|1", "SRC_COLOR|0x0300", "DST_COLOR|0x0306; see below;"}, false},
		"FilledForm":   {"labels beside values", []string{"Name:|Anna", "Town:|Graz", "Member|Yes"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := prosaic(laidOut(c.rows...), false); got != c.want {
				t.Errorf("%s: %v, want %v", c.reason, got, c.want)
			}
		})
	}
}

func found(gs glyphs) [][]string {
	return tablesOf(Sheet{Width: 600, Height: 800, Glyphs: gs})
}

// tablesOf lists a page's tables as their rows, cells set apart by bars.
func tablesOf(s Sheet) (out [][]string) {
	for _, p := range Prepare(1, s).Analyse().Pieces {
		if p.Table == nil {
			continue
		}
		var rows []string
		for _, r := range p.Table.Rows {
			var texts []string
			for _, c := range r.Cells {
				texts = append(texts, c.Text)
			}
			rows = append(rows, strings.Join(texts, "|"))
		}
		out = append(out, rows)
	}
	return out
}

// TestTextColumns finds a table in one of two columns of text, and one beside a
// column of text: the lines of the other column are none of its cells.
func TestTextColumns(t *testing.T) {
	prose := []string{
		"The committee met to hear how", "the works on the bridge went on,", "and was told that the last of the",
		"piers will stand before winter if", "the river does not rise again as", "it did in the year before. It was", "agreed to meet again in a month", "or, if the water rises, sooner.",
	}
	want := []string{"Pier|Depth|Cost", "North|12.5|1,200", "South|13.1|1,450", "Middle|17.0|2,900", "Bank|2.5|400"}
	for name, c := range map[string]struct {
		beside func(i int) bool // which lines of the table's column are text
	}{
		"Within": {func(i int) bool { return i < len(prose) || i >= 2*len(prose) }},
		"Alone":  {func(int) bool { return false }},
	} {
		t.Run(name, func(t *testing.T) {
			var gs glyphs
			for i := range 3 * len(prose) {
				y := 100 + 12*float64(i)
				gs = typed(gs, 310, y, 10, prose[i%len(prose)])
				if c.beside(i) {
					gs = typed(gs, 60, y, 10, prose[(i+3)%len(prose)])
				}
				if k := i - len(prose) - 2; k >= 0 && k < len(want) {
					for c, s := range strings.Split(want[k], "|") {
						gs = typed(gs, 70+60*float64(c), y, 10, s)
					}
				}
			}
			if diff := cmp.Diff([][]string{want}, found(gs)); diff != "" {
				t.Errorf("tables (-want +got):\n%s", diff)
			}
		})
	}
}

// TestLongCells leaves the rows whole of a table with a column of long texts: its
// rows begin where these do.
func TestLongCells(t *testing.T) {
	text := []string{"The pier stands in the river where", "it is deep, on rock that was cut."}
	var gs glyphs
	for i := range 8 {
		for k, s := range text {
			y := 100 + 36*float64(i) + 12*float64(k)
			gs = typed(gs, 260, y, 10, s)
			if k == 0 {
				gs = typed(typed(typed(gs, 40, y, 10, "P-"+strconv.Itoa(i)), 100, y, 10, "12."+strconv.Itoa(i)), 160, y, 10, "1,2"+strconv.Itoa(i)+"0")
			}
		}
	}
	got := found(gs)
	if len(got) != 1 || len(got[0]) != 8 || !strings.HasPrefix(got[0][5], "P-5|12.5|1,250|The pier stands") {
		t.Errorf("found %q, want one table of eight rows", got)
	}
}

// TestHeadingBelowTable keeps a heading, whose number stands off from its title,
// out of the table above it.
func TestHeadingBelowTable(t *testing.T) {
	want := []string{"Pier|Cost", "North|1,200", "South|1,450", "Middle|2,900"}
	var gs glyphs
	y := 100.0
	for _, row := range want {
		for c, s := range strings.Split(row, "|") {
			gs = typed(gs, 60+90*float64(c), y, 10, s)
		}
		y += 12
	}
	gs = typed(typed(gs, 60, y+10, 14, "4"), 90, y+10, 14, "The river")
	gs = typed(gs, 60, y+32, 10, "The river rose twice in that year and did not fall before the next.")
	if diff := cmp.Diff([][]string{want}, found(gs)); diff != "" {
		t.Errorf("tables (-want +got):\n%s", diff)
	}
}

// TestCountedLines takes the numbers of a text's lines for no column, but those of
// a list of names for one.
func TestCountedLines(t *testing.T) {
	for name, c := range map[string]struct {
		reason string
		lines  []string
		tables int
	}{
		"Draft": {"lines that go on from one to the next", []string{
			"Place:", "          at the bridge", "Editor:", "          the board", "Date:", "          in spring", "Status:", "          a draft"}, 0},
		"Roster": {"names do not", []string{"Anna Berger", "Tom Miller", "Ivana Novak", "Peter Jones", "Maria Rossi", "John Smith"}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			var gs glyphs
			for i, s := range c.lines {
				y := 100 + 14*float64(i)
				gs = typed(typed(gs, 40, y, 10, strconv.Itoa(i+1)), 70, y, 10, s)
			}
			if got := found(gs); len(got) != c.tables {
				t.Errorf("%s: found %q, want %d tables", c.reason, got, c.tables)
			}
		})
	}
}

// TestMarkedHeading takes colour laid over words for no table though a line is
// drawn under some of them.
func TestMarkedHeading(t *testing.T) {
	s := Sheet{Width: 400, Height: 400}
	for i, text := range []string{"Steps to take", "Ask the engineers for a scan of it", "Read what they found", "Write it down"} {
		y := 100 + 14*float64(i)
		s.Glyphs = typed(s.Glyphs, 40, y, 10, text)
		b := rag.Box{X0: 40, Y0: y - 10, X1: 40 + 5*float64(len(text)), Y1: y + 4}
		s.Fills = append(s.Fills, b)
		for _, at := range []float64{b.X0, b.X1} {
			s.Rulings = append(s.Rulings, Ruling{Vertical: true, At: at, From: b.Y0, To: b.Y1, Weak: true})
		}
		for _, at := range []float64{b.Y0, b.Y1} {
			s.Rulings = append(s.Rulings, Ruling{At: at, From: b.X0, To: b.X1, Weak: true})
		}
		if i == 0 {
			b.X1 = 65
			b.X0, b.X1 = b.X1, 105
			s.Rulings = append(s.Rulings, Ruling{At: y + 2, From: 40, To: 65})
			s.Fills = append(s.Fills, b)
			s.Rulings = append(s.Rulings, Ruling{Vertical: true, At: 65, From: b.Y0, To: b.Y1, Weak: true})
		}
	}
	if got := tablesOf(s); len(got) > 0 {
		t.Errorf("found %q, want no table", got)
	}
}

// TestStretchedCaption keeps a caption, whose spaces are stretched here and there,
// out of the table below it.
func TestStretchedCaption(t *testing.T) {
	want := []string{"Pier|Depth|Cost", "North|12.5|1,200", "South|13.1|1,450", "Middle|17.0|2,900"}
	var gs glyphs
	gs = typed(typed(gs, 60, 100, 10, "Table 7:"), 108, 100, 10, "The piers and what they have cost in all")
	for i, row := range want {
		for c, s := range strings.Split(row, "|") {
			gs = typed(gs, 80+80*float64(c), 114+12*float64(i), 10, s)
		}
	}
	if diff := cmp.Diff([][]string{want}, found(gs)); diff != "" {
		t.Errorf("tables (-want +got):\n%s", diff)
	}
}

// TestFirstRowIsNoName counts one row of names where the first value of a column of
// amounts is a word: the row below the names is data.
func TestFirstRowIsNoName(t *testing.T) {
	var gs glyphs
	rows := []string{"|Tracking|Threshold", "Land|$1|Unlimited", "Fences|$1|$50,000", "Houses|$1|$80,000", "Roads|$1|$90,000", "Cars|$500|$5,000", "Boats|$500|$7,500", "Tools|$500|$2,500"}
	for i, row := range rows {
		for c, s := range strings.Split(row, "|") {
			gs = typed(gs, 60+90*float64(c), 100+14*float64(i), 10, s)
		}
	}
	if diff := cmp.Diff([][]string{rows}, found(gs)); diff != "" {
		t.Errorf("tables (-want +got):\n%s", diff)
	}
}
