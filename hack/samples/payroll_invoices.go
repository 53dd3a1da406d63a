package main

import "strconv"

// item is one line of an invoice.
type item struct {
	What, HSN, Unit string
	Qty             int
	Rate            paise
}

func (i item) amount() paise { return paise(i.Qty) * i.Rate }

// saleInvoice is one invoice of the mill.
type saleInvoice struct {
	File, Number, Date, Due, Order string
	Customer                       []string // name and address, a line each
	GSTIN, Place                   string
	Items                          []item
}

func payrollInvoices() []Document {
	towel := item{"Terry bath towel 450 gsm", "6302", "pcs", 1200, rupees(185)}
	sheet := item{"Cotton bed sheet 180 TC", "6302", "pcs", 640, rupees(410)}
	return []Document{
		saleInvoice{
			File: "Invoice_INV2025001_Arvind", Number: "STL/2025-26/001", Date: "04-04-2025", Due: "04-05-2025", Order: "AGP/PO/7718",
			Customer: []string{"Arvind Garments Pvt Ltd", "14 Naroda Road", "Ahmedabad 380025"}, GSTIN: "24AAGCA7718M1Z4", Place: "Gujarat (24)",
			Items: []item{
				{"Grey cotton fabric 60 in", "5208", "m", 4200, rupees(96)},
				{"Dyed poplin 58 in", "5208", "m", 1850, rupees(142)},
				{"Combed yarn 40s", "5205", "kg", 500, rupees(318)},
			},
		}.document(),
		saleInvoice{
			File: "Invoice_INV2025002_Trident", Number: "STL/2025-26/002", Date: "11-04-2025", Due: "26-05-2025", Order: "THL-25-0442",
			Customer: []string{"Trident Home Linen Ltd", "Plot 9, Raikot Road", "Ludhiana 141008"}, GSTIN: "03AABCT0442K1ZP", Place: "Punjab (03)",
			Items: []item{towel, sheet, {"Combed yarn 30s", "5205", "kg", 750, rupees(296)}},
		}.document(),
		saleInvoice{
			File: "Invoice_INV2025003_Welspun", Number: "STL/2025-26/003", Date: "18-04-2025", Due: "02-06-2025", Order: "WHF/2025/1193",
			Customer: []string{"Welspun Home Furnishings Ltd", "Survey 76, Morai", "Vapi 396191"}, GSTIN: "24AAFCW1193R1Z8", Place: "Gujarat (24)",
			Items: []item{
				{"Terry bath towel 450 gsm", "6302", "pcs", 2000, rupees(182)},
				{"Terry hand towel 400 gsm", "6302", "pcs", 3500, rupees(64)},
				{"Cotton bed sheet 180 TC", "6302", "pcs", 300, rupees(415)},
				{"Grey cotton fabric 60 in", "5208", "m", 1100, rupees(97)},
			},
		}.document(),
	}
}

func (v saleInvoice) document() Document {
	return Document{
		Key: "invoices/" + v.File + ".pdf", Title: "Tax Invoice " + v.Number, Fields: toHR(),
		Contents: []Block{
			Heading{1, "Tax Invoice"},
			Prose("Sangam Textiles Limited, 21 Avinashi Road, Tiruppur 641602. GSTIN 33AAECS2025Q1ZD."),
			Sides{
				Left:  append([]string{"Bill To:"}, append(v.Customer, "GSTIN: "+v.GSTIN)...),
				Right: []string{"Invoice No: " + v.Number, "Invoice Date: " + v.Date, "Due Date: " + v.Due, "Buyer's Order: " + v.Order, "Place of Supply: " + v.Place},
			},
			v.table(),
			Prose("Payment by NEFT to Sangam Textiles Limited, Indian Bank, Tiruppur Main. Interest of 1.5 per cent a month runs on overdue amounts. Goods once cut are not taken back."),
		},
	}
}

// table has the tax and the total as its last rows, under Amount.
func (v saleInvoice) table() Table {
	t := Table{Rules: Grid, Columns: []Column{
		{"S.No", 40, "C"}, {"Description", 170, "L"}, {"HSN", 48, "C"}, {"Qty", 54, "R"}, {"Unit", 38, "C"}, {"Rate", 70, "R"}, {"Amount", 95, "R"},
	}}
	var taxable paise
	for i, it := range v.Items {
		taxable += it.amount()
		t.Rows = append(t.Rows, record(strconv.Itoa(i+1), it.What, it.HSN, strconv.Itoa(it.Qty), it.Unit,
			it.Rate.indianDecimals(), it.amount().indianDecimals()))
	}
	igst := taxable.share(5)
	for _, s := range []struct {
		label string
		value paise
	}{{"Taxable value", taxable}, {"IGST 5%", igst}, {"Invoice total", taxable + igst}} {
		t.Rows = append(t.Rows, summary("", s.label, "", "", "", "", s.value.indianDecimals()))
	}
	return t
}
