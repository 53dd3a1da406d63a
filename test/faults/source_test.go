package faults

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/minio/minio-go/v7"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
)

// TestListingFails takes the source away in every way there is. A listing that
// failed is never an empty one: nothing is pruned, what serves goes on, the
// condition says whose fault it is, and it recovers by itself.
func TestListingFails(t *testing.T) {
	w := served(t)
	before := w.corpus().Status
	for name, tc := range listingFaults() {
		t.Run(name, func(t *testing.T) {
			end := w.desk.crowd(t)
			tc.fault(w)
			lost := w.until("the source counts as not reachable", func(c *v1alpha1.Corpus) bool {
				return shows(c, v1alpha1.SourceReachableCondition, metav1.ConditionFalse, tc.shown)
			})
			count := w.listings()
			time.Sleep(outage)
			if n := w.listings() - count; n > mostListings {
				t.Errorf("%s: %d listings in %s: a source that is down is not to be hammered", tc.reason, n, outage)
			}
			expectUntouched(t, tc.reason, before, w.corpus())
			if lost.Status.ObservedGeneration != lost.Generation {
				t.Errorf("%s: observed generation %d of %d", tc.reason, lost.Status.ObservedGeneration, lost.Generation)
			}
			tc.mend(w)
			w.until("the source is reachable again", func(c *v1alpha1.Corpus) bool {
				return shows(c, v1alpha1.SourceReachableCondition, metav1.ConditionTrue, v1alpha1.SucceededReason)
			})
			expectUntouched(t, tc.reason, before, w.ready())
			expectNoneWrong(t, tc.reason, end(), true)
		})
	}
}

const (
	// outage is how long a source stays away: several intervals of the corpus.
	outage = 2 * time.Second
	// mostListings is what a corpus with an interval of a second may ask in that
	// time, with room for a slow machine's bunching.
	mostListings = 6
)

type listingFault struct {
	reason      string
	fault, mend func(w *world)
	shown       string // reason of SourceReachable=False
}

func listingFaults() map[string]listingFault {
	return map[string]listingFault{
		"server down": {
			reason: "nothing listens where the source was",
			fault:  func(w *world) { w.bucket.stop() },
			mend:   func(w *world) { w.start() },
			shown:  v1alpha1.SourceUnreachableReason,
		},
		"credentials revoked": {
			reason: "the account is gone from the server",
			fault:  func(w *world) { w.account("delete-user", "--access", reader) },
			mend: func(w *world) {
				w.account("create-user", "--access", reader, "--secret", readerSecret, "--role", "user")
			},
			shown: v1alpha1.SourceForbiddenReason,
		},
		"listing forbidden": {
			reason: "the policy lets the account read what it knows and list nothing",
			fault:  func(w *world) { w.allow("s3:GetObject") },
			mend:   func(w *world) { w.allow("s3:ListBucket", "s3:GetObject") },
			shown:  v1alpha1.SourceForbiddenReason,
		},
		"bucket gone": {
			reason: "the bucket of that name is not there",
			fault:  func(w *world) { w.empty() },
			mend:   func(w *world) { w.refill() },
			shown:  v1alpha1.BucketNotFoundReason,
		},
	}
}

// empty deletes the bucket with all that is in it, while its server is down so
// that nobody sees it half empty.
func (w *world) empty() {
	w.Helper()
	w.bucket.stop()
	w.move(bucketName, bucketName+"-away")
	w.start()
}

// refill brings the bucket back.
func (w *world) refill() {
	w.Helper()
	w.bucket.stop()
	w.move(bucketName+"-away", bucketName)
	w.start()
	if _, err := w.client.StatObject(w.Context(), bucketName, keyPrefix+april, minio.StatObjectOptions{}); err != nil {
		w.Fatal(err)
	}
}

// expectUntouched holds a corpus to the state before the fault: the same revision
// with the same documents is in service, and nothing else was begun.
func expectUntouched(t *testing.T, reason string, before v1alpha1.CorpusStatus, now *v1alpha1.Corpus) {
	t.Helper()
	type state struct {
		Active    *v1alpha1.ActiveStatus
		Candidate *v1alpha1.CandidateStatus
		Documents *v1alpha1.DocumentsStatus
		Source    *v1alpha1.SourceStatus
	}
	is := now.Status
	if diff := cmp.Diff(state{before.Active, before.Candidate, before.Documents, before.Source}, state{is.Active, is.Candidate, is.Documents, is.Source}, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s: it changed what was known, -before +now:\n%s", reason, diff)
	}
	for _, kind := range []string{v1alpha1.ReadyCondition, v1alpha1.ServingCondition} {
		if !shows(now, kind, metav1.ConditionTrue, v1alpha1.SucceededReason) {
			t.Errorf("%s: %s is not True: %+v", reason, kind, now.Status.Conditions)
		}
	}
}

// TestReadingIsForbidden lets the account list what it may not read.
func TestReadingIsForbidden(t *testing.T) {
	w := served(t)
	cases := map[string]struct {
		reason, forbidden, added string
		shown, why               string
		mend                     func(w *world) // besides the permission
	}{
		"the manifest": {
			reason:    "without it documents would lose the fields by which they are withheld; it is tried again",
			forbidden: "metadata.jsonl", added: "policies/Expense_Policy_2025.pdf",
			shown: v1alpha1.ReconcilingCondition, why: v1alpha1.SourceForbiddenReason, mend: func(*world) {},
		},
		"one document": {
			reason:    "it failed and stays out; a request by annotation tries it again",
			forbidden: "policies/Remote_Work_Policy_2025.pdf", added: "policies/Remote_Work_Policy_2025.pdf",
			shown: v1alpha1.CandidateRejectedCondition, why: v1alpha1.DocumentsFailedReason, mend: (*world).request,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			end := w.desk.crowd(t)
			before := w.corpus().Status.Active
			w.forbid(tc.forbidden)
			w.putFile(tc.added, samples+"/documents/"+tc.added)
			c := w.until("the refusal is shown", func(c *v1alpha1.Corpus) bool { return shows(c, tc.shown, metav1.ConditionTrue, tc.why) })
			names(t, message(c, tc.shown), tc.forbidden, "not authorized")
			if diff := cmp.Diff(before, c.Status.Active); diff != "" || !shows(c, v1alpha1.ReadyCondition, metav1.ConditionTrue, v1alpha1.SucceededReason) {
				t.Errorf("%s: what serves changed: %s %+v", tc.reason, diff, c.Status.Conditions)
			}
			w.allow("s3:ListBucket", "s3:GetObject")
			tc.mend(w)
			w.until("the new document is in service", func(c *v1alpha1.Corpus) bool {
				return c.Status.Candidate == nil && c.Status.Active.Documents == before.Documents+1 && message(c, tc.shown) == ""
			})
			expectNoneWrong(t, tc.reason, end(), true)
		})
	}
}
