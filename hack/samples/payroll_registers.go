package main

import "strconv"

func payrollRegisters() []Document {
	return []Document{
		{
			Key: "registers/Salary_Register_April_2025.pdf", Title: "Salary Register - April 2025", Fields: toHR(),
			Look: Look{Landscape: true},
			Contents: []Block{
				Heading{1, "Salary Register - April 2025"},
				Prose("Sangam Textiles Limited, Unit 2, Tiruppur. Pay period 01-04-2025 to 30-04-2025, paid on 30-04-2025. Amounts in INR."),
				salaryTable(Grid, april()),
				Prose("Prepared by: Murugan K. Checked by: Priya Sundaram. PF is 12 per cent of basic pay."),
			},
		},
		{
			Key: "registers/Salary_Register_March_2025.pdf", Title: "Salary Register - March 2025", Fields: toHR(),
			Look: Look{Landscape: true},
			Contents: []Block{
				Heading{1, "Salary Register - March 2025"},
				Prose("Sangam Textiles Limited, Unit 2, Tiruppur. Pay period 01-03-2025 to 31-03-2025, paid on 29-03-2025. Amounts in INR."),
				salaryTable(Aligned, march()),
				Prose("Prepared by: Murugan K. Checked by: Priya Sundaram. Baskaran N retires at the close of this month."),
			},
		},
		attendance(),
		festivalBonus(),
	}
}

func salaryTable(rules Rules, staff []employee) Table {
	t := Table{Rules: rules, Columns: []Column{
		{"Emp ID", 46, "L"}, {"Name", 116, "L"}, {"Designation", 100, "L"}, {"Department", 84, "L"},
		{"Basic", 58, "R"}, {"HRA", 56, "R"}, {"Allowances", 72, "R"}, {"Gross", 60, "R"},
		{"PF", 50, "R"}, {"Tax", 50, "R"}, {"Net", 60, "R"},
	}}
	var sum [7]paise
	for _, e := range staff {
		money := [7]paise{e.Basic, e.hra(), e.Allowances, e.gross(), e.pf(), e.tax(), e.net()}
		cells := []string{e.ID, e.Name, e.Designation, e.Department}
		for i, m := range money {
			sum[i] += m
			cells = append(cells, m.indian())
		}
		t.Rows = append(t.Rows, record(cells...))
	}
	total := []string{"", "Total", "", ""}
	for _, m := range sum {
		total = append(total, m.indian())
	}
	t.Rows = append(t.Rows, summary(total...))
	return t
}

// attendance lists the same twelve as the April register: days off work and
// overtime, nothing of money.
func attendance() Document {
	t := Table{Rules: Aligned, Columns: []Column{
		{"Emp ID", 54, "L"}, {"Name", 130, "L"}, {"Days Present", 76, "R"}, {"Days Absent", 72, "R"},
		{"Overtime Hrs", 76, "R"}, {"Shift", 70, "C"},
	}}
	absent := []int{0, 1, 0, 2, 0, 1, 3, 0, 4, 1, 0, 2}
	overtime := []int{0, 0, 0, 0, 6, 14, 0, 22, 18, 9, 4, 11}
	shifts := []string{"General", "General", "General", "General", "General", "A", "General", "A", "B", "B", "General", "A"}
	const workingDays = 25
	for i, e := range april() {
		t.Rows = append(t.Rows, record(e.ID, e.Name, strconv.Itoa(workingDays-absent[i]), strconv.Itoa(absent[i]),
			strconv.Itoa(overtime[i]), shifts[i]))
	}
	return Document{
		Key: "registers/Attendance_Register_April_2025.pdf", Title: "Attendance Register - April 2025", Fields: toHR(),
		Contents: []Block{
			Heading{1, "Attendance Register - April 2025"},
			Prose("Working days in the month: 25. Overtime is counted in completed hours."),
			t,
		},
	}
}

// festivalBonus covers last year's staff with a basic pay of at most 50,000.
func festivalBonus() Document {
	t := Table{Rules: Lines, Columns: []Column{
		{"Emp ID", 54, "L"}, {"Name", 140, "L"}, {"Department", 100, "L"}, {"Basic", 70, "R"}, {"Bonus Rate", 70, "R"}, {"Bonus", 70, "R"},
	}}
	var total paise
	for _, e := range march() {
		if e.Basic > rupees(50_000) {
			continue
		}
		bonus := e.Basic.percent(50)
		total += bonus
		t.Rows = append(t.Rows, record(e.ID, e.Name, e.Department, e.Basic.indian(), "50%", bonus.indian()))
	}
	t.Rows = append(t.Rows, summary("", "Total", "", "", "", total.indian()))
	return Document{
		Key: "registers/Festival_Bonus_Register_2024_25.pdf", Title: "Festival Bonus Register 2024-25", Fields: toHR(),
		Contents: []Block{
			Heading{1, "Festival Bonus Register 2024-25"},
			Prose("Paid with the October 2024 salary to employees whose basic pay does not exceed 50,000."),
			t,
		},
	}
}
