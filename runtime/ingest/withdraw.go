package ingest

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/settings"
	"github.com/hardgate-dev/hardgate/runtime/source"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// withdraw narrows, in every kept generation, the fields by which a document is
// admitted: a permission that was taken away does not wait for the gate. A
// document of which nothing else changed is then as it should be.
func (in *Ingester) withdraw(ctx context.Context, p Plan, config string, sum *Summary) error {
	for k := range p.Items {
		i := &p.Items[k]
		if i.Fields == nil {
			continue
		}
		n := 0
		for _, s := range i.kept { // each by itself, so that none comes to admit whom only another did
			patch := narrowed(in.Settings.Eligibility, s.record.Fields, i.Fields)
			if len(patch) == 0 {
				continue
			}
			points := in.filter(keyed(i.Object.Key), at(s.from))
			if err := in.Store.SetPayload(ctx, in.Collection, store.ByFilter(points), patch, ""); err != nil {
				return fmt.Errorf("withdraw %q: %w", i.Object.Key, err)
			}
			patched(s.record.Fields, patch)
			n++
		}
		if n > 0 {
			i.compare(config)
			sum.Withdrawn++
		}
	}
	return nil
}

// WithdrawFrom narrows likewise what another collection holds of the corpus, where
// kept revisions lie that the listing is not ingested into. It returns how many
// documents were narrowed.
func (in *Ingester) WithdrawFrom(ctx context.Context, other Ledger, l source.Listing) (int, error) {
	there := *in
	there.Ledger = other
	p, err := there.Plan(ctx, l, Open)
	if err != nil {
		return 0, err
	}
	config, err := there.config()
	if err != nil {
		return 0, err
	}
	var sum Summary
	err = there.withdraw(ctx, p, config, &sum)
	return sum.Withdrawn, err
}

// patched changes fields as the store does by the same patch.
func patched(fields, patch map[string]any) {
	for field, v := range patch {
		if fields[field] = v; v == nil {
			delete(fields, field)
		}
	}
}

// narrowed returns what must change at once in the payload of every kept
// revision when a document's fields change: values that no longer admit, and a
// validity that became shorter. Widening waits for the next revision.
func narrowed(rules settings.Eligibility, was, is map[string]any) map[string]any {
	patch := map[string]any{}
	for _, field := range selecting(rules) {
		old, now := values(was[field]), values(is[field])
		kept := slices.DeleteFunc(slices.Clone(old), func(v string) bool { return !slices.Contains(now, v) })
		if len(kept) == len(old) {
			continue
		}
		list := make([]any, len(kept))
		for i, v := range kept {
			list[i] = v
		}
		patch[field] = list
	}
	if v := rules.Validity; v != nil {
		if later(begin(is[v.From]), begin(was[v.From])) {
			patch[v.From] = is[v.From] // nothing, where it is gone: an absent from admits nobody
		}
		if v.To != "" && later(end(was[v.To]), end(is[v.To])) {
			patch[v.To] = is[v.To]
		}
	}
	return patch
}

// begin is the first instant at which a field lets its document be seen; nil is
// never. Of several dates any will do, as in the store.
func begin(v any) *time.Time {
	var first *time.Time
	for _, s := range values(v) {
		if t, err := settings.ParseInstant(s); err == nil && (first == nil || t.Before(*first)) {
			first = &t
		}
	}
	return first
}

// end is the instant from which a field hides its document; nil is never. What
// holds no date hides it always, but a field that is absent, null or empty is open.
func end(v any) *time.Time {
	if len(values(v)) == 0 {
		return nil
	}
	last := &time.Time{}
	for _, s := range values(v) {
		if t, err := settings.ParseInstant(s); err == nil && t.After(*last) {
			last = &t
		}
	}
	return last
}

// later reports whether a is after b, where nil is after everything.
func later(a, b *time.Time) bool { return b != nil && (a == nil || a.After(*b)) }

// selecting are the fields by which documents are admitted as values.
func selecting(rules settings.Eligibility) []string {
	var out []string
	for _, c := range rules.Constants {
		out = append(out, c.Field)
	}
	for _, r := range rules.Identity {
		out = append(out, r.Field)
	}
	for _, r := range rules.Question {
		out = append(out, r.Field)
	}
	return out
}

// values are a field's values as the filters compare them.
func values(v any) []string {
	switch x := v.(type) {
	case nil:
		return nil
	case []any:
		var out []string
		for _, e := range x {
			out = append(out, values(e)...)
		}
		return out
	case string:
		return []string{x}
	}
	return []string{fmt.Sprint(v)}
}
