package cli_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/hardgate-dev/hardgate/runtime/assembly"
	"github.com/hardgate-dev/hardgate/runtime/cli"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

var update = flag.Bool("update", false, "rewrite golden files")

// What the package's commands share: the encoder and the PDF engine, which are
// dear to open. Each command gets a store of its own.
var (
	shared  *assembly.Runtime
	options assembly.Options
)

func TestMain(m *testing.M) {
	flag.Parse()
	code, err := start(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func start(m *testing.M) (code int, err error) {
	options = assembly.Options{ModelDir: settings.ModelDir(os.Getenv), CacheDir: settings.EngineDir(os.Getenv), Version: "test"}
	if shared, err = assembly.Open(options); err != nil {
		return 0, fmt.Errorf("open the runtime (run `make setup`): %w", err)
	}
	defer func() { _ = shared.Close() }() // the process ends here
	return m.Run(), nil
}

// result is what a command wrote, without the progress that a slow machine gets,
// and its exit code.
type result struct {
	out, err string
	code     int
}

var slow = regexp.MustCompile(`(?m)^[0-9]+ of [0-9]+ (documents read|questions asked|files read)\n`)

// hardgate runs a command as main does, without an environment.
func hardgate(t *testing.T, args ...string) result {
	t.Helper()
	return run(t.Context(), func(string) string { return "" }, args...)
}

func run(ctx context.Context, getenv func(string) string, args ...string) result {
	var out, progress bytes.Buffer
	env := &cli.Environment{
		Out: &out, Err: &progress, Getenv: getenv, Runtime: options,
		Open: func(ctx context.Context, o assembly.Options) (*assembly.Runtime, error) {
			if o.ModelDir != options.ModelDir {
				return assembly.Open(o)
			}
			return shared.Fresh(ctx)
		},
	}
	root := &cobra.Command{Use: "hardgate", SilenceErrors: true, SilenceUsage: true}
	root.AddCommand(cli.Commands(env)...)
	root.PersistentFlags().StringVar(&env.Runtime.ModelDir, "model-dir", env.Runtime.ModelDir, "")
	root.SetArgs(args)
	root.SetOut(&out)
	root.SetErr(&progress)
	r := result{}
	if err := root.ExecuteContext(ctx); err != nil {
		r.code = cli.ExitInput // what cobra itself refuses
		var exit *cli.Exit
		if errors.As(err, &exit) {
			r.code = exit.Code
		}
		if exit == nil || exit.Err != nil {
			fmt.Fprintln(&progress, "hardgate:", err)
		}
	}
	r.out, r.err = out.String(), slow.ReplaceAllString(progress.String(), "")
	return r
}

// payroll is the sample that everything here is made of.
const payroll = "../../config/samples/payroll"

// sample is a folder that a test may change: a Corpus and Collection such as the
// sample's, two of its registers and the board's paper, and four of its questions.
type sample struct {
	*testing.T
	dir string
}

func newSample(t *testing.T) sample {
	t.Helper()
	s := sample{t, t.TempDir()}
	for to, from := range map[string]string{
		"corpus.yaml": "testdata/corpus.yaml", "collection.yaml": "testdata/collection.yaml", "goldenset.yaml": "testdata/goldenset.yaml",
		"documents/metadata.jsonl": filepath.Join(payroll, "documents/metadata.jsonl"),
	} {
		s.copy(from, to)
	}
	for _, file := range []string{"registers/Salary_Register_April_2025.pdf", "registers/Salary_Register_March_2025.pdf", "board/Executive_Compensation_2025.pdf"} {
		s.copy(filepath.Join(payroll, "documents", file), filepath.Join("documents", file))
	}
	return s
}

func (s sample) copy(from, to string) {
	s.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		s.Fatal(err)
	}
	s.write(to, string(data))
}

func (s sample) write(file, text string) {
	s.Helper()
	path := filepath.Join(s.dir, file)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.Fatal(err)
	}
}

// edit replaces the first occurrence of a text, which has to be there.
func (s sample) edit(file, from, to string) {
	s.Helper()
	path := filepath.Join(s.dir, file)
	data, err := os.ReadFile(path)
	if err != nil {
		s.Fatal(err)
	}
	if !strings.Contains(string(data), from) {
		s.Fatalf("%s has no %q", file, from)
	}
	s.write(file, strings.Replace(string(data), from, to, 1))
}

// path is a file of the folder.
func (s sample) path(file string) string { return filepath.Join(s.dir, file) }
