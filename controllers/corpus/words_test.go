package corpus

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/minio/minio-go/v7"
	"github.com/prometheus/client_golang/prometheus/testutil"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/runtime/rag"
	docsource "github.com/hardgate-dev/hardgate/runtime/source"
)

var errAway = errors.New("connection refused")

func TestNamed(t *testing.T) {
	f := func(keys ...string) (out []v1alpha1.DocumentFailure) {
		for _, k := range keys {
			out = append(out, v1alpha1.DocumentFailure{Key: k, Reason: "Bad", Message: "m"})
		}
		return out
	}
	for name, tc := range map[string]struct {
		failures []v1alpha1.DocumentFailure
		want     string
	}{
		"none":  {nil, ""},
		"one":   {f("a"), "a (Bad: m)"},
		"three": {f("a", "b", "c"), "a (Bad: m); b (Bad: m); c (Bad: m)"},
		"five":  {f("a", "b", "c", "d", "e"), "a (Bad: m); b (Bad: m); c (Bad: m); and 2 more"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := named(tc.failures); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestClip(t *testing.T) {
	for name, tc := range map[string]struct {
		text string
		most int
		want string
	}{
		"fits":     {"twelve", 6, "twelve"},
		"too long": {"twelve employees", 9, "twelve…"},
		"a letter of two bytes is not cut in two": {"éééé", 6, "é…"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := clip(tc.text, tc.most); got != tc.want || len(got) > tc.most || !utf8.ValidString(got) {
				t.Errorf("got %q of %d bytes, want %q", got, len(got), tc.want)
			}
		})
	}
}

func TestFailures(t *testing.T) {
	var records []rag.Record
	for i := range 30 {
		records = append(records, rag.Record{Key: fmt.Sprintf("%02d.pdf", 29-i), Failure: &rag.Failure{Stage: "extract", Reason: "Bad", Detail: strings.Repeat("x", 2000)}})
	}
	got := failures(records)
	if len(got) != maxFailures || got[0].Key != "00.pdf" || got[19].Key != "19.pdf" {
		t.Errorf("%d failures from %q on: the first 20 by key are named, in whatever order the store has them", len(got), got[0].Key)
	}
	if n := len(got[0].Message); n > maxFailureMessage {
		t.Errorf("a message of %d bytes: the API server would refuse the whole status", n)
	}
}

func TestReject(t *testing.T) {
	v := inService(candidate(verifying, v1alpha1.TriggerSpec, "", ""))
	c := v.corpus.Status.Candidate
	v.reject(c, v1alpha1.GoldenSetFailedReason, strings.Repeat("april-headcount ", 1000))
	if len(c.Message) > maxMessage || c.Phase != rejected || c.Reason != v1alpha1.GoldenSetFailedReason {
		t.Errorf("candidate is %s, %s with a message of %d bytes: the API server would refuse the whole status", c.Phase, c.Reason, len(c.Message))
	}
	v.reject(c, v1alpha1.GoldenSetFailedReason, "again")
	if len(v.events) != 1 {
		t.Errorf("%d events of one transition", len(v.events))
	}
}

func TestReasonOf(t *testing.T) {
	for name, tc := range map[string]struct {
		err  error
		want string
	}{
		"no server":            {errAway, v1alpha1.SourceUnreachableReason},
		"forbidden":            {minio.ErrorResponse{Code: "AccessDenied"}, v1alpha1.SourceForbiddenReason},
		"unknown key":          {minio.ErrorResponse{Code: "InvalidAccessKeyId"}, v1alpha1.SourceForbiddenReason},
		"unknown to versitygw": {minio.ErrorResponse{Code: "XAdminUserNotFound"}, v1alpha1.SourceForbiddenReason},
		"wrong secret":         {minio.ErrorResponse{Code: "SignatureDoesNotMatch"}, v1alpha1.SourceForbiddenReason},
		"no bucket":            {minio.ErrorResponse{Code: "NoSuchBucket"}, v1alpha1.BucketNotFoundReason},
		"slow down":            {minio.ErrorResponse{Code: "SlowDown"}, v1alpha1.SourceUnreachableReason},
		"within a listing":     {&docsource.UnreachableError{Err: fmt.Errorf("%w (check)", minio.ErrorResponse{Code: "AccessDenied"})}, v1alpha1.SourceForbiddenReason},
		"within a reading":     {fmt.Errorf("object: %w", &docsource.ReadError{Err: minio.ErrorResponse{Code: "NoSuchBucket"}}), v1alpha1.BucketNotFoundReason},
	} {
		t.Run(name, func(t *testing.T) {
			if got := reasonOf(tc.err); got != tc.want {
				t.Errorf("%v is %s, want %s", tc.err, got, tc.want)
			}
		})
	}
}

func TestVerdict(t *testing.T) {
	asked := metav1.NewTime(at)
	c := &v1alpha1.CandidateStatus{Revision: 8, Freeze: "f", RequestedAt: asked}
	good := v1alpha1.GoldenResult{Corpus: "payroll", Revision: 8, Freeze: "f", FinishedAt: asked, Passed: true}
	for name, tc := range map[string]struct {
		reason string
		change func(r *v1alpha1.GoldenResult)
		counts bool
	}{
		"exact":             {"", func(*v1alpha1.GoldenResult) {}, true},
		"of another":        {"a set may judge several corpora", func(r *v1alpha1.GoldenResult) { r.Corpus = "other" }, false},
		"older revision":    {"", func(r *v1alpha1.GoldenResult) { r.Revision = 7 }, false},
		"another freeze":    {"promotion needs equality", func(r *v1alpha1.GoldenResult) { r.Freeze = "g" }, false},
		"before the asking": {"the same freeze is asked again", func(r *v1alpha1.GoldenResult) { r.FinishedAt = metav1.NewTime(at.Add(-time.Second)) }, false},
		"failed":            {"a verdict is a verdict", func(r *v1alpha1.GoldenResult) { r.Passed = false }, true},
	} {
		t.Run(name, func(t *testing.T) {
			r := good
			tc.change(&r)
			set := &v1alpha1.GoldenSet{Status: v1alpha1.GoldenSetStatus{Results: []v1alpha1.GoldenResult{{Corpus: "x"}, r}}}
			if got := verdict(set, "payroll", c); (got != nil) != tc.counts {
				t.Errorf("verdict is %+v: %s", got, tc.reason)
			}
		})
	}
}

func TestUnanswered(t *testing.T) {
	for name, tc := range map[string]struct {
		running []v1alpha1.Evaluation
		want    string
	}{
		"not begun":        {nil, "set"},
		"under way":        {[]v1alpha1.Evaluation{{Corpus: "payroll", Progress: "3/15"}}, "set 3/15"},
		"could not finish": {[]v1alpha1.Evaluation{{Corpus: "payroll", Attempts: 2, Message: "store away"}}, "set could not finish (attempt 2): store away"},
		"of another":       {[]v1alpha1.Evaluation{{Corpus: "other", Progress: "3/15"}}, "set"},
	} {
		t.Run(name, func(t *testing.T) {
			set := &v1alpha1.GoldenSet{Status: v1alpha1.GoldenSetStatus{Running: tc.running}}
			if diff := cmp.Diff(tc.want, unanswered(set, "set", "payroll")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestMetrics(t *testing.T) {
	var none *Metrics
	none.sawListing("hr", "payroll", at) // measures nothing, and does no harm
	none.forget("hr", "payroll")
	m := NewMetrics()
	m.sawListing("hr", "payroll", at)
	m.sawListing("hr", "rules", at.Add(time.Minute))
	if got := testutil.ToFloat64(m.listed.WithLabelValues("hr", "payroll")); got != float64(at.Unix()) {
		t.Errorf("listed at %v, want %d", got, at.Unix())
	}
	m.forget("hr", "payroll")
	if n := testutil.CollectAndCount(m.listed); n != 1 {
		t.Errorf("%d series are left of a corpus that is gone and one that is not", n)
	}
}
