package main

// The two carriers whose invoices are on file, and who signed the agreement.
const (
	lowline = "lowline"
	redtail = "redtail"
)

// carrierAgreement is what every carrier signs. Its headings are numbered and no
// larger than the text.
func carrierAgreement() Document {
	look := Look{Font: "Times", Size: 10.5, Head: "Crosstie Freight LLC – broker and carrier agreement, edition of January 2026"}
	return filed("agreement", "carrier-agreement", "Carrier agreement", []string{lowline, redtail}, look,
		Clause("1. Authority and independence"),
		Prose("The carrier holds its own operating authority, employs its own drivers and is no agent of Crosstie. It tells Crosstie at once when its authority is suspended or its safety rating becomes conditional or unsatisfactory; from then on it takes no further load."),
		Clause("2. Insurance"),
		Prose("The carrier keeps at least $1,000,000 of automobile liability and $100,000 of cargo insurance in force, with Crosstie as certificate holder. For refrigerated freight the policy covers breakdown of the unit. Loads of Stonebrook Steel need $250,000 of cargo cover. A certificate that has lapsed stops all payments until a new one is on file."),
		Clause("3. Rate confirmations"),
		Prose("Each load has a rate confirmation, signed by both parties before pickup. It is the whole price. Anything beyond it is paid only if Crosstie approved it in writing on the day on which it arose. By accepting a load the carrier confirms that it will carry it with its own equipment: handing the load to somebody else forfeits the pay and ends this agreement."),
		Clause("4. Detention pay"),
		Prose("After two hours without pay at a stop, the carrier earns $50.00 for each further hour, counted by quarter hours, and at most $400.00 per stop. The driver reports to the desk after 90 minutes, while still at the dock, and has times in and out signed on the bill of lading. Without the report or the signature nothing is paid."),
		Clause("5. Truck ordered not used"),
		Prose("If a tender is withdrawn once the driver has been sent on the way to the pickup, the carrier receives $200.00 for its empty run. No more is owed, however many miles were driven. If it is withdrawn before that, or if the carrier offers a vehicle that the rate confirmation does not describe, nothing is owed."),
		Clause("6. Invoices and payment"),
		Prose("The carrier sends its invoice with the rate confirmation, the signed bill of lading and the receipt for every outlay, all in one file, to payables@crosstie.example. Crosstie pays 35 days after the file is complete. On request it pays within two working days and keeps 2 percent of the invoice (quick pay)."),
		Prose("Crosstie pays what is documented and holds back the rest. The amount held back is released with the next weekly run once the missing paper has come, and lapses 60 days after delivery."),
		Clause("7. Cargo loss"),
		Prose("The carrier is liable to the owner of the goods from pickup until a clean delivery receipt has been signed. It acknowledges a claim within 30 days and pays, declines or makes an offer within 120 days. Crosstie may set off an undisputed claim against the carrier’s invoices after ten days’ notice."),
	)
}

// carrierInvoices are two invoices as the payables desk files them, with a note
// of what became of each.
func carrierInvoices() []Document {
	look := Look{Size: 10}
	return []Document{
		filed("invoice", "invoice-inv-7719", "Carrier invoice INV-7719", lowline, look,
			Heading{2, "Charges invoiced"},
			Sides{
				Left:  []string{"Lowline Trucking", "410 Depot Road, Dalton, GA", "Load: CT-88231"},
				Right: []string{"Invoice: INV-7719", "Dated: 19 October 2026", "Received: 20 October 2026"},
			},
			charges(
				record("Line haul", "Macon, GA to Charlotte, NC", "$640.00"),
				record("Fuel surcharge", "10 percent of line haul", "$64.00"),
				record("Detention, Charlotte", "3 h 15 min at $50.00 an hour", "$162.50"),
				record("Lumper", "Unloading at Charlotte", "$95.00"),
				summary("Invoice total", "", "$961.50"),
			),
			Heading{2, "Payment and deductions"},
			Prose("Paid on 24 November 2026: $866.50. Held back: $95.00, because the lumper’s receipt was not in the file. Rate confirmation, bill of lading and detention times were in order."),
			Prose("Lowline was told on 24 November. The balance goes out with the weekly run after the receipt has come, and lapses on 14 December 2026 if it has not."),
		),
		filed("invoice", "invoice-inv-7742", "Carrier invoice INV-7742", redtail, look,
			Heading{2, "Charges invoiced"},
			Sides{
				Left:  []string{"Redtail Carriers", "Yard 6, Hammond, IN", "Load: CT-88407"},
				Right: []string{"Invoice: INV-7742", "Dated: 23 October 2026", "Received: 23 October 2026"},
			},
			charges(
				record("Line haul", "Burns Harbor, IN to Chattanooga, TN", "$1,620.00"),
				record("Fuel surcharge", "10 percent of line haul", "$162.00"),
				record("Tarping", "Per load", "$75.00"),
				record("Detention, Burns Harbor", "Most that is paid per stop", "$400.00"),
				summary("Invoice total", "", "$2,257.00"),
			),
			Heading{2, "Payment and deductions"},
			Prose("Quick pay was asked for. Paid on 27 October 2026: $2,211.86, which is the total less 2 percent, $45.14. Nothing was held back, and the file is closed."),
		),
	}
}
