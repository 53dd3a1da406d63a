//go:build cgo

package embed

import (
	"errors"
	"fmt"
	"os"
	"sync"

	ort "github.com/yalue/onnxruntime_go"
)

// environment guards the library's own process-wide state: its initialisation is
// not safe for concurrent use, and it can be given one shared library only.
//
//nolint:gochecknoglobals // the library's state is the process's, so its guard has to be too
var environment struct {
	sync.Mutex
	library string
}

// inputs are those of every BERT, in the order in which run fills them.
var inputs = [...]string{"input_ids", "attention_mask", "token_type_ids"}

func start(library string) error {
	environment.Lock()
	defer environment.Unlock()
	if environment.library == library {
		return nil
	}
	if environment.library != "" {
		return fmt.Errorf("ONNX Runtime is already loaded from %q, so it can't be from %q", environment.library, library)
	}
	if _, err := os.Stat(library); err != nil { // dlopen's message for a missing file misleads
		return fmt.Errorf("load ONNX Runtime: %w", err)
	}
	// The library reads this as it loads; DisableTelemetry comes after it has
	// written its first file. Nothing here reports to anybody.
	if err := os.Setenv("ORT_DISABLE_TELEMETRY", "1"); err != nil {
		return fmt.Errorf("load ONNX Runtime: %w", err)
	}
	ort.SetSharedLibraryPath(library)
	if err := ort.InitializeEnvironment(ort.WithLogLevelError()); err != nil {
		return fmt.Errorf("load ONNX Runtime %q: %w", library, err)
	}
	environment.library = library
	return ort.DisableTelemetry()
}

// open makes a session that answers with the output of that name. One thread a run: spinning threads doubled the CPU on
// a busy machine, and one run per core keeps all cores as busy.
func open(path, output string) (*ort.DynamicAdvancedSession, error) {
	options, err := ort.NewSessionOptions()
	if err != nil {
		return nil, err
	}
	defer func() { _ = options.Destroy() }() // fails only for what was never made, as do the others below
	err = errors.Join(
		options.SetIntraOpNumThreads(1),
		options.SetInterOpNumThreads(1),
		options.SetGraphOptimizationLevel(ort.GraphOptimizationLevelEnableAll),
		options.AddSessionConfigEntry("session.intra_op.allow_spinning", "0"),
		options.SetLogSeverityLevel(ort.LoggingLevelFatal), // errors are returned: it needn't print them too
	)
	if err != nil {
		return nil, err
	}
	return ort.NewDynamicAdvancedSession(path, inputs[:], []string{output}, options)
}

// run executes one padded batch and hands over its output, with the length to
// which the sequences were padded. The tensor is valid during the call only.
func run(session *ort.DynamicAdvancedSession, sequences []sequence, yield func(out *ort.Tensor[float32], longest int) error) error {
	longest := 0
	for _, s := range sequences {
		longest = max(longest, len(s.ids))
	}
	ids := make([]int64, len(sequences)*longest)
	mask, types := make([]int64, len(ids)), make([]int64, len(ids))
	for k, s := range sequences {
		for j, id := range s.ids {
			at := k*longest + j
			ids[at], mask[at] = int64(id), 1
			if j >= len(s.ids)-s.second {
				types[at] = 1
			}
		}
	}
	shape := ort.NewShape(int64(len(sequences)), int64(longest))
	var in []ort.Value
	for _, data := range [][]int64{ids, mask, types} {
		t, err := ort.NewTensor(shape, data)
		if err != nil {
			return err
		}
		defer func() { _ = t.Destroy() }()
		in = append(in, t)
	}
	out := []ort.Value{nil}
	if err := session.Run(in, out); err != nil {
		return err
	}
	defer func() { _ = out[0].Destroy() }()
	t, ok := out[0].(*ort.Tensor[float32])
	if !ok {
		return fmt.Errorf("the model's output is %T of shape %v, want floats", out[0], out[0].GetShape())
	}
	return yield(t, longest)
}
