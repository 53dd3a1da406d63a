package extract

import (
	"bytes"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Where the marks of a PDF stand. Bytes.
const (
	headWithin = 1024 // readers accept the version that late
	tailWithin = 2048 // "%%EOF" stands at the very end, give or take what mailers append
)

// inspect judges a file by its first and last bytes. The engine repairs a file
// whose end is missing from what is left, without a word on the pages that are gone.
func inspect(f File) ([]rag.Problem, error) {
	if f.size() == 0 {
		return nil, &Error{Reason: Empty, Detail: "the file has no bytes; store it again"}
	}
	if !bytes.Contains(f.Data[:min(len(f.Data), headWithin)], []byte("%PDF-")) {
		return nil, &Error{Reason: NotPDF, Detail: "it does not begin as a PDF; exclude it, or convert it"}
	}
	tail, err := f.piece(max(0, f.size()-tailWithin), tailWithin)
	if err != nil {
		return nil, err
	}
	if bytes.Contains(tail, []byte("%%EOF")) {
		return nil, nil
	}
	if !bytes.Contains(tail, []byte("startxref")) {
		return nil, &Error{Reason: Truncated, Detail: "its end is missing, so pages may be; store it again from its source"}
	}
	return []rag.Problem{{Reason: Truncated, Detail: "the last bytes are missing; all pages could be found"}}, nil
}
