package demo

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
)

// apply applies the sample as GitOps would, with the bucket's address of this
// machine, and waits until the corpus is Ready.
func (s *stage) apply(ctx context.Context) error {
	s.title("kubectl apply -k config/samples/payroll, and wait for Ready")
	secret := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: "hr", Name: "hr-s3"},
		StringData: map[string]string{v1alpha1.AccessKeyIDKey: s.s3.access, v1alpha1.SecretAccessKeyKey: s.s3.secret},
	}
	if err := s.cluster.client.Create(ctx, secret); err != nil {
		return err
	}
	for _, f := range []string{"collection.yaml", "goldenset.yaml", "corpus.yaml"} {
		if err := s.cluster.applyFile(ctx, s.sample(f), s.local); err != nil {
			return err
		}
	}
	corpus, err := s.watch(ctx, func(c *v1alpha1.Corpus) (bool, error) {
		if stalled := condition(c, v1alpha1.StalledCondition); stalled != nil && stalled.Reason != "" {
			return false, fmt.Errorf("stalled: %s: %s", stalled.Reason, stalled.Message)
		}
		ready := condition(c, v1alpha1.ReadyCondition)
		return ready != nil && ready.Status == metav1.ConditionTrue && c.Status.ObservedGeneration == c.Generation, nil
	})
	if err != nil {
		return err
	}
	g := corpus.Status.Gate[0]
	s.say("Ready: revision %d of %d documents serves; golden set %s passed %d of %d, %d confidently wrong, survival %s",
		corpus.Status.Active.Revision, corpus.Status.Documents.Ingested, g.GoldenSet, g.Passed, g.Total, g.ConfidentlyWrong, g.Survival)
	return s.admit(ctx)
}

// local points a Corpus at this machine's bucket.
func (s *stage) local(o *unstructured.Unstructured) error {
	if o.GetKind() != "Corpus" {
		return nil
	}
	return unstructured.SetNestedField(o.Object, s.s3.endpoint, "spec", "source", "s3", "endpoint")
}

// admit lets a ServiceAccount of the namespace ask, and see traces.
func (s *stage) admit(ctx context.Context) error {
	for _, role := range []string{"hardgate-corpus-asker", "hardgate-corpus-tracer"} {
		rb := &rbacv1.RoleBinding{
			ObjectMeta: metav1.ObjectMeta{Namespace: "hr", Name: role},
			RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role},
			Subjects:   []rbacv1.Subject{{Kind: "ServiceAccount", Namespace: "hr", Name: "payroll-desk"}},
		}
		if err := s.cluster.client.Create(ctx, rb); err != nil {
			return err
		}
	}
	var err error
	s.asker.token, err = s.cluster.token(ctx, "hr", "payroll-desk")
	return err
}

// watch polls the corpus until done, telling what its conditions say whenever
// that changes.
func (s *stage) watch(ctx context.Context, done func(*v1alpha1.Corpus) (bool, error)) (*v1alpha1.Corpus, error) {
	last := ""
	for {
		c := &v1alpha1.Corpus{}
		if err := s.cluster.client.Get(ctx, types.NamespacedName{Namespace: "hr", Name: "payroll"}, c); err != nil {
			return nil, err
		}
		ok, err := done(c)
		if ok || err != nil {
			return c, err
		}
		if now := doing(c); now != last && now != "" {
			s.say("  … %s", now)
			last = now
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("gave up waiting, %s: %w", last, ctx.Err())
		case <-time.After(200 * time.Millisecond):
		}
	}
}

func doing(c *v1alpha1.Corpus) string {
	if r := condition(c, v1alpha1.ReconcilingCondition); r != nil {
		return r.Reason + ": " + r.Message
	}
	return ""
}

func condition(c *v1alpha1.Corpus, kind string) *metav1.Condition {
	for i := range c.Status.Conditions {
		if c.Status.Conditions[i].Type == kind {
			return &c.Status.Conditions[i]
		}
	}
	return nil
}
