package pdfium

import "testing"

func TestReservedMemory(t *testing.T) {
	const page = 64 << 10
	a := &allocator{}
	a.admit(3 * page)
	m := a.reserve(page, 5*page)
	b := m.Reallocate(page)
	b[page-1] = 7
	c := m.Reallocate(3 * page)
	if len(c) != 3*page || &c[0] != &b[0] || c[page-1] != 7 {
		t.Error("memory moved or changed as it grew")
	}
	c[3*page-1] = 1 // committed
	if m.Reallocate(4*page) != nil {
		t.Error("memory grew over what is admitted")
	}
	a.admit(6 * page)
	if m.Reallocate(6*page) != nil {
		t.Error("memory grew over its limit")
	}
	if b = m.Reallocate(4 * page); len(b) != 4*page {
		t.Error("memory did not grow as far as is admitted now")
	}
	a.admit(page)
	if b = m.Reallocate(4 * page); len(b) != 4*page || b[3*page-1] != 1 {
		t.Error("memory that is taken was lost as less was admitted")
	}
	m.Free()
	m.Free() // twice is harmless
}
