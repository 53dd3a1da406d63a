package plugin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
)

// rollbackWithin bounds the wait for the manager's answer.
const rollbackWithin = 30 * time.Second

// rollbackCommand puts a kept revision back into service, by the annotation that
// people would set by hand, and waits until the manager has answered.
func rollbackCommand(t *target, out io.Writer) *cobra.Command {
	var to int64
	var forward bool
	c := &cobra.Command{
		Use: "rollback CORPUS", Short: "Put the revision that served before, or another kept one, back into service", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if forward && to != 0 {
				return errors.New("--to and --forward exclude each other")
			}
			c, namespace, err := t.connect()
			if err != nil {
				return err
			}
			r := &rollback{Client: c, name: types.NamespacedName{Namespace: namespace, Name: args[0]}, out: out}
			if forward {
				return r.forward(cmd.Context())
			}
			return r.back(cmd.Context(), to)
		},
	}
	c.Flags().Int64Var(&to, "to", 0, "the revision (default: the newest kept one before what serves)")
	c.Flags().BoolVar(&forward, "forward", false, "take a rollback back: what was held is judged again, and serves if it passes")
	return c
}

type rollback struct {
	client.Client
	name types.NamespacedName
	out  io.Writer
}

func (r *rollback) read(ctx context.Context) (*v1alpha1.Corpus, error) {
	c := &v1alpha1.Corpus{}
	if err := r.Get(ctx, r.name, c); err != nil {
		return nil, fmt.Errorf("corpus %s: %w", r.name, err)
	}
	return c, nil
}

func (r *rollback) back(ctx context.Context, to int64) error {
	c, err := r.read(ctx)
	if err != nil {
		return err
	}
	if to == 0 {
		if to, err = before(c); err != nil {
			return fmt.Errorf("corpus %s: %w", r.name, err)
		}
	}
	asked := strconv.FormatInt(to, 10)
	if c.Annotations[v1alpha1.RollbackAnnotation] == asked && (c.Status.Active == nil || c.Status.Active.Revision != to) {
		// The same value asks for nothing; it was met, or refused, before.
		if err := r.annotate(ctx, c, nil); err != nil {
			return err
		}
		if c, err = r.answered(ctx, ""); err != nil {
			return err
		}
	}
	if err := r.annotate(ctx, c, &asked); err != nil {
		return err
	}
	if c, err = r.answered(ctx, asked); err != nil {
		return err
	}
	if b := c.Status.Rollback; b.Refused != "" {
		return fmt.Errorf("corpus %s: %s", r.name, b.Refused)
	}
	_, err = fmt.Fprintf(r.out, "revision %d of corpus %s serves again, in place of revision %d, which is held until the spec or the source changes, or `rollback --forward`\n",
		c.Status.Rollback.To, r.name, c.Status.Rollback.From)
	return err
}

func (r *rollback) forward(ctx context.Context) error {
	c, err := r.read(ctx)
	if err != nil {
		return err
	}
	if held := c.Status.Candidate; held == nil || held.Phase != v1alpha1.CandidateRolledBack {
		return fmt.Errorf("corpus %s: no rollback is in force, so that nothing is held that could go forward", r.name)
	}
	if err := r.annotate(ctx, c, nil); err != nil {
		return err
	}
	if _, err = r.answered(ctx, ""); err != nil {
		return err
	}
	_, err = fmt.Fprintf(r.out, "corpus %s goes forward: what was held is judged again\n", r.name)
	return err
}

// before is the newest kept revision before the one that serves.
func before(c *v1alpha1.Corpus) (int64, error) {
	var n int64
	for _, h := range c.Status.History {
		if c.Status.Active != nil && h.Revision < c.Status.Active.Revision {
			n = max(n, h.Revision)
		}
	}
	if n == 0 {
		return 0, errors.New("no revision before the one that serves is kept (spec.revisionHistoryLimit)")
	}
	return n, nil
}

// annotate sets the annotation, or takes it away.
func (r *rollback) annotate(ctx context.Context, c *v1alpha1.Corpus, value *string) error {
	was := c.DeepCopy()
	if value == nil {
		delete(c.Annotations, v1alpha1.RollbackAnnotation)
	} else {
		if c.Annotations == nil {
			c.Annotations = map[string]string{}
		}
		c.Annotations[v1alpha1.RollbackAnnotation] = *value
	}
	if err := r.Patch(ctx, c, client.MergeFrom(was)); err != nil {
		return fmt.Errorf("annotate corpus %s: %w", r.name, err)
	}
	return nil
}

// answered waits until the manager has dealt with a value of the annotation.
func (r *rollback) answered(ctx context.Context, asked string) (*v1alpha1.Corpus, error) {
	ctx, cancel := context.WithTimeout(ctx, rollbackWithin)
	defer cancel()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		c, err := r.read(ctx)
		if err != nil {
			return nil, err
		}
		if b := c.Status.Rollback; b == nil && asked == "" || b != nil && b.Request == asked {
			return c, nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil, fmt.Errorf("corpus %s: the manager has not answered within %s; the annotation stays, and is met when it does", r.name, rollbackWithin)
		}
	}
}
