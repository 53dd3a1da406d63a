package plugin

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
)

// reconcileCommand asks for a reconcile by the annotation that people would set
// by hand.
func reconcileCommand(t *target, out io.Writer) *cobra.Command {
	return &cobra.Command{
		Use: "reconcile KIND NAME", Short: "Ask for a reconcile now: corpus, collection or goldenset", Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, namespace, err := t.connect()
			if err != nil {
				return err
			}
			o, err := objectOf(args[0])
			if err != nil {
				return err
			}
			if err := c.Get(cmd.Context(), types.NamespacedName{Namespace: namespace, Name: args[1]}, o); err != nil {
				return err
			}
			before := o.DeepCopyObject().(client.Object)
			annotations := o.GetAnnotations()
			if annotations == nil {
				annotations = map[string]string{}
			}
			annotations[v1alpha1.ReconcileRequestAnnotation] = time.Now().UTC().Format(time.RFC3339Nano)
			o.SetAnnotations(annotations)
			if err := c.Patch(cmd.Context(), o, client.MergeFrom(before)); err != nil {
				return err
			}
			_, err = fmt.Fprintf(out, "asked for a reconcile of %s %s/%s\n", strings.ToLower(args[0]), namespace, args[1])
			return err
		},
	}
}

func objectOf(kind string) (client.Object, error) {
	switch strings.ToLower(kind) {
	case "corpus", "corpora", "corp":
		return &v1alpha1.Corpus{}, nil
	case "collection", "collections", "coll":
		return &v1alpha1.Collection{}, nil
	case "goldenset", "goldensets", "gs":
		return &v1alpha1.GoldenSet{}, nil
	}
	return nil, fmt.Errorf("%q is none of corpus, collection, goldenset", kind)
}
