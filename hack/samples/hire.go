package main

// hire is the counter of Quarryside Hire, a firm that doesn't exist and lets out
// diggers, pumps and lighting: what it agreed with two customers and with the yards
// that it hires from itself, the records of three hires, one yard's invoice, and
// the rules of the counter. Its letters are what people really send: a subject, a
// greeting, a story, a question, a name.
func hire() Sample {
	look := Look{Size: 10, Head: "Quarryside Hire – hire desk"}
	return Sample{Dir: "test/golden/emails", Documents: []Document{
		filed("agreement", "alder-agreement", "Alder Builders agreement", "alder", look, alder()...),
		filed("agreement", "brackley-agreement", "Brackley Council agreement", "brackley", look, brackley()...),
		filed("agreement", "yard-terms", "Terms for supplying yards", []string{"ferris", "moxon"}, look, yardTerms()...),
		filed("record", "hire-hr-5021", "Hire record HR-5021", "alder", look, hire5021()...),
		filed("record", "hire-hr-5034", "Hire record HR-5034", "brackley", look, hire5034()...),
		filed("record", "yard-invoice-yi-3308", "Yard invoice YI-3308", "ferris", look, yard3308()...),
		filed("rule", "transport-rules", "Transport and waiting", "all", look, transportRules()...),
		filed("rule", "machine-rules", "Breakdown, damage and fuel", "all", look, machineRules()...),
		filed("rule", "account-rules", "Accounts and quotations", "all", look, accountRules()...),
	}}
}

func alder() []Block {
	return []Block{
		Heading{2, "Scope and length"},
		Prose("Quarryside Hire Ltd supplies plant to Alder Builders Ltd of Derby from 1 February 2026 for three years. Either side may leave on 90 days’ written notice, and hires that are running then go on to their end."),
		Heading{2, "Weekly rates"},
		Prose("A week is five working days. A machine kept over the weekend for use is charged at six days."),
		Table{Rules: Grid, Columns: []Column{{"Machine", 220, "L"}, {"Per week", 90, "R"}}, Rows: []Row{
			record("3 t excavator", "£310.00"), record("Site dumper, 1 t", "£165.00"), record("Lighting tower", "£140.00"),
		}},
		Heading{2, "Payment"},
		Prose("Alder pays each invoice within 28 days of its date by bank transfer. Interest of 2 percent a month may be added to sums that are late. There is no rebate for paying early."),
		Heading{2, "Ending a hire"},
		Prose("A hire ends when Alder telephones or writes and is given an off-hire number; the machine is then collected within three working days and nothing is charged for these. Without a number the hire goes on, whoever was told on site."),
		Heading{2, "Loss and theft"},
		Prose("Alder bears the loss of a machine up to £8,000 for each event where it was chained and locked overnight, and up to the price of a new one where it was not. A theft is reported to the police and to Quarryside within 24 hours."),
	}
}

func brackley() []Block {
	return []Block{
		Heading{2, "Scope and length"},
		Prose("This framework lets the highways service of Brackley Council order plant and lighting from Quarryside Hire Ltd. It is in force from 1 April 2025 until 31 March 2029 and binds the council to no volume."),
		Heading{2, "Payment"},
		Prose("The council pays 40 days after receiving a correct invoice that quotes its purchase order. An invoice without the order is sent back and the days begin anew."),
		Heading{2, "Out of hours"},
		Prose("The night desk answers at all hours. A machine ordered before 20:00 for an emergency on the road is on site within four hours, for which the council pays a call-out of £95.00 beside the hire."),
		Heading{2, "Loss and theft"},
		Prose("The council bears the loss of a machine up to £5,000 for each event. A theft is reported to the police and to Quarryside within 48 hours, and hire stops on the day of the report."),
		Heading{2, "Operators"},
		Prose("Only persons with a valid card for the class of machine may drive it. Where Quarryside sends an operator, the council pays £32.00 for each hour on site, eight hours at least, and lodging is arranged and paid by Quarryside."),
	}
}

