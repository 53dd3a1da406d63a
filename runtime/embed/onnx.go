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

// open makes the session. One thread a run: spinning threads doubled the CPU on
// a busy machine, and one run per core keeps all cores as busy.
func open(path string) (*ort.DynamicAdvancedSession, error) {
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
	)
	if err != nil {
		return nil, err
	}
	return ort.NewDynamicAdvancedSession(path,
		[]string{"input_ids", "attention_mask", "token_type_ids"}, []string{"last_hidden_state"}, options)
}

// run executes one padded batch and hands over each sequence's hidden states,
// row-major, without the padding. The slices are valid during the call only.
func run(session *ort.DynamicAdvancedSession, sequences [][]int32, yield func(k int, hidden []float32, dimensions int)) error {
	longest := 0
	for _, s := range sequences {
		longest = max(longest, len(s))
	}
	ids := make([]int64, len(sequences)*longest)
	mask := make([]int64, len(ids))
	for k, s := range sequences {
		for j, id := range s {
			ids[k*longest+j], mask[k*longest+j] = int64(id), 1
		}
	}
	shape := ort.NewShape(int64(len(sequences)), int64(longest))
	var in []ort.Value
	for _, data := range [][]int64{ids, mask, make([]int64, len(ids))} {
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
	if !ok || len(t.GetShape()) != 3 {
		return fmt.Errorf("last_hidden_state is %T of shape %v, want floats: batch, tokens, dimensions", out[0], out[0].GetShape())
	}
	dimensions := int(t.GetShape()[2])
	for k, s := range sequences {
		from := k * longest * dimensions
		yield(k, t.GetData()[from:from+len(s)*dimensions], dimensions)
	}
	return nil
}
