package main

import "fmt"

// freightContracts are the three customers' contracts. Their clauses on liability
// are one text with other figures, as contracts of one firm are.
func freightContracts() []Document {
	look := Look{Font: "Times", Size: 11, Head: "Crosstie Freight LLC – confidential"}
	return []Document{
		filed("contract", "peachtree-contract", "Peachtree Packaging contract", "peachtree", look, peachtree()...),
		filed("contract", "stonebrook-contract", "Stonebrook Steel contract", "stonebrook", look, stonebrook()...),
		filed("contract", "larkspur-contract", "Larkspur Foods contract", "larkspur", look, larkspur()...),
	}
}

// lanes is a contract's table of agreed line haul.
func lanes(equipment string, rows ...[2]string) Table {
	t := Table{Rules: Grid, Columns: []Column{{"Lane", 230, "L"}, {"Equipment", 130, "L"}, {"Line haul", 80, "R"}}}
	for _, r := range rows {
		t.Rows = append(t.Rows, record(r[0], equipment, r[1]))
	}
	return t
}

// liability is the clause that every customer has with figures of his own.
func liability(limit string, days, concealed int) []Block {
	return []Block{
		Heading{2, "Cargo liability and claims"},
		Prose(fmt.Sprintf("Liability for goods that are lost or damaged in transit is limited to %s per shipment, or to the invoice value of the goods if that is lower. A claim must reach Crosstie in writing within %d days of delivery or, where nothing was delivered, of the day on which delivery was due. Later claims are not paid.", limit, days)),
		Prose(fmt.Sprintf("Damage that can be seen is written on the delivery receipt before the driver leaves. Damage found inside sound packing is reported within %d days of delivery, and the packing is kept for inspection. Freight invoices stay payable in full while a claim is open.", concealed)),
	}
}

func peachtree() []Block {
	return append([]Block{
		Heading{2, "Parties and term"},
		Prose("Crosstie Freight LLC, a property broker licensed by the Federal Motor Carrier Safety Administration, arranges truckload transport for Peachtree Packaging Inc. of Macon, Georgia. The contract begins on 1 March 2026 and runs for two years. Either party may end it by 60 days’ notice in writing; what has been tendered by then is still moved on these terms."),
		Heading{2, "Lanes and rates"},
		Prose("Line haul is a flat amount per load on the lanes below. The fuel surcharge is set every Monday from the national average price of diesel and shown as a percentage of line haul. A lane that is not listed has no agreed rate."),
		lanes("53 ft dry van", [2]string{"Macon, GA to Charlotte, NC", "$780.00"}, [2]string{"Macon, GA to Nashville, TN", "$840.00"}, [2]string{"Macon, GA to Jacksonville, FL", "$690.00"}),
		Heading{2, "Payment terms"},
		Prose("Invoices are due 30 days after their date and are paid by bank transfer, quoting the load number. On amounts that are overdue Crosstie may charge interest of 1 percent a month. No discount is given for early payment."),
		Heading{2, "Loading and appointments"},
		Prose("Macon loads by appointment from 06:00 to 18:00, Monday to Friday. Peachtree keeps up to four empty trailers at the plant for drop and hook, and loads them within two working days. Receivers’ docks are booked by Crosstie. Time that a driver loses at a dock is billed by Crosstie’s detention procedure, which is part of this contract."),
	}, append(liability("$100,000", 60, 5),
		Heading{2, "Confidentiality"},
		Prose("Rates, volumes and the names of receivers are confidential and are shared with a carrier only as far as a load requires it. For one year after the contract has ended Peachtree will not tender freight directly to a carrier that it came to know through Crosstie, unless it worked with that carrier before."),
	)...)
}

func stonebrook() []Block {
	return append([]Block{
		Heading{2, "Parties and term"},
		Prose("This is the agreement of Crosstie Freight LLC with Stonebrook Steel Corporation, Burns Harbor, Indiana, for the transport of plate, coil and bar by flatbed and step deck. It took effect on 1 July 2025 for three years and is renewed year by year unless one of them declines 90 days before the anniversary."),
		Heading{2, "Lanes and rates"},
		Prose("The amounts below are per load up to 48,000 lb and include one pickup and one delivery. The fuel surcharge is a percentage of line haul, published every Monday. Loads that need permits are outside this table."),
		lanes("48 ft flatbed", [2]string{"Burns Harbor, IN to Chattanooga, TN", "$1,980.00"}, [2]string{"Burns Harbor, IN to Louisville, KY", "$1,120.00"}, [2]string{"Burns Harbor, IN to St. Louis, MO", "$1,260.00"}),
		Heading{2, "Payment terms"},
		Prose("Stonebrook pays each invoice within 45 days of receiving it together with the signed bill of lading. Invoices are sent once a week to its shared service center. If an invoice is overdue by more than 15 days, Crosstie may ask for payment in advance until the account is settled."),
		Heading{2, "Securement and tarping"},
		Prose("Coils ride eye to the rear in coil racks, chained at four points or more. Plate is belted and blocked. Stonebrook’s shipping crew loads; the driver secures the load and has it checked at the mill gate before he leaves. Goods marked “keep dry” on the bill of lading are covered by the driver with lumber tarps, for which Stonebrook pays $100.00 per load."),
	}, append(liability("$250,000", 90, 7),
		Heading{2, "Mill gate rules"},
		Prose("Drivers wear hard hat, safety glasses, long sleeves and boots with steel toes, and stay with the vehicle except at the scale house. No passenger is admitted. A driver who is turned away because of these rules is replaced by Crosstie at no charge to Stonebrook. The scale ticket of the mill decides on weight."),
	)...)
}

func larkspur() []Block {
	return append([]Block{
		Heading{2, "Parties and term"},
		Prose("Larkspur Foods Co-operative of Knoxville, Tennessee, appoints Crosstie Freight LLC as its broker for chilled goods. The contract is good from 15 January 2026 to 14 January 2027. Volumes are forecast every month and are no commitment. It ends early if either party breaks it and does not put that right within 20 days of being told."),
		Heading{2, "Lanes and rates"},
		Prose("Rates are per load and cover running the refrigeration unit. Fuel is added weekly as a percentage of line haul, and half of that percentage again for the unit’s own fuel."),
		lanes("53 ft reefer", [2]string{"Knoxville, TN to Columbia, SC", "$1,050.00"}, [2]string{"Knoxville, TN to Richmond, VA", "$1,310.00"}, [2]string{"Knoxville, TN to Birmingham, AL", "$930.00"}),
		Heading{2, "Payment terms"},
		Prose("Larkspur settles invoices within 21 days of their date. Where the temperature record was asked for and has not been supplied, the days count from the day on which it is. One statement is sent on the last working day of each month."),
		Heading{2, "Temperature control"},
		Prose("The trailer is pre-cooled to 36 °F before it comes to the dock, and the unit runs in continuous mode, never in cycles. Set point and alarm limits are printed on the rate confirmation. The driver takes the pulp temperature of three cases while loading and writes it on the bill of lading. The record of the unit is kept for two years and sent on request."),
	}, append(liability("$150,000", 30, 2),
		Heading{2, "Refused goods"},
		Prose("When a receiver refuses goods, the driver calls Crosstie from the dock and waits for instructions; nothing is dumped, donated or sold without a written decision of Larkspur’s quality manager, who answers within three hours at any time of day. Until then the unit keeps its set point. Taking goods back to Knoxville is billed at 80 percent of the outbound line haul."),
	)...)
}
