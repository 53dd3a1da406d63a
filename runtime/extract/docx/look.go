package docx

import (
	"regexp"
	"strconv"
	"strings"
)

// look is what styles and numbering say.
type look struct {
	styles   map[string]style
	numbers  map[string]string             // list → its definition
	levels   map[string]map[string]*level  // definition → depth → level
	counters map[string]map[string]counter // definition → depth → where it stands
}

type style struct {
	name, base string
	outline    int // level of a heading from 1, 0 for none
	list       string
	depth      string
}

type level struct {
	format, text string
	start        int
}

type counter struct {
	value int
	begun bool
}

var headingName = regexp.MustCompile(`(?i)^heading (\d)$`)

func (p *parts) look() (look, error) {
	l := look{styles: map[string]style{}, numbers: map[string]string{}, levels: map[string]map[string]*level{}, counters: map[string]map[string]counter{}}
	styles, err := p.optional("word/styles.xml")
	if err != nil {
		return l, err
	}
	for _, n := range styles.all("style") {
		l.styles[n.attr("styleId")] = newStyle(n)
	}
	numbering, err := p.optional("word/numbering.xml")
	if err != nil {
		return l, err
	}
	for _, n := range numbering.all("abstractNum") {
		depths := map[string]*level{}
		for _, v := range n.all("lvl") {
			start, err := strconv.Atoi(v.child("start").attr("val"))
			if err != nil {
				start = 1
			}
			depths[v.attr("ilvl")] = &level{format: v.child("numFmt").attr("val"), text: v.child("lvlText").attr("val"), start: start}
		}
		l.levels[n.attr("abstractNumId")] = depths
	}
	for _, n := range numbering.all("num") {
		l.numbers[n.attr("numId")] = n.child("abstractNumId").attr("val")
	}
	return l, nil
}

func newStyle(n *node) style {
	s := style{name: n.child("name").attr("val"), base: n.child("basedOn").attr("val")}
	props := n.child("pPr")
	switch m := headingName.FindStringSubmatch(s.name); {
	case m != nil:
		s.outline, _ = strconv.Atoi(m[1]) // one digit
	case strings.EqualFold(s.name, "title"):
		s.outline = 1
	default:
		s.outline = outline(props)
	}
	s.list, s.depth = props.child("numPr", "numId").attr("val"), props.child("numPr", "ilvl").attr("val")
	return s
}

// outline is the level of a heading that paragraph properties give, from 1.
func outline(props *node) int {
	v, err := strconv.Atoi(props.child("outlineLvl").attr("val"))
	if err != nil || v < 0 || v > 8 { // 9 is body text
		return 0
	}
	return v + 1
}

// heading is the level of a paragraph, 0 for text.
func (l look) heading(props *node) int {
	if v := outline(props); v > 0 {
		return v
	}
	for id, n := props.child("pStyle").attr("val"), 0; id != "" && n < 16; n++ { // a chain that bites its tail ends
		s := l.styles[id]
		if s.outline > 0 {
			return s.outline
		}
		id = s.base
	}
	return 0
}

// mark is what stands before a paragraph of a list: its bullet or number.
func (l look) mark(props *node) string {
	list, depth := props.child("numPr", "numId").attr("val"), props.child("numPr", "ilvl").attr("val")
	for id, n := props.child("pStyle").attr("val"), 0; list == "" && id != "" && n < 16; n++ {
		s := l.styles[id]
		list, id = s.list, s.base
		if depth == "" {
			depth = s.depth
		}
	}
	if list == "" || list == "0" {
		return ""
	}
	if depth == "" {
		depth = "0"
	}
	definition := l.numbers[list]
	v := l.levels[definition][depth]
	switch {
	case v == nil || v.format == "bullet":
		return "• "
	case v.format == "none":
		return ""
	}
	l.count(definition, depth, v)
	return l.label(definition, v.text) + " "
}

// count moves a list on by one, and lets its deeper levels begin again.
func (l look) count(definition, depth string, v *level) {
	at := l.counters[definition]
	if at == nil {
		at = map[string]counter{}
		l.counters[definition] = at
	}
	c := at[depth]
	if !c.begun {
		c = counter{v.start - 1, true}
	}
	c.value++
	at[depth] = c
	for deeper := range at {
		if len(deeper) == len(depth) && deeper > depth {
			delete(at, deeper)
		}
	}
}

var placeholder = regexp.MustCompile(`%[1-9]`)

// label writes the numbers of the levels that a level's text names, "%1.%2".
func (l look) label(definition, text string) string {
	return placeholder.ReplaceAllStringFunc(text, func(p string) string {
		depth := strconv.Itoa(int(p[1]-'0') - 1)
		v := l.levels[definition][depth]
		if v == nil {
			return ""
		}
		value := v.start
		if c := l.counters[definition][depth]; c.begun {
			value = c.value
		}
		return numeral(v.format, value)
	})
}

func numeral(format string, n int) string {
	switch format {
	case "lowerLetter":
		return strings.ToLower(alphabetic(n))
	case "upperLetter":
		return alphabetic(n)
	case "lowerRoman":
		return strings.ToLower(roman(n))
	case "upperRoman":
		return roman(n)
	case "decimalZero":
		if n < 10 {
			return "0" + strconv.Itoa(n)
		}
	}
	return strconv.Itoa(n)
}

// alphabetic goes on after Z with AA, BB, as word processors do.
func alphabetic(n int) string {
	if n < 1 || n > 26*26 {
		return strconv.Itoa(n)
	}
	return strings.Repeat(string(rune('A'+(n-1)%26)), (n-1)/26+1)
}

func roman(n int) string {
	if n < 1 || n > 3999 {
		return strconv.Itoa(n)
	}
	var b strings.Builder
	for _, r := range []struct {
		value int
		sign  string
	}{{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}} {
		for n >= r.value {
			b.WriteString(r.sign)
			n -= r.value
		}
	}
	return b.String()
}
