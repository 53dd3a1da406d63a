package pdfium

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"unicode/utf16"

	driver "github.com/klippa-app/go-pdfium"
)

// The driver's public API costs 1.5 times the CPU for glyphs alone, and gives
// each path segment a UUID. So exported functions are called directly, through
// the parts of the driver's implementation that these interfaces name. That
// relies on its internals: the version is pinned, and a test calls every
// function that is used here.

// function is an exported function of the module.
type function interface {
	CallWithStack(ctx context.Context, stack []uint64) error
}

// memory is the module's linear memory.
type memory interface {
	Size() uint32
	Read(offset, n uint32) ([]byte, bool)
	Write(offset uint32, v []byte) bool
}

const (
	scratchBytes = 4096 // for results and names
	stackWords   = 16   // more than any function's parameters
)

// instance is one running module. It is used by one goroutine at a time. The
// first trap is kept in err, and every later call does nothing.
type instance struct {
	engine  *Engine
	handle  driver.Pdfium
	ctx     context.Context // of the calls: none, whose values each call would look up, or the open file's
	memory  memory
	resolve reflect.Value // func(name string) function
	known   map[string]function
	stack   [stackWords]uint64
	scratch uint64
	source  *source // of the open file's bytes
	access  uint64  // what the module knows the source by
	err     error
}

// Trap says that the engine stopped inside a call: out of memory, a crash, or
// nesting too deep. The instance is unusable afterwards.
type Trap struct {
	Call string
	Err  error
	// Memory is how many bytes the instance could have, where it asked for more; 0 for
	// another trap. Without memory the engine does whatever it does: most often it stops
	// at an instruction that is "unreachable".
	Memory uint64
}

// Error names what was too little, or else the call and the first line of the engine's
// message; the rest is a stack trace.
func (t *Trap) Error() string {
	if t.Memory > 0 {
		return fmt.Sprintf("it takes more than %d MiB of memory", t.Memory>>20)
	}
	line, _, _ := bytes.Cut([]byte(t.Err.Error()), []byte("\n"))
	return fmt.Sprintf("call %s: %s", t.Call, line)
}

// Unwrap returns the engine's error.
func (t *Trap) Unwrap() error { return t.Err }

func newInstance(e *Engine, handle driver.Pdfium) (in *instance, err error) {
	defer func() { // reflection panics when the driver's internals have changed
		if p := recover(); p != nil {
			in, err = nil, fmt.Errorf("pdfium driver has other internals than expected: %v", p)
		}
	}()
	impl := reflect.ValueOf(handle.GetImplementation())
	in = &instance{engine: e, handle: handle, ctx: context.Background(), known: map[string]function{}, resolve: impl.MethodByName("Fn")}
	in.memory = impl.Elem().FieldByName("Module").MethodByName("Memory").Call(nil)[0].Interface().(memory)
	in.scratch = in.call("malloc", scratchBytes)
	if in.err == nil && in.scratch == 0 {
		in.err = errors.New("allocate scratch memory: out of memory")
	}
	if in.err == nil {
		in.source = &source{}
		in.access, in.err = in.source.announce(impl)
	}
	return in, in.err
}

// fn returns an exported function; a missing one is an error of the instance.
func (in *instance) fn(name string) function {
	if f, ok := in.known[name]; ok {
		return f
	}
	v := in.resolve.Call([]reflect.Value{reflect.ValueOf(name)})[0]
	f, ok := v.Interface().(function)
	if !ok || v.IsNil() {
		if in.err == nil {
			in.err = &Trap{Call: name, Err: errors.New("no such function")}
		}
		return nil
	}
	in.known[name] = f
	return f
}

// call calls an exported function by name and returns its result, 0 after a trap.
func (in *instance) call(name string, args ...uint64) uint64 {
	return in.callFn(name, in.fn(name), args...)
}

// callFn calls a function that was looked up before; name is for the error.
func (in *instance) callFn(name string, f function, args ...uint64) uint64 {
	if in.err != nil {
		return 0
	}
	copy(in.stack[:], args)
	if err := f.CallWithStack(in.ctx, in.stack[:]); err != nil {
		in.trap(name, err)
		return 0
	}
	return in.stack[0]
}

// trap keeps why a call did not come to its end.
func (in *instance) trap(call string, err error) {
	t := &Trap{Call: call, Err: err}
	if start, ok := in.memory.Read(0, 1); ok {
		t.Memory = in.engine.memory.refused(start)
	}
	in.err = t
}

// results is the beginning of the scratch memory, into which calls write. It is
// good until the next call, which may move the memory as it grows.
type results []byte

func (in *instance) results(n uint64) results {
	b, ok := in.memory.Read(uint32(in.scratch), uint32(n))
	if !ok { // the module is gone, which in.err says
		return make(results, n)
	}
	return b
}

func (r results) uint32(offset int) uint32 { return binary.LittleEndian.Uint32(r[offset:]) }

func (r results) float32(offset int) float64 {
	return float64(math.Float32frombits(r.uint32(offset)))
}

func (r results) float64(offset int) float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64(r[offset:]))
}

// uint32 and float32 read one result of the last call.
func (in *instance) uint32(offset int) uint32 { return in.results(uint64(offset) + 4).uint32(offset) }
func (in *instance) float32(offset int) float64 {
	return in.results(uint64(offset) + 4).float32(offset)
}

// matrix reads six floats.
func (in *instance) matrix() matrix {
	r := in.results(24)
	return matrix{r.float32(0), r.float32(4), r.float32(8), r.float32(12), r.float32(16), r.float32(20)}
}

// name reads a zero-terminated string of at most n bytes.
func (in *instance) name(n uint64) string {
	b, _ := in.memory.Read(uint32(in.scratch), uint32(min(n, scratchBytes)))
	if k := bytes.IndexByte(b, 0); k >= 0 {
		b = b[:k]
	}
	return string(b)
}

// wide reads n bytes of UTF-16 with a terminator.
func (in *instance) wide(n uint64) string {
	b, _ := in.memory.Read(uint32(in.scratch), uint32(min(n, scratchBytes)))
	var u []uint16
	for i := 0; i+1 < len(b); i += 2 {
		if c := uint16(b[i]) | uint16(b[i+1])<<8; c != 0 {
			u = append(u, c)
		}
	}
	return string(utf16.Decode(u))
}

// store copies bytes, with a zero after them, into memory of the module.
func (in *instance) store(b []byte) (uint64, error) {
	p := in.call("malloc", uint64(len(b))+1)
	if in.err != nil {
		return 0, in.err
	}
	if p == 0 || !in.memory.Write(uint32(p), b) || !in.memory.Write(uint32(p)+uint32(len(b)), []byte{0}) {
		in.trap("malloc", fmt.Errorf("no memory for %d bytes", len(b)))
		return 0, in.err
	}
	return p, nil
}

func signed(v uint64) int          { return int(int32(uint32(v))) }
func fromFloat32(v uint64) float64 { return float64(math.Float32frombits(uint32(v))) }
func fromFloat64(v uint64) float64 { return math.Float64frombits(v) }
func succeeded(result uint64) bool { return uint32(result) != 0 }
