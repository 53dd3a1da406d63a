package main

import (
	"maps"
	"strconv"
)

// prose is two sister companies in one corpus: rules in running text that say
// different things to each, and one attendance sheet to be counted by
// condition. The first folder of a key is the company; "all" is for both.
func prose() Sample {
	docs := []Document{attendanceSheet()}
	docs = append(docs, loomworks()...)
	docs = append(docs, dyehouse()...)
	docs = append(docs, common()...)
	return Sample{Dir: "test/golden/prose", Documents: docs}
}

// rulebook is a document of rules; it has no line in the manifest unless
// fields are given, since its folder says whose it is.
func rulebook(key, title string, fields map[string]any, contents ...Block) Document {
	return Document{
		Key: key + ".pdf", Fields: maps.Clone(fields), Look: Look{Font: "Times", Size: 11.5},
		Contents: append([]Block{Heading{1, title}}, contents...),
	}
}

// attendee is one line of the attendance sheet of 8 August 2025.
type attendee struct {
	Clock, Name, Section, Status string
	Absent, Late                 int // days, times in the month so far
	Overtime                     int // hours in the month so far
}

func attendees() []attendee {
	return []attendee{
		{"LW101", "Agnes Tull", "Cutting", "Present", 0, 1, 6},
		{"LW102", "Boris Hale", "Stitching", "Absent", 2, 0, 0},
		{"LW103", "Carol Ince", "Stitching", "Present", 0, 4, 3},
		{"LW104", "Dilip Rana", "Pressing", "Present", 1, 0, 8},
		{"LW105", "Edna Moss", "Stitching", "Half day", 1, 2, 0},
		{"LW106", "Felix Oram", "Cutting", "Absent", 3, 3, 2},
		{"LW107", "Grace Pell", "Stitching", "Absent", 1, 0, 5},
		{"LW108", "Hamid Aziz", "Pressing", "Present", 0, 6, 0},
		{"LW109", "Iris Webb", "Stitching", "Present", 0, 0, 11},
		{"LW110", "Jonas Kirk", "Cutting", "Present", 0, 5, 9},
		{"LW111", "Kitty Lund", "Stitching", "Present", 4, 1, 0},
		{"LW112", "Leon Abbot", "Pressing", "Absent", 5, 2, 0},
		{"LW113", "Mona Frith", "Stitching", "Present", 0, 3, 7},
		{"LW114", "Nils Otter", "Cutting", "Half day", 1, 0, 4},
		{"LW115", "Olive Stark", "Stitching", "Absent", 6, 7, 0},
		{"LW116", "Perry Shaw", "Cutting", "Present", 0, 0, 12},
		{"LW117", "Queenie Lock", "Stitching", "Present", 2, 4, 1},
		{"LW118", "Rufus Dane", "Pressing", "Present", 0, 0, 10},
		{"LW119", "Stella Munn", "Stitching", "Present", 0, 1, 2},
		{"LW120", "Tariq Noor", "Cutting", "Absent", 2, 3, 0},
	}
}

func attendanceSheet() Document {
	t := Table{Rules: Lines, Size: 9.5, Columns: []Column{
		{"Clock No", 60, "L"}, {"Name", 100, "L"}, {"Section", 80, "L"}, {"Status", 70, "L"}, {"Days Absent", 62, "R"}, {"Late Arrivals", 66, "R"}, {"Overtime Hours", 76, "R"},
	}}
	for _, a := range attendees() {
		t.Rows = append(t.Rows, record(a.Clock, a.Name, a.Section, a.Status, strconv.Itoa(a.Absent), strconv.Itoa(a.Late), strconv.Itoa(a.Overtime)))
	}
	return Document{
		Key: "loomworks/Attendance_Sheet_8_August_2025.pdf", Look: Look{Numbered: true},
		Contents: []Block{
			Heading{1, "Attendance sheet, Friday 8 August 2025"},
			Prose("Status is that of the day. Days absent, late arrivals and overtime hours are those of August so far."),
			t,
		},
	}
}
