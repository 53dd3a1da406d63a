package main

// freight is the desk of Crosstie Freight, a brokerage that doesn't exist: what it
// agreed with three customers and with its carriers, what became of three loads and
// two carrier invoices, and the procedures it works by. Whose paper it is stands in
// the metadata: a customer, a carrier, several of them, or "all".
func freight() Sample {
	var docs []Document
	docs = append(docs, freightContracts()...)
	docs = append(docs, carrierAgreement())
	docs = append(docs, freightLoads()...)
	docs = append(docs, carrierInvoices()...)
	docs = append(docs, freightProcedures()...)
	return Sample{Dir: "config/samples/freight", Documents: docs}
}

// filed sets a paper of the desk under its title. Of is whose it is: a string, or
// several.
func filed(kind, name, title string, of any, look Look, contents ...Block) Document {
	look.Numbered = true
	return Document{
		Key: kind + "s/" + name + ".pdf", Title: title, Look: look,
		Fields:   map[string]any{"customer": of, "doc_type": kind},
		Contents: append([]Block{Heading{1, title}}, contents...),
	}
}

// Clause is a heading as contracts have it: a number, bold, and no larger than
// the text below it.
type Clause string

func (c Clause) lines() []string { return []string{string(c)} }

func (c Clause) draw(p *press) {
	size := p.look.Size
	p.need(4 * size) // never alone at the foot of a page
	p.y += size * 0.6
	p.font("B", size)
	p.y += size
	p.pdf.Text(marginX, p.y, p.encode(string(c)))
	p.y += size * 0.3
}

// stops is the table of a load's stops.
func stops(rows ...Row) Table {
	return Table{Rules: Grid, Rows: rows, Columns: []Column{
		{"Stop", 36, "L"}, {"Place", 150, "L"}, {"Appointment", 105, "L"}, {"Arrived", 80, "L"}, {"Departed", 80, "L"},
	}}
}

// charges is a table of amounts, with their total in the last row.
func charges(rows ...Row) Table {
	return Table{Rules: Lines, Rows: rows, Columns: []Column{
		{"Charge", 150, "L"}, {"Basis", 210, "L"}, {"Amount", 90, "R"},
	}}
}
