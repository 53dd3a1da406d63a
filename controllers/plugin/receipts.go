package plugin

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/snapshot"
	"github.com/hardgate-dev/hardgate/runtime/evaluate"
)

func receiptsCommand(t *target, out io.Writer) *cobra.Command {
	c := &cobra.Command{Use: "receipts", Short: "List, show and compare the verdicts of golden sets, and show proofs of erasure"}
	list := &cobra.Command{
		Use: "list [CORPUS]", Short: "List the receipts of a namespace, newest first", Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			corpus := ""
			if len(args) == 1 {
				corpus = args[0]
			}
			return listReceipts(c.Context(), t, corpus, out)
		},
	}
	show := &cobra.Command{
		Use: "show RECEIPT", Short: "Show a receipt as JSON", Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return showReceipt(c.Context(), t, args[0], out)
		},
	}
	diff := &cobra.Command{
		Use: "diff OLD NEW", Short: "Say which questions changed between two receipts, and at which stage", Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			return diffReceipts(c.Context(), t, args[0], args[1], out)
		},
	}
	c.AddCommand(list, show, diff)
	return c
}

func listReceipts(ctx context.Context, t *target, corpus string, out io.Writer) error {
	c, namespace, err := t.connect()
	if err != nil {
		return err
	}
	match := client.HasLabels{snapshot.CorpusLabel}
	var all corev1.ConfigMapList
	if err := c.List(ctx, &all, client.InNamespace(namespace), match); err != nil {
		return fmt.Errorf("list receipts in namespace %q: %w", namespace, err)
	}
	type entry struct {
		name    string
		receipt *evaluate.Receipt
	}
	var entries []entry
	var erasures []erasure
	for _, m := range all.Items {
		if corpus != "" && m.Labels[snapshot.CorpusLabel] != snapshot.Bounded(corpus, snapshot.LongestLabel) {
			continue
		}
		if proof, is := m.Data[v1alpha1.ErasureReceiptKey]; is {
			e := erasure{name: m.Name}
			if err := json.Unmarshal([]byte(proof), &e); err != nil {
				return fmt.Errorf("receipt %q: %w", m.Name, err)
			}
			erasures = append(erasures, e)
			continue
		}
		text := m.Data[evaluate.ReceiptKey]
		r, err := evaluate.DecodeReceipt([]byte(text))
		if err != nil {
			return fmt.Errorf("receipt %q: %w", m.Name, err)
		}
		entries = append(entries, entry{m.Name, r})
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(b.receipt.TakenAt.Compare(a.receipt.TakenAt), cmp.Compare(a.name, b.name))
	})
	if len(entries)+len(erasures) == 0 {
		of := ""
		if corpus != "" {
			of = fmt.Sprintf(" of corpus %q", corpus)
		}
		_, err := fmt.Fprintf(out, "no receipts%s in namespace %q\n", of, namespace)
		return err
	}
	if err := listErasures(erasures, out); err != nil || len(entries) == 0 {
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
	fmt.Fprintln(w, "RECEIPT\tCORPUS\tTAKEN\tPASSED\tQUESTIONS\tFREEZE")
	for _, e := range entries {
		passed, total := tally(e.receipt)
		fmt.Fprintf(w, "%s\t%s\t%s\t%t\t%d/%d\t%.19s\n", e.name, e.receipt.Corpus, e.receipt.TakenAt.Format("2006-01-02 15:04:05"), e.receipt.Passed, passed, total, e.receipt.Freeze)
	}
	return w.Flush()
}

// erasure is what is listed of an erasure's receipt.
type erasure struct {
	name string

	Corpus    string    `json:"corpus"`
	Documents []string  `json:"documents"`
	ErasedAt  time.Time `json:"erasedAt"`
}

func listErasures(all []erasure, out io.Writer) error {
	if len(all) == 0 {
		return nil
	}
	slices.SortFunc(all, func(a, b erasure) int { return cmp.Or(b.ErasedAt.Compare(a.ErasedAt), cmp.Compare(a.name, b.name)) })
	w := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
	fmt.Fprintln(w, "ERASURE\tCORPUS\tERASED\tDOCUMENTS")
	for _, e := range all {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", e.name, e.Corpus, e.ErasedAt.Format("2006-01-02 15:04:05"), strings.Join(e.Documents, ", "))
	}
	fmt.Fprintln(w)
	return w.Flush()
}

func tally(r *evaluate.Receipt) (passed, total int) {
	for _, s := range r.Sets {
		for _, q := range s.Questions {
			total++
			if q.Passed {
				passed++
			}
		}
	}
	return passed, total
}

func showReceipt(ctx context.Context, t *target, name string, out io.Writer) error {
	m, err := readMap(ctx, t, name)
	if err != nil {
		return err
	}
	text, proof := m.Data[v1alpha1.ErasureReceiptKey]
	if !proof {
		r, err := evaluate.DecodeReceipt([]byte(m.Data[evaluate.ReceiptKey]))
		if err != nil {
			return fmt.Errorf("receipt %q: %w", name, err)
		}
		data, err := r.Encode()
		if err != nil {
			return err
		}
		text = string(data)
	}
	_, err = fmt.Fprintln(out, text)
	return err
}

func readMap(ctx context.Context, t *target, name string) (*corev1.ConfigMap, error) {
	c, namespace, err := t.connect()
	if err != nil {
		return nil, err
	}
	m := &corev1.ConfigMap{}
	if err := c.Get(ctx, types.NamespacedName{Namespace: namespace, Name: name}, m); err != nil {
		return nil, fmt.Errorf("read receipt %q: %w", name, err)
	}
	return m, nil
}

func readReceipt(ctx context.Context, t *target, name string) (*evaluate.Receipt, error) {
	m, err := readMap(ctx, t, name)
	if err != nil {
		return nil, err
	}
	r, err := evaluate.DecodeReceipt([]byte(m.Data[evaluate.ReceiptKey]))
	if err != nil {
		return nil, fmt.Errorf("receipt %q: %w", name, err)
	}
	return r, nil
}

func diffReceipts(ctx context.Context, t *target, older, newer string, out io.Writer) error {
	a, err := readReceipt(ctx, t, older)
	if err != nil {
		return err
	}
	b, err := readReceipt(ctx, t, newer)
	if err != nil {
		return err
	}
	changes := evaluate.Compare(a, b)
	if len(changes) == 0 {
		_, err := fmt.Fprintln(out, "no question changed")
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
	fmt.Fprintln(w, "SET\tQUESTION\tCHANGE\tWAS\tNOW")
	for _, c := range changes {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", c.Set, c.Question, c.Kind, verdict(c.Was), verdict(c.Now))
	}
	return w.Flush()
}

func verdict(a evaluate.At) string {
	if a.Passed {
		return "passed"
	}
	if a.Stage == "" {
		return "failed"
	}
	return fmt.Sprintf("failed at %s (%s)", a.Stage, a.Reason)
}
