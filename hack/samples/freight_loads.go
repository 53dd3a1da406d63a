package main

// freightLoads are the files of three loads: one with a wait that is billed by the
// hour, one with a wait beyond the most that is billed, one that arrived damaged.
func freightLoads() []Document {
	look := Look{Size: 10, Head: "Crosstie Freight – operations"}
	return []Document{
		filed("load", "load-ct-88231", "Load file CT-88231", "peachtree", look, billedByTheHour()...),
		filed("load", "load-ct-88407", "Load file CT-88407", "stonebrook", look, billedAtTheMost()...),
		filed("load", "load-ct-88519", "Load file CT-88519", "larkspur", look, arrivedDamaged()...),
	}
}

func billedByTheHour() []Block {
	return []Block{
		Heading{2, "Load details"},
		Sides{
			Left:  []string{"Load: CT-88231", "Customer: Peachtree Packaging", "Purchase order: PP-40177", "Equipment: 53 ft dry van"},
			Right: []string{"Commodity: corrugated boxes, 22 pallets", "Weight: 31,400 lb", "Carrier: Lowline Trucking", "Booked by: Dana Whitlock"},
		},
		Prose("Tendered on 12 October 2026 and covered on the same day. No special equipment. The receiver at Charlotte asks for a delivery appointment and signs the bill of lading at the window, not at the dock."),
		Heading{2, "Stops and times"},
		stops(
			record("1", "Peachtree, Macon, GA", "14 Oct 2026 15:00", "14:40", "16:10"),
			record("2", "Queen City DC, Charlotte, NC", "15 Oct 2026 09:00", "08:52", "14:15"),
		),
		Prose("Detention at stop 2: the driver checked in before the appointment, so the clock ran from 09:00 to 14:15, which is 5 h 15 min. Less two free hours, the billable waiting time is 3 h 15 min. The driver called at 10:30 and the receiver signed both times. At stop 1 there was no detention."),
		Heading{2, "Charges to the customer"},
		charges(
			record("Line haul", "Macon to Charlotte, contract", "$780.00"),
			record("Fuel surcharge", "12 percent of line haul", "$93.60"),
			record("Detention, stop 2", "3 h 15 min at $65.00 an hour", "$211.25"),
			summary("Total", "", "$1,084.85"),
		),
		Prose("Billed on 16 October 2026 on our invoice CF-30418."),
	}
}

func billedAtTheMost() []Block {
	return []Block{
		Heading{2, "Load details"},
		Sides{
			Left:  []string{"Load: CT-88407", "Customer: Stonebrook Steel", "Mill order: 7-20554", "Equipment: 48 ft flatbed, tarps"},
			Right: []string{"Commodity: steel plate, 11 pieces", "Weight: 46,850 lb", "Carrier: Redtail Carriers", "Booked by: Dana Whitlock"},
		},
		Prose("Tendered on 19 October 2026. The plate is marked keep dry. The crane of bay 3 was down on the day of loading and the mill worked through its queue with one crane."),
		Heading{2, "Stops and times"},
		stops(
			record("1", "Stonebrook, Burns Harbor, IN", "21 Oct 2026 06:30", "06:10", "17:45"),
			record("2", "Tri-State Plate, Chattanooga, TN", "22 Oct 2026 13:00", "12:35", "14:05"),
		),
		Prose("Detention at stop 1: from the appointment at 06:30 to 17:45 is 11 h 15 min. Less two free hours that leaves 9 h 15 min, which by the hour would come to $601.25 and is therefore billed at the most that is charged per stop. The gate log has both times. At stop 2 there was no detention."),
		Heading{2, "Charges to the customer"},
		charges(
			record("Line haul", "Burns Harbor to Chattanooga, contract", "$1,980.00"),
			record("Fuel surcharge", "12 percent of line haul", "$237.60"),
			record("Tarping", "Per load, contract", "$100.00"),
			record("Detention, stop 1", "Most that is charged per stop", "$520.00"),
			summary("Total", "", "$2,837.60"),
		),
		Prose("Billed on 23 October 2026 on our invoice CF-30466, with the gate log."),
	}
}

func arrivedDamaged() []Block {
	return []Block{
		Heading{2, "Load details"},
		Sides{
			Left:  []string{"Load: CT-88519", "Customer: Larkspur Foods", "Order: LF-11893", "Equipment: 53 ft reefer, 36 °F"},
			Right: []string{"Commodity: yogurt, 960 cases", "Weight: 38,200 lb", "Carrier: Lowline Trucking", "Booked by: Miguel Arroyo"},
		},
		Prose("Tendered on 26 October 2026. Set point 36 °F, alarm above 40 °F. Pulp temperature at loading: 36, 37 and 36 °F."),
		Heading{2, "Stops and times"},
		stops(
			record("1", "Larkspur, Knoxville, TN", "28 Oct 2026 11:00", "10:45", "12:20"),
			record("2", "Midlands Grocers, Columbia, SC", "29 Oct 2026 07:00", "06:50", "08:40"),
		),
		Prose("No waiting time to be billed at either stop. The temperature record shows 35 to 38 °F throughout and has been sent to Larkspur."),
		Heading{2, "Exceptions at delivery"},
		Prose("The receiver noted 18 cases crushed on the nose pallet and signed for 942. The driver sent four photographs from the dock. The crushed cases were set aside at Columbia on the quality manager’s word of 29 October. No claim has been filed so far."),
	}
}
