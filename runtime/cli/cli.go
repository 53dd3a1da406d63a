// Package cli is the command line without a cluster: the same pipeline, store
// and gate, on files. It reads the resources' YAML and a directory or bucket of
// documents; it writes text, or JSON of a stable schema.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/hardgate-dev/hardgate/runtime/assembly"
)

// Exit codes, beside 0.
const (
	ExitFailed     = 1 // the gate did not open
	ExitInput      = 2 // a file, flag or resource is wrong
	ExitIncomplete = 3 // the evaluation could not finish; no verdict
)

// Exit is an error that chooses the process' exit code. A nil Err has been
// reported already.
type Exit struct {
	Code int
	Err  error
}

func (e *Exit) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("exit %d", e.Code)
	}
	return e.Err.Error()
}

// Unwrap returns the cause.
func (e *Exit) Unwrap() error { return e.Err }

// input marks an error as the user's to mend.
func input(err error) error { // nil stays nil
	var e *Exit
	if err == nil || errors.As(err, &e) {
		return err
	}
	return &Exit{ExitInput, err}
}

// unfinished marks an error of the surroundings: nobody has to mend a file, and
// the next run may come to its end.
func unfinished(err error) error { // nil stays nil
	var e *Exit
	if err == nil || errors.As(err, &e) {
		return err
	}
	return &Exit{ExitIncomplete, err}
}

// Environment is what the process gives the commands. Getenv returns "" for a
// variable that is blank.
type Environment struct {
	Out, Err io.Writer
	Getenv   func(string) string
	Runtime  assembly.Options // DataDir is ignored: the store is in memory
	// Open opens the runtime of one command; nil is assembly.Open. Who runs many
	// commands in a process opens the encoder once and gives each a fresh store.
	Open func(ctx context.Context, o assembly.Options) (*assembly.Runtime, error)
}

func (env *Environment) runtime(ctx context.Context) (*assembly.Runtime, error) {
	o := env.Runtime
	o.Files = true
	o.DataDir = ""
	if env.Open != nil {
		r, err := env.Open(ctx, o)
		return r, input(err)
	}
	r, err := assembly.Open(o)
	return r, input(err)
}

// Commands are eval, query, survival and extract, and extract-worker, which people don't see.
func Commands(env *Environment) []*cobra.Command {
	return []*cobra.Command{evalCommand(env), queryCommand(env), survivalCommand(env), extractCommand(env), workerCommand(env)}
}

// exactly admits n arguments, each of them what is said, and tells the usage
// when there are others.
func exactly(n int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) == n:
			return nil
		case n == 0:
			return input(fmt.Errorf("%s takes no argument, not %q; usage: %s", c.CommandPath(), args, c.UseLine()))
		case len(args) == 0:
			return input(fmt.Errorf("%s needs %s; usage: %s", c.CommandPath(), what, c.UseLine()))
		}
		return input(fmt.Errorf("%s takes %s, not %d arguments: %q; usage: %s", c.CommandPath(), what, len(args), args, c.UseLine()))
	}
}

// some admits any number of arguments but none.
func some(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return exactly(1, what)(c, args)
		}
		return nil
	}
}

// sources are the flags that every command with a corpus has.
type sources struct {
	files     []string
	documents string
	corpus    string
}

func (s *sources) bind(c *cobra.Command) {
	c.Flags().StringArrayVarP(&s.files, "filename", "f", nil, "YAML files, or directories of them, with a Corpus, its Collection and GoldenSets (repeatable)")
	c.Flags().StringVar(&s.documents, "documents", "", "directory read as if it were the bucket's prefix, or s3://bucket/prefix; default: documents/ in a directory given by -f")
	c.Flags().StringVar(&s.corpus, "corpus", "", "the Corpus, by name or namespace/name, where the files hold several")
}

// format is the -o flag.
type format struct {
	name    string
	allowed []string
}

func (f *format) bind(c *cobra.Command, allowed ...string) {
	f.allowed = allowed
	c.Flags().StringVarP(&f.name, "output", "o", allowed[0], fmt.Sprintf("output format: %v", allowed))
}

func (f *format) validate() error {
	for _, a := range f.allowed {
		if f.name == a {
			return nil
		}
	}
	return input(fmt.Errorf("--output: %q is none of %v", f.name, f.allowed))
}
