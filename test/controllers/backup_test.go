package controllers

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/backup"
	"github.com/hardgate-dev/hardgate/controllers/snapshot"
	"github.com/hardgate-dev/hardgate/runtime/serve"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// surface is what the manager answers backups on, reviewed by the API server.
func (d *desk) surface() string {
	d.Helper()
	set, err := kubernetes.NewForConfig(server)
	if err != nil {
		d.Fatal(err)
	}
	h := httptest.NewServer(&backup.Handler{
		Keeper: &backup.Keeper{
			Client: d, Reader: d, Connect: d.connect, Runtime: engine, Recorder: events.NewFakeRecorder(10), ClusterID: cluster, Now: time.Now,
		},
		Authenticator: serve.TokenReviews{Client: set.AuthenticationV1().TokenReviews()}, Reviews: set.AuthorizationV1().SubjectAccessReviews(),
		Log: slog.New(slog.DiscardHandler), Next: http.NotFoundHandler(),
	})
	d.Cleanup(h.Close)
	return h.URL
}

// keeper makes a ServiceAccount that may take backups, and one that may not.
func (d *desk) keeper() {
	d.Helper()
	role := &rbacv1.ClusterRole{}
	d.manifest("../../config/rbac/users/collection_keeper_role.yaml", role)
	if err := client.IgnoreAlreadyExists(d.Create(d.Context(), role)); err != nil {
		d.Fatal(err)
	}
	d.ExpectApplied(
		&corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "keeper"}}, &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "nobody"}},
		&rbacv1.RoleBinding{
			ObjectMeta: metav1.ObjectMeta{Name: "keeper"}, RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role.Name},
			Subjects: []rbacv1.Subject{{Kind: "ServiceAccount", Namespace: d.namespace, Name: "keeper"}},
		})
}

// keep runs backup or restore as the keeper, once its right is in force.
func (d *desk) keep(args ...string) (string, error) {
	d.Helper()
	return d.found(append(args, "--endpoint", d.surface())...)
}

