package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hardgate-dev/hardgate/runtime/evaluate"
	"github.com/hardgate-dev/hardgate/runtime/flow"
	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

type queryOptions struct {
	sources
	format
	as   string
	mode string
}

func queryCommand(env *Environment) *cobra.Command {
	var o queryOptions
	c := &cobra.Command{
		Use:   `query -f FILES… [--documents DIR|s3://…] --as tenant=…,groups=…,asOf=… "question"`,
		Short: "Ask a corpus one question, without a cluster",
		Long: "Reads the documents, builds the corpus in memory and asks it one question, by the same pipeline as on a cluster;\n" +
			"no golden set is asked first. Exit 0 when there is an answer, NEEDS_HUMAN as well as ANSWERED: the first line says\n" +
			"which. 2 on bad input, 3 when the question could not be asked.",
		Args: exactly(1, "one question, in quotes"),
		RunE: func(c *cobra.Command, args []string) error { return o.run(c.Context(), env, args[0]) },
	}
	o.sources.bind(c)
	o.format.bind(c, "text", "json")
	c.Flags().StringVar(&o.as, "as", "", "who asks, and as of when: tenant=…,groups=…,asOf=… (groups may be repeated; other names are claims)")
	c.Flags().StringVar(&o.mode, "mode", "", "another mode than the corpus' own: None, Lexical, Dense, Hybrid or FullContext")
	return c
}

func (o *queryOptions) run(ctx context.Context, env *Environment, text string) error {
	if err := o.format.validate(); err != nil {
		return err
	}
	q, err := o.question(text)
	if err != nil {
		return input(err)
	}
	c, err := o.one()
	if err != nil {
		return err
	}
	if err := read(q.Identity.Claims, c.settings.Eligibility); err != nil {
		return input(err)
	}
	unnamed(env.Err, q.Identity, c.settings.Eligibility)
	d, err := o.driver(c, env.Getenv)
	if err != nil {
		return err
	}
	r, err := env.runtime(ctx)
	if err != nil {
		return err
	}
	defer r.Close() //nolint:errcheck // a store in memory
	s, err := env.open(ctx, r, c, d)
	if err != nil {
		return err
	}
	start := time.Now()
	answer, trace, err := s.asker.Ask(ctx, q)
	if err != nil {
		return unfinished(err)
	}
	mode := q.Mode
	if mode == "" {
		mode = rag.Mode(c.settings.Pipeline.Retrieval.Mode)
	}
	asked := answered{Schema: querySchema, Corpus: c.id(), Asked: evaluate.Describe(q, mode, answer, trace, time.Since(start)), Pipeline: flow.Summarize(trace)}
	if o.name == "json" {
		return writeJSON(env.Out, asked)
	}
	return asked.text(env.Out)
}

// question reads --as and --mode.
func (o *queryOptions) question(text string) (rag.Question, error) {
	q := rag.Question{Text: strings.TrimSpace(text), AsOf: time.Now(), Mode: rag.Mode(o.mode), Identity: rag.Identity{Claims: map[string][]string{}}}
	if q.Text == "" {
		return q, errors.New(`the question is blank: query … "How many employees are in the April register?"`)
	}
	if o.mode != "" && !slices.Contains(modes, o.mode) {
		return q, fmt.Errorf("--mode: %q is none of %v", o.mode, modes)
	}
	for _, part := range strings.FieldsFunc(o.as, func(r rune) bool { return r == ',' }) {
		name, value, ok := strings.Cut(strings.TrimSpace(part), "=")
		if !ok || settings.Blank(name) || settings.Blank(value) {
			return q, fmt.Errorf("--as: %q is not name=value", part)
		}
		switch name {
		case "tenant":
			if q.Identity.Tenant != "" {
				return q, errors.New("--as: tenant stands twice")
			}
			q.Identity.Tenant = value
		case "groups":
			q.Identity.Groups = append(q.Identity.Groups, value)
		case "asOf":
			at, err := settings.ParseInstant(value)
			if err != nil {
				return q, fmt.Errorf("--as: asOf: %w", err)
			}
			q.AsOf = at
		default:
			q.Identity.Claims[name] = append(q.Identity.Claims[name], value)
		}
	}
	return q, nil
}

// read refuses a claim that no rule reads: a misspelt tenant would pass for
// nobody, and a misspelt asOf for now.
func read(claims map[string][]string, e settings.Eligibility) error {
	for _, name := range slices.Sorted(maps.Keys(claims)) {
		if !slices.ContainsFunc(e.Identity, func(r settings.IdentityRule) bool { return r.Claim == name }) {
			return fmt.Errorf("--as: %q is none of tenant, groups and asOf, and no rule of spec.eligibility.identity reads such a claim", name)
		}
	}
	return nil
}

// unnamed tells of the claims without which nobody sees anything: the answer is then
// ClaimMissing, as on a cluster, where a token has them and nobody has to think of it.
func unnamed(w io.Writer, who rag.Identity, e settings.Eligibility) {
	var missing []string
	for _, r := range e.Identity {
		if !slices.ContainsFunc(who.Claim(r.Claim), func(v string) bool { return !settings.Blank(v) }) && !slices.Contains(missing, r.Claim+"=…") {
			missing = append(missing, r.Claim+"=…")
		}
	}
	if len(missing) > 0 {
		fmt.Fprintf(w, "hardgate: --as %s is needed: spec.eligibility.identity selects documents by who asks, and without it nothing may be seen (ClaimMissing)\n", strings.Join(missing, ","))
	}
}

// querySchema is the schema of an answer's JSON.
const querySchema = "hardgate.query/v1"

// answered is an answer with its pipeline.
type answered struct {
	Schema string `json:"schema"`
	Corpus string `json:"corpus"`
	evaluate.Asked
	Pipeline flow.Pipeline `json:"pipeline"`
}

func (a answered) text(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n", a.Status, a.Answer)
	for _, c := range a.Citations {
		fmt.Fprintf(&b, "\n  %s, page %d\n", c.Evidence, c.Page)
		for i, row := range c.Rows {
			fmt.Fprintf(&b, "    %-12s %s\n", c.Units[i], row)
		}
	}
	for _, f := range a.Degraded {
		fmt.Fprintf(&b, "\n  degraded at %s: %s: %s\n", f.Stage, f.Reason, f.Detail)
	}
	fmt.Fprintf(&b, "\n%d eligible, %d retrieved, context %s\n", a.Eligible, a.Pipeline.Retrieved, a.ContextHash)
	_, err := io.WriteString(w, b.String())
	return err
}

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
