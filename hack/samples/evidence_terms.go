package main

// evidenceTerms are what was promised to customers: the earlier and the current
// policy, what operations may grant beyond it, and the contract of one customer.
func evidenceTerms() []Document {
	look := Look{Font: "Times", Size: 11.5}
	return []Document{
		paper{ID: "returns", Revision: "v1", Product: "AX-42", From: "2025-01-01", To: "2026-04-01"}.titled(
			"policies/returns-v1.pdf", "AX-42 Returns Policy", look,
			Heading{2, "Window"},
			Prose("The time limit for asking for a replacement is 14 days after delivery. Whoever asks later is offered a repair at list price."),
			Heading{2, "Condition"},
			Prose("A unit that is to be replaced comes back with its packing, its manual and every accessory. Units that were opened are repaired, not replaced."),
			Heading{2, "How to ask"},
			Prose("Asking for a replacement takes the returns form, with the serial number and the day of delivery. The time until the desk replies, two working days as a rule, is not counted."),
		),
		paper{ID: "returns", Revision: "v2", Product: "AX-42", From: "2026-04-01"}.titled(
			"policies/returns-v2.pdf", "AX-42 Returns Policy", look,
			Heading{2, "Window"},
			Prose("A replacement can be requested within 30 days of delivery. The day of delivery itself is not counted."),
			Heading{2, "Condition"},
			Prose("The unit is sent back complete, with its packing and accessories. Signs of use do no harm; damage by misuse does."),
			Heading{2, "How to request"},
			Prose("Requests are made on the customer portal with the serial number of the unit. The returns desk decides within two working days."),
			Heading{2, "Freight"},
			Prose("We pay the freight of a unit that failed, the customer that of one which was ordered by mistake."),
		),
		paper{ID: "exceptions", Revision: "v1", Product: "AX-42", Groups: []string{"operations"}, From: "2026-04-01"}.titled(
			"internal/exceptions-v1.pdf", "AX-42 Replacement Exceptions", look,
			Heading{2, "Late requests"},
			Prose("An exception to the replacement window is granted for a unit that failed in its first hundred hours of service, up to 60 days after delivery. The shift lead signs it."),
			Heading{2, "Exchange stock"},
			Prose("Two units are kept in bay 7 for such cases. Whoever takes one enters it in the stock book."),
		),
		paper{ID: "north-contract", Revision: "v1", Product: "AX-42", From: "2026-01-01"}.titled(
			"contracts/north-contract-v1.pdf", "AX-42 Service Contract with North", look,
			Heading{2, "Coverage"},
			Prose("The contract covers the replacement of units that fail in normal use, with freight in both directions. Units damaged by misuse are not covered."),
			Heading{2, "Response time"},
			Prose("An engineer is on site within one working day of a call."),
			Heading{2, "Term"},
			Prose("The contract runs for three years from 1 January 2026."),
		),
	}
}
