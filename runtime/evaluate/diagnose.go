package evaluate

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// diagnose names the earliest stage that hasn't got an evidence, and why. It
// reads what was listed, recorded and stored, not what the flow says of itself.
func (j *judge) diagnose(ctx context.Context, id string) (stage string, d Diagnosis, err error) {
	document := documents([]string{id})[0]
	rec, known := j.corpus.record(document)
	if !known || rec.Failure != nil {
		return j.unread(ctx, document, rec)
	}
	chunks, err := j.storedAs(ctx, id)
	if err != nil {
		return "", d, err
	}
	if len(chunks) == 0 {
		return j.unnamed(ctx, id, document)
	}
	v, err := j.refused(ctx, chunks)
	if err != nil {
		return "", d, err
	}
	if v != nil {
		return StageEligibility, Diagnosis{Ineligible, v.String()}, nil
	}
	stage, d = j.lost(id, chunks)
	return stage, d, nil
}

// unread tells why a document has no ingested record.
func (j *judge) unread(ctx context.Context, document string, rec rag.Record) (string, Diagnosis, error) {
	keys, err := j.corpus.keys(ctx)
	if err != nil {
		return "", Diagnosis{}, err
	}
	failed := rec.Failure
	for _, r := range j.corpus.records {
		if failed == nil && r.Failure != nil && r.Document == "" && titles(r.Key, document) {
			rec, failed = r, r.Failure
		}
	}
	if failed != nil {
		stage, reason := StageIngestion, NotIngested
		if failed.Stage == "extract" || failed.Stage == "chunk" {
			stage, reason = StageExtraction, ExtractionFailed
		}
		return stage, Diagnosis{reason, fmt.Sprintf("%s failed at %s: %s: %s", rec.Key, failed.Stage, failed.Reason, failed.Detail)}, nil
	}
	for _, k := range keys {
		recorded := slices.ContainsFunc(j.corpus.records, func(r rag.Record) bool { return r.Key == k })
		if recorded || !titles(k, document) {
			continue
		}
		if why := j.cfg.Settings.Source.LeavesOut(k); why != "" { // what the corpus leaves out is no source of it
			return StageSource, Diagnosis{NotInSource, k + " is in the bucket, and not a document of the corpus: " + why}, nil
		}
		return StageIngestion, Diagnosis{NotIngested, k + " is in the source and was not ingested: see maxObjectBytes"}, nil
	}
	if stem, _ := unversioned(document); stem != document {
		for _, r := range j.corpus.records {
			if other, _ := unversioned(r.Document); r.Failure == nil && other == stem {
				return StageSource, Diagnosis{WrongRevision, fmt.Sprintf("the source holds %s, not %s", r.Document, document)}, nil
			}
		}
	}
	objects := len(keys)
	for _, m := range j.cfg.Settings.Documents.Metadata {
		if slices.Contains(keys, m.Manifest) { // which tells of documents, and is none
			objects--
		}
	}
	return StageSource, Diagnosis{NotInSource, fmt.Sprintf("none of the source's %d objects is that document", objects)}, nil
}

// unnamed tells why an ingested document has no such passage.
func (j *judge) unnamed(ctx context.Context, id, document string) (string, Diagnosis, error) {
	all, err := j.corpus.chunksOf(ctx, []string{document})
	if err != nil {
		return "", Diagnosis{}, err
	}
	if len(all) == 0 {
		return StageIngestion, Diagnosis{NotIngested, document + " is recorded as ingested and has no chunk in the store"}, nil
	}
	var passages []string
	for _, h := range all {
		for _, p := range append([]string{h.Passage}, h.Aliases...) {
			if !slices.Contains(passages, p) {
				passages = append(passages, p)
			}
		}
	}
	_, passage, _ := strings.Cut(id, "#")
	return StageExtraction, Diagnosis{ExtractionFailed, fmt.Sprintf("no passage of %s is named %q; it has %s", document, passage, listed(passages))}, nil
}

// refused returns the rule that keeps all of the chunks from the question, or nil.
func (j *judge) refused(ctx context.Context, chunks []rag.Hit) (*Violation, error) {
	ids := make([]string, len(chunks))
	for i, h := range chunks {
		ids[i] = h.ID
	}
	payload, err := j.corpus.payloadOf(ctx, ids)
	if err != nil {
		return nil, err
	}
	var first *Violation
	for _, id := range ids {
		v := j.predicate.Judge(j.ob.question, payload[id])
		if v == nil {
			return nil, nil
		}
		if first == nil {
			first = v
		}
	}
	return first, nil
}

// lost tells which stage of the flow dropped an eligible evidence.
func (j *judge) lost(id string, chunks []rag.Hit) (string, Diagnosis) {
	if place(j.ob.hits[atRetrieve], id) == 0 {
		return StageRetrieval, Diagnosis{NotRanked, j.ranks(chunks)}
	}
	reasons := [stages]string{atGather: LostInGather, atRerank: LostInRerank, atCompress: LostInCompress, atPrompt: LostInPrompt}
	for at := atGather; at < stages; at++ {
		if place(j.ob.hits[at], id) == 0 {
			return stageOf(at), Diagnosis{reasons[at], fmt.Sprintf("lost at %s; it was rank %d of %d before", stageOf(at), place(j.ob.hits[at-1], id), len(j.ob.hits[at-1]))}
		}
	}
	// A stage that found it again after another had lost it cannot be told from here.
	return StagePrompt, Diagnosis{LostInPrompt, "it reached no stage in one piece"}
}

// ranks tells how far from the hits the chunks were in each channel.
func (j *judge) ranks(chunks []rag.Hit) string {
	var parts []string
	for _, f := range j.ob.retrieved.Flags {
		parts = append(parts, f.Reason+": "+f.Detail)
	}
	if len(parts) > 0 && len(j.ob.retrieved.Channels) == 0 {
		return strings.Join(parts, "; ")
	}
	if j.card.Mode == rag.None {
		return "mode None retrieves nothing"
	}
	parts = nil
	pool := 0
	for _, c := range j.ob.retrieved.Channels {
		pool = max(pool, len(c.Candidates))
		for i, cand := range c.Candidates {
			if slices.ContainsFunc(chunks, func(h rag.Hit) bool { return h.ID == cand.ID }) {
				parts = append(parts, fmt.Sprintf("rank %d of %s", i+1, c.Name))
				break
			}
		}
	}
	if len(parts) == 0 {
		return fmt.Sprintf("below the pool: among no channel's %d candidates", pool)
	}
	return fmt.Sprintf("below k = %d: %s", j.topK, strings.Join(parts, ", "))
}

// titles reports whether an object's name is that of a document, with or without its revision.
func titles(key, document string) bool {
	base := strings.TrimSuffix(path.Base(key), path.Ext(key))
	stem, _ := unversioned(document)
	return base == document || base == stem
}

// revision is how a revision ends a document's name. A bare number isn't one:
// INV-7719 and INV-7720 are two invoices.
const revision = `^(.+)-((?:v|r|rev)[.]?[0-9][0-9A-Za-z.]*)$`

// unversioned splits a document's name into id and revision.
func unversioned(document string) (id, rev string) {
	if m := regexp.MustCompile(revision).FindStringSubmatch(document); m != nil {
		return m[1], m[2]
	}
	return document, ""
}
