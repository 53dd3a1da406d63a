package controllers

import (
	"os"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
)

// TestCorpusByTheManagersRole goes through a corpus' life with the rights that
// config/rbac gives the manager, and no others.
func TestCorpusByTheManagersRole(t *testing.T) {
	role, binding := &rbacv1.ClusterRole{}, &rbacv1.ClusterRoleBinding{}
	d := newDesk(t)
	d.manifest("../../config/rbac/role.yaml", role)
	d.manifest("../../config/rbac/role_binding.yaml", binding)
	for _, o := range []client.Object{role, binding} {
		if err := d.Create(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = d.Delete(t.Context(), o) })
	}
	who := binding.Subjects[0]
	d.config = rest.CopyConfig(server)
	d.config.Impersonate = rest.ImpersonationConfig{UserName: "system:serviceaccount:" + who.Namespace + ":" + who.Name, Groups: []string{"system:serviceaccounts", "system:authenticated"}}
	impersonated, err := client.New(d.config, client.Options{Scheme: scheme})
	if err != nil {
		t.Fatal(err)
	}
	d.connect.Reader = impersonated
	d.run(everything()...)
	d.apply()
	d.ExpectReady(1)
	d.ExpectEvent(d.corpus, normal, v1alpha1.PromotedReason)
	d.bucket.Put(leave, leaveOf(32))
	d.ExpectReady(2)
	if n := len(d.receipts()); n != 2 {
		t.Errorf("%d receipts, want 2", n)
	}
	d.Annotate(d.corpus, v1alpha1.EraseAnnotation, "remote") // whose receipts it rewrites, and proves
	d.ExpectCorpus("it is erased", func(c *v1alpha1.Corpus) bool { return len(c.Status.Erased) == 1 && c.Status.Erased[0].Receipt != "" })
	d.ExpectReady(3)
	zero := int32(0)
	d.change(func(s *v1alpha1.CorpusSpec) { s.RevisionHistoryLimit = &zero })
	d.expectHistory([]int64{3}, []string{"32 days"})
	d.ExpectDeleted(d.corpus)
	d.ExpectGone(d.corpus)
	d.ExpectDeleted(d.collection)
	d.ExpectGone(d.collection)
	if err := impersonated.List(t.Context(), &rbacv1.ClusterRoleList{}); err == nil {
		t.Error("the manager may read roles: the test doesn't work with its rights")
	}
}

// manifest reads an object from a file.
func (d *desk) manifest(file string, into client.Object) {
	d.Helper()
	text, err := os.ReadFile(file)
	if err == nil {
		err = yaml.UnmarshalStrict(text, into)
	}
	if err != nil {
		d.Fatalf("read %s: %v", file, err)
	}
}
