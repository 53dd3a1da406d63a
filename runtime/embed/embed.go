// Package embed turns texts into vectors with all-MiniLM-L6-v2, or another BERT
// encoder of the same signature, on ONNX Runtime.
//
// In: texts of at most Window wordpieces. Out: one vector a text, mean pooled
// over its tokens and of length 1. It refuses a text over the window (nothing is
// ever embedded cut off) and doesn't split, cache or retry.
//
// A Model lives as long as its process: destroying a session under a running
// call, or the environment before its sessions, crashes ONNX Runtime, so there
// is no Close.
package embed

import (
	"fmt"
	"path/filepath"
	"runtime"
)

const (
	// window is how many wordpieces, [CLS] and [SEP] included, the model was
	// trained to see. It runs silently, and worse, up to 512.
	window = 256

	// PinnedSHA256 is the hash of the model file that hack/model.sh installs and
	// that the parity tests ran on.
	PinnedSHA256 = "759c3cd2b7fe7e93933ad23c4c9181b7396442a2ed746ec7c1d46192c469c46e"
)

// Options say where the files are. Only Dir, or all three files, must be set.
type Options struct {
	Dir       string // holds what is not named below
	Library   string // default Dir/libonnxruntime.so
	Model     string // default Dir/model.onnx
	Tokenizer string // default Dir/tokenizer.json
	Workers   int    // runs at a time, each on one core; default: as many as Go may use
}

func (o Options) withDefaults() (Options, error) {
	for _, f := range []struct {
		path       *string
		name, base string
	}{
		{&o.Library, "Library", "libonnxruntime.so"},
		{&o.Model, "Model", "model.onnx"},
		{&o.Tokenizer, "Tokenizer", "tokenizer.json"},
	} {
		if *f.path != "" {
			continue
		}
		if o.Dir == "" {
			return o, fmt.Errorf("embed: neither Dir nor %s is set", f.name)
		}
		*f.path = filepath.Join(o.Dir, f.base)
	}
	if o.Workers < 0 {
		return o, fmt.Errorf("embed: Workers is %d", o.Workers)
	}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	return o, nil
}

// TooLongError refuses a text that the model could only embed cut off.
type TooLongError struct {
	Index  int // of the text in the call
	Tokens int // with [CLS] and [SEP]
	Max    int
}

func (e *TooLongError) Error() string {
	return fmt.Sprintf("text %d has %d wordpieces, the model's window is %d", e.Index, e.Tokens, e.Max)
}
