package main

import "maps"

func tradePapers() []Document {
	return []Document{
		priceList("2023", "2023-04-01", "2024-04-01", "81.90", "51.30", "2.95"),
		priceList("2024", "2024-04-01", "", "86.40", "54.75", "3.15"),
		termsOfSale(),
		creditWatch(),
	}
}

func priceList(year, from, to, heald, reed, picker string) Document {
	fields := maps.Clone(toDesk(from))
	if to != "" {
		fields["valid_to"] = to
	}
	return Document{
		Key: "lists/Price_List_" + year + ".pdf", Title: "Price List", Fields: fields, Look: Look{Size: 11},
		Contents: []Block{
			Heading{1, "Price List"},
			Prose("In pounds sterling, without value added tax, ex works Halifax."),
			Table{Rules: Grid, Columns: []Column{{"Part No", 90, "L"}, {"Description", 200, "L"}, {"Unit Price", 90, "R"}, {"Least Order", 90, "R"}}, Rows: []Row{
				record("HS-220", "Heald shaft 220 cm", heald, "4"),
				record("RD-110", "Reed 110 dents", reed, "2"),
				record("PK-07", "Picker, polymer", picker, "25"),
			}},
		},
	}
}

func termsOfSale() Document {
	return Document{
		Key: "terms/Terms_of_Sale.pdf", Title: "Terms of Sale", Fields: toDesk("2020-01-01"), Look: Look{Font: "Times", Size: 11},
		Contents: []Block{
			Heading{1, "Terms of Sale"},
			Heading{2, "Payment"},
			Prose("Invoices are payable within the time printed on them. On overdue sums we charge eight per cent a year above the bank's base rate, reckoned by the day."),
			Heading{2, "Complaints"},
			Prose("Breakages and shortages are to be notified to us in writing within seven days of arrival, with the packing kept for inspection. Faults that could not be seen on arrival are notified within a year."),
			Heading{2, "Returns"},
			Prose("Unused stock parts are taken back within sixty days against a handling charge of ten per cent. The buyer bears the carriage of whatever is sent back, unless we supplied the wrong part."),
			Heading{2, "Title"},
			Prose("Goods stay our property until every invoice of the buyer has been settled."),
		},
	}
}

func creditWatch() Document {
	fields := maps.Clone(toDesk("2024-01-01"))
	fields["groups"] = []string{"credit"}
	return Document{
		Key: "credit/Credit_Watch_2024.pdf", Title: "Credit Watch 2024", Fields: fields,
		Contents: []Block{
			Heading{1, "Credit Watch 2024"},
			Table{Rules: Aligned, Columns: []Column{{"Customer", 170, "L"}, {"Credit Limit", 100, "R"}, {"Standing", 100, "L"}}, Rows: []Row{
				record("Northgate Looms Ltd", "12,000.00", "Good"),
				record("Calder Finishing Ltd", "3,500.00", "Watch"),
				record("Pennine Carpets", "8,000.00", "Good"),
			}},
			Prose("Calder Finishing Ltd asked twice for more time in 2024; its credit limit is not to be raised before March."),
		},
	}
}
