package pdftest

import "fmt"

// Look is how a register is printed.
type Look struct {
	RowRules    bool // a rule under every row
	ColumnRules bool
	HeaderRule  bool // a rule under the names alone
	BoldHeader  bool
	Bands       bool // every second row shaded, the names on black
	Repeat      bool // the names again on every page
}

// Columns of a register: left edges in points, and whether amounts stand at the right.
var (
	columnEdges = [...]float64{40, 95, 205, 320, 400, 470, 540, 620, 690}
	columnRight = [...]bool{false, false, false, false, true, true, true, true}
)

const (
	registerTop = 110 // of the first row
	rowHeight   = 18
	rowsOnPage  = 24
	typeSize    = 9
)

// RegisterHeader names the columns.
func RegisterHeader() []string {
	return []string{"Emp ID", "Name", "Designation", "Dept", "Basic", "HRA", "PF", "Gross"}
}

// RegisterRows makes n employees, the same ones every time.
func RegisterRows(n int) [][]string {
	names := []string{"Rajesh Kumar M", "Priya Sundaram", "Murugan K", "Lakshmi N", "Selvam R", "Karthik P", "Anitha D"}
	titles := []string{"CFO", "Finance Mgr", "Sr Accountant", "Accounts Asst", "Production Mgr", "Supervisor"}
	depts := []string{"Accounts", "Mill", "Stores", "Admin"}
	out := make([][]string, n)
	for i := range out {
		basic := 9000 + (i*i*370)%66000
		hra, pf := basic*4/10, basic*12/100
		out[i] = []string{fmt.Sprintf("ST%03d", i+1), names[i%len(names)], titles[i%len(titles)], depts[i%len(depts)],
			amount(basic), amount(hra), amount(pf), amount(basic + hra)}
	}
	return out
}

func amount(n int) string { return fmt.Sprintf("%d,%03d", n/1000, n%1000) }

// Register prints a register on as many pages as it needs, with a title, a
// sentence above, and a footer with the page number.
func (f *File) Register(title string, rows [][]string, look Look) {
	for start := 0; start == 0 || start < len(rows); start += rowsOnPage {
		p := f.A4Landscape()
		number := len(f.Pages)
		if start == 0 {
			p.Text(40, 60, 16, Bold, title)
			p.Text(40, 85, typeSize, Regular, "All amounts are in rupees and include arrears.")
		}
		part := rows[start:min(len(rows), start+rowsOnPage)]
		printed := part
		named := start == 0 || look.Repeat
		if named {
			printed = append([][]string{RegisterHeader()}, part...)
		}
		p.register(printed, named, look)
		p.Text(40, 575, 8, Regular, "Sri Textiles Ltd - Confidential")
		p.Right(690, 575, 8, Regular, fmt.Sprintf("Page %d", number))
	}
}

func (p *Page) register(rows [][]string, named bool, look Look) {
	left, right := columnEdges[0], columnEdges[len(columnEdges)-1]
	bottom := registerTop + float64(len(rows))*rowHeight
	for i, row := range rows {
		top := registerTop + float64(i)*rowHeight
		font, header := Regular, named && i == 0
		if header && look.BoldHeader {
			font = Bold
		}
		if look.Bands && (header || i%2 == 0) {
			gray := 0.85
			if header {
				gray = 0
			}
			p.Shade(left, top, right, top+rowHeight, gray)
		}
		if look.Bands && header {
			p.Raw("1 g")
		}
		for k, text := range row {
			if columnRight[k] {
				p.Right(columnEdges[k+1]-4, top+12, typeSize, font, text)
			} else {
				p.Text(columnEdges[k]+4, top+12, typeSize, font, text)
			}
		}
		if look.Bands && header {
			p.Raw("0 g")
		}
		if look.RowRules || look.HeaderRule && header {
			p.Rule(left, top+rowHeight, right, top+rowHeight)
		}
	}
	if look.RowRules || look.ColumnRules {
		p.Rule(left, registerTop, right, registerTop)
		p.Rule(left, bottom, right, bottom)
	}
	if look.ColumnRules {
		for _, x := range columnEdges {
			p.Rule(x, registerTop, x, bottom)
		}
	}
}
