// Package letter takes an email apart: which sentences ask, and which tell the
// story around the question.
//
// A text enters that begins with "Subject:"; a Letter leaves. The greeting, the
// name at the foot and what is quoted from earlier letters are left out, because
// no document needs to account for them.
package letter

import (
	"regexp"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/generate/english"
)

// Letter is an email taken apart.
type Letter struct {
	Subject string
	Asks    []Ask    // at least one
	Story   []string // the sentences that do not ask, in order
}

// Ask is one thing that is asked for.
type Ask struct {
	Text  string // as a question, without "could you tell me"
	After string // the sentence before it, which "it" and "that" speak of; "" for the first
	Price bool   // a request for a price or an offer: "please quote for …"
	Terse bool   // an identifier, with a word or two at most
}

var subject = regexp.MustCompile(`(?i)^\s*subject\s*:[ \t]*([^\n]*)(?:\n|$)`)

// Read takes a text apart, if it is a letter: one that has a line for its subject.
func Read(text string) (*Letter, bool) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	m := subject.FindStringSubmatchIndex(text)
	if m == nil {
		return nil, false
	}
	l := &Letter{Subject: topic(text[m[2]:m[3]])}
	before := ""
	for _, s := range sentences(body(text[m[1]:])) {
		asks := asksOf(s)
		if len(asks) == 0 {
			l.Story = append(l.Story, s)
		}
		for _, a := range asks {
			a.After, before = before, a.Text
			l.Asks = append(l.Asks, a)
		}
		before = s
	}
	if len(l.Asks) == 0 {
		l.onlySubject()
	}
	return l, len(l.Asks) > 0
}

// onlySubject finds the question of a letter whose body asks nothing: an identifier
// alone, else the subject, else the last sentence.
func (l *Letter) onlySubject() {
	for i, s := range l.Story { // "INV-7719" alone is a question about it
		if terse(s) {
			l.Story = append(l.Story[:i:i], l.Story[i+1:]...)
			l.Asks = []Ask{{Text: s, Terse: true}}
			return
		}
	}
	if n := len(l.Story); n > 0 && (idle(l.Subject) || !terse(l.Subject) && n == 1) {
		last := l.Story[n-1]
		l.Story = l.Story[:n-1]
		l.Asks = []Ask{{Text: last, Price: prices(last)}}
		return
	}
	if !idle(l.Subject) {
		l.Asks = []Ask{{Text: l.Subject, Terse: terse(l.Subject), Price: prices(l.Subject)}}
	}
}

// formal are subjects that say nothing.
const formal = " question questions enquiry inquiry query hello hi help urgent info information request quick one important fyi mail email message us you "

// idle reports whether a subject says nothing.
func idle(subject string) bool {
	for _, t := range english.Tokens(subject) {
		if !strings.Contains(formal, " "+t.Fold+" ") && !english.Stop(t.Fold) {
			return false
		}
	}
	return true
}

var reply = regexp.MustCompile(`(?i)^\s*(?:(?:re|fw|fwd|aw)\s*:\s*)+`)

// topic is a subject without "Re:".
func topic(s string) string { return strings.TrimSpace(reply.ReplaceAllString(s, "")) }

// Background is the subject and the story as one text: what an ask such as "what
// do we get?" is about.
func (l *Letter) Background() string {
	parts := l.Story
	if len(english.Tokens(l.Subject)) > 0 {
		parts = append([]string{strings.TrimRight(l.Subject, ".?! ") + "."}, parts...)
	}
	return strings.Join(parts, " ")
}
