package main

import (
	"fmt"
	"strconv"
)

// wide is a works with thirty-seven people: its wage sheet goes on over two
// pages, has no rulings, and names its columns in its own way.
func wide() Sample {
	return Sample{Dir: "test/golden/payroll-wide", Documents: []Document{
		julySheet(), juneSheet(), contractors(), overtimeRules(), wageRules(), worksLetter(), directors(),
	}}
}

func toWages() map[string]any {
	return map[string]any{"groups": []string{"wages"}, "status": "published"}
}

// worker is one line of the wage sheet.
type worker struct {
	Code, Name, Role, Dept string
	Gross                  paise
}

// deductions are 12.75 per cent: provident fund and state insurance.
func (w worker) deductions() paise { return (w.Gross*1275 + 5000) / 10000 }
func (w worker) net() paise        { return w.Gross - w.deductions() }

// names of the works' people, in the order of their codes.
var names = [...]string{
	"Abirami N", "Balu Mahendran", "Chandra Prakash V", "Deepa Ravi", "Elango S", "Fathima Begum", "Gopal Krishnan", "Hema Latha",
	"Ilango P", "Jeyanthi M", "Kannan D", "Latha Suresh", "Mani Maran", "Nalini R", "Om Prakash", "Padma Priya K", "Qadir Basha",
	"Ravi Teja", "Sudha Rani", "Tamil Selvi", "Uma Devi", "Velu Chamy", "Wilson Paul", "Xavier Raj", "Yamuna B", "Zakir Hussain",
	"Arul Mozhi", "Bhuvana T", "Cyril Dass", "Dhana Lakshmi", "Edwin Joseph", "Firoz Khan", "Ganga Bai", "Hari Haran", "Indira J",
	"Jothi Basu", "Kavin Kumar",
}

// staff returns the thirty-seven of July. Every third works in Packing.
func staff() []worker {
	weaving := []string{"Weaver", "Senior Weaver", "Fitter", "Beam Gaiter"}
	packing := []string{"Packer", "Checker", "Baler"}
	out := make([]worker, len(names))
	for i, name := range names {
		w := worker{Code: fmt.Sprintf("EMP-%d", 1001+i), Name: name, Role: weaving[i%len(weaving)], Dept: "Weaving"}
		if i%3 == 2 {
			w.Role, w.Dept = packing[i/3%len(packing)], "Packing"
		}
		w.Gross = rupees(14_200) + paise((i*104_729)%613_700) // scattered over 14,200 to 20,336
		out[i] = w
	}
	return out
}

// juneStaff had not yet the last four, still had two others, and earned less.
func juneStaff() []worker {
	out := []worker{
		{"EMP-0988", "Lourdu Mary", "Checker", "Packing", 15_940_25},
		{"EMP-0991", "Muthu Vel", "Weaver", "Weaving", 16_310_75},
	}
	for _, w := range staff()[:33] {
		w.Gross -= w.Gross.share(4)
		out = append(out, w)
	}
	return out
}

func wageTable(rules Rules, workers []worker) Table {
	t := Table{Rules: rules, Repeat: true, Size: 10, Columns: []Column{
		{"Employee Code", 92, "L"}, {"Employee", 150, "L"}, {"Role", 110, "L"}, {"Dept", 90, "L"},
		{"Gross Pay (INR)", 110, "R"}, {"Deductions", 90, "R"}, {"Net", 100, "R"},
	}}
	var gross, deducted, net paise
	for _, w := range workers {
		gross, deducted, net = gross+w.Gross, deducted+w.deductions(), net+w.net()
		t.Rows = append(t.Rows, record(w.Code, w.Name, w.Role, w.Dept, w.Gross.indianDecimals(), w.deductions().indianDecimals(), w.net().indianDecimals()))
	}
	t.Rows = append(t.Rows, summary("Total", "", "", "", gross.indianDecimals(), deducted.indianDecimals(), net.indianDecimals()))
	return t
}

func julySheet() Document {
	return Document{
		Key: "sheets/Wage_Sheet_July_2025.pdf", Title: "Wage Sheet July 2025", Fields: toWages(),
		Look:     Look{Landscape: true, Numbered: true, Head: "Kaveri Weaving Works - wages office"},
		Contents: []Block{Heading{1, "Wage Sheet July 2025"}, wageTable(Aligned, staff())},
	}
}

func juneSheet() Document {
	return Document{
		Key: "sheets/Wage_Sheet_June_2025.pdf", Title: "Wage Sheet June 2025", Fields: toWages(),
		Look:     Look{Landscape: true, Numbered: true, Head: "Kaveri Weaving Works - wages office"},
		Contents: []Block{Heading{1, "Wage Sheet June 2025"}, wageTable(Banded, juneStaff())},
	}
}

// contractors has a sub-total below each agency's people and a grand total.
func contractors() Document {
	t := Table{Rules: Grid, Columns: []Column{
		{"Worker No", 64, "L"}, {"Name", 120, "L"}, {"Agency", 130, "L"}, {"Shifts", 50, "R"}, {"Rate per Shift", 74, "R"}, {"Amount", 76, "R"},
	}}
	agencies := []struct {
		name   string
		people []string
		rate   paise
	}{
		{"Nila Manpower", []string{"Arokia Samy", "Banu Mathi", "Chella Durai", "Esakki Muthu", "Ganesa Murthy"}, 612_50},
		{"Sri Balaji Services", []string{"Irudaya Raj", "Kala Vathi", "Mari Appan", "Pechi Ammal"}, 598_00},
	}
	number, grand := 201, paise(0)
	for _, a := range agencies {
		var sub paise
		for _, name := range a.people {
			shifts := 19 + number%7
			amount := paise(shifts) * a.rate
			sub += amount
			t.Rows = append(t.Rows, record(fmt.Sprintf("CON-%d", number), name, a.name, strconv.Itoa(shifts), a.rate.indianDecimals(), amount.indianDecimals()))
			number++
		}
		grand += sub
		t.Rows = append(t.Rows, summary("", "Sub-total", a.name, "", "", sub.indianDecimals()))
	}
	t.Rows = append(t.Rows, summary("", "Grand Total", "", "", "", grand.indianDecimals()))
	return Document{
		Key: "sheets/Contractor_Payments_July_2025.pdf", Title: "Contractor Payments July 2025", Fields: toWages(),
		Contents: []Block{Heading{1, "Contractor Payments July 2025"}, Prose("Paid to the agencies on 5 August 2025 against their bills."), t},
	}
}
