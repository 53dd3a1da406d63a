package controllers

import (
	"testing"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
)

// TestCorpusReadsOtherText reads Markdown beside the PDFs, and says of a picture
// that it is none of what is read: counted and named, and no failure.
func TestCorpusReadsOtherText(t *testing.T) {
	d := served(t, func(d *desk) {
		d.corpus.Spec.Source.Include = []v1alpha1.Text{"**/*.pdf", "**/*.md", "**/*.png"}
		d.bucket.Put("parking.md", []byte("# Parking\n\nThe fee for a parking space is 25 euros a month.\n"))
		d.bucket.Put("logo.png", []byte("\x89PNG\r\n\x1a\nnot really a picture"))
		d.set.Spec.Questions = append(d.set.Spec.Questions, answered("parking", "What is the fee for a parking space?", "parking#parking", "25 euros"))
	})
	s := d.corpus.Status.Documents
	if s.Failed != 0 || s.Skipped != 1 || s.Ingested != s.Total-1 {
		t.Errorf("documents %+v", s)
	}
	if len(s.Skips) != 1 || s.Skips[0].Key != "logo.png" || s.Skips[0].Reason != "UnsupportedType" {
		t.Errorf("skips %+v", s.Skips)
	}
	d.ExpectCondition(d.corpus, v1alpha1.DegradedCondition, yes, v1alpha1.ObjectsSkippedReason, "logo.png", "spec.source.include")
	d.ExpectCondition(d.corpus, v1alpha1.ReadyCondition, yes, v1alpha1.SucceededReason)
	d.restart()
	d.ExpectCondition(d.corpus, v1alpha1.DegradedCondition, yes, v1alpha1.ObjectsSkippedReason, "logo.png")
}
