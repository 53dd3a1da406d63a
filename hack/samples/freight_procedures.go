package main

// freightProcedures are how the desk works, for every customer and carrier alike.
func freightProcedures() []Document {
	look := Look{Size: 10, Head: "Crosstie Freight – procedures"}
	return []Document{
		filed("procedure", "detention-procedure", "Detention procedure", "all", look, detention()...),
		filed("procedure", "claims-procedure", "Cargo claims procedure", "all", look, claims()...),
		filed("procedure", "hazardous-materials-procedure", "Hazardous materials procedure", "all", look, hazardous()...),
		filed("procedure", "accessorial-charges", "Accessorial charges and quoting", "all", look, accessorials()...),
		filed("procedure", "invoicing-procedure", "Invoicing and credit procedure", "all", look, invoicing()...),
	}
}

func detention() []Block {
	return []Block{
		Heading{2, "What customers are billed"},
		Prose("A customer has two free hours at each stop, for loading as for unloading. From then on detention costs $65.00 an hour, counted by quarter hours, and never more than $520.00 per stop. The clock starts at the appointment, or when the driver checks in if that is later, and stops when the signed papers are handed back."),
		Prose("A driver who comes after the appointment has no claim to the dock: the two hours then begin when the dock takes the truck. Drop trailers are not subject to detention."),
		Heading{2, "Notice and proof"},
		Prose("When a driver reports 90 minutes at a dock, the desk writes to the customer’s shipping contact at once, with load number, stop and time of arrival, so that somebody can act before the free time is over. The charge is supported by the times on the bill of lading, by a gate log, or by the position reports of the tractor, in this order."),
		Heading{2, "Waiving or contesting a charge"},
		Prose("A load planner may waive up to one hour per load; more needs the operations manager. A customer who contests the times sends the dock’s own record within ten days of the invoice. The desk compares both records, corrects the invoice if the dock’s is the better one, and tells carrier and customer the same result."),
	}
}

func claims() []Block {
	return []Block{
		Heading{2, "Opening a claim"},
		Prose("A claim is opened by a letter or an email to claims@crosstie.example from the customer who owned the goods. It names the load, says what was lost or damaged and asks for a stated amount of money. A note on a delivery receipt or a telephone call warns of a claim but does not open one, and the time that the contract allows goes on running."),
		Prose("The following belongs to a claim:"),
		Points{
			"the bill of lading of the pickup and the signed delivery receipt with its remarks;",
			"the commercial invoice that shows the value of the goods to the customer;",
			"photographs of the goods, of their packing and, where possible, of the trailer’s inside;",
			"for chilled goods the temperature record and the pulp temperatures that were taken;",
			"the repair bill or the reason why a repair is not worth its cost;",
			"what was or could be recovered by selling the goods at a reduced price.",
		},
		Prose("What is missing can be sent later. A claim that gives load, loss and amount has been made in time even if its papers have not all come, but it is not decided before they have. The desk answers with a claim number, and the number goes into the subject of everything that is written afterwards, so that the papers of two claims on one load are never mixed."),
		Heading{2, "Inspection and salvage"},
		Prose("Goods and packing are kept until the carrier’s insurer has seen them or has declined to come, which it must say within five working days. The customer limits the loss: what can be sold or repaired is. Proceeds are deducted from the claim."),
		Heading{2, "Deciding and paying"},
		Prose("The desk acknowledges a claim within ten days and passes it to the carrier on the same day. The carrier has 120 days to pay, decline or make an offer. Crosstie sends the customer a report every 30 days until the file is closed, and pays out within five working days of receiving the carrier’s money."),
		Heading{2, "Time limits"},
		Prose("How long a customer has to file a claim, and up to which amount the carrier is liable, is agreed in each contract and is not the same for everyone. The desk never names a limit from memory. A suit must be filed within two years and one day of the day on which the claim was declined in writing."),
	}
}

func hazardous() []Block {
	return []Block{
		Heading{2, "What is accepted"},
		Prose("Packaged hazardous materials of classes 3, 8 and 9 are accepted on dry vans. Explosives, poison by inhalation, radioactive materials and anything in bulk are declined. The shipper gives UN number, proper shipping name, class, packing group and quantity at least three working days before pickup; without them no truck is booked."),
		Heading{2, "Carrier and driver"},
		Prose("The carrier is registered for hazardous materials with the Department of Transportation and carries $5,000,000 of liability insurance. The driver’s license bears the H endorsement, and his training is less than three years old. The desk keeps a copy of all of this with the load."),
		Heading{2, "Papers and placards"},
		Prose("The shipper prepares the shipping paper with an emergency telephone number that is answered day and night, marks and labels the packages, and hands the driver the placards. The driver keeps the paper within reach in the cab. Crosstie adds $150.00 per load for handling. An incident is reported to the desk at once and by the carrier to the National Response Center within twelve hours."),
	}
}

func accessorials() []Block {
	return []Block{
		Heading{2, "Standard charges"},
		Prose("These are added to line haul for every customer whose contract says nothing else."),
		Table{Rules: Grid, Columns: []Column{{"Service", 150, "L"}, {"Unit", 170, "L"}, {"Charge", 80, "R"}}, Rows: []Row{
			record("Extra stop", "Each, on the route", "$85.00"),
			record("Layover", "Each night the driver is held over", "$275.00"),
			record("Redelivery", "Each attempt, same town", "$150.00"),
			record("Driver assist", "Each stop", "$75.00"),
			record("Pallet exchange", "Each pallet", "$12.50"),
			record("Lumper", "At cost, against receipt", "At cost"),
		}},
		Heading{2, "Truck ordered not used"},
		Prose("Where a customer withdraws a tender after the carrier’s driver has set out for the pickup, the customer is billed $250.00. Tenders may be withdrawn free of charge until the driver has been sent, and in any case until 16:00 on the working day before pickup."),
		Heading{2, "Services quoted case by case"},
		Prose("Team drivers, oversize and overweight permits, escorts, storage, transloading, liftgates and deliveries on Sundays and holidays have no standing price. They are quoted case by case by the pricing desk, in writing, for one load at a time. Nobody else names a figure, not even as a guide, and a quote for one load is no precedent for the next."),
		Heading{2, "New lanes"},
		Prose("A request for a lane outside the customer’s contract goes to pricing@crosstie.example with origin, destination, date, equipment and weight. The pricing desk answers within four working hours, and its price is good for seven days. A load is not tendered to a carrier before the customer has accepted the price in writing."),
	}
}

func invoicing() []Block {
	return []Block{
		Heading{2, "Billing a load"},
		Prose("A load is billed to the customer on the working day after the signed bill of lading has come in. Charges beyond line haul and fuel are shown on lines of their own, each with its basis, and the paper that supports it is attached. Corrections are made by a credit note and a new invoice, never by changing one that was sent."),
		Heading{2, "When a customer pays less"},
		Prose("A payment that is short by more than $25.00 is taken up with the customer within two working days. The customer names the line that it contests, and why, in writing and no later than 20 days after the date of the invoice; after that the invoice counts as accepted. What is not contested is paid when due."),
		Heading{2, "Credit limits"},
		Prose("A new customer starts with a limit of $25,000, which the credit manager reviews after six months of paying on time. When open invoices and loads under way together exceed the limit, the next load waits until the credit manager releases it. References from three suppliers and one bank are asked for before the first load."),
		Heading{2, "Overdue accounts"},
		Prose("A reminder goes out five days after the due date and a second after fifteen. At thirty days the account is put on hold: no load is booked until it is settled or a plan is agreed. At ninety days it is handed to an agency, and the customer bears the agency’s fees."),
	}
}
