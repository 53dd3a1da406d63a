package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/yaml"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/runtime/handoff"
	"github.com/hardgate-dev/hardgate/runtime/serve"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// handoffs are the flags of the command.
type handoffs struct {
	reach
	since  string
	limit  int
	output string
	done   bool
}

// handoffsCommand lists what was handed to people, turns it into questions of a
// golden set, and takes it off the list.
func handoffsCommand(t *target, out io.Writer) *cobra.Command {
	var o handoffs
	c := &cobra.Command{
		Use:   "handoffs CORPUS [ID...]",
		Short: "List the questions that a corpus handed to people, or make golden questions of them",
		Example: `  kubectl hardgate handoffs freight -n desk --since 24h
  kubectl hardgate handoffs freight -n desk 3f2a90c1d4e5b677 -o goldenset > stub.yaml
  kubectl hardgate handoffs freight -n desk 3f2a90c1d4e5b677 --done`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("which corpus? usage: %s", c.UseLine())
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			return o.run(c.Context(), t, args[0], args[1:], out, c.ErrOrStderr())
		},
	}
	f := c.Flags()
	f.StringVar(&o.since, "since", "", "only what was asked since: a duration such as 24h, or RFC 3339, or YYYY-MM-DD (default: all that is kept)")
	f.IntVar(&o.limit, "limit", 100, "most that are listed, 1 to 1000")
	f.StringVarP(&o.output, "output", "o", "table", "table, json, yaml, or goldenset: a GoldenSet to fill in, of the hand-offs that are named by ID")
	f.BoolVar(&o.done, "done", false, "take the hand-offs that are named by ID off the list: somebody has dealt with them")
	o.bind(f)
	return c
}

func (o *handoffs) validate(ids []string, now time.Time) (since time.Time, err error) {
	formats := []string{"table", "json", "yaml", "goldenset"}
	switch {
	case !slices.Contains(formats, o.output):
		return since, fmt.Errorf("--output: %q is none of %v", o.output, formats)
	case o.output == "goldenset" && len(ids) == 0:
		return since, errors.New("--output goldenset: name the hand-offs by their IDs, which the list shows")
	case o.done && len(ids) == 0:
		return since, errors.New("--done: name the hand-offs by their IDs, which the list shows")
	case o.limit < 1 || o.limit > handoff.Most:
		return since, fmt.Errorf("--limit: %d is not from 1 to %d", o.limit, handoff.Most)
	}
	at := settings.FirstNonBlank(o.since)
	if at == "" {
		return since, nil
	}
	if d, err := time.ParseDuration(at); err == nil && d > 0 {
		return now.Add(-d), nil
	}
	if since, err = settings.ParseInstant(at); err != nil {
		return since, fmt.Errorf("--since: %q is neither a duration such as 24h nor RFC 3339 nor YYYY-MM-DD", at)
	}
	return since, nil
}

func (o *handoffs) run(ctx context.Context, t *target, corpus string, ids []string, out, note io.Writer) error {
	since, err := o.validate(ids, time.Now())
	if err != nil {
		return err
	}
	c, namespace, err := t.connect()
	if err != nil {
		return err
	}
	name := types.NamespacedName{Namespace: namespace, Name: corpus}
	wires, err := o.open(ctx, t, func() (string, error) {
		var found v1alpha1.Corpus
		if err := c.Get(ctx, name, &found); err != nil {
			return "", err
		}
		return endpointOf(&found)
	})
	if err != nil {
		return err
	}
	defer func() {
		for _, w := range wires {
			w.close()
		}
	}()
	page, err := o.collect(ctx, wires, name, since, ids)
	if err != nil {
		return err
	}
	if page.Unreadable > 0 {
		fmt.Fprintf(note, "%d hand-offs are damaged and left out\n", page.Unreadable)
	}
	if o.done {
		return settle(ctx, wires, name, page.Handoffs, out)
	}
	if err := o.write(name, page.Handoffs, out); err != nil {
		return err
	}
	if left := page.Total - len(page.Handoffs); left > 0 {
		fmt.Fprintf(note, "%d older ones are left out by --limit %d\n", left, o.limit)
	}
	return nil
}

