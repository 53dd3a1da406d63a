package evaluate

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// library is a small working corpus in memory: documents with payload, cut into
// chunks, with a ledger over them. Tests change it before they ask.
type library struct {
	records []rag.Record
	points  []rag.Hit
	objects []string
}

// published are the fields that make a document visible to tenant hr, group staff.
func published(more ...any) map[string]any {
	f := map[string]any{"status": "published", "customer": "hr", "groups": []any{"staff"}, "valid_from": "2024-01-01"}
	for i := 0; i < len(more); i += 2 {
		f[more[i].(string)] = more[i+1]
	}
	return f
}

func employees() [][]string {
	var rows [][]string
	for i, dept := range []string{"Office", "Mill", "Mill", "Office", "Stores", "Mill", "Mill", "Stores", "Office", "Mill", "Stores", "Mill"} {
		rows = append(rows, []string{fmt.Sprintf("ST%03d", i+1), fmt.Sprintf("Person %c", 'A'+i), dept, fmt.Sprintf("%d,000.00", 40+i)})
	}
	return rows
}

func newLibrary() *library {
	l := &library{}
	l.table("Salary_Register_April_2025", "salary-register-april-2025", published(), employees(), 5)
	l.prose("Leave_Policy-v1", "annual-leave", published("valid_to", "2025-01-01"), "Annual leave is eighteen days a year.", "Leave is asked for in writing.")
	l.prose("Leave_Policy-v2", "annual-leave", published("valid_from", "2025-01-01", "valid_to", nil), "Annual leave is 24 days a year.", "Leave is asked for in the portal.")
	l.prose("South_Contract-v1", "coverage", published("customer", "south"), "Replacement of pumps is covered for 30 days.")
	l.prose("Hr_Contract-v1", "coverage", published(), "Replacement of pumps is covered for 60 days.")
	l.prose("Ops_Exceptions", "exceptions", published("groups", []any{"ops"}), "Night shift exceptions are approved by operations.")
	l.prose("Draft_Bonus", "bonus", published("status", "draft"), "The bonus is 10 % of the salary.")
	l.prose("Guide_AX-42", "airflow", published("product", "AX-42"), "The airflow needs 20 cm of clearance.")
	l.prose("Guide_AX-24", "airflow", published("product", "AX-24"), "The airflow needs 35 cm of clearance.")
	l.prose("Canteen", "menu", published("customer", "all"), "The canteen menu changes on Monday.")
	l.failed("registers/Broken_Invoice.pdf", "Broken_Invoice", rag.Failure{Stage: "extract", Reason: "Truncated", Detail: "no trailer"})
	l.objects = append(l.objects, "drafts/Excluded_Memo.pdf")
	return l
}

// add stores the chunks of a document and its record.
func (l *library) add(document string, fields map[string]any, chunks ...rag.Chunk) {
	rec := rag.Record{Key: "docs/" + document + ".pdf", Document: document, Pages: 1, Chunks: len(chunks), Fields: fields}
	var text []string
	for i, c := range chunks {
		c.Document, c.Ordinal, c.Fields, c.Place.Page = document, i, fields, 1
		l.points = append(l.points, rag.Hit{Chunk: c, ID: fmt.Sprintf("%s/%s/%d", document, c.Passage, c.Piece)})
		text = append(text, c.Heading, c.Body())
	}
	rec.Text = strings.Join(text, "\n")
	l.records, l.objects = append(l.records, rec), append(l.objects, rec.Key)
}

// addTo stores one more passage of a document that is already there.
func (l *library) addTo(document, passage, sentence string) {
	c := rag.Chunk{Document: document, Passage: passage, Pieces: 1, Ordinal: 99, Fields: published(), Units: []rag.Unit{{Name: passage + ".s1", Kind: rag.Sentence, Text: sentence}}}
	l.points = append(l.points, rag.Hit{Chunk: c, ID: c.Evidence()})
}

func (l *library) prose(document, passage string, fields map[string]any, sentences ...string) {
	c := rag.Chunk{Passage: passage, Heading: strings.ReplaceAll(passage, "-", " "), Pieces: 1}
	for i, s := range sentences {
		c.Units = append(c.Units, rag.Unit{Name: fmt.Sprintf("%s.s%d", passage, i+1), Kind: rag.Sentence, Text: s, Order: i})
	}
	l.add(document, fields, c)
}

// table stores rows in pieces of some rows each, with a total at the end.
func (l *library) table(document, heading string, fields map[string]any, rows [][]string, per int) {
	header := []string{"Emp ID", "Name", "Department", "Gross"}
	rows = append(rows, []string{"Total", "", "", "546,000.00"})
	var chunks []rag.Chunk
	for at := 0; at < len(rows); at += per {
		c := rag.Chunk{Passage: "p1.t1", Aliases: []string{heading}, Heading: strings.ReplaceAll(heading, "-", " "), Table: true, Header: header, Piece: len(chunks)}
		for i := at; i < min(at+per, len(rows)); i++ {
			c.Units = append(c.Units, rag.Unit{Name: fmt.Sprintf("p1.t1.r%d", i+1), Kind: rag.RowUnit, Text: strings.Join(rows[i], " | "), Cells: rows[i], Order: i})
		}
		chunks = append(chunks, c)
	}
	for i := range chunks {
		chunks[i].Pieces = len(chunks)
	}
	l.add(document, fields, chunks...)
}

func (l *library) failed(key, document string, f rag.Failure) {
	l.records = append(l.records, rag.Record{Key: key, Document: document, Failure: &f})
	l.objects = append(l.objects, key)
}

