package layout

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// Running headers and footers are lines in the page's margins that come back,
// word for word but for a page number, at the same height.
const (
	marginPart   = 0.12 // of the page's height at either end
	runningDrift = 3.0  // points of difference in height
	runningShare = 0.6  // of the pages
	runningLeast = 2    // pages
	runningLine  = 2    // fragments; more without a page number are a row of a table
	runningGapEm = 1.6  // distance of baselines to the body, at least …
	runningPitch = 1.25 // … and wider than lines on the page stand apart: rows of a table do not
)

// pageCounter finds a page number: "Page 3", "3 of 12", or a number alone. Any
// other number that grows from page to page is content: payslip 17, 18, 19.
var pageCounter = regexp.MustCompile(`(?i)\b(page|pg\.?|p\.)\s*(no\.?\s*)?\d+|^\W*\d+\W*$|\b\d+\s*(of|/)\s*\d+\b`)

// marginal is a line in a page's margin.
type marginal struct {
	line    Line
	text    string // digits replaced
	numbers []int
	row     bool // could be a row of a table
	counter bool // holds a page number
	apart   bool // whitespace separates it from what is nearer to the body
}

// onlyPage is what a document of one page says of its number: "Page 1 of 1",
// "1/1". A number alone could be a total.
var onlyPage = regexp.MustCompile(`(?i)^\W*(?:page|pg\.?|p\.)?\s*(?:no\.?\s*)?1\s*(?:of|/)\s*1\W*$`)

// FindRunning marks the running headers and footers of pages near each other
// in one document. At the top of its first page a line without a page number
// is its title, and stays. Where nothing can come back because there is one page,
// only its number is known to be no text.
func FindRunning(pages []*Page) {
	if len(pages) == 1 {
		pages[0].markNumber()
	}
	if len(pages) < runningLeast {
		return
	}
	tops, bottoms := make([][]marginal, len(pages)), make([][]marginal, len(pages))
	for i, p := range pages {
		tops[i], bottoms[i] = p.margins()
	}
	for i, p := range pages {
		for _, m := range runningAt(pages, tops, i) {
			if p.Number > 1 || m.counter {
				p.mark(&m.line)
			}
		}
		for _, m := range runningAt(pages, bottoms, i) {
			p.mark(&m.line)
		}
	}
}

// markNumber marks the outermost line of either margin where it says that this is
// the only page.
func (p *Page) markNumber() {
	top, bottom := p.margins()
	for _, edge := range [][]marginal{top, bottom} {
		if len(edge) > 0 && edge[0].apart && p.Number == 1 && onlyPage.MatchString(edge[0].line.Text()) {
			p.mark(&edge[0].line)
		}
	}
}

// runningAt returns the running lines in one margin of page i, from the edge inward.
func runningAt(pages []*Page, margins [][]marginal, i int) []marginal {
	need := max(runningLeast, int(math.Ceil(runningShare*float64(len(pages)))))
	n := 0 // lines that are running for certain
	for k, m := range margins[i] {
		same := 1
		for j, q := range pages {
			if j != i && m.repeats(margins[j], q.Number-pages[i].Number) {
				same++
			}
		}
		if same < need || m.row && !m.counter {
			break
		}
		if m.apart || m.counter {
			n = k + 1
		}
	}
	return margins[i][:n]
}

// margins returns the lines in the page's margins, from the edges inward.
func (p *Page) margins() (top, bottom []marginal) {
	if !p.margined {
		p.top, p.bottom = p.findMargins()
		p.margined = true
	}
	return p.top, p.bottom
}

func (p *Page) findMargins() (top, bottom []marginal) {
	_, h := p.Frame.Size()
	low, high := marginPart*h, (1-marginPart)*h
	lines := p.gathered.lines(p.gs.pick(Rightward, nil))
	var pitches []float64
	for i := 1; i < len(lines); i++ {
		pitches = append(pitches, lines[i].Base-lines[i-1].Base)
	}
	if len(pitches) == 0 {
		return nil, nil
	}
	pitch := median(pitches)
	for i := 0; i < len(lines) && lines[i].Base < low; i++ {
		inward := math.Inf(1)
		if i+1 < len(lines) {
			inward = lines[i+1].Base - lines[i].Base
		}
		top = append(top, newMarginal(lines[i], inward, pitch))
	}
	for i := len(lines) - 1; i >= 0 && lines[i].Base > high; i-- {
		inward := math.Inf(1)
		if i > 0 {
			inward = lines[i].Base - lines[i-1].Base
		}
		bottom = append(bottom, newMarginal(lines[i], inward, pitch))
	}
	return top, bottom
}

func newMarginal(l Line, inward, pitch float64) marginal {
	m := marginal{line: l, apart: inward >= math.Max(runningGapEm*l.Size, runningPitch*pitch)}
	m.text, m.numbers = skeleton(l.Text())
	fs := l.fragments()
	m.row = len(fs) > runningLine
	for i := range fs {
		m.counter = m.counter || pageCounter.MatchString(fs[i].Text())
	}
	return m
}

// repeats reports whether a line comes back in the margin of a page so many
// pages on. One number of a line with a page number may count the pages; all
// others must stay as they are, so that rows which differ in their amounts are
// never running lines.
func (m *marginal) repeats(others []marginal, pages int) bool {
	for i := range others {
		o := &others[i]
		if o.text != m.text || math.Abs(o.line.Base-m.line.Base) > runningDrift {
			continue
		}
		counters, ok := 0, true
		for k, v := range m.numbers {
			switch o.numbers[k] - v {
			case 0:
			case pages:
				counters++
			default:
				ok = false
			}
		}
		if ok && (counters == 0 || counters == 1 && m.counter) {
			return true
		}
	}
	return false
}

// skeleton replaces the numbers of a text and returns them beside it.
func skeleton(text string) (string, []int) {
	var b strings.Builder
	var numbers []int
	rs := []rune(strings.ToLower(text))
	for i := 0; i < len(rs); {
		if !unicode.IsDigit(rs[i]) {
			b.WriteRune(rs[i])
			i++
			continue
		}
		j := i
		for j < len(rs) && unicode.IsDigit(rs[j]) {
			j++
		}
		n, err := strconv.Atoi(string(rs[i:j]))
		if err != nil { // too long for a page number, or not ASCII: compare as text
			b.WriteString(string(rs[i:j]))
		} else {
			b.WriteByte('#')
			numbers = append(numbers, n)
		}
		i = j
	}
	return b.String(), numbers
}

func (p *Page) mark(l *Line) {
	for i := range l.Words {
		for _, k := range l.Words[i].glyphs {
			p.running[k] = true
		}
	}
}
