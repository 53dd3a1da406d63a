package worker

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// slim takes the program's own file out of this process's memory, as far as it is
// there: starting the program runs the initialisers of all its packages, which maps
// 100 MB of code and constants for good, and a worker uses a fifth of them. What it
// does use comes back from the page cache when it is next touched. Only pages that
// are as they are in the file are dropped; others, relocated ones, would be lost.
func slim() error {
	program, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return err
	}
	f, err := os.Open("/proc/self/smaps")
	if err != nil {
		return err
	}
	defer f.Close()
	var at mapping
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if m, ok := newMapping(lines.Text()); ok {
			at = m
			continue
		}
		if at.path != program || strings.Contains(at.access, "w") || strings.Join(strings.Fields(lines.Text()), " ") != "Anonymous: 0 kB" {
			continue
		}
		if _, _, e := syscall.Syscall(syscall.SYS_MADVISE, at.from, at.to-at.from, syscall.MADV_DONTNEED); e != 0 {
			return fmt.Errorf("drop %x-%x: %w", at.from, at.to, e)
		}
	}
	return lines.Err()
}

// mapping is a range of this process's memory.
type mapping struct {
	from, to     uintptr
	access, path string
}

// newMapping reads the first line of a mapping; ok is false for its other lines.
func newMapping(line string) (m mapping, ok bool) {
	const fields = 6 // range, access, offset, device, inode, path
	f := strings.Fields(line)
	if len(f) < fields-1 {
		return mapping{}, false
	}
	from, to, ok := strings.Cut(f[0], "-")
	if !ok {
		return mapping{}, false
	}
	a, err := strconv.ParseUint(from, 16, 64)
	b, err2 := strconv.ParseUint(to, 16, 64)
	if err != nil || err2 != nil {
		return mapping{}, false
	}
	m = mapping{from: uintptr(a), to: uintptr(b), access: f[1]}
	if len(f) >= fields {
		m.path = strings.Join(f[fields-1:], " ")
	}
	return m, true
}
