package pdfium

import (
	"encoding/binary"
	"fmt"
	"io"
	"reflect"
)

// source serves the open file to the module, a block at a time as it asks for
// them: the file is never held in the module's memory, where a scan of 200 MB
// would leave no room to read it. An instance has one source for all its files.
type source struct {
	file io.ReaderAt // nil between files
	at   int64
}

// lengthOffset is where the module's description of a source, FPDF_FILEACCESS,
// has the length of the file; block function and parameter follow.
const lengthOffset = 0

// announce makes the source known to a module, through the driver's internals as
// all calls here, and returns where its description lies.
func (s *source) announce(impl reflect.Value) (uint64, error) {
	out := impl.MethodByName("CreateFileAccessReader").Call([]reflect.Value{reflect.ValueOf(int64(0)), reflect.ValueOf(s)})
	if err, _ := out[2].Interface().(error); err != nil {
		return 0, fmt.Errorf("announce the file to pdfium: %w", err)
	}
	return *out[0].Interface().(*uint64), nil
}

// Seek implements io.Seeker for the driver, which seeks from the start alone.
func (s *source) Seek(offset int64, whence int) (int64, error) {
	if whence != io.SeekStart {
		return 0, fmt.Errorf("seek from %d: not supported", whence)
	}
	s.at = offset
	return offset, nil
}

// Read implements io.Reader.
func (s *source) Read(p []byte) (int, error) {
	if s.file == nil {
		return 0, io.ErrUnexpectedEOF
	}
	n, err := s.file.ReadAt(p, s.at)
	s.at += int64(n)
	return n, err
}

// show lets the module read a file.
func (in *instance) show(file io.ReaderAt, size int64) {
	in.source.file = file
	if !in.memory.Write(uint32(in.access)+lengthOffset, binary.LittleEndian.AppendUint32(nil, uint32(size))) && in.err == nil {
		in.err = &Trap{Call: "malloc", Err: fmt.Errorf("no memory at %d", in.access)}
	}
}
