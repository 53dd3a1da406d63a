package pdftest

import (
	"bytes"
	"fmt"
)

// Numbers of the objects that every file has; pages and their contents follow.
const (
	catalog = 1 + iota
	pageTree
	regular
	bold
	pattern
	info
	encryption
	firstPage
)

// writer collects objects and where they begin.
type writer struct {
	out     bytes.Buffer
	offsets []int
	key     []byte // of the file's encryption, nil for none
}

// Bytes writes the file.
func (f *File) Bytes() []byte {
	w := &writer{}
	lock := newLock(f.Password)
	if lock != nil {
		w.key = lock.key
	}
	w.out.WriteString("%PDF-1.4\n")
	kids := ""
	for i := range f.Pages {
		kids += fmt.Sprintf("%d 0 R ", firstPage+2*i)
	}
	further := firstPage + 2*len(f.Pages)
	for _, p := range f.Pages {
		if p.scan != nil {
			further++
		}
	}
	named := f.numbers(further)
	w.object("<< /Type /Catalog /Pages %d 0 R %s >>", pageTree, named.Replace(f.Catalog))
	w.object("<< /Type /Pages /Kids [%s] /Count %d %s >>", kids, len(f.Pages), f.shared())
	w.object("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
	w.object("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>")
	w.stream("/Type /XObject /Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceGray /BitsPerComponent 8", []byte{0x40, 0x80, 0x80, 0x40})
	w.object("<< /Title <%x> >>", w.sealed(info, []byte(f.Title)))
	w.object("%s", lock.dictionary())
	scans := firstPage + 2*len(f.Pages)
	for i, p := range f.Pages {
		picture := pattern
		if p.scan != nil {
			picture, scans = scans, scans+1
		}
		w.object("<< /Type /Page /Parent %d 0 R %s /Rotate %d /Contents %d 0 R /Annots [%s] %s /Resources << /Font << /F1 %d 0 R /F2 %d 0 R %s>> /Properties << %s>> /XObject << /Im %d 0 R /Scan %d 0 R >> >> >>",
			pageTree, p.box(), p.Rotate, firstPage+2*i+1, named.Replace(p.notes), named.Replace(p.Entries), regular, bold, named.Replace(p.fonts), named.Replace(p.layers), pattern, picture)
		w.stream("", p.ops.Bytes())
	}
	for _, p := range f.Pages {
		if s := p.scan; s != nil {
			space := "DeviceRGB"
			if s.gray {
				space = "DeviceGray"
			}
			w.stream(fmt.Sprintf("/Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /%s /BitsPerComponent 8 /Filter /DCTDecode", s.width, s.height, space), s.jpeg)
		}
	}
	for _, o := range f.objects {
		if body := named.Replace(o.Body); o.Stream != nil {
			w.stream(body, o.Stream)
		} else {
			w.object("%s", body)
		}
	}
	return w.finish(lock)
}

// box is a page's own size; shared is the one that pages inherit.
func (p *Page) box() string {
	if p.Inherits {
		return ""
	}
	return fmt.Sprintf("/MediaBox [0 0 %g %g]", p.Width, p.Height)
}

func (f *File) shared() string {
	for _, p := range f.Pages {
		if p.Inherits {
			return fmt.Sprintf("/MediaBox [0 0 %g %g]", p.Width, p.Height)
		}
	}
	return ""
}

func (w *writer) object(format string, args ...any) {
	w.offsets = append(w.offsets, w.out.Len())
	fmt.Fprintf(&w.out, "%d 0 obj\n", len(w.offsets))
	fmt.Fprintf(&w.out, format, args...)
	w.out.WriteString("\nendobj\n")
}

func (w *writer) stream(dictionary string, data []byte) {
	data = w.sealed(len(w.offsets)+1, data)
	w.object("<< %s /Length %d >>\nstream\n%s\nendstream", dictionary, len(data), data)
}

func (w *writer) finish(l *lock) []byte {
	start := w.out.Len()
	fmt.Fprintf(&w.out, "xref\n0 %d\n0000000000 65535 f \n", len(w.offsets)+1)
	for _, o := range w.offsets {
		fmt.Fprintf(&w.out, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&w.out, "trailer\n<< /Size %d /Root %d 0 R /Info %d 0 R", len(w.offsets)+1, catalog, info)
	if l != nil {
		fmt.Fprintf(&w.out, " /Encrypt %d 0 R /ID [<%x> <%x>]", encryption, fileID, fileID)
	}
	fmt.Fprintf(&w.out, " >>\nstartxref\n%d\n%%%%EOF\n", start)
	return w.out.Bytes()
}
