package main

// Heading titles what follows; level 1 is the document's title.
type Heading struct {
	Level int
	Text  string
}

func (h Heading) lines() []string { return []string{h.Text} }

func (h Heading) draw(p *press) {
	size := map[int]float64{1: p.look.Size + 6, 2: p.look.Size + 2.5, 3: p.look.Size + 1}[h.Level]
	p.need(4 * size) // never alone at the foot of a page
	if p.y > marginTop {
		p.y += size * 0.7
	}
	p.font("B", size)
	p.y += size
	p.pdf.Text(marginX, p.y, p.encode(h.Text))
	p.y += size * 0.6
}

// Prose is one paragraph.
type Prose string

func (t Prose) lines() []string { return []string{string(t)} }

func (t Prose) draw(p *press) {
	p.font("", p.look.Size)
	p.flow(string(t), 0)
	p.y += p.look.Size * 0.7
}

// flow sets a text line by line, indented.
func (p *press) flow(text string, indent float64) {
	leading := p.look.Size * 1.35
	for _, l := range p.wrap(text, p.width-indent) {
		if p.need(leading) {
			p.font("", p.look.Size)
		}
		p.y += leading
		p.pdf.Text(marginX+indent, p.y, l)
	}
}

// Points is a list with bullets.
type Points []string

func (t Points) lines() []string { return t }

func (t Points) draw(p *press) {
	for _, s := range t {
		p.font("", p.look.Size)
		p.need(p.look.Size * 1.35)
		p.pdf.Text(marginX+8, p.y+p.look.Size*1.35, p.encode("•"))
		p.flow(s, 22)
	}
	p.y += p.look.Size * 0.7
}

// Sides sets two groups of short lines beside each other, as on an invoice.
type Sides struct{ Left, Right []string }

func (s Sides) lines() []string { return append(append([]string{}, s.Left...), s.Right...) }

func (s Sides) draw(p *press) {
	leading := p.look.Size * 1.4
	n := max(len(s.Left), len(s.Right))
	p.need(float64(n) * leading)
	p.font("", p.look.Size)
	for i, side := range [][]string{s.Left, s.Right} {
		x := marginX + float64(i)*p.width*0.58
		for j, l := range side {
			p.pdf.Text(x, p.y+float64(j+1)*leading, p.encode(l))
		}
	}
	p.y += float64(n)*leading + p.look.Size
}

// Totals sets labels and amounts at the right edge, below an invoice's lines.
type Totals [][2]string

func (t Totals) lines() []string {
	var out []string
	for _, l := range t {
		out = append(out, l[0]+" "+l[1])
	}
	return out
}

func (t Totals) draw(p *press) {
	leading := p.look.Size * 1.5
	p.need(float64(len(t)) * leading)
	for i, l := range t {
		style := ""
		if i == len(t)-1 {
			style = "B"
		}
		p.font(style, p.look.Size)
		p.y += leading
		p.put(marginX+p.width-220, p.y, 120, "L", p.encode(l[0]))
		p.put(marginX+p.width-100, p.y, 96, "R", p.encode(l[1]))
	}
	p.y += p.look.Size
}
