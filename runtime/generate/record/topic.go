package record

import (
	"regexp"
	"slices"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/generate/amount"
	"github.com/hardgate-dev/hardgate/runtime/generate/english"
)

// empty are words that name no topic of a record: every line of it is about a
// charge, an invoice, a time.
const empty = " charge invoice bill total amount cost price rate fee money pay paid owe figure time hour day week load job order hire customer driver truck lorry your our we you us detail record file number subject question get much long come work explain "

// Topics are the words of a text that may name a line of a record.
func Topics(text string) []english.Token {
	var out []english.Token
	for _, t := range english.Tokens(english.Plain(text)) {
		if t.Kind == english.Word && !english.Filler(t.Fold) && !english.Negation(t.Fold) && !strings.Contains(empty, " "+t.Stem+" ") && !strings.Contains(empty, " "+t.Fold+" ") {
			out = append(out, t)
		}
	}
	return out
}

// Says reports whether a text says anything beside identifiers.
func Says(text string) bool {
	return slices.ContainsFunc(english.Tokens(text), func(t english.Token) bool {
		return t.Kind == english.Word && !english.Filler(t.Fold)
	})
}

// about counts the topics that a text speaks of.
func about(text string, topics []english.Token) int {
	n := 0
	words := english.Tokens(text)
	for _, t := range topics {
		if slices.ContainsFunc(words, func(w english.Token) bool { return w.Kind == english.Word && english.Kin(t, w) }) {
			n++
		}
	}
	return n
}

// Charge returns the row that a letter asks about: the one with an amount that the
// letter quotes, else the one whose first cell says a word of it that no other
// row says. It returns nil when no row or several may be meant.
func (r *Record) Charge(ask, background string) *Row {
	if row := r.quoting(ask + " " + background); row != nil {
		return row
	}
	for _, text := range []string{ask, background} {
		if row := r.named(Topics(text)); row != nil {
			return row
		}
	}
	return nil
}

var figure = regexp.MustCompile(`[$€£₹]\s?\d[\d,]*(?:\.\d+)?`)

// quoting is the only row that has an amount of the text in a cell of its own.
func (r *Record) quoting(text string) *Row {
	var found *Row
	for _, f := range figure.FindAllString(text, -1) {
		want, ok := amount.Parse(f, false)
		if !ok {
			continue
		}
		for i := range r.Rows {
			if a, ok := r.Rows[i].Amount(); ok && !r.Rows[i].Total && a.Value.Cmp(want.Value) == 0 {
				if found != nil && found.Ref != r.Rows[i].Ref {
					return nil
				}
				found = &r.Rows[i]
			}
		}
	}
	return found
}

// named is the only row with an amount whose first cell says one of the topics.
func (r *Record) named(topics []english.Token) *Row {
	var found *Row
	best, level := 0, false
	for i := range r.Rows {
		w := &r.Rows[i]
		if _, ok := w.Amount(); !ok || w.Total || len(w.Cells) == 0 {
			continue
		}
		switch n := about(w.Cells[0], topics); {
		case n > best:
			found, best, level = w, n, false
		case n == best && n > 0:
			level = true
		}
	}
	if level {
		return nil
	}
	return found
}

// Amount is the row's money: its last cell, with a currency on it.
func (w Row) Amount() (amount.Amount, bool) {
	for i := len(w.Cells) - 1; i > 0; i-- {
		if strings.TrimSpace(w.Cells[i]) == "" {
			continue
		}
		a, ok := amount.Parse(w.Cells[i], false)
		return a, ok && a.Currency != ""
	}
	return amount.Amount{}, false
}

// About are the sentences of the record that speak of a topic, labels aside.
func (r *Record) About(topics []english.Token) []Line {
	var out []Line
	for _, s := range r.Sentences {
		if !s.Labeled && about(s.Text, topics) > 0 {
			out = append(out, s)
		}
	}
	return out
}

// RowsAbout are the rows that speak of a topic.
func (r *Record) RowsAbout(topics []english.Token) []Row {
	var out []Row
	for _, w := range r.Rows {
		if about(strings.Join(w.Cells, " "), topics) > 0 {
			out = append(out, w)
		}
	}
	return out
}

var (
	clock  = regexp.MustCompile(`\b\d{1,2}[:.]\d{2}\b`)
	reason = regexp.MustCompile(`(?i)\b(?:because|since|so|therefore|due to|owing to|as a result|for want of)\b`)
)

// Reasons are the sentences that say why, with the ones under the same heading: a
// reason stands beside what it explains.
func (r *Record) Reasons(topics []english.Token) []Line {
	var headings []string
	for _, s := range r.Sentences {
		if reason.MatchString(s.Text) && !s.Labeled {
			headings = append(headings, s.Heading)
		}
	}
	headings = slices.Compact(headings)
	best, at := -1, ""
	for _, h := range headings {
		n := 0
		for _, s := range r.Sentences {
			if s.Heading == h && !s.Labeled {
				n = max(n, about(s.Text, topics))
			}
		}
		if n > best {
			best, at = n, h
		} else if n == best {
			at = "" // two may be meant
		}
	}
	if best <= 0 || at == "" {
		return nil
	}
	var out []Line
	for _, s := range r.Sentences {
		if s.Heading == at && !s.Labeled {
			out = append(out, s)
		}
	}
	return out
}

// mostStops is how many rows of times may be read out where none is picked.
const mostStops = 4

// Times are the rows of the table that has, under a name that the question says, a
// time of day: the row that the question names, else all of a short table.
func (r *Record) Times(topics []english.Token) []Row {
	var out []Row
	for _, w := range r.Rows {
		if len(w.Header) != len(w.Cells) {
			continue
		}
		for i, c := range w.Cells {
			if clock.MatchString(c) && about(w.Header[i], topics) > 0 {
				out = append(out, w)
				break
			}
		}
	}
	if len(out) == 0 || slices.ContainsFunc(out, func(w Row) bool { return w.table != out[0].table }) {
		return nil
	}
	best, picked, level := 0, 0, false
	for i, w := range out {
		var cells []string
		for _, c := range w.Cells {
			if !clock.MatchString(c) {
				cells = append(cells, c)
			}
		}
		switch n := about(strings.Join(cells, " "), topics); {
		case n > best:
			best, picked, level = n, i, false
		case n == best && n > 0:
			level = true
		}
	}
	if best > 0 && !level {
		return out[picked : picked+1]
	}
	if len(out) > mostStops {
		return nil
	}
	return out
}

// Speaks reports whether a text speaks of one of the topics.
func Speaks(text string, topics []english.Token) bool { return about(text, topics) > 0 }

// Prints reports whether a text prints an amount of money.
func Prints(text string, a amount.Amount) bool {
	return slices.ContainsFunc(figure.FindAllString(text, -1), func(f string) bool {
		b, ok := amount.Parse(f, false)
		return ok && b.Value.Cmp(a.Value) == 0 && b.Currency == a.Currency
	})
}