func yardTerms() []Block {
	return []Block{
		Clause("1. Orders"),
		Prose("A yard supplies against a written order only. The order’s rate is all that is paid, and an extra that nobody ordered in writing is struck off the invoice."),
		Clause("2. Waiting at our sites"),
		Prose("A yard’s lorry that has to wait at a site earns £34.00 an hour after the first hour, counted by quarter hours, and not more than £170.00 a visit. The site’s foreman signs the times; without the signature nothing is paid."),
		Clause("3. Invoices"),
		Prose("Invoices go to ledger@quarryside.example with order and signed delivery note. A complete invoice is paid after 42 days. A yard that wants its money sooner is paid within three working days less 3 percent."),
		Clause("4. Orders withdrawn"),
		Prose("Where an order is withdrawn after the yard’s lorry has left, the yard receives £130.00 for the run and no hire. Where it is withdrawn earlier, the yard receives nothing."),
		Clause("5. Insurance"),
		Prose("A yard keeps £5,000,000 of public liability insurance and sends the certificate every January. A yard whose certificate has run out gets no orders."),
	}
}

func hire5021() []Block {
	return []Block{
		Heading{2, "Hire details"},
		Sides{
			Left:  []string{"Hire: HR-5021", "Customer: Alder Builders", "Site: Mill Lane, Belper", "Machine: 3 t excavator"},
			Right: []string{"Order: AB-1177", "Delivered: 7 September 2026", "Off-hire number: 60418", "Counter: Ruth Okafor"},
		},
		Heading{2, "Deliveries and times"},
		Table{Rules: Grid, Columns: []Column{{"Visit", 90, "L"}, {"Booked", 120, "L"}, {"Arrived", 80, "L"}, {"Left", 80, "L"}}, Rows: []Row{
			record("Delivery", "7 Sep 2026 08:00", "07:50", "11:45"), record("Collection", "18 Sep 2026 13:00", "13:10", "13:40"),
		}},
		Prose("Waiting at the delivery: the gate was locked, so the lorry stood from 08:00 to 11:45, which is 3 h 45 min. Less the free hour, 2 h 45 min are charged. The site foreman signed the sheet. At the collection there was no waiting."),
		Heading{2, "Charges"},
		Table{Rules: Lines, Columns: []Column{{"Charge", 150, "L"}, {"Basis", 210, "L"}, {"Amount", 90, "R"}}, Rows: []Row{
			record("Hire", "2 weeks at £310.00", "£620.00"), record("Transport", "Both ways, up to 20 miles", "£110.00"),
			record("Waiting, delivery", "2 h 45 min at £48.00 an hour", "£132.00"), record("Diesel", "Topped up, 30 litres at £1.90", "£57.00"), summary("Total", "", "£919.00"),
		}},
		Prose("Billed on 21 September 2026 on our invoice Q-20771."),
	}
}

func hire5034() []Block {
	return []Block{
		Heading{2, "Hire details"},
		Sides{
			Left:  []string{"Hire: HR-5034", "Customer: Brackley Council", "Site: A43, junction 2", "Machine: four lighting towers"},
			Right: []string{"Order: BC-88-310", "Delivered: 2 October 2026", "Off-hire number: none so far", "Counter: Tom Varley"},
		},
		Heading{2, "Deliveries and times"},
		Table{Rules: Grid, Columns: []Column{{"Visit", 90, "L"}, {"Booked", 120, "L"}, {"Arrived", 80, "L"}, {"Left", 80, "L"}}, Rows: []Row{
			record("Delivery", "2 Oct 2026 21:00", "20:55", "04:30"),
		}},
		Prose("Waiting at the delivery: the lane closure was late, and the lorry stood from 21:00 to 04:30, which is 7 h 30 min. Less the free hour that is 6 h 30 min, which at the hourly price would be £312.00; it was charged at the most for one visit, £240.00."),
		Heading{2, "Faults reported"},
		Prose("Tower 3 went dark on 9 October 2026 because its fuel filter was blocked with dirt. The filter was changed the next morning and one day’s hire was credited."),
	}
}

