package render

import (
	"encoding/xml"
	"fmt"
	"io"

	"github.com/hardgate-dev/hardgate/runtime/evaluate"
)

type suites struct {
	XMLName  xml.Name `xml:"testsuites"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Suites   []suite  `xml:"testsuite"`
}

type suite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Time     string      `xml:"time,attr"` // seconds
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class    string         `xml:"classname,attr"`
	Name     string         `xml:"name,attr"`
	Time     string         `xml:"time,attr"` // seconds
	Failures []junitFailure `xml:"failure"`
}

type junitFailure struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// JUnit writes one suite per golden set, one case per question in the corpus'
// own mode, and a case "gate" for the set as a whole: a question may fail within
// the thresholds, and the gate's case is then what passes.
func JUnit(w io.Writer, s *evaluate.Scorecard) error {
	var doc suites
	for _, set := range s.Sets {
		js := suite{Name: s.Corpus + "/" + set.Name}
		seconds := 0.0
		for i := range set.Questions {
			q := &set.Questions[i]
			if q.Mode != gateMode(set) {
				continue
			}
			seconds += q.LatencyMillis / 1000
			js.add(junitCase{Class: js.Name + "." + q.Class, Name: q.Name, Time: fmt.Sprintf("%.4f", q.LatencyMillis/1000)}, q.Failures, q)
		}
		js.add(junitCase{Class: js.Name, Name: "gate", Time: "0"}, set.Failures, nil)
		js.Time = fmt.Sprintf("%.4f", seconds)
		doc.Tests += js.Tests
		doc.Failures += js.Failures
		doc.Suites = append(doc.Suites, js)
	}
	data, err := xml.MarshalIndent(doc, "", "  ")
	if err != nil {
		return fmt.Errorf("write JUnit report: %w", err)
	}
	if _, err := w.Write(append([]byte(xml.Header), append(data, '\n')...)); err != nil {
		return fmt.Errorf("write JUnit report: %w", err)
	}
	return nil
}

// add counts a case; a case with several failures is one failed case.
// q is the question's card; nil of the gate's case.
func (s *suite) add(c junitCase, fs []evaluate.Failure, q *evaluate.QuestionCard) {
	for _, f := range fs {
		c.Failures = append(c.Failures, junitFailure{Type: f.Reason, Message: f.Stage + ": " + f.Reason, Text: f.Detail + said(q, f)})
	}
	s.Tests++
	if len(fs) > 0 {
		s.Failures++
	}
	s.Cases = append(s.Cases, c)
}
