package controllers

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/plugin"
	"github.com/hardgate-dev/hardgate/runtime/evaluate"
)

// kubeconfig writes a file by which people reach the API server.
func (d *desk) kubeconfig() string {
	d.Helper()
	file := filepath.Join(d.TempDir(), "kubeconfig")
	c := clientcmdapi.NewConfig()
	c.Clusters["test"] = &clientcmdapi.Cluster{Server: server.Host, CertificateAuthorityData: server.CAData}
	c.AuthInfos["test"] = &clientcmdapi.AuthInfo{ClientCertificateData: server.CertData, ClientKeyData: server.KeyData, Token: server.BearerToken}
	c.Contexts["test"] = &clientcmdapi.Context{Cluster: "test", AuthInfo: "test", Namespace: d.namespace}
	c.CurrentContext = "test"
	if err := clientcmd.WriteToFile(*c, file); err != nil {
		d.Fatal(err)
	}
	return file
}

// plug runs `kubectl hardgate`.
func (d *desk) plug(kubeconfig string, args ...string) (string, error) {
	d.Helper()
	var out bytes.Buffer
	c := plugin.Command("test", &out)
	c.SetArgs(append([]string{"--kubeconfig", kubeconfig}, args...))
	err := c.ExecuteContext(d.Context())
	return out.String(), err
}

// TestPlugin looks into a cluster with what people have: a kubeconfig.
func TestPlugin(t *testing.T) {
	d := served(t)
	d.changeSet(demand("31 days"))
	d.ExpectCondition(d.corpus, v1alpha1.StalledCondition, yes, v1alpha1.GoldenSetFailedReason)
	cfg := d.kubeconfig()
	run := func(args ...string) string {
		t.Helper()
		out, err := d.plug(cfg, args...)
		if err != nil {
			t.Fatalf("%v: %v", args, err)
		}
		return out
	}
	lines := strings.Split(strings.TrimSpace(run("receipts", "list", "rules")), "\n")
	if len(lines) != 3 || !strings.Contains(lines[1], "false") || !strings.Contains(lines[1], "1/2") || !strings.Contains(lines[2], "true") || !strings.Contains(lines[2], "2/2") {
		t.Fatalf("receipts, newest first:\n%s", strings.Join(lines, "\n"))
	}
	failed, passed := strings.Fields(lines[1])[0], strings.Fields(lines[2])[0]
	if out := run("receipts", "list"); !strings.Contains(out, failed) || !strings.Contains(out, passed) {
		t.Errorf("of all corpora:\n%s", out)
	}
	if out := run("receipts", "list", "another"); strings.Contains(out, passed) {
		t.Errorf("of another corpus:\n%s", out)
	}
	var receipt evaluate.Receipt
	if err := json.Unmarshal([]byte(run("receipts", "show", failed)), &receipt); err != nil || receipt.Passed || receipt.Corpus != d.namespace+"/rules" {
		t.Errorf("receipt is %+v: %v", receipt, err)
	}
	if out := run("receipts", "diff", passed, failed); !strings.Contains(out, "leave") || strings.Contains(out, "meals") || !strings.Contains(out, "failed at") {
		t.Errorf("difference:\n%s", out)
	}
	if out := run("receipts", "diff", passed, passed); !strings.Contains(out, "no question changed") {
		t.Errorf("difference:\n%s", out)
	}
	for name, args := range map[string][]string{
		"no such receipt": {"receipts", "show", "absent"}, "no such kind": {"reconcile", "pod", "rules"}, "no such corpus": {"reconcile", "corpus", "absent"},
	} {
		if out, err := d.plug(cfg, args...); err == nil || !strings.Contains(err.Error(), args[len(args)-1]) && !strings.Contains(err.Error(), args[1]) {
			t.Errorf("%s: %v, %q", name, err, out)
		}
	}
	run("reconcile", "corpus", "rules")
	d.ExpectCorpus("the request is answered", func(c *v1alpha1.Corpus) bool {
		want := c.Annotations[v1alpha1.ReconcileRequestAnnotation]
		return want != "" && c.Status.LastHandledReconcileAt == want
	})
	run("reconcile", "gs", "rules")
	run("reconcile", "coll", "hr")
	d.changeSet(demand("30 days"))
	d.ExpectReady(1)
	d.ExpectKstatus(d.set, status.CurrentStatus)
}