// found does so where the Corpus says that the manager is.
func (d *desk) found(args ...string) (string, error) {
	d.Helper()
	cfg := d.kubeconfig()
	var out string
	var err error
	for range 50 { // the authorizer reads roles from a cache
		out, err = d.plug(cfg, append(args, "--as-service-account", "keeper")...)
		if err == nil || !strings.Contains(err.Error(), "Forbidden") {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	return out, err
}

// empty is a desk as a new cluster has it: everything applied, and suspended.
func empty(t *testing.T, s v1alpha1.Store) *desk {
	t.Helper()
	d := newDesk(t)
	d.endpoint = d.surface()
	d.run(everything()...)
	d.corpus.Spec.Suspend = true
	d.collection.Spec.Store = s
	d.apply()
	d.ExpectKstatus(d.collection, status.CurrentStatus)
	d.ExpectCondition(d.corpus, v1alpha1.ReadyCondition, no, v1alpha1.SuspendedReason)
	d.keeper()
	return d
}

// untouched fails if anything was restored.
func (d *desk) untouched() {
	d.Helper()
	d.refresh(d.corpus)
	kept, err := snapshot.List(d.Context(), d, d.corpus)
	if err != nil {
		d.Fatal(err)
	}
	if n := len(d.points(d.collection.Status.Physical)); n > 0 || len(kept) > 0 || d.corpus.Status.Active != nil {
		d.Errorf("%d points, revisions %v, active %+v", n, kept, d.corpus.Status.Active)
	}
}

// without the corpus' UID, payloads of two clusters compare.
func (d *desk) anonymous() map[string]store.Record {
	d.Helper()
	out := d.records(d.vectors())
	for _, r := range out {
		own, _ := r.Payload[store.Own].(map[string]any)
		delete(own, "corpus")
	}
	return out
}

// TestBackupAndRestore carries a corpus of two revisions into another namespace and
// another store, where it serves without a document being read.
func TestBackupAndRestore(t *testing.T) {
	embedded := v1alpha1.Store{Embedded: &v1alpha1.EmbeddedStore{}}
	for name, tc := range map[string]struct {
		from, to v1alpha1.Store
		s3       bool
	}{
		"embedded to a server, by a file": {embedded, serverAt(v1alpha1.URL(qdrantServer(t, ""))), false},
		"a server to embedded, by s3":     {serverAt(v1alpha1.URL(qdrantServer(t, ""))), embedded, true},
	} {
		t.Run(name, func(t *testing.T) {
			d := served(t, func(d *desk) { d.collection.Spec.Store = tc.from })
			d.bucket.Put(leave, leaveOf(31))
			d.ExpectReady(2)
			d.keeper()
			to := filepath.Join(t.TempDir(), "hr.hga")
			other := empty(t, tc.to)
			var s3 []string
			if tc.s3 {
				to = "s3://" + other.bucket.name + "/backups/hr.hga"
				s3 = []string{"--s3-endpoint", storage.server.URL().String(), "--s3-secret", "s3"}
			}
			if out, err := d.keep(append([]string{"backup", "hr", "--to", to}, s3...)...); err != nil || !strings.Contains(out, "read back and whole") {
				t.Fatalf("%q: %v", out, err)
			}
			other.bucket.Put(leave, leaveOf(31))
			other.untouched()
			out, err := other.found(append([]string{"restore", "hr", "--from", to}, s3...)...)
			if err != nil || !strings.Contains(out, "serves revision 2") {
				t.Fatalf("%q: %v", out, err)
			}
			if out, err := other.found("backup", "hr", "--to", filepath.Join(t.TempDir(), "next.hga")); err != nil {
				t.Errorf("what was restored can't be backed up: %q, %v", out, err)
			}
			d.sameRecords("other points than before", d.anonymous(), other.anonymous())
			other.change(func(s *v1alpha1.CorpusSpec) { s.Suspend = false })
			other.ExpectReady(2)
			other.ExpectAnswer("31 days")
			if n := other.bucket.Fetches(); len(n) > 0 {
				t.Errorf("documents were read: %v", n)
			}
			if kept, err := snapshot.List(t.Context(), other, other.corpus); err != nil || !slices.Equal(kept, []int64{1, 2}) {
				t.Errorf("revisions %v are kept: %v", kept, err)
			}
			if n := len(other.receipts()); n < 2 {
				t.Errorf("%d receipts came along", n)
			}
			other.bucket.Put(leave, leaveOf(32))
			other.ExpectReady(3)
			if diff := cmp.Diff(map[string]int{leave: 1}, other.bucket.Fetches()); diff != "" {
				t.Errorf("a change after the restore costs that change (-want +got):\n%s", diff)
			}
		})
	}
}

// TestRestoreRefuses leaves nothing of what it can't take whole.
func TestRestoreRefuses(t *testing.T) {
	d := served(t)
	d.keeper()
	file := filepath.Join(t.TempDir(), "hr.hga")
	if _, err := d.keep("backup", "hr", "--to", file); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	flipped := slices.Clone(whole)
	flipped[len(flipped)*2/3] ^= 4
	other := empty(t, v1alpha1.Store{Embedded: &v1alpha1.EmbeddedStore{}})
	for name, tc := range map[string]struct {
		reason string
		data   []byte
		says   []string
	}{
		"cut off":      {"its end is missing, though every point may be there", whole[:len(whole)-20], []string{"BadArchive", "nothing was restored"}},
		"cut in half":  {"points were written already when it ended", whole[:len(whole)/2], []string{"BadArchive", "cut off"}},
		"flipped":      {"one bit is enough", flipped, []string{"BadArchive", "nothing was restored"}},
		"another file": {"people mix names up", []byte("PK\x03\x04 and so on, for a while"), []string{"BadArchive", "not an archive"}},
		"empty":        {"a disk was full", nil, []string{"BadArchive", "cut off"}},
	} {
		t.Run(name, func(t *testing.T) {
			bad := filepath.Join(t.TempDir(), "bad")
			if err := os.WriteFile(bad, tc.data, 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := other.keep("restore", "hr", "--from", bad)
			for _, says := range tc.says {
				if err == nil || !strings.Contains(err.Error(), says) {
					t.Errorf("%s: %v doesn't say %q", tc.reason, err, says)
				}
			}
			other.untouched()
		})
	}
	if _, err := d.keep("restore", "hr", "--from", file); err == nil || !strings.Contains(err.Error(), "not suspended") {
		t.Errorf("a corpus that reads documents meanwhile: %v", err)
	}
	d.change(func(s *v1alpha1.CorpusSpec) { s.Suspend = true })
	d.ExpectCorpus("it is suspended", func(c *v1alpha1.Corpus) bool { return c.Status.ObservedGeneration == c.Generation })
	if _, err := d.keep("restore", "hr", "--from", file); err == nil || !strings.Contains(err.Error(), "never overwritten") {
		t.Errorf("what serves would be overwritten: %v", err)
	}
	if _, err := other.keep("backup", "hr", "--to", filepath.Join(t.TempDir(), "none")); err == nil || !strings.Contains(err.Error(), "nothing to back up") {
		t.Errorf("a backup of nothing: %v", err)
	}
}

// TestBackupNeedsTheRight tells who may not what it would take.
func TestBackupNeedsTheRight(t *testing.T) {
	d := served(t)
	d.keeper()
	to := filepath.Join(t.TempDir(), "hr.hga")
	_, err := d.plug(d.kubeconfig(), "backup", "hr", "--to", to, "--endpoint", d.surface(), "--as-service-account", "nobody")
	if err == nil || !strings.Contains(err.Error(), "verb get on collections/backup") {
		t.Errorf("%v", err)
	}
	if _, serr := os.Stat(to); serr == nil {
		t.Error("a file was written")
	}
	resp, err := http.Get(fmt.Sprintf("%s/v1/collections/%s/hr/backup", d.surface(), d.namespace))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var out map[string]map[string]string
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil || resp.StatusCode != http.StatusUnauthorized || out["error"]["code"] != "Unauthenticated" {
		t.Errorf("without a token: %s %v: %v", resp.Status, out, err)
	}
}