// remove takes a document out, as if it had never been listed.
func (l *library) remove(document string) {
	var records []rag.Record
	for _, r := range l.records {
		if r.Document != document {
			records = append(records, r)
		}
	}
	var points []rag.Hit
	for _, p := range l.points {
		if p.Document != document {
			points = append(points, p)
		}
	}
	var objects []string
	for _, o := range l.objects {
		if o != "docs/"+document+".pdf" {
			objects = append(objects, o)
		}
	}
	l.records, l.points, l.objects = records, points, objects
}

func (l *library) Records(context.Context) ([]rag.Record, error) { return l.records, nil }

func (l *library) Objects(context.Context) ([]string, error) { return l.objects, nil }

func (l *library) Chunks(_ context.Context, document string) ([]rag.Hit, error) {
	var out []rag.Hit
	for _, p := range l.points {
		if p.Document == document {
			out = append(out, p)
		}
	}
	return out, nil
}

func (l *library) Payload(_ context.Context, ids []string) (map[string]map[string]any, error) {
	out := map[string]map[string]any{}
	for _, id := range ids {
		for _, p := range l.points {
			if p.ID == id {
				out[id] = p.Fields
			}
		}
	}
	return out, nil
}

func rules() settings.Eligibility {
	return settings.Eligibility{
		Constants: []settings.Constant{{Field: "status", Values: []string{"published"}}},
		Identity:  []settings.IdentityRule{{Field: "groups", Claim: "groups"}, {Field: "customer", Claim: "tenant", Shared: []string{"all"}}},
		Question:  []settings.QuestionRule{{Field: "product", Pattern: `\bAX-\d{2}\b`, Strip: true}},
		Validity:  &settings.Validity{From: "valid_from", To: "valid_to"},
	}
}

func configuration() settings.Corpus {
	return settings.Corpus{
		Eligibility: rules(),
		Pipeline: settings.Pipeline{
			Retrieval:   settings.Retrieval{Mode: "Hybrid", TopK: 3, Candidates: 20, Fusion: settings.Fusion{Method: "Weighted", Dense: 0.65, Lexical: 0.35}},
			Compression: settings.Compression{Mode: "TableAware"},
			Generation:  settings.Generation{Provider: "Extractive"},
		},
	}
}

func staff() settings.As {
	return settings.As{Tenant: "hr", Groups: []string{"staff"}, AsOf: "2025-05-01"}
}

func ids() []string {
	var out []string
	for _, r := range employees() {
		out = append(out, r[0])
	}
	return out
}

// key is an answer key that the unharmed library and flow pass in full.
func key() settings.GoldenSet {
	q := func(name, class, question string, x settings.Expect) settings.GoldenQuestion {
		x.Status = cmp.Or(x.Status, "Answered")
		return settings.GoldenQuestion{Name: name, Class: class, Question: question, As: staff(), Expect: x}
	}
	register := []string{"Salary_Register_April_2025"}
	past := staff()
	past.AsOf = "2024-06-01"
	history := q("leave-2024", "Historical", "How much annual leave is there in a year?", settings.Expect{
		Evidence: []string{"Leave_Policy-v1#annual-leave"}, Facts: []settings.Fact{{AnyOf: []string{"eighteen days", "18 days"}}}, Forbidden: []string{"Leave_Policy-v2"}})
	history.As = past
	return settings.GoldenSet{
		Questions: []settings.GoldenQuestion{
			q("april-headcount", "TableCount", "How many employees are in the salary register of April 2025?", settings.Expect{
				Evidence: register, Facts: []settings.Fact{{AnyOf: []string{"12 employees", "twelve employees"}}}, Entities: &settings.Entities{Values: ids()},
				Aggregate: &settings.Aggregate{Op: "DistinctCount", Column: "Emp ID", Value: "12"}}),
			q("mill-gross", "TableSum", "What is the sum of gross for Mill in the salary register of April 2025?", settings.Expect{
				Evidence: []string{"Salary_Register_April_2025#salary-register-april-2025"}, Facts: []settings.Fact{{AnyOf: []string{"274,000"}}}, Entities: &settings.Entities{Pattern: `ST\d{3}`, Count: 12},
				Aggregate: &settings.Aggregate{Op: "Sum", Column: "Gross", Where: map[string]string{"Department": "Mill"}, Value: "274,000"}}),
			q("leave-today", "Semantic", "How much annual leave is there in a year?", settings.Expect{
				Evidence: []string{"Leave_Policy-v2#annual-leave"}, Facts: []settings.Fact{{AnyOf: []string{"24 days"}}}, Forbidden: []string{"Leave_Policy-v1"}}),
			history,
			q("pump-coverage", "Access", "How long is replacement of pumps covered?", settings.Expect{
				Evidence: []string{"Hr_Contract-v1#coverage"}, Facts: []settings.Fact{{AnyOf: []string{"60 days"}}}, Forbidden: []string{"South_Contract-v1"}}),
			q("airflow", "ExactID", "What clearance does the airflow of AX-42 need?", settings.Expect{
				Evidence: []string{"Guide_AX-42#airflow"}, Facts: []settings.Fact{{AnyOf: []string{"20 cm"}}}, Forbidden: []string{"Guide_AX-24"}}),
			q("night-shift", "Refusal", "Who approves night shift exceptions?", settings.Expect{Status: "NeedsHuman", Forbidden: []string{"Ops_Exceptions"}}),
		},
		Cutoffs: []int{1, 3},
	}
}
