// Package faults breaks things on purpose and asks for the signal. Each fault
// acts on files, store, network or configuration, as it would in the field;
// nothing inside the pipeline is replaced.
package faults

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/go-logr/logr"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/hardgate-dev/hardgate/runtime/assembly"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// What the package's tests share, because starting it takes seconds.
var (
	engine *assembly.Runtime // real weights; the embedded store in memory
	shared *cluster          // API server with the manager's reconcilers and HTTP surface
)

// options are where the runtime's files are.
var options assembly.Options

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	ctrl.SetLogger(logr.Discard())
	options = assembly.Options{ModelDir: settings.ModelDir(os.Getenv), CacheDir: settings.EngineDir(os.Getenv), Version: "test"}
	if engine, err = assembly.Open(options); err != nil {
		return 0, fmt.Errorf("open the runtime (run `make setup`): %w", err)
	}
	defer func() { err = errors.Join(err, engine.Close()) }()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if shared, err = startCluster(ctx); err != nil {
		return 0, err
	}
	defer func() { cancel(); err = errors.Join(err, shared.stop()) }()
	return m.Run(), nil
}
