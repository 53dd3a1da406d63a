package extract_test

import (
	"testing"

	"github.com/hardgate-dev/hardgate/runtime/extract"
	"github.com/hardgate-dev/hardgate/runtime/extract/pdftest"
)

// BenchmarkApply reads pages of a register and of dense prose; per page.
func BenchmarkApply(b *testing.B) {
	const pages = 20
	register := &pdftest.File{}
	register.Register("Register", pdftest.RegisterRows(24*pages), pdftest.Look{RowRules: true, ColumnRules: true, Repeat: true})
	dense := &pdftest.File{}
	for range pages {
		p := dense.A4()
		for i := range 55 {
			p.Text(50, 50+float64(i)*13, 10, pdftest.Regular, "The register of the mill is kept by the desk for payroll and stores, with dates")
		}
	}
	for name, f := range map[string]*pdftest.File{"Register": register, "Prose": dense} {
		b.Run(name, func(b *testing.B) {
			x, data := extractor(b, extract.Limits{}), f.Bytes()
			for b.Loop() {
				if _, err := x.Apply(b.Context(), extract.File{Data: data}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*pages), "µs/page")
		})
	}
}
