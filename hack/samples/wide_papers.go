package main

func overtimeRules() Document {
	return Document{
		Key: "papers/Overtime_Rules.pdf", Title: "Overtime Rules", Fields: toWages(), Look: Look{Font: "Times", Size: 11.5},
		Contents: []Block{
			Heading{1, "Overtime Rules"},
			Heading{2, "Ordinary days"},
			Prose("Work beyond nine hours in a day or forty-eight in a week is paid at twice the ordinary rate. It is ordered by the shift in-charge beforehand; time stayed on one's own account is not counted."),
			Heading{2, "Closed days"},
			Prose("Whoever is called in on a national or festival holiday receives double wages for the day, and a substitute day off within thirty days."),
			Heading{2, "Limits"},
			Prose("No one works more than fifty hours of overtime in a quarter. The wages office stops the clock card of anyone who comes near it."),
		},
	}
}

func wageRules() Document {
	return Document{
		Key: "papers/Wage_Payment_Rules.pdf", Title: "Wage Payment Rules", Fields: toWages(), Look: Look{Font: "Times", Size: 11.5},
		Contents: []Block{
			Heading{1, "Wage Payment Rules"},
			Heading{2, "Date of payment"},
			Prose("Wages for a month are credited to the bank not later than the seventh day of the month that follows. When the seventh is a bank holiday, the credit is made on the day before."),
			Heading{2, "Advances"},
			Prose("Half a month's wages may be drawn in advance once a year, and are recovered in four equal parts. A second advance needs the works manager's signature."),
			Heading{2, "Wrong payments"},
			Prose("Whoever finds a mistake on the wage slip reports it to the wages office within ten days. Money paid too much is recovered with the next wages, in no more than three parts; money paid too little is made good within two working days."),
		},
	}
}

// worksLetter speaks of numbers of people that are not those of the sheets.
func worksLetter() Document {
	return Document{
		Key: "papers/Works_Letter_July_2025.pdf", Fields: toWages(), Look: Look{Font: "Times", Size: 11.5},
		Contents: []Block{
			Heading{1, "Works Letter, July 2025"},
			Prose("With some forty employees the works has become the largest in the lane. In July 2025 thirty-nine of them came to the works day, bringing sixty guests, and twenty-five employees of the weaving shed took part in the tug of war against Packing, who lost."),
			Prose("The wages office reminds everyone that wage sheets are confidential. Copies that are left lying in the canteen will be shredded, whoever's they are."),
		},
	}
}

func directors() Document {
	return Document{
		Key: "directors/Directors_Remuneration_July_2025.pdf", Title: "Directors' Remuneration July 2025",
		Fields: map[string]any{"groups": []string{"directors"}, "status": "published"},
		Contents: []Block{
			Heading{1, "Directors' Remuneration July 2025"},
			Table{Rules: Lines, Columns: []Column{{"Director", 150, "L"}, {"Office", 150, "L"}, {"Paid in July (INR)", 120, "R"}}, Rows: []Row{
				record("Kaveri Ammal", "Managing director", "2,40,000.00"),
				record("Senthil Nathan", "Works director", "1,85,500.00"),
			}},
		},
	}
}
