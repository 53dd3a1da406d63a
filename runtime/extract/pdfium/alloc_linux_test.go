package pdfium

import "testing"

func TestReservedMemory(t *testing.T) {
	const page = 64 << 10
	m := reserve(page, 4*page)
	b := m.Reallocate(page)
	b[page-1] = 7
	c := m.Reallocate(3 * page)
	if len(c) != 3*page || &c[0] != &b[0] || c[page-1] != 7 {
		t.Error("memory moved or changed as it grew")
	}
	c[3*page-1] = 1 // committed
	if m.Reallocate(5*page) != nil {
		t.Error("memory grew over its limit")
	}
	m.Free()
	m.Free() // twice is harmless
}
