package controllers

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/runtime/source/s3test"
)

// TestCorpusSourceTrouble takes the source away. A listing that failed is never
// an empty one, and even an empty one prunes nothing.
func TestCorpusSourceTrouble(t *testing.T) {
	d := served(t)
	active := d.corpus.Status.Active.DeepCopy()
	stored := d.points(active.Collection)
	for name, tc := range map[string]struct {
		fault, mend    func()
		kind           string // of condition
		is             string
		reason         string
		kstatus        status.Status
		readyMeanwhile bool
	}{
		"network cut": {
			fault: func() { d.bucket.Cut(true) }, mend: func() { d.bucket.Cut(false) },
			kind: v1alpha1.SourceReachableCondition, is: "False", reason: v1alpha1.SourceUnreachableReason, kstatus: status.InProgressStatus, readyMeanwhile: true,
		},
		"wrong key": {
			fault: func() { d.key("not the secret") }, mend: func() { d.key(s3test.Secret) },
			kind: v1alpha1.SourceReachableCondition, is: "False", reason: v1alpha1.SourceForbiddenReason, kstatus: status.InProgressStatus, readyMeanwhile: true,
		},
		"blank key": {
			fault: func() { d.key(" \n") }, mend: func() { d.key(s3test.Secret) },
			kind: v1alpha1.StalledCondition, is: "True", reason: v1alpha1.SecretKeyBlankReason, kstatus: status.FailedStatus,
		},
		"another bucket": {
			fault: func() { d.change(func(s *v1alpha1.CorpusSpec) { s.Source.S3.Bucket = "no-such-bucket" }) },
			mend:  func() { d.change(func(s *v1alpha1.CorpusSpec) { s.Source.S3.Bucket = d.bucket.name }) },
			kind:  v1alpha1.SourceReachableCondition, is: "False", reason: v1alpha1.BucketNotFoundReason, kstatus: status.InProgressStatus, // a spec that was never acted on is not Ready
		},
		"everything removed": {
			fault: func() { d.empty() }, mend: func() { d.fill() },
			kind: v1alpha1.StalledCondition, is: "True", reason: v1alpha1.SourceEmptyReason, kstatus: status.FailedStatus,
		},
	} {
		t.Run(name, func(t *testing.T) {
			end := d.crowd("30 days")
			tc.fault()
			d.Annotate(d.corpus, v1alpha1.ReconcileRequestAnnotation, "fault "+name)
			d.ExpectCondition(d.corpus, tc.kind, conditionStatus(tc.is), tc.reason)
			d.ExpectKstatus(d.corpus, tc.kstatus)
			if tc.readyMeanwhile {
				d.ExpectCondition(d.corpus, v1alpha1.ReadyCondition, yes, v1alpha1.SucceededReason)
			} else {
				d.ExpectCondition(d.corpus, v1alpha1.ReadyCondition, conditionStatus("False"), tc.reason)
			}
			d.ExpectServing(1)
			tc.mend()
			d.Annotate(d.corpus, v1alpha1.ReconcileRequestAnnotation, "mended "+name)
			d.ExpectReady(1)
			end()
			if diff := cmp.Diff(active.Points, d.corpus.Status.Active.Points); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(stored, d.points(active.Collection)); diff != "" {
				t.Errorf("the store has changed (-was +is):\n%s", diff)
			}
		})
	}
}

// key gives the corpus' Secret another value.
func (d *desk) key(secret string) {
	d.Helper()
	d.secret.Data[v1alpha1.SecretAccessKeyKey] = []byte(secret)
	d.ExpectApplied(d.secret)
}

func (d *desk) empty() {
	d.Helper()
	for key := range papers() {
		d.bucket.Remove(key)
	}
}

func (d *desk) fill() {
	d.Helper()
	for key, data := range papers() {
		d.bucket.Put(key, data)
	}
}
