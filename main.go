// Hardgate manages RAG corpora on Kubernetes declaratively, and lets a corpus
// serve only what its golden set has passed. This file wires its modes.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/hardgate-dev/hardgate/controllers/manager"
	"github.com/hardgate-dev/hardgate/controllers/plugin"
	"github.com/hardgate-dev/hardgate/hack/demo"
	"github.com/hardgate-dev/hardgate/runtime/assembly"
	"github.com/hardgate-dev/hardgate/runtime/cli"
	"github.com/hardgate-dev/hardgate/runtime/extract/worker"
	"github.com/hardgate-dev/hardgate/runtime/settings"
	"github.com/hardgate-dev/hardgate/runtime/store/embedded"
)

// version is set by the build.
var version = "dev"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := command(os.Args[0]).ExecuteContext(ctx)
	if err == nil {
		return
	}
	code := cli.ExitInput // what cobra itself refuses is a wrong flag or argument
	var exit *cli.Exit
	if errors.As(err, &exit) {
		code = exit.Code
	}
	if exit == nil || exit.Err != nil {
		fmt.Fprintln(os.Stderr, "hardgate:", err)
	}
	stop()
	os.Exit(code)
}

// env reads a variable; blank is missing.
func env(name string) string {
	if v := os.Getenv(name); !settings.Blank(v) {
		return v
	}
	return ""
}

// command is the plugin's under the name by which kubectl finds it.
func command(name string) *cobra.Command {
	if filepath.Base(name) == "kubectl-hardgate" {
		return plugin.Command(version, os.Stdout)
	}
	return root()
}

func root() *cobra.Command {
	c := &cobra.Command{
		Use: "hardgate", Short: "RAG corpora that serve only what their golden sets have passed",
		Version: version, SilenceErrors: true, SilenceUsage: true,
	}
	o := &cli.Environment{Out: os.Stdout, Err: os.Stderr, Getenv: env, Runtime: assembly.Options{Version: version}}
	c.PersistentFlags().StringVar(&o.Runtime.ModelDir, "model-dir", "", "directory of model.onnx, tokenizer.json and libonnxruntime.so (default $HARDGATE_MODEL_DIR, else the user's cache)")
	c.PersistentFlags().StringVar(&o.Runtime.CacheDir, "extract-cache-dir", "", "directory of the compiled PDF engine (default: the user's cache)")
	c.PersistentPreRun = func(*cobra.Command, []string) {
		o.Runtime.ModelDir = settings.FirstNonBlank(o.Runtime.ModelDir, settings.ModelDir(env))
		if o.Runtime.CacheDir = settings.FirstNonBlank(o.Runtime.CacheDir); o.Runtime.CacheDir == "" {
			o.Runtime.CacheDir = cache(settings.EngineDir(env), o.Err)
		}
		if self, err := os.Executable(); err == nil { // else files are read in this process
			o.Runtime.ExtractWorker = worker.Options{Command: []string{self, "extract-worker", "--extract-cache-dir=" + o.Runtime.CacheDir}, Env: []string{"PATH=" + env("PATH")}}
		}
	}
	c.AddCommand(cli.Commands(o)...)
	c.AddCommand(managerCommand(o), storeCommand(o), demoCommand(o))
	return c
}

// cache is a directory that nobody named, as far as it can be used: without one the
// engine is compiled by each process, which is slow and no reason to read nothing.
func cache(dir string, w io.Writer) string {
	err := os.MkdirAll(dir, 0o755)
	if err == nil {
		var f *os.File
		if f, err = os.CreateTemp(dir, "probe-"); err == nil {
			err = errors.Join(f.Close(), os.Remove(f.Name()))
		}
	}
	if err != nil {
		fmt.Fprintf(w, "hardgate: the compiled PDF engine can't be kept, so each start takes some seconds more: %v; name a directory by --extract-cache-dir\n", err)
		return ""
	}
	return dir
}

func managerCommand(env *cli.Environment) *cobra.Command {
	var o manager.Options
	c := &cobra.Command{
		Use: "manager", Short: "Run the operator with the embedded runtime", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := o.Validate(); err != nil {
				return &cli.Exit{Code: cli.ExitInput, Err: err}
			}
			if err := manager.Run(c.Context(), o, env.Runtime); err != nil {
				return &cli.Exit{Code: cli.ExitFailed, Err: err}
			}
			return nil
		},
	}
	o.Bind(c.Flags())
	return c
}

// storeCommand runs the embedded store by itself: one process, for test clusters.
// Keys come by the environment, where the list of processes doesn't show them.
func storeCommand(env *cli.Environment) *cobra.Command {
	var a embedded.Alone
	c := &cobra.Command{
		Use: "store", Short: "Run the embedded store by itself, speaking Qdrant's gRPC API; keys in $HARDGATE_STORE_API_KEY and $HARDGATE_STORE_READ_ONLY_API_KEY",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if settings.Blank(a.Dir) {
				return &cli.Exit{Code: cli.ExitInput, Err: errors.New("--data-dir is missing: name a directory that outlives the process")}
			}
			a.Address = settings.FirstNonBlank(a.Address, ":6334")
			a.CertFile, a.KeyFile = settings.FirstNonBlank(a.CertFile), settings.FirstNonBlank(a.KeyFile)
			if (a.CertFile == "") != (a.KeyFile == "") {
				return &cli.Exit{Code: cli.ExitInput, Err: errors.New("--tls-cert and --tls-key go together")}
			}
			a.APIKey, a.ReadOnlyAPIKey = env.Getenv("HARDGATE_STORE_API_KEY"), env.Getenv("HARDGATE_STORE_READ_ONLY_API_KEY")
			a.Warn = func(err error) { fmt.Fprintln(env.Err, "hardgate store:", err) }
			a.Listening = func(address string) { fmt.Fprintln(env.Out, "serving on", address) }
			if err := a.Run(c.Context()); err != nil {
				return &cli.Exit{Code: cli.ExitFailed, Err: err}
			}
			return nil
		},
	}
	f := c.Flags()
	f.StringVar(&a.Dir, "data-dir", "", "directory of the store (required)")
	f.StringVar(&a.Address, "address", ":6334", "address to listen on")
	f.StringVar(&a.CertFile, "tls-cert", "", "PEM file of the certificate; with --tls-key, TLS is spoken")
	f.StringVar(&a.KeyFile, "tls-key", "", "PEM file of the certificate's key")
	return c
}

func demoCommand(env *cli.Environment) *cobra.Command {
	var o demo.Options
	c := &cobra.Command{
		Use: "demo", Short: "Show the whole job on this machine: a real API server, a real S3 server, the real pipeline", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			o.Out, o.ModelDir, o.CacheDir = env.Out, env.Runtime.ModelDir, env.Runtime.CacheDir
			if err := o.Validate(); err != nil {
				return &cli.Exit{Code: cli.ExitInput, Err: err}
			}
			if err := demo.Run(c.Context(), o); err != nil {
				return &cli.Exit{Code: cli.ExitFailed, Err: err}
			}
			return nil
		},
	}
	o.Bind(c.Flags())
	return c
}