func yard3308() []Block {
	return []Block{
		Heading{2, "Lines invoiced"},
		Sides{Left: []string{"Ferris Plant Yard", "Hire: HR-5021"}, Right: []string{"Invoice: YI-3308", "Dated: 22 September 2026"}},
		Table{Rules: Lines, Columns: []Column{{"Charge", 150, "L"}, {"Basis", 210, "L"}, {"Amount", 90, "R"}}, Rows: []Row{
			record("Lorry hire", "Two runs", "£280.00"), record("Waiting", "2 h 45 min at £34.00 an hour", "£93.50"),
			record("Wash-down", "Machine cleaned", "£40.00"), summary("Invoice total", "", "£413.50"),
		}},
		Heading{2, "Settlement"},
		Prose("Paid on 3 November 2026: £373.50. Struck off: £40.00, because the wash-down was not ordered in writing. Order and delivery note were complete."),
		Prose("Ferris was told on 3 November and may send the order, if there is one, until 3 December 2026."),
	}
}

func transportRules() []Block {
	return []Block{
		Heading{2, "Waiting time"},
		Prose("Each delivery or collection includes one free hour on site. Beyond it, waiting is charged to the customer at £48.00 an hour, counted by quarter hours and at most £240.00 for one visit. The clock runs from the booked time, or from the lorry’s arrival if that is later, until the sheet is signed."),
		Prose("Where the lorry comes late, the free hour begins when it is at the gate. Machines that the customer fetches with its own vehicle have no waiting."),
		Heading{2, "Prices of transport"},
		Table{Rules: Grid, Columns: []Column{{"Service", 170, "L"}, {"Unit", 180, "L"}, {"Price", 80, "R"}}, Rows: []Row{
			record("Delivery", "Each way, up to 20 miles", "£55.00"), record("Aborted visit", "Each, when nobody opens", "£70.00"),
			record("Saturday visit", "Each, on top of the way", "£45.00"), record("Road plates", "Each plate, per week", "£9.50"),
		}},
		Heading{2, "Moving a booking"},
		Prose("A delivery may be moved or cancelled without cost until noon of the working day before. After that, and as long as the lorry has not left, half of the way is charged; once it has left, the whole way and the aborted visit are."),
	}
}

func machineRules() []Block {
	return []Block{
		Heading{2, "Breakdowns"},
		Prose("A machine that fails is reported by telephone at once. A fitter comes within four working hours, and if the machine cannot be mended on the day it is exchanged. Hire is not charged from the report until it works again, unless the wrong fuel, overloading or missing grease was the cause."),
		Heading{2, "Damage"},
		Prose("Damage beyond fair wear is shown to the customer in photographs within five working days of the collection, with the price of the repair. The customer may have its own fitter look at the machine within seven days of being told; after that the repair is done and billed."),
		Prose("The following is sent when damage is disputed:"),
		Points{"the hire number and the number of the machine;", "the sheet that was signed at the collection;", "photographs taken on site before the machine left;", "the name of whoever last used it."},
		Heading{2, "Fuel and cleaning"},
		Prose("Machines go out with a full tank and come back with one; what is missing is topped up at £1.90 a litre. A machine that comes back caked in concrete or clay is cleaned for £85.00."),
		Heading{2, "Asbestos and contaminated ground"},
		Prose("Machines may work in contaminated ground if Quarryside has agreed in writing beforehand. The customer sends the survey of the ground and its plan for cleaning five working days before delivery. Work with blue or brown asbestos is refused in every case."),
	}
}

func accountRules() []Block {
	return []Block{
		Heading{2, "Opening an account"},
		Prose("A new account needs two trade references and a copy of the company’s insurance, and has a limit of £4,000 for the first three months. Until it is open, hires are paid in advance with a deposit of £200.00 for each machine."),
		Heading{2, "Querying an invoice"},
		Prose("A customer who disagrees with an invoice says so in writing within 14 days of its date and names the line. The counter answers within three working days. What is not disputed is paid on time."),
		Heading{2, "Services priced on request"},
		Prose("Cranes, low loaders over 20 tonnes, road sweepers and night operators are priced on request by the estimating team, for one job at a time and in writing. The counter gives no figure for them, not even roughly."),
		Heading{2, "Late accounts"},
		Prose("A reminder is sent ten days after the due date. After 25 days new hires are stopped until the account is settled, and after 60 days machines on site are collected."),
	}
}
