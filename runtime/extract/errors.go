package extract

import (
	"errors"
	"fmt"

	"github.com/hardgate-dev/hardgate/runtime/extract/pdfium"
)

// Reasons for which a file could not be extracted.
const (
	Empty        = "Empty"        // no bytes, no pages, or no text on any page
	NotPDF       = "NotPDF"       // some other kind of file under a PDF's name
	Mislabelled  = "Mislabelled"  // the name says another type than the bytes
	TooLarge     = "TooLarge"     // more bytes than can be read
	Encrypted    = "Encrypted"    // a password is needed, or the one given is wrong
	Unsupported  = "Unsupported"  // encrypted by a handler that the engine lacks
	Truncated    = "Truncated"    // the end is missing
	Damaged      = "Damaged"      // cannot be opened, or no page can be read
	TooManyPages = "TooManyPages" // over Limits.MaxPages
	Timeout      = "Timeout"      // over Limits.Timeout
	Trapped      = "Trapped"      // the engine crashed or ran out of its memory
	NeedsOCR     = "NeedsOCR"     // there are only images of text

	OCRUnavailable  = "OCRUnavailable"  // recognition is on, and what it needs is not installed
	UnknownEncoding = "UnknownEncoding" // text in an encoding that nothing tells
	UnsupportedType = "UnsupportedType" // a type of file that is not read: skipped
)

// Reasons of problems that don't fail the document.
const (
	PageUnreadable = "PageUnreadable" // a page is damaged; the others were read
	PageTrapped    = "PageTrapped"    // a page crashed the engine; the others were read
	PageTimeout    = "PageTimeout"    // a page took longer than Limits.PageTimeout; the others were read
	OCRFailed      = "OCRFailed"      // a page could not be recognised; the others were read
	Recognised     = "Recognised"     // a page's text was recognised from its picture, with a confidence
	PageCapped     = "PageCapped"     // a page holds more than is read
	TextUnmapped   = "TextUnmapped"   // glyphs of which the file does not say what they mean, left out or read as U+FFFD
	HiddenText     = "HiddenText"     // text that nobody sees on the page
	TableSkipped   = "TableSkipped"   // too many rulings to look for tables among them
	TextMisplaced  = "TextMisplaced"  // text of a page that is in no block or cell; it is in its lines
)

// Error says why a file could not be extracted, and what to do.
type Error struct {
	Reason string
	Page   int // from 1; 0 is the whole file
	Detail string
	Skip   bool // the file is no document: to be counted as skipped, not as failed
	cause  error
}

// FailureReason is the reason under which a document's failure is recorded.
func (e *Error) FailureReason() string { return e.Reason }

// FailureSkips reports whether the object is passed over rather than failed.
func (e *Error) FailureSkips() bool { return e.Skip }

// Error returns reason, page and detail.
func (e *Error) Error() string {
	if e.Page > 0 {
		return fmt.Sprintf("%s: page %d: %s", e.Reason, e.Page, e.Detail)
	}
	return e.Reason + ": " + e.Detail
}

// Unwrap returns the engine's error, if there was one.
func (e *Error) Unwrap() error { return e.cause }

// opened turns an error of opening a file into a typed one; passwords is how many did not fit.
func opened(err error, passwords int) error {
	var trap *pdfium.Trap
	switch {
	case errors.Is(err, pdfium.ErrPassword) && passwords == 1:
		return &Error{Reason: Encrypted, Detail: "the password given does not open it; correct the password", cause: err}
	case errors.Is(err, pdfium.ErrPassword) && passwords > 1:
		return &Error{Reason: Encrypted, Detail: fmt.Sprintf("none of the %d passwords whose pattern matches it opens it; correct extraction.passwords", passwords), cause: err}
	case errors.Is(err, pdfium.ErrPassword):
		return &Error{Reason: Encrypted, Detail: "it needs a password; give one by extraction.passwords, or store the file without", cause: err}
	case errors.Is(err, pdfium.ErrSecurity):
		return &Error{Reason: Unsupported, Detail: "its encryption is not supported; store the file without", cause: err}
	case errors.Is(err, pdfium.ErrFormat):
		return &Error{Reason: Damaged, Detail: "it cannot be repaired; store the file again from its source", cause: err}
	case errors.Is(err, pdfium.ErrTooLarge):
		return &Error{Reason: TooLarge, Detail: "the engine reads files of less than 4 GiB; split the file", cause: err}
	case errors.As(err, &trap):
		return trapped(0, err)
	}
	return err
}

func trapped(page int, err error) error {
	detail := fmt.Sprintf("reading it failed (%v); print the file to a new PDF", err)
	var trap *pdfium.Trap
	if errors.As(err, &trap) {
		detail = crash(trap, "it")
	}
	return &Error{Reason: Trapped, Page: page, cause: err, Detail: detail}
}

// crash says in words that the engine stopped at a page, or at all of a file, and what to do.
func crash(t *pdfium.Trap, what string) string {
	if t.Memory > 0 {
		return fmt.Sprintf("%s holds so much that to read it takes more than the %d MiB of memory it may have; spread it over several pages, or leave it out", what, t.Memory>>20)
	}
	return fmt.Sprintf("reading %s crashed the engine (%v); print the file to a new PDF", what, t)
}
