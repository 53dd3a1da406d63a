package main

import "maps"

func policy(name, title string, contents ...Block) Document {
	return Document{
		Key: "policies/" + name + ".pdf", Title: title, Fields: toHR(), Look: Look{Size: 10.5},
		Contents: append([]Block{Heading{1, title}}, contents...),
	}
}

func payrollPolicies() []Document {
	return []Document{leave(), formerLeave(), remoteWork(), severance(), expenses(), payrollCalendar(), annualReview()}
}

func leave() Document {
	return policy("Leave_Policy_2025", "Leave Policy 2025",
		Prose("This policy applies from 1 January 2025 to everyone on the rolls of Sangam Textiles. Leave is applied for through the supervisor, in writing, and entered in the attendance register."),
		Heading{2, "Earned leave"},
		Prose("Earned leave builds up at one and a half days for every month worked, eighteen days in a full year. Up to thirty unused days are carried into the next year; the rest is encashed with the January salary at the rate of basic pay."),
		Heading{2, "Sick leave"},
		Prose("Ten days of sick leave are granted in a calendar year. From the third consecutive day a certificate from a registered medical practitioner is needed. Sick leave is neither carried forward nor encashed."),
		Heading{2, "Parental leave"},
		Prose("An employee who gives birth, or who is the primary carer of an adopted child, is granted 26 weeks of leave at full pay, of which at most eight may fall before the expected date. The other parent takes fifteen working days, also at full pay, within six months of the child's arrival. For a third child the longer entitlement is 12 weeks."),
		Heading{2, "Bereavement leave"},
		Prose("On the death of a spouse, parent, child or sibling, five days are granted at full pay. They need not be taken together."),
		Heading{2, "Public holidays"},
		Prose("The mill closes on eleven public holidays a year, listed on the notice board each December. Whoever is called in on a closed day is given another day off within the same month."),
	)
}

// formerLeave was replaced: it says otherwise, and must never be read from.
func formerLeave() Document {
	d := policy("Leave_Policy_2022", "Leave Policy 2022",
		Prose("This policy applies from 1 January 2022 to everyone on the rolls of Sangam Textiles."),
		Heading{2, "Earned leave"},
		Prose("Earned leave builds up at one day for every month worked. Up to fifteen unused days are carried into the next year."),
		Heading{2, "Parental leave"},
		Prose("An employee who gives birth is granted 16 weeks of leave at full pay. The other parent takes three working days."),
	)
	d.Fields = maps.Clone(toHR())
	d.Fields["status"] = "superseded"
	return d
}

func remoteWork() Document {
	return policy("Remote_Work_Policy_2025", "Remote Work Policy 2025",
		Heading{2, "Who may ask"},
		Prose("Posts in finance, administration and design can be done partly from home. Posts on the shop floor, in stores, quality and dispatch cannot, since the work is where the machines are."),
		Heading{2, "Extent"},
		Prose("Eligible staff may work remotely on two days in any week, agreed beforehand with the head of department. Mondays are kept for meetings at the mill. During the week of the payroll cut-off the finance team is present throughout."),
		Heading{2, "Equipment and costs"},
		Prose("The company lends a laptop and pays 800 a month towards the broadband connection. Electricity and furniture are the employee's own concern. Pay slips and registers are never printed at home."),
		Heading{2, "Withdrawal"},
		Prose("Either side may end the arrangement with fourteen days' notice."),
	)
}

func severance() Document {
	return policy("Severance_and_Exit_Policy", "Severance and Exit Policy",
		Heading{2, "Notice"},
		Prose("Managers give and receive sixty days' notice, all other staff thirty. Pay in lieu is reckoned on basic pay and house rent allowance."),
		Heading{2, "Redundancy"},
		Prose("An employee whose post is abolished receives fifteen days' average pay for every completed year of service, and never less than one month's pay. The amount is due on the last working day. Whoever resigns or is dismissed for misconduct receives none."),
		Heading{2, "Gratuity"},
		Prose("After five years of continuous service, gratuity is paid in addition under the Payment of Gratuity Act. The years are counted from the date of joining in the employee's file."),
		Heading{2, "Final settlement"},
		Prose("Salary to the last day, encashed leave and refunds are settled within forty-five days of leaving, after the clearance form has been signed by stores, finance and the supervisor."),
	)
}

