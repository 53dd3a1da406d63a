package demo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
)

// refusal applies the old compression, which keeps the forty best lines whatever
// they belong to, and shows that it stays out.
func (s *stage) refusal(ctx context.Context) error {
	s.title("The same Corpus with compression {mode: TopSentences, maxSentences: 40}")
	worse := filepath.Join(s.dir, "worse")
	if err := s.worsen(worse); err != nil {
		return err
	}
	if err := s.cluster.applyFile(ctx, filepath.Join(worse, "corpus.yaml"), s.local); err != nil {
		return err
	}
	corpus, err := s.watch(ctx, func(c *v1alpha1.Corpus) (bool, error) {
		st := condition(c, v1alpha1.StalledCondition)
		return st != nil && st.Status == metav1.ConditionTrue && c.Status.ObservedGeneration == c.Generation && c.Status.Candidate != nil, nil
	})
	if err != nil {
		return err
	}
	for _, kind := range []string{v1alpha1.ReadyCondition, v1alpha1.StalledCondition, v1alpha1.VerifiedCondition, v1alpha1.ServingCondition} {
		if c := condition(corpus, kind); c != nil {
			s.say("  %-9s %-6s %s", kind, c.Status, c.Reason)
		}
	}
	stalled := condition(corpus, v1alpha1.StalledCondition)
	s.say("  message: %s", stalled.Message)
	for _, want := range []string{"april-headcount", "compression", "ST0"} {
		if !strings.Contains(stalled.Message, want) {
			return fmt.Errorf("the condition does not name %q", want)
		}
	}
	if stalled.Reason != v1alpha1.GoldenSetFailedReason {
		return fmt.Errorf("stalled for %s, not %s", stalled.Reason, v1alpha1.GoldenSetFailedReason)
	}
	if err := s.survival(ctx, worse); err != nil {
		return err
	}
	s.title("Meanwhile revision %d goes on answering", corpus.Status.Active.Revision)
	a, err := s.asker.ask(ctx, headcount)
	if err != nil {
		return err
	}
	s.say("%s  %s (revision %d)", a.Status, a.Answer, a.Revision)
	if !strings.Contains(a.Answer, "12 employees") || a.Revision != corpus.Status.Active.Revision {
		return errors.New("the old revision does not answer twelve")
	}
	s.title("Done")
	return nil
}

// restore applies the sample again, so that what stays up is Ready.
func (s *stage) restore(ctx context.Context) error {
	s.title("The sample as it was, applied again")
	if err := s.cluster.applyFile(ctx, s.sample("corpus.yaml"), s.local); err != nil {
		return err
	}
	c, err := s.watch(ctx, func(c *v1alpha1.Corpus) (bool, error) {
		ready := condition(c, v1alpha1.ReadyCondition)
		return ready != nil && ready.Status == metav1.ConditionTrue && c.Status.ObservedGeneration == c.Generation, nil
	})
	if err != nil {
		return err
	}
	s.say("Ready: revision %d serves", c.Status.Active.Revision)
	return nil
}

// worsen writes the sample's files with the old compression.
func (s *stage) worsen(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for _, f := range []string{"collection.yaml", "goldenset.yaml", "corpus.yaml"} {
		data, err := os.ReadFile(s.sample(f))
		if err != nil {
			return err
		}
		if f == "corpus.yaml" {
			o := &unstructured.Unstructured{}
			if err := yaml.Unmarshal(data, &o.Object); err != nil {
				return err
			}
			if err := unstructured.SetNestedMap(o.Object, map[string]any{"mode": "TopSentences", "maxSentences": int64(40)}, "spec", "pipeline", "compression"); err != nil {
				return err
			}
			if data, err = yaml.Marshal(o.Object); err != nil {
				return err
			}
		}
		if err := os.WriteFile(filepath.Join(dir, f), data, 0o600); err != nil {
			return err
		}
	}
	return nil
}
