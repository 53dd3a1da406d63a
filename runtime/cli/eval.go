package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/hardgate-dev/hardgate/runtime/assembly"
	"github.com/hardgate-dev/hardgate/runtime/evaluate"
	"github.com/hardgate-dev/hardgate/runtime/evaluate/render"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

type evalOptions struct {
	sources
	format
	modes    []string
	receipt  string
	baseline string
	grids    bool
	own      bool // ask in the corpus' own mode alone
	stages   bool // compare each stage with its bypass
	chosen   bool // stages was given
}

func evalCommand(env *Environment) *cobra.Command {
	var o evalOptions
	c := &cobra.Command{
		Use:   "eval -f FILES… [--documents DIR|s3://…]",
		Short: "Judge a corpus by its golden sets, without a cluster",
		Long: "Reads the documents, builds the corpus in memory and asks it every golden question, by the same pipeline,\n" +
			"store and gate as on a cluster. Exit 1 when the gate does not open, 2 on bad input, 3 when it could not finish.",
		Args: exactly(0, ""),
		RunE: func(c *cobra.Command, _ []string) error {
			o.chosen = c.Flags().Changed("stages")
			return o.run(c.Context(), env)
		},
	}
	o.sources.bind(c)
	o.format.bind(c, "text", "json", "junit", "markdown")
	c.Flags().StringSliceVar(&o.modes, "modes", nil, "modes to compare beside the corpus' own: None,Lexical,Dense,Hybrid,FullContext; default: each golden set's compare")
	c.Flags().StringVar(&o.receipt, "receipt", "", "write the receipt to this new file")
	c.Flags().StringVar(&o.baseline, "baseline", "", "receipt of an earlier run: a question that passed there and fails now fails the gate")
	c.Flags().BoolVar(&o.stages, "stages", false, "ask everything again with each stage bypassed, other weights and each channel alone, and say what each is worth; default: with --modes, unless a model that costs writes the answers")
	c.Flags().BoolVar(&o.grids, "survival", false, "print every survival plot, not only those with a cliff (text)")
	return c
}

func (o *evalOptions) run(ctx context.Context, env *Environment) error {
	if err := o.validate(); err != nil {
		return err
	}
	all, err := o.load()
	if err != nil {
		return err
	}
	if err := errors.Join(o.single(all), judged(all)); err != nil {
		return input(err)
	}
	if _, err := os.Stat(o.receipt); o.receipt != "" && err == nil {
		return input(fmt.Errorf("--receipt: %s exists, and a receipt is never overwritten", o.receipt))
	}
	var baseline *evaluate.Receipt
	if o.baseline != "" {
		if baseline, err = evaluate.ReadReceipt(o.baseline); err != nil {
			return input(fmt.Errorf("--baseline: %w", err))
		}
		if baseline.Corpus != all[0].id() {
			return input(fmt.Errorf("--baseline: %s is of corpus %s, not of %s", o.baseline, baseline.Corpus, all[0].id()))
		}
	}
	r, err := env.runtime(ctx)
	if err != nil {
		return err
	}
	defer r.Close() //nolint:errcheck // a store in memory
	passed := true
	for _, c := range all {
		ok, err := o.judge(ctx, env, r, c, baseline)
		if err != nil {
			return err
		}
		passed = passed && ok
	}
	if !passed {
		return &Exit{Code: ExitFailed}
	}
	return nil
}

var modes = []string{"None", "Lexical", "Dense", "Hybrid", "FullContext"}

func (o *evalOptions) validate() error {
	if err := o.format.validate(); err != nil {
		return err
	}
	for _, m := range o.modes {
		if !slices.Contains(modes, m) {
			return input(fmt.Errorf("--modes: %q is none of %v", m, modes))
		}
	}
	return nil
}

// single refuses what several corpora cannot share.
func (o *evalOptions) single(all []corpus) error {
	if len(all) == 1 {
		return nil
	}
	flags := []struct {
		set  bool
		name string
	}{{o.receipt != "", "--receipt"}, {o.baseline != "", "--baseline"}, {o.name == "junit", "-o junit"}}
	for _, f := range flags {
		if f.set {
			return fmt.Errorf("%s is for one corpus, and the files hold %d: choose by --corpus", f.name, len(all))
		}
	}
	return nil
}

// judged refuses a corpus that no key would judge, before its documents are read.
func judged(all []corpus) error {
	for _, c := range all {
		if len(c.sets) == 0 {
			return fmt.Errorf("%s: Corpus %q: spec.gate.goldenSets: no golden set, so nothing would be judged", c.where, c.name)
		}
	}
	return nil
}

// judge evaluates one corpus and writes its scorecard.
func (o *evalOptions) judge(ctx context.Context, env *Environment, r *assembly.Runtime, c corpus, baseline *evaluate.Receipt) (bool, error) {
	card, s, err := o.evaluate(ctx, env, r, c, baseline)
	if err != nil {
		return false, err
	}
	failed := s.failed()
	card.Passed = card.Passed && failed == nil // scorecard and receipt say what the exit code says
	if err := o.write(env.Out, card); err != nil {
		return false, unfinished(err)
	}
	if o.receipt != "" {
		if err := evaluate.WriteReceipt(o.receipt, card.Receipt()); err != nil {
			return false, input(err)
		}
	}
	if failed != nil {
		fmt.Fprintln(env.Err, "hardgate:", failed)
	}
	return card.Passed, nil
}

func (o *evalOptions) evaluate(ctx context.Context, env *Environment, r *assembly.Runtime, c corpus, baseline *evaluate.Receipt) (*evaluate.Scorecard, *session, error) {
	d, err := o.driver(c, env.Getenv)
	if err != nil {
		return nil, nil, err
	}
	s, err := env.open(ctx, r, c, d)
	if err != nil {
		return nil, nil, err
	}
	inputs, err := s.inputs()
	if err != nil {
		return nil, nil, input(err)
	}
	outlay, err := s.asker.Outlay()
	if err != nil {
		return nil, nil, unfinished(err)
	}
	p := newProgress(env.Err, "questions asked")
	cfg := evaluate.Config{
		Corpus: c.id(), Settings: c.settings, Sets: c.sets, Inputs: inputs, Baseline: baseline, Progress: p.tick,
		Environment: map[string]string{"hardgate": r.Version(), "store": "embedded", "model": "sha256:" + s.space},
		Budget:      evaluate.Budget{PerCallUSD: outlay.PerCall, LeftUSD: outlay.Left, PerDayUSD: outlay.PerDay},
	}
	if o.own {
		cfg.Modes = []rag.Mode{}
	}
	for _, m := range o.modes {
		cfg.Modes = append(cfg.Modes, rag.Mode(m))
	}
	if o.stages || !o.chosen && len(o.modes) > 0 && len(c.settings.Pipeline.Generation.Models()) == 0 {
		if cfg.Variants, err = s.variants(); err != nil {
			return nil, nil, input(err)
		}
	}
	card, err := evaluate.Run(ctx, cfg, s.asker, s.view)
	var incomplete *evaluate.IncompleteError
	switch {
	case errors.As(err, &incomplete):
		return nil, nil, &Exit{ExitIncomplete, err}
	case err != nil:
		return nil, nil, input(err)
	}
	return card, s, nil
}

func (o *evalOptions) write(w io.Writer, card *evaluate.Scorecard) error {
	switch o.name {
	case "json":
		return render.JSON(w, card)
	case "junit":
		return render.JUnit(w, card)
	case "markdown":
		return render.Markdown(w, card, render.Options{})
	}
	return render.Text(w, card, render.Options{Grids: o.grids})
}
