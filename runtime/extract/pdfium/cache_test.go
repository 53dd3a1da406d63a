package pdfium_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/hardgate-dev/hardgate/runtime/extract/pdfium"
)

// A cache that can't be written ends it before anything is compiled, and says by which flag another is named.
func TestCacheThatCannotBeWritten(t *testing.T) {
	dir := filepath.Join("engine_test.go", "below") // a file has nothing below it
	_, err := pdfium.Open(t.Context(), pdfium.Options{CacheDir: dir})
	if err == nil || !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "--extract-cache-dir") {
		t.Errorf("error %v, want the directory and what to do", err)
	}
}
