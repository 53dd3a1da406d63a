package layout

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// laid are lines of text over columns: each a distance to the line before, and cells.
func laid(gaps []float64, texts ...string) []record {
	var out []record
	y := 100.0
	for i, text := range texts {
		y += gaps[i]
		cells := strings.Split(text, "|")
		r := record{cells: make([]Cell, len(cells)), base: y, top: y - 7, bottom: y + 2}
		for k, c := range cells {
			if r.cells[k].Text = c; c != "" {
				r.filled++
			}
		}
		out = append(out, r)
	}
	return out
}

func TestUnwrapSpacedRows(t *testing.T) {
	for name, c := range map[string]struct {
		reason string
		gaps   []float64
		lines  []string
		want   []string
	}{
		"KeysWrap": {"the key and most cells wrap, the city does not", []float64{0, 18, 10, 18, 10, 18, 10}, []string{
			"Company|Contact|Phone|City", "Société Générale|Élodie|+75 475 5014|Lyon", "de Fournitures|Whitmore|532|",
			"Blue Ocean|Maria|+65 330 8768|Leeds", "Trading|Smith|874|", "Smith, Jones|Ingrid|+46 718 2911|Paris", "& Partners||403|",
		}, []string{"Company|Contact|Phone|City", "Société Générale de Fournitures|Élodie Whitmore|+75 475 5014 532|Lyon",
			"Blue Ocean Trading|Maria Smith|+65 330 8768 874|Leeds", "Smith, Jones & Partners|Ingrid|+46 718 2911 403|Paris"}},
		"Centred": {"cells centred beside wrapped ones stand between their lines", []float64{0, 18, 5, 5, 18, 5, 5, 18}, []string{
			"Ref|Text|Net", "|Replacement of|", "A1||9.10", "|pump seals|", "|Annual|", "A2||8.00", "|maintenance|", "A3|Rent|7.50",
		}, []string{"Ref|Text|Net", "A1|Replacement of pump seals|9.10", "A2|Annual maintenance|8.00", "A3|Rent|7.50"}},
		"NamesClose": {"the names stand closer to the first row than rows do, and are none of its lines", []float64{0, 16, 28, 10, 28, 28}, []string{
			"Code|Name|Q1|Year", "1000|Lyon|74|2021", "1001|Ho Chi|89|2022", "|Minh City||", "1002|York|77|2021", "1003|Leeds|75|2023",
		}, []string{"Code|Name|Q1|Year", "1000|Lyon|74|2021", "1001|Ho Chi Minh City|89|2022", "1002|York|77|2021", "1003|Leeds|75|2023"}},
		"Groups": {"rows in groups stand close, and are rows", []float64{0, 18, 10, 10, 18, 10, 10}, []string{
			"Year|Pupils|Cost", "1997|45,611|375.9", "1998|46,127|390.2", "1999|46,539|407.0", "2000|46,857|423.0", "2001|47,204|440.0", "2002|47,672|457.1",
		}, []string{"Year|Pupils|Cost", "1997|45,611|375.9", "1998|46,127|390.2", "1999|46,539|407.0", "2000|46,857|423.0", "2001|47,204|440.0", "2002|47,672|457.1"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, r := range unwrap(laid(c.gaps, c.lines...), strings.Count(c.lines[0], "|")+1, 8, func(a, b *record) bool { return false }) {
				var cells []string
				for _, d := range r.cells {
					cells = append(cells, flow(d.Text))
				}
				got = append(got, strings.Join(cells, "|"))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}

func TestShape(t *testing.T) {
	for a, want := range map[string]string{"1,234.50": "9", "-12": "9", "(1 234,00": "9", "€12": "9", "INV-2024-": "a9-", "Jun 27,": "a 9", "+75 475": "+9"} {
		if got := shape(a); got != want {
			t.Errorf("shape(%q) = %q, want %q", a, got, want)
		}
	}
}
