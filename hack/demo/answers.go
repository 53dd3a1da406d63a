package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/serve"
)

// asker asks over HTTP with a ServiceAccount's token.
type asker struct{ base, token string }

func (a *asker) ask(ctx context.Context, question string) (serve.Response, error) {
	var out serve.Response
	body, err := json.Marshal(serve.Request{Question: question})
	if err != nil {
		return out, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, a.base+"/v1/corpora/hr/payroll/query", bytes.NewReader(body))
	if err != nil {
		return out, err
	}
	req.Header.Set("Authorization", "Bearer "+a.token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return out, err
	}
	defer resp.Body.Close() // it is read to its end
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return out, err
	}
	if resp.StatusCode != http.StatusOK {
		return out, fmt.Errorf("HTTP %d: %s", resp.StatusCode, data)
	}
	return out, json.Unmarshal(data, &out)
}

const (
	headcount = "How many employees are in the April 2025 salary register?"
	invoice   = "Which customer was invoice STL/2025-26/003 raised for?"
	unknown   = "What is the blood group of ST008?"
)

// answers asks what the documents say, and what they don't.
func (s *stage) answers(ctx context.Context) error {
	if err := s.count(ctx); err != nil {
		return err
	}
	if err := s.survival(ctx, s.sample("")); err != nil {
		return err
	}
	if err := s.exact(ctx); err != nil {
		return err
	}
	s.title("%s", unknown)
	a, err := s.asker.ask(ctx, unknown)
	if err != nil {
		return err
	}
	s.say("%s  %s", a.Status, a.Answer)
	if a.Status != rag.NeedsHuman {
		return errors.New("the documents do not say this, and it was answered")
	}
	return nil
}

// count expects twelve, cited row by row.
func (s *stage) count(ctx context.Context) error {
	s.title("%s", headcount)
	start := time.Now()
	a, err := s.asker.ask(ctx, headcount)
	if err != nil {
		return err
	}
	s.say("%s  %s", a.Status, a.Answer)
	rows := 0
	for _, c := range a.Citations {
		s.say("  cited: %s, page %d", c.Evidence, c.Page)
		for _, u := range c.Units {
			s.say("    %-9s %s", u.Name, u.Text)
			rows++
		}
	}
	if p := a.Pipeline; p != nil {
		s.say("  %d retrieved, %d after rerank, %d characters before compression, %d after; %.0f ms; context %s",
			p.Retrieved, p.AfterRerank, p.CharsBefore, p.CharsAfter, float64(time.Since(start).Microseconds())/1000, short(a.ContextHash))
	}
	if a.Status != rag.Answered || !strings.Contains(a.Answer, "12 employees") || rows != 12 {
		return fmt.Errorf("expected 12 employees with 12 rows cited, got %s, %q and %d rows", a.Status, a.Answer, rows)
	}
	return nil
}

func short(hash string) string {
	if len(hash) > 19 {
		return hash[:19] + "…"
	}
	return hash
}

// survival plots the twelve ids through every stage, by the command line on the
// same bucket.
func (s *stage) survival(ctx context.Context, files string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, self, "survival", "-f", files, "--documents", "s3://"+bucketName+"/"+keyPrefix, "--question", "april-headcount",
		"--model-dir", s.ModelDir, "--extract-cache-dir", s.CacheDir)
	cmd.Env = append(os.Environ(), "AWS_ENDPOINT_URL="+s.s3.endpoint, "AWS_ACCESS_KEY_ID="+s.s3.access, "AWS_SECRET_ACCESS_KEY="+s.s3.secret)
	var trouble bytes.Buffer
	cmd.Stderr = &trouble
	out, err := cmd.Output()
	s.say("\n$ AWS_ENDPOINT_URL=%s AWS_ACCESS_KEY_ID=… AWS_SECRET_ACCESS_KEY=… \\\n  hardgate survival -f %s --documents s3://%s/%s --question april-headcount", s.s3.endpoint, files, bucketName, keyPrefix)
	s.say("%s", strings.TrimRight(string(out), "\n"))
	if err != nil {
		return fmt.Errorf("survival: %w: %s", err, trouble.String())
	}
	return nil
}

// exact expects the invoice first, and shows its rivals' scores.
func (s *stage) exact(ctx context.Context) error {
	s.title("%s", invoice)
	a, err := s.asker.ask(ctx, invoice)
	if err != nil {
		return err
	}
	s.say("%s  %s", a.Status, a.Answer)
	if a.Pipeline == nil || len(a.Pipeline.Hits) == 0 {
		return errors.New("no trace, though the caller may see it")
	}
	s.say("  %-9s %-9s %-9s %s", "dense", "lexical", "fused", "")
	var seen []string
	for _, h := range a.Pipeline.Hits {
		if !strings.HasPrefix(h.Document, "Invoice_") || slices.Contains(seen, h.Document) {
			continue
		}
		seen = append(seen, h.Document)
		pinned := ""
		if h.Pinned > 0 {
			pinned = "  ← holds STL/2025-26/003: pinned first"
		}
		s.say("  %-9s %-9s %-9.3f %s%s", score(h.Dense), score(h.Lexical), h.Fused, h.Evidence, pinned)
	}
	const wanted = "Invoice_INV2025003_Welspun"
	if a.Status != rag.Answered || a.Pipeline.Hits[0].Document != wanted {
		return fmt.Errorf("expected %s first and an answer, got %s and %s", wanted, a.Pipeline.Hits[0].Document, a.Status)
	}
	return nil
}

func score(p *float64) string {
	if p == nil {
		return "-"
	}
	return fmt.Sprintf("%.3f", *p)
}
