package main

// evidenceGuides tell how the machine is set up, run and kept, and one of them
// is a draft that nobody is to read from.
func evidenceGuides() []Document {
	look := Look{Size: 10.5}
	return []Document{
		paper{ID: "rack-guide", Revision: "v1", Product: "AX-42", From: "2025-02-01", To: "2026-05-01"}.titled(
			"guides/rack-guide-v1.pdf", "AX-42 Rack Guide", look,
			Heading{2, "Airflow"},
			Prose("In a rack the unit needs 30 mm of free space for airflow in front of the intake grille."),
			Heading{2, "Rails"},
			Prose("Fasten the rails with eight screws at the height of the lower bay. Two people lift the unit onto them."),
		),
		paper{ID: "rack-guide", Revision: "v2", Product: "AX-42", From: "2026-05-01"}.titled(
			"guides/rack-guide-v2.pdf", "AX-42 Rack Guide", look,
			Heading{2, "Airflow"},
			Prose("In a rack the unit needs 60 mm of free space for airflow in front of the intake grille, and 90 mm behind it. Empty bays above it are closed by blanking plates."),
			Heading{2, "Rails"},
			Prose("Fasten the rails with eight screws at the height of the lower bay. Two people lift the unit onto them."),
			Heading{2, "Cabling"},
			Prose("Lead the cables to the left, so that the fans at the back stay clear."),
		),
		paper{ID: "rack-guide", Revision: "v3", Product: "AX-42", Status: "draft", From: "2026-05-01"}.titled(
			"guides/rack-guide-v3.pdf", "AX-42 Rack Guide", look,
			Heading{2, "Airflow"},
			Prose("In a rack the unit needs 120 mm of free space for airflow in front of the intake grille, to be confirmed by the test bench."),
		),
		paper{ID: "operations-guide", Revision: "v1", Product: "AX-42", From: "2025-06-01"}.titled(
			"guides/operations-guide-v1.pdf", "AX-42 Operations Guide", look,
			Heading{2, "Starting up"},
			Prose("Switch the unit on at the back, wait for the green lamp, then connect the workload. The first start takes four minutes."),
			Heading{2, "Cooling while running"},
			Prose("To stop overheating while keeping the unit running, reduce the workload to half and clear the air intake of dust and packing. The temperature falls within ten minutes. Only if it does not, call the duty engineer."),
			Heading{2, "Emergency smoke shutdown"},
			Prose("When smoke appears, stop the unit at once with the red switch and pull the supply. Overheating with smoke is a fire hazard, so do not keep the unit running to save its workload. It stays switched off until an engineer has inspected it."),
			Heading{2, "Lamps"},
			Prose("Amber warns of a high temperature, red of a fan that stands still. A green lamp that blinks asks for a restart."),
		),
		paper{ID: "maintenance-guide", Revision: "v1", Product: "AX-42", From: "2025-06-01"}.titled(
			"guides/maintenance-guide-v1.pdf", "AX-42 Maintenance Guide", look,
			Heading{2, "Maintenance hose"},
			Prose("The maintenance hose takes water at a supply pressure of 3 bar. Rinse the intake grille with it only while the unit is switched off."),
			Heading{2, "Intake filter"},
			Prose("Change the filter every three months, and every month where the air is dusty."),
			Heading{2, "Spare parts"},
			Table{Rules: Grid, Columns: []Column{{"Part No", 90, "L"}, {"Part", 180, "L"}, {"Stock", 60, "R"}}, Rows: []Row{
				record("FL-110", "Intake filter", "12"),
				record("FN-206", "Fan, 80 mm", "4"),
				record("RL-031", "Rails, pair", "3"),
			}},
		),
	}
}
