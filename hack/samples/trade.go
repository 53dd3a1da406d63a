package main

import (
	"maps"
	"strconv"
	"strings"
)

// trade is a supplier of mill stores: eight papers whose numbers differ by one
// digit, or that name each other, and price lists that replace each other.
func trade() Sample {
	var docs []Document
	for _, b := range bills() {
		docs = append(docs, b.document())
	}
	return Sample{Dir: "test/golden/invoices", Documents: append(docs, tradePapers()...)}
}

// toDesk are the fields of a paper for the sales desk, valid from a day on.
func toDesk(from string) map[string]any {
	return map[string]any{"groups": []string{"desk"}, "status": "published", "valid_from": from}
}

// bill is an invoice, or a credit note, of the supplier.
type bill struct {
	Kind, Number, Date, Due, Order string
	Customer                       []string
	Items                          []part
	Remark                         string
}

// part is one line of a bill.
type part struct {
	Number, What, Tariff string
	Quantity             int
	Price                paise
}

func (p part) value() paise { return paise(p.Quantity) * p.Price }

func (b bill) net() paise {
	var sum paise
	for _, p := range b.Items {
		sum += p.value()
	}
	return sum
}

func (b bill) total() paise { return b.net() + b.net().share(20) }

func (b bill) document() Document {
	t := Table{Rules: Lines, Columns: []Column{
		{"Line", 34, "L"}, {"Part No", 70, "L"}, {"Description", 170, "L"}, {"Tariff", 52, "L"}, {"Quantity", 56, "R"}, {"Unit Price", 64, "R"}, {"Line Value", 69, "R"},
	}}
	for i, p := range b.Items {
		t.Rows = append(t.Rows, record(strconv.Itoa(10*(i+1)), p.Number, p.What, p.Tariff, strconv.Itoa(p.Quantity), p.Price.western(), p.value().western()))
	}
	contents := []Block{
		Heading{1, b.Kind + " " + b.Number},
		Sides{
			Left:  append([]string{"Customer"}, b.Customer...),
			Right: []string{"Number: " + b.Number, "Date: " + b.Date, "Payment due: " + b.Due, "Customer order: " + b.Order},
		},
		t,
		Totals{{"Net value", b.net().western()}, {"VAT 20%", (b.total() - b.net()).western()}, {"Total GBP", b.total().western()}},
	}
	if b.Remark != "" {
		contents = append(contents, Prose(b.Remark))
	}
	fields := maps.Clone(toDesk(b.Date))
	return Document{
		Key: "sales/" + strings.ReplaceAll(b.Number, "/", "-") + ".pdf", Fields: fields,
		Look: Look{Head: "Acme Mill Supplies Ltd, Calder Wharf, Halifax"}, Contents: contents,
	}
}

func bills() []bill {
	heald := part{"HS-220", "Heald shaft 220 cm", "8448", 24, 86_40}
	reed := part{"RD-110", "Reed 110 dents", "8448", 12, 54_75}
	picker := part{"PK-07", "Picker, polymer", "8448", 150, 3_15}
	belt := part{"BT-31", "Drive belt 31 mm", "4010", 18, 41_20}
	oil := part{"OL-46", "Spindle oil 20 l", "2710", 6, 118_90}
	sleeve := part{"SL-12", "Rubber sleeve 12 mm", "4016", 200, 1_85}
	shuttle := part{"SH-05", "Shuttle, cornel wood", "8448", 10, 63_00}
	northgate := []string{"Northgate Looms Ltd", "Dean Clough", "Halifax HX3 5AX"}
	of := func(p part, quantity int) part { p.Quantity = quantity; return p }
	return []bill{
		{"Invoice", "ACM-24/0017", "2024-05-06", "2024-06-05", "NL-3301", northgate, []part{heald, reed, picker}, ""},
		{"Invoice", "ACM-24/0018", "2024-05-07", "2024-06-06", "NL-3301", northgate, []part{of(heald, 16), belt, of(picker, 90), oil},
			"This completes the delivery begun with invoice ACM-24/0017."},
		{"Invoice", "ACM-24/0071", "2024-07-22", "2024-08-21", "ES/24/118", []string{"Eastmoor Spinning Co", "Canal Road", "Bradford BD2 1AU"}, []part{sleeve, of(belt, 30), oil}, ""},
		{"Invoice", "ACM-24/0107", "2024-09-02", "2024-10-17", "PO 88017", []string{"Calder Finishing Ltd", "Mytholm Works", "Hebden Bridge HX7 6LJ"}, []part{of(heald, 8), of(belt, 12), shuttle, of(oil, 4), of(reed, 5)}, ""},
		{"Invoice", "ACM-24/0117", "2024-09-16", "2024-10-16", "HK-0117", []string{"Harrow Knitwear", "Station Approach", "Leicester LE1 2BB"}, []part{of(sleeve, 480), of(oil, 2)}, ""},
		{"Invoice", "ACM-24/0170", "2024-12-03", "2025-01-02", "BD-7100", []string{"Brightwater Dyeing Ltd", "Weir Lane", "Huddersfield HD1 4QP"},
			[]part{of(belt, 9), of(sleeve, 75), of(oil, 11), of(picker, 40), of(reed, 3), of(shuttle, 2), of(heald, 1)}, ""},
		{"Invoice", "ACM-42/0017", "2024-05-09", "2024-07-08", "PC/17", []string{"Pennine Carpets", "Shay Lane", "Halifax HX2 9AB"}, []part{of(heald, 24), of(reed, 14), of(picker, 150)}, ""},
		{"Credit Note", "ACM-24/0017-R", "2024-05-28", "2024-06-05", "NL-3301", northgate, []part{of(picker, 60)},
			"Sixty pickers of invoice ACM-24/0017 came back unused; their value is credited."},
	}
}
