package ingest

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/settings"
	"github.com/hardgate-dev/hardgate/runtime/source"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// Terms are what a revision admits documents by, and how it describes them.
type Terms struct {
	Eligibility settings.Eligibility
	Documents   settings.Documents
}

// view is what terms say of one document now.
type view struct {
	rules  settings.Eligibility
	fields map[string]any
}

// viewer looks at documents by some terms.
type viewer struct {
	rules     settings.Eligibility
	describer *Describer
	manifests map[string]Manifest
}

// viewers are those of the settings, first, and of the kept revisions. One whose
// manifests the settings no longer name is left out: nobody says any more what they
// hold.
func (in *Ingester) viewers(manifests map[string]Manifest) ([]viewer, error) {
	all := append([]Terms{{in.Settings.Eligibility, in.Settings.Documents}}, in.Kept...)
	var out []viewer
	for i, t := range all {
		if slices.ContainsFunc(all[:i], func(o Terms) bool { return reflect.DeepEqual(o, t) }) {
			continue
		}
		d, err := NewDescriber(t.Documents)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(d.Manifests(), func(key string) bool { _, read := manifests[key]; return !read }) {
			out = append(out, viewer{t.Eligibility, d, manifests})
		}
	}
	return out, nil
}

// of describes a document; false where that can't be done.
func (v viewer) of(key string) (view, bool) {
	desc, err := v.describer.Describe(key, v.manifests)
	if err == nil {
		err = undated(v.rules, desc.Fields)
	}
	return view{v.rules, desc.Fields}, err == nil
}

// ofAbsent describes a document that is not listed, as long as a manifest names it.
func (v viewer) ofAbsent(key string) (view, bool) {
	if len(v.describer.Manifests()) == 0 || !v.describer.described(key, v.manifests) {
		return view{}, false
	}
	return v.of(key)
}

// withdraw narrows, in every kept generation, the fields by which a document is
// admitted: a permission that was taken away does not wait for the gate. Those of
// the kept revisions' own rules are narrowed too, and those of documents that only
// older generations hold. A document of which nothing else changed is then as it
// should be.
func (in *Ingester) withdraw(ctx context.Context, p Plan, config string, sum *Summary) error {
	viewers, err := in.viewers(p.manifests)
	if err != nil {
		return err
	}
	listed := map[string]bool{}
	for k := range p.Items {
		i := &p.Items[k]
		listed[i.Object.Key] = true
		n, err := in.narrow(ctx, i.Object.Key, i.kept, i.views(viewers))
		if err != nil {
			return err
		}
		if n > 0 {
			i.compare(config)
			sum.Withdrawn++
		}
	}
	return in.withdrawPast(ctx, p, viewers, listed, sum)
}

// views are what every viewer says of a listed or withheld document. The first
// viewer's are the item's own fields, where it has any.
func (i *Item) views(viewers []viewer) []view {
	var out []view
	for k, w := range viewers {
		look := w.of
		if i.gone {
			look = w.ofAbsent
		}
		if k == 0 && i.Fields != nil {
			out = append(out, view{w.rules, i.Fields})
		} else if told, ok := look(i.Object.Key); ok {
			out = append(out, told)
		}
	}
	return out
}

// withdrawPast narrows the documents that the listing has no more.
func (in *Ingester) withdrawPast(ctx context.Context, p Plan, viewers []viewer, listed map[string]bool, sum *Summary) error {
	for _, key := range slices.Sorted(maps.Keys(p.known)) {
		if listed[key] {
			continue
		}
		var views []view
		for _, w := range viewers {
			if told, ok := w.ofAbsent(key); ok {
				views = append(views, told)
			}
		}
		n, err := in.narrow(ctx, key, p.known[key], views)
		if err != nil {
			return err
		}
		if n > 0 {
			sum.Withdrawn++
		}
	}
	return nil
}

// narrow narrows what is kept of a key, and returns how many generations that were:
// each by itself, so that none comes to admit whom only another did.
func (in *Ingester) narrow(ctx context.Context, key string, kept generations, views []view) (int, error) {
	n := 0
	for _, s := range kept {
		patch, fields := map[string]any{}, maps.Clone(s.record.Fields)
		for _, told := range views { // one after another: what is left is what all of them admit
			step := narrowed(told.rules, fields, told.fields)
			patched(fields, step)
			maps.Copy(patch, step)
		}
		if len(patch) == 0 {
			continue
		}
		points := in.filter(keyed(key), at(s.from))
		if err := in.Store.SetPayload(ctx, in.Collection, store.ByFilter(points), patch, ""); err != nil {
			return n, fmt.Errorf("withdraw %q: %w", key, err)
		}
		s.record.Fields = fields
		n++
	}
	return n, nil
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