func expenses() Document {
	return policy("Expense_Policy_2025", "Expense Policy 2025",
		Prose("Expenses on company business are refunded against bills. Claims reach the finance desk by the fifth of the following month; later ones wait for the next payroll."),
		Heading{2, "Travel limits"},
		Table{Rules: Grid, Columns: []Column{{"Grade", 130, "L"}, {"Hotel per night", 100, "R"}, {"Meals per day", 100, "R"}, {"Train class", 110, "L"}}, Rows: []Row{
			record("Chief officers", "6,500", "1,800", "AC First"),
			record("Managers", "4,000", "1,200", "AC 2-tier"),
			record("All other staff", "2,200", "800", "AC 3-tier"),
		}},
		Heading{2, "What is not refunded"},
		Prose("Alcohol, fines, laundry on trips shorter than four nights and upgrades bought without approval are not refunded."),
		Heading{2, "Own vehicle"},
		Prose("Business trips in one's own car are refunded at 11 a kilometre, on a two-wheeler at 5 a kilometre, from the odometer readings."),
	)
}

func payrollCalendar() Document {
	return policy("Payroll_Calendar_2025_26", "Payroll Calendar 2025-26",
		Prose("Attendance is frozen at the cut-off; whatever reaches the finance desk later is paid with the following month. Where the last day of the month is a bank holiday, salaries go out on the working day before it."),
		Table{Rules: Banded, Columns: []Column{{"Month", 110, "L"}, {"Attendance cut-off", 120, "L"}, {"Salary credit", 120, "L"}, {"Payslips", 110, "L"}}, Rows: []Row{
			record("April 2025", "24-04-2025", "30-04-2025", "02-05-2025"),
			record("May 2025", "23-05-2025", "30-05-2025", "03-06-2025"),
			record("June 2025", "24-06-2025", "30-06-2025", "02-07-2025"),
			record("July 2025", "24-07-2025", "31-07-2025", "04-08-2025"),
			record("August 2025", "22-08-2025", "29-08-2025", "02-09-2025"),
			record("September 2025", "24-09-2025", "30-09-2025", "03-10-2025"),
		}},
	)
}

// annualReview talks about employees, registers and April without being one;
// its budget figure is not what came true.
func annualReview() Document {
	return policy("HR_Review_2024_25", "HR Review 2024-25",
		Heading{2, "Headcount"},
		Prose("The year began with nine employees and saw four people join and two leave, so that eleven were on the salary register when it closed. The budget passed in February assumes fourteen employees on the salary register by April 2025. Only one employee left of his own accord, which is the lowest figure since the unit opened."),
		Heading{2, "Pay"},
		Prose("Increments took effect on 1 April 2025 and averaged seven per cent of basic pay. Production employees were placed a little above the average, after two looms had to be stopped for want of operators in the summer."),
		Heading{2, "Training and safety"},
		Prose("Every employee in production attended the fire drill in November, and six learned to run the new rapier looms. There were no lost-time accidents. The register of first-aid cases shows seven entries, all of them minor."),
		Heading{2, "Outlook"},
		Prose("The employees' committee has asked for a creche and for an evening bus to the new bus stand. Both will be taken up once the register of families has been brought up to date."),
	)
}

// executiveCompensation is for the board alone.
func executiveCompensation() Document {
	return Document{
		Key: "board/Executive_Compensation_2025.pdf", Title: "Executive Compensation 2025", Fields: toBoard(), Look: Look{Font: "Times", Size: 11},
		Contents: []Block{
			Heading{1, "Executive Compensation 2025"},
			Prose("Decided by the nomination and remuneration committee on 14 March 2025. For members of the board alone."),
			Heading{2, "Awards"},
			Table{Rules: Grid, Columns: []Column{{"Office", 130, "L"}, {"Holder", 140, "L"}, {"Fixed pay per year", 100, "R"}, {"Deferred bonus", 100, "R"}}, Rows: []Row{
				record("Managing Director", "R. Sangameswaran", "28,00,000", "9,50,000"),
				record("CFO", "Rajesh Kumar M", "13,14,000", "3,25,000"),
			}},
			Prose("The deferred bonus vests in three equal parts in April 2026, 2027 and 2028, and lapses when the holder resigns. For the year 2025 the CFO was awarded a deferred bonus of 3,25,000."),
		},
	}
}
