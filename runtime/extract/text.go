package extract

import (
	"errors"
	"fmt"

	"github.com/hardgate-dev/hardgate/runtime/extract/docx"
	"github.com/hardgate-dev/hardgate/runtime/extract/html"
	"github.com/hardgate-dev/hardgate/runtime/extract/markdown"
	"github.com/hardgate-dev/hardgate/runtime/extract/plain"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// maxMarkup bounds a file of text or markup: parsed, it takes ten to twenty times
// its size. A thousand printed pages are 3 MB.
const maxMarkup = 32 << 20

// pageless reads a file that has no pages.
func pageless(k kind, data []byte) (rag.Document, error) {
	if len(data) == 0 {
		return rag.Document{}, &Error{Reason: Empty, Detail: "the file has no bytes; store it again"}
	}
	read := map[kind]func([]byte) (rag.Document, bool, error){
		kindHTML: html.Read, kindMarkdown: markdown.Read, kindText: plain.Read, kindDOCX: docx.Read,
	}[k]
	if k != kindDOCX && len(data) > maxMarkup {
		return rag.Document{}, &Error{Reason: TooLarge, Detail: fmt.Sprintf("%d bytes of %s, more than the %d that are read; split the file", len(data), k, maxMarkup)}
	}
	doc, ok, err := read(data)
	switch {
	case err != nil:
		return rag.Document{}, unread(k, err)
	case !ok:
		return rag.Document{}, &Error{Reason: Empty, Detail: "it holds no text; exclude it"}
	}
	if junk(doc.Title) {
		doc.Title = ""
	}
	return doc, nil
}

// unread turns an error of a format's reader into a typed one.
func unread(k kind, err error) error {
	e := &Error{Reason: Damaged, cause: err, Detail: err.Error() + "; store it again from its source"}
	switch {
	case errors.Is(err, plain.ErrBinary):
		e.Reason, e.Detail = Mislabelled, fmt.Sprintf("its name says %s, and its bytes are no text; rename or exclude it", k)
	case errors.Is(err, plain.ErrUnknown):
		e.Reason, e.Detail = UnknownEncoding, "it is not UTF-8, UTF-16 or windows-1252, and does not say what it is; store it as UTF-8"
	case errors.Is(err, docx.ErrEncrypted):
		e.Reason, e.Detail = Encrypted, "it is protected by a password, or a .doc under another name; store it as .docx without a password"
	case errors.Is(err, docx.ErrTooLarge), errors.Is(err, html.ErrTooLarge):
		e.Reason, e.Detail = TooLarge, err.Error()+"; split it"
	}
	return e
}
