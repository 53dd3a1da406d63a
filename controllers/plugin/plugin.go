// Package plugin is `kubectl hardgate`: what people ask of a cluster beside
// kubectl's own verbs. It reads what the reconcilers wrote, with the rights of
// whoever calls it.
package plugin

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
)

// target is the cluster and namespace that a command is for.
type target struct {
	kubeconfig, context, namespace string
}

// Command is the root of the plugin.
func Command(version string, out io.Writer) *cobra.Command {
	var t target
	c := &cobra.Command{
		Use: "kubectl-hardgate", Short: "Look into the corpora of a cluster", Version: version,
		Annotations:   map[string]string{cobra.CommandDisplayNameAnnotation: "kubectl hardgate"},
		SilenceErrors: true, SilenceUsage: true,
	}
	f := c.PersistentFlags()
	f.StringVar(&t.kubeconfig, "kubeconfig", "", "kubeconfig file (default: $KUBECONFIG or the user's)")
	f.StringVar(&t.context, "context", "", "context of the kubeconfig")
	f.StringVarP(&t.namespace, "namespace", "n", "", "namespace (default: the context's)")
	c.AddCommand(receiptsCommand(&t, out), reconcileCommand(&t, out), rollbackCommand(&t, out), backupCommand(&t, out), restoreCommand(&t, out), handoffsCommand(&t, out))
	return c
}

// reachable returns how to reach the API server, and the namespace.
func (t *target) reachable() (*rest.Config, string, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = t.kubeconfig
	loader := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, &clientcmd.ConfigOverrides{CurrentContext: t.context})
	cfg, err := loader.ClientConfig()
	if err != nil {
		return nil, "", t.unusable(err)
	}
	namespace := t.namespace
	if namespace == "" {
		if namespace, _, err = loader.Namespace(); err != nil {
			return nil, "", fmt.Errorf("--namespace: %w", err)
		}
	}
	return cfg, namespace, nil
}

// connect returns a client and the namespace.
func (t *target) connect() (client.Client, string, error) {
	cfg, namespace, err := t.reachable()
	if err != nil {
		return nil, "", err
	}
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		return nil, "", err
	}
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		return nil, "", err
	}
	c, err := client.New(cfg, client.Options{Scheme: scheme})
	return c, namespace, err
}

// unusable says which file was read, or that there is none, and what to do.
func (t *target) unusable(err error) error {
	switch {
	case clientcmd.IsContextNotFound(err):
		return fmt.Errorf("--context: %w (`kubectl config get-contexts` lists them)", err)
	case clientcmd.IsEmptyConfig(err):
		return errors.New("no kubeconfig: set --kubeconfig or $KUBECONFIG, or write ~/.kube/config, as for kubectl")
	case t.kubeconfig != "":
		return fmt.Errorf("--kubeconfig %q: %w", t.kubeconfig, err)
	}
	return fmt.Errorf("kubeconfig of $KUBECONFIG or ~/.kube/config: %w", err)
}
