package changes

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/extract/pdftest"
)

// TestTitle holds the order in which a document is given its title, which stands
// at the head of everything that is embedded of it.
func TestTitle(t *testing.T) {
	cases := map[string]struct {
		reason, metadata, info, heading string
		want                            string // all that is embedded
	}{
		"metadata": {"who files a paper says what it is", "Peachtree contract", "Contract", "Terms of carriage", "Peachtree contract\nTerms of carriage\nPayment is due in 30 days."},
		"info":     {"else the file says it", "", "Contract", "Terms of carriage", "Contract\nTerms of carriage\nPayment is due in 30 days."},
		"heading":  {"else the first heading does, once", "", "", "Terms of carriage", "Terms of carriage\nPayment is due in 30 days."},
		"junk":     {"a program's title is none", "", "Microsoft Word - final2.docx", "Terms of carriage", "Terms of carriage\nPayment is due in 30 days."},
		"nothing":  {"else the file's name is all that there is", "", "", "", "nothing\nPayment is due in 30 days."},
	}
	d := open(t)
	for _, key := range slices.Collect(maps.Keys(d.fields)) {
		d.remove(key)
	}
	for name, c := range cases {
		f := &pdftest.File{Title: c.info}
		p := f.A4()
		if c.heading != "" {
			p.Text(60, 80, 16, pdftest.Bold, c.heading)
		}
		p.Text(60, 120, 10, pdftest.Regular, "Payment is due in 30 days.")
		fields := map[string]any{"customer": "all"}
		if c.metadata != "" {
			fields["title"] = c.metadata
		}
		d.write(name+".pdf", f.Bytes())
		d.put(name+".pdf", fields)
	}
	all := d.ingest(1)
	for name, c := range cases {
		got := all.texts(func(p passage) bool { return p.document == name })
		if diff := cmp.Diff([]string{c.want}, got); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", name, c.reason, diff)
		}
	}
}
