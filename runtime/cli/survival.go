package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hardgate-dev/hardgate/runtime/evaluate"
	"github.com/hardgate-dev/hardgate/runtime/evaluate/render"
)

func survivalCommand(env *Environment) *cobra.Command {
	var o evalOptions
	var question string
	c := &cobra.Command{
		Use:   "survival -f FILES… [--documents DIR|s3://…] [--question NAME]",
		Short: "Plot which entities of the golden questions survive which stage",
		Long: "Asks the golden questions in the corpus' own mode and shows which of the entities that they expect are still there\n" +
			"after each stage. Exit 0 when it was plotted, whatever was lost and whether or not the gate opens; 2 on bad input,\n" +
			"3 when it could not finish.",
		Args: exactly(0, ""),
		RunE: func(c *cobra.Command, _ []string) error { return o.plot(c.Context(), env, question) },
	}
	o.sources.bind(c)
	o.format.bind(c, "text", "json")
	c.Flags().StringVar(&question, "question", "", "one golden question by name; default: all that name entities")
	return c
}

// plotted is the JSON of one plot.
type plotted struct {
	Schema   string             `json:"schema"`
	Corpus   string             `json:"corpus"`
	Set      string             `json:"set"`
	Question string             `json:"question"`
	Survival *evaluate.Survival `json:"survival"`
}

// survivalSchema is the schema of a plot's JSON.
const survivalSchema = "hardgate.survival/v1"

func (o *evalOptions) plot(ctx context.Context, env *Environment, question string) error {
	if err := o.format.validate(); err != nil {
		return err
	}
	o.own = true
	c, err := o.one()
	if err != nil {
		return err
	}
	if err := judged([]corpus{c}); err != nil {
		return input(err)
	}
	if err := plottable(c, question); err != nil {
		return input(err)
	}
	r, err := env.runtime(ctx)
	if err != nil {
		return err
	}
	defer r.Close() //nolint:errcheck // a store in memory
	card, _, err := o.evaluate(ctx, env, r, c, nil)
	if err != nil {
		return err
	}
	for _, set := range card.Sets {
		for i := range set.Questions {
			q := &set.Questions[i]
			if q.Survival == nil || string(q.Mode) != string(set.Modes[0].Mode) || (question != "" && q.Name != question) {
				continue
			}
			if err := o.show(env, card.Corpus, set.Name, q); err != nil {
				return err
			}
		}
	}
	return nil
}

// plottable refuses what would be asked for nothing: a question that isn't there,
// or that names no entities whose way could be followed.
func plottable(c corpus, question string) error {
	var all, named []string
	for _, s := range c.sets {
		for _, q := range s.Key.Questions {
			all = append(all, q.Name)
			if q.Expect.Entities != nil {
				named = append(named, q.Name)
			}
		}
	}
	switch {
	case len(named) == 0:
		return fmt.Errorf("%s: no golden question names entities (expect.entities), so there is nothing to plot", c.id())
	case question == "" || slices.Contains(named, question):
		return nil
	case slices.Contains(all, question):
		return fmt.Errorf("--question: %q names no entities (expect.entities); those that do: %s", question, strings.Join(named, ", "))
	}
	return fmt.Errorf("--question: %s has no golden question %q; those with entities: %s", c.id(), question, strings.Join(named, ", "))
}

func (o *evalOptions) show(env *Environment, corpus, set string, q *evaluate.QuestionCard) error {
	if o.name == "json" {
		return writeJSON(env.Out, plotted{survivalSchema, corpus, set, q.Name, q.Survival})
	}
	fmt.Fprintf(env.Out, "%s/%s: %s\n", set, q.Name, q.Answer)
	if err := render.Grid(env.Out, q.Grid()); err != nil {
		return err
	}
	_, err := fmt.Fprintln(env.Out)
	return err
}
