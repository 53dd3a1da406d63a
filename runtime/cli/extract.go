package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/hardgate-dev/hardgate/runtime/extract"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

type extractOptions struct {
	format
	timeout  time.Duration
	maxPages int
	password string
}

func extractCommand(env *Environment) *cobra.Command {
	var o extractOptions
	c := &cobra.Command{
		Use:   "extract FILE.pdf",
		Short: "Show what is read out of a PDF: lines, tables, headings",
		Args:  cobra.ExactArgs(1),
		RunE:  func(c *cobra.Command, args []string) error { return o.run(c.Context(), env, args[0]) },
	}
	o.format.bind(c, "text", "json")
	c.Flags().DurationVar(&o.timeout, "timeout", time.Minute, "bound on the whole file")
	c.Flags().IntVar(&o.maxPages, "max-pages", 5000, "a file with more pages fails")
	c.Flags().StringVar(&o.password, "password", "", "password of an encrypted file")
	return c
}

func (o *extractOptions) run(ctx context.Context, env *Environment, path string) error {
	if err := o.format.validate(); err != nil {
		return err
	}
	if o.timeout <= 0 {
		return input(fmt.Errorf("--timeout: %s is not over zero", o.timeout))
	}
	if o.maxPages <= 0 {
		return input(fmt.Errorf("--max-pages: %d is not over zero", o.maxPages))
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return input(err)
	}
	engine, err := extract.Open(ctx, extract.Options{CacheDir: env.Runtime.CacheDir, Instances: 1})
	if err != nil {
		return unfinished(err)
	}
	defer engine.Close() //nolint:errcheck // the process ends
	x := extract.New(engine, extract.Limits{Timeout: o.timeout, MaxPages: o.maxPages})
	doc, err := x.Apply(ctx, extract.File{Object: rag.Object{Key: filepath.Base(path), Size: int64(len(data))}, Data: data, Password: o.password})
	if ctx.Err() != nil {
		return unfinished(ctx.Err())
	}
	if err != nil {
		return input(fmt.Errorf("%s: %w", path, err))
	}
	if o.name == "json" {
		return writeJSON(env.Out, extract.NewReport(doc))
	}
	_, err = io.WriteString(env.Out, extract.Text(doc))
	return err
}
