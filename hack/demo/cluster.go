package demo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	authnv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/hardgate-dev/hardgate/controllers/manager"
)

// cluster is a control plane without nodes: everything that Hardgate speaks to.
type cluster struct {
	config *rest.Config
	client client.Client
	set    kubernetes.Interface
}

const systemNamespace = "hardgate-system"

// startCluster starts etcd and kube-apiserver, and installs CRDs and roles as
// config/ has them.
func (s *stage) startCluster(ctx context.Context) error {
	s.title("A real control plane: etcd and kube-apiserver")
	env := &envtest.Environment{
		BinaryAssetsDirectory: s.ControlPlane, ErrorIfCRDPathMissing: true,
		CRDDirectoryPaths: []string{filepath.Join(s.Root, "config", "crd", "bases")},
	}
	cfg, err := env.Start()
	s.closers = append(s.closers, env.Stop)
	if err != nil {
		return fmt.Errorf("start control plane: %w", err)
	}
	c := &cluster{config: cfg}
	if c.client, err = client.New(cfg, client.Options{Scheme: manager.Scheme()}); err != nil {
		return err
	}
	if c.set, err = kubernetes.NewForConfig(cfg); err != nil {
		return err
	}
	s.cluster = c
	for _, ns := range []string{systemNamespace, "hr"} {
		if err := c.client.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: ns}}); err != nil {
			return err
		}
	}
	files, err := filepath.Glob(filepath.Join(s.Root, "config", "rbac", "*.yaml"))
	if err != nil {
		return err
	}
	users, err := filepath.Glob(filepath.Join(s.Root, "config", "rbac", "users", "*.yaml"))
	if err != nil {
		return err
	}
	for _, f := range slices.Concat(files, users) {
		if filepath.Base(f) == "kustomization.yaml" {
			continue
		}
		if err := c.applyFile(ctx, f, nil); err != nil {
			return err
		}
	}
	version, err := c.set.Discovery().ServerVersion()
	if err != nil {
		return err
	}
	s.say("kube-apiserver %s at %s; CRDs and roles from config/ installed", version.GitVersion, cfg.Host)
	return nil
}

// applyFile applies every object of a YAML file on the server; change may alter
// each first.
func (c *cluster) applyFile(ctx context.Context, path string, change func(*unstructured.Unstructured) error) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	d := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(data), 4096)
	for {
		o := &unstructured.Unstructured{}
		err := d.Decode(&o.Object)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if len(o.Object) == 0 {
			continue
		}
		if change != nil {
			if err := change(o); err != nil {
				return err
			}
		}
		if err := c.client.Apply(ctx, client.ApplyConfigurationFromUnstructured(o), client.FieldOwner("hardgate-demo"), client.ForceOwnership); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
}

// token is a ServiceAccount's, made if need be.
func (c *cluster) token(ctx context.Context, namespace, name string) (string, error) {
	sa := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
	if err := c.client.Create(ctx, sa); err != nil && !apierrors.IsAlreadyExists(err) {
		return "", err
	}
	seconds := int64(24 * 3600)
	t, err := c.set.CoreV1().ServiceAccounts(namespace).CreateToken(ctx, name, &authnv1.TokenRequest{Spec: authnv1.TokenRequestSpec{ExpirationSeconds: &seconds}}, metav1.CreateOptions{})
	if err != nil {
		return "", fmt.Errorf("token of %s/%s: %w", namespace, name, err)
	}
	return t.Status.Token, nil
}

// kubeconfig writes a file by which a token's bearer reaches the API server.
func (c *cluster) kubeconfig(path, token string) error {
	k := clientcmdapi.NewConfig()
	k.Clusters["demo"] = &clientcmdapi.Cluster{Server: c.config.Host, CertificateAuthorityData: c.config.CAData}
	k.AuthInfos["demo"] = &clientcmdapi.AuthInfo{Token: token}
	k.Contexts["demo"] = &clientcmdapi.Context{Cluster: "demo", AuthInfo: "demo"}
	k.CurrentContext = "demo"
	return clientcmd.WriteToFile(*k, path)
}

// adminKubeconfig writes a file with the administrator's certificate.
func (c *cluster) adminKubeconfig(path string) error {
	k := clientcmdapi.NewConfig()
	k.Clusters["demo"] = &clientcmdapi.Cluster{Server: c.config.Host, CertificateAuthorityData: c.config.CAData}
	k.AuthInfos["demo"] = &clientcmdapi.AuthInfo{ClientCertificateData: c.config.CertData, ClientKeyData: c.config.KeyData}
	k.Contexts["demo"] = &clientcmdapi.Context{Cluster: "demo", AuthInfo: "demo", Namespace: "hr"}
	k.CurrentContext = "demo"
	return clientcmd.WriteToFile(*k, path)
}
