package extract_test

import (
	"fmt"
	"testing"

	"github.com/hardgate-dev/hardgate/runtime/extract"
	"github.com/hardgate-dev/hardgate/runtime/extract/pdftest"
)

// What is not read of an outline is said, and what fits is read without a word.
func TestOutlineBound(t *testing.T) {
	const bound = 5000
	for _, n := range []int{bound, bound + 1} {
		f := &pdftest.File{Catalog: "/Outlines {outline}"}
		f.A4().Text(60, 100, 10, pdftest.Regular, "Leave")
		f.Add("outline", fmt.Sprintf("<< /Type /Outlines /First {e0} /Last {e%d} /Count %d >>", n-1, n), nil)
		for i := range n {
			next := ""
			if i+1 < n {
				next = fmt.Sprintf("/Next {e%d}", i+1)
			}
			f.Add(fmt.Sprintf("e%d", i), fmt.Sprintf("<< /Title (Leave) /Parent {outline} /Dest [{page 0} /Fit] %s >>", next), nil)
		}
		capped := false
		for _, p := range apply(t, f).Problems {
			capped = capped || p.Reason == extract.PageCapped
		}
		if capped != (n > bound) {
			t.Errorf("%d entries: told of a bound: %v", n, capped)
		}
	}
}