func handoffsPath(of types.NamespacedName) string {
	return "/v1/corpora/" + url.PathEscape(of.Namespace) + "/" + url.PathEscape(of.Name) + "/handoffs"
}

// collect joins the lists of all replicas, each of which keeps its own, and picks
// the ids where some are named.
func (o *handoffs) collect(ctx context.Context, wires []wire, of types.NamespacedName, since time.Time, ids []string) (serve.Handed, error) {
	query := url.Values{"limit": {strconv.Itoa(handoff.Most)}}
	if !since.IsZero() {
		query.Set("since", since.UTC().Format(time.RFC3339Nano))
	}
	var out serve.Handed
	for _, w := range wires {
		body, err := w.ask(ctx, http.MethodGet, handoffsPath(of)+"?"+query.Encode(), "", nil)
		if err != nil {
			return out, err
		}
		var page serve.Handed
		err = json.NewDecoder(body).Decode(&page)
		body.Close()
		if err != nil {
			return out, fmt.Errorf("read the list of hand-offs: %w", err)
		}
		out.Unreadable += page.Unreadable
		for _, h := range page.Handoffs {
			out.Handoffs = join(out.Handoffs, h)
		}
	}
	if len(ids) > 0 {
		var err error
		out.Handoffs, err = choose(out.Handoffs, ids)
		out.Total = len(out.Handoffs)
		return out, err
	}
	handoff.Sort(out.Handoffs)
	out.Total = len(out.Handoffs)
	out.Handoffs = out.Handoffs[:min(o.limit, out.Total)]
	return out, nil
}

// join adds a hand-off; one that another replica had too becomes one.
func join(all []handoff.Handoff, h handoff.Handoff) []handoff.Handoff {
	i := slices.IndexFunc(all, func(x handoff.Handoff) bool { return x.ID == h.ID })
	if i < 0 {
		return append(all, h)
	}
	older, newer := all[i], h
	if older.Last.After(newer.Last) {
		older, newer = newer, older
	}
	newer.Times += older.Times
	if older.First.Before(newer.First) {
		newer.First = older.First
	}
	all[i] = newer
	return all
}

// choose picks hand-offs in the order in which they are named.
func choose(all []handoff.Handoff, ids []string) ([]handoff.Handoff, error) {
	var out []handoff.Handoff
	for i, id := range ids {
		at := slices.IndexFunc(all, func(h handoff.Handoff) bool { return h.ID == id })
		if at < 0 {
			return nil, fmt.Errorf("no hand-off %q: the list shows the IDs (asked before --since, settled, or made way for newer ones?)", id)
		}
		if slices.Index(ids, id) == i {
			out = append(out, all[at])
		}
	}
	return out, nil
}

// settle takes hand-offs off the list of every replica.
func settle(ctx context.Context, wires []wire, of types.NamespacedName, hs []handoff.Handoff, out io.Writer) error {
	for _, h := range hs {
		var errs []error
		for _, w := range wires {
			body, err := w.ask(ctx, http.MethodDelete, handoffsPath(of)+"/"+h.ID, "", nil)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			body.Close()
		}
		if len(errs) == len(wires) { // a replica that never had it is no fault
			return fmt.Errorf("hand-off %s: %w", h.ID, errors.Join(errs...))
		}
		if _, err := fmt.Fprintf(out, "hand-off %s of corpus %s is off the list\n", h.ID, of); err != nil {
			return err
		}
	}
	return nil
}

func (o *handoffs) write(of types.NamespacedName, hs []handoff.Handoff, out io.Writer) error {
	if hs == nil {
		hs = []handoff.Handoff{}
	}
	switch o.output {
	case "goldenset":
		return stub(out, of, hs)
	case "json":
		e := json.NewEncoder(out)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		return e.Encode(hs)
	case "yaml":
		data, err := yaml.Marshal(hs)
		if err != nil {
			return err
		}
		_, err = out.Write(data)
		return err
	}
	if len(hs) == 0 {
		_, err := fmt.Fprintf(out, "no hand-offs of corpus %s\n", of)
		return err
	}
	return table(out, hs, width(out))
}
