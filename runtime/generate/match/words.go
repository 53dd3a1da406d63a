package match

import (
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/generate/ask"
	"github.com/hardgate-dev/hardgate/runtime/generate/english"
)

// papers are words for a document. Those in generics may stand for any table;
// the others must be what the document calls itself.
const (
	generics = " register sheet roll list table report file document record roster schedule log book statement ledger page "
	papers   = generics + "invoice bill calendar policy payroll receipt order note card handbook letter "
)

// Paper reports whether a stem is a word for a document.
func Paper(stem string) bool   { return strings.Contains(papers, " "+stem+" ") }
func generic(stem string) bool { return strings.Contains(generics, " "+stem+" ") }

// presence are verbs that only say that a row is there.
const presence = " work working worked employ employed belong belongs raise raised issue issued bill billed invoiced draw drawn receive received" +
	" be serve served send sent assigned post posted stand stands figure fall hold have see found come came paid pay owed charge charged" +
	" cover covered credited credit run name called use used do spend spent drew earn earns earned getting receiving take took makes" +
	" went go goes out come comes apply applies deducted deduct withheld withhold total cost amount number value figure entry show order ordered" +
	" recover recovered granted awarded allotted allocated "

// Present reports whether a word says only that a row or a paper is there.
func Present(fold string) bool { return strings.Contains(presence, " "+fold+" ") }

// pays are header words of money that people are paid, apart from the concept "pay".
const pays = " gross net basic ctc "

// measures are nouns that add nothing to the name of a column of amounts.
const measures = " allowance limit figure entitlement fee charge "

// subjects are header words that say that rows are people.
const subjects = " employee staff worker person member workman personnel "

// about reports whether the table's rows are people.
func (r *Reading) about() bool {
	named := false
	for _, c := range r.Table.Columns {
		for _, w := range c.Words {
			if strings.Contains(subjects, " "+w.Stem+" ") {
				return true
			}
			named = named || w.Stem == "name" && len(c.Words) == 1
		}
	}
	for _, w := range r.Context.Strong {
		if strings.Contains(subjects, " "+w.Stem+" ") || english.Concept(w.Stem) == "pay" || w.Stem == "attendance" || w.Stem == "muster" {
			return true
		}
	}
	return named && (r.paying() || r.Table.Key >= 0)
}

// paying reports whether the table says what people are paid.
func (r *Reading) paying() bool { return len(r.payColumns()) > 0 }

// payColumns are the columns of money that people are paid.
func (r *Reading) payColumns() []int {
	var out []int
	for i, c := range r.Table.Columns {
		if c.Kind != amountKind {
			continue
		}
		for _, w := range c.Words {
			if strings.Contains(pays, " "+w.Stem+" ") || english.Concept(w.Stem) == "pay" {
				out = append(out, i)
				break
			}
		}
	}
	return out
}

// Reference is how the question itself refers to the document ("April 2025
// salary register"), or "" when it uses no such word.
func (r *Reading) Reference() string {
	q := r.Question
	for i := len(q.Tokens) - 1; i >= 0; i-- {
		if r.used[i] != byContext || !Paper(q.Tokens[i].Stem) {
			continue
		}
		from := i
		for from > 0 && (r.used[from-1] == byContext || q.Roles[from-1] == ask.Period) {
			from--
		}
		last := q.Tokens[i]
		return q.Text[q.Tokens[from].Start : last.Start+len(last.Text)]
	}
	return ""
}
