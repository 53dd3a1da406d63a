package main

// payroll is the sample of config/samples: the papers of Sangam Textiles
// Limited, a mill whose invoices are numbered STL/…
func payroll() Sample {
	var docs []Document
	docs = append(docs, payrollRegisters()...)
	docs = append(docs, payrollInvoices()...)
	docs = append(docs, payrollPolicies()...)
	docs = append(docs, executiveCompensation())
	return Sample{Dir: "config/samples/payroll", Documents: docs}
}

// toHR are the fields of a paper for the HR desk. The second group is the one
// that Kubernetes gives every service account of the namespace hr.
func toHR() map[string]any {
	return map[string]any{"groups": []string{"hr", "system:serviceaccounts:hr"}, "status": "published"}
}

func toBoard() map[string]any {
	return map[string]any{"groups": []string{"board"}, "status": "published"}
}

// employee is one line of a salary register; money is a month's.
type employee struct {
	ID, Name, Designation, Department string
	Basic, Allowances                 paise
}

func (e employee) hra() paise   { return e.Basic.percent(30) }
func (e employee) gross() paise { return e.Basic + e.hra() + e.Allowances }
func (e employee) pf() paise    { return e.Basic.percent(12) }

// tax is deducted at source from gross pay over 30,000: a tenth of the excess.
func (e employee) tax() paise {
	return max(e.gross()-rupees(30_000), 0).percent(10)
}
func (e employee) net() paise { return e.gross() - e.pf() - e.tax() }

func april() []employee {
	return []employee{
		{"ST001", "Rajesh Kumar M", "CFO", "Finance", rupees(75_000), rupees(12_000)},
		{"ST002", "Priya Sundaram", "Finance Mgr", "Finance", rupees(45_000), rupees(6_500)},
		{"ST003", "Murugan K", "Sr Accountant", "Finance", rupees(28_000), rupees(3_200)},
		{"ST004", "Lakshmi Narayanan V", "HR Executive", "Administration", rupees(26_000), rupees(2_800)},
		{"ST005", "Selvam R", "Production Mgr", "Production", rupees(38_000), rupees(5_400)},
		{"ST006", "Karthik P", "Supervisor", "Production", rupees(18_000), rupees(2_250)},
		{"ST007", "Anitha Devi S", "Quality Inspector", "Quality", rupees(21_000), rupees(1_900)},
		{"ST008", "Mohammed Irfan A", "Loom Operator", "Production", rupees(16_500), rupees(1_600)},
		{"ST009", "Geetha R", "Loom Operator", "Production", rupees(16_500), rupees(1_350)},
		{"ST010", "Vignesh T", "Dyeing Technician", "Production", rupees(19_000), rupees(2_100)},
		{"ST011", "Saranya B", "Stores Keeper", "Administration", rupees(17_000), rupees(1_450)},
		{"ST012", "Joseph Antony D", "Driver", "Dispatch", rupees(15_500), rupees(2_700)},
	}
}

// march is the month before the yearly increments, before ST004 and ST012
// joined, and the last of ST014.
func march() []employee {
	return []employee{
		{"ST001", "Rajesh Kumar M", "CFO", "Finance", rupees(70_000), rupees(12_000)},
		{"ST002", "Priya Sundaram", "Finance Mgr", "Finance", rupees(42_000), rupees(6_000)},
		{"ST003", "Murugan K", "Sr Accountant", "Finance", rupees(26_000), rupees(3_000)},
		{"ST005", "Selvam R", "Production Mgr", "Production", rupees(35_500), rupees(5_000)},
		{"ST006", "Karthik P", "Supervisor", "Production", rupees(16_800), rupees(2_000)},
		{"ST007", "Anitha Devi S", "Quality Inspector", "Quality", rupees(19_500), rupees(1_750)},
		{"ST008", "Mohammed Irfan A", "Loom Operator", "Production", rupees(15_500), rupees(1_500)},
		{"ST009", "Geetha R", "Loom Operator", "Production", rupees(15_500), rupees(1_250)},
		{"ST010", "Vignesh T", "Dyeing Technician", "Production", rupees(17_800), rupees(1_900)},
		{"ST011", "Saranya B", "Stores Keeper", "Administration", rupees(16_000), rupees(1_300)},
		{"ST014", "Baskaran N", "Loom Operator", "Production", rupees(15_200), rupees(1_250)},
	}
}
