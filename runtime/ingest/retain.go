package ingest

import (
	"fmt"
	"maps"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// WithheldReason is the failure of a document whose deletion is withheld, and
// which would have to be read again.
const WithheldReason = "Withheld"

// exceptions are what a listing alone does not tell.
type exceptions struct {
	withheld []string // keys
	erased   []string // documents

	reads func(key string) bool // as Ingester.Reads
}

// retain adds items for keys that the listing lacks and whose deletion is
// withheld. A listed object of the same name takes the place of a withheld one,
// as where a folder was renamed: that one goes after all.
func (p *Plan) retain(withheld []string, d *Describer, manifests map[string]Manifest, known map[string]generations, names map[string][]int, present map[string]bool) {
	for _, key := range withheld {
		if present[key] {
			continue // it is back
		}
		item := retained(key, known[key], d, manifests)
		if _, taken := names[item.ID]; item.ID != "" && taken {
			continue
		}
		present[key] = true
		if item.ID != "" {
			names[item.ID] = append(names[item.ID], len(p.Items))
		}
		p.Items = append(p.Items, item)
	}
}

// retained is the item of an object that is gone. It has the name and title that
// it was stored by; its fields are what the manifests still say of it, if they
// do, so that a permission can be taken away from it like from any other.
func retained(key string, kept generations, d *Describer, manifests map[string]Manifest) Item {
	old := kept.open()
	item := Item{Object: rag.Object{Key: key}, Old: old, kept: kept, Action: Fail, Failure: unread(key), gone: true}
	if old == nil {
		return item
	}
	item.Object.Version = old.record.Version
	if f := old.record.Failure; f != nil {
		return item
	}
	item.Description = Description{ID: old.record.Document, Fields: old.record.Fields}
	item.Action, item.Failure = Build, nil
	if desc, err := d.Describe(key, manifests); err == nil && d.described(key, manifests) {
		item.Fields = maps.Clone(desc.Fields)
		delete(item.Fields, "title")
		if t, has := old.record.Fields["title"]; has {
			item.Fields["title"] = t
		}
	}
	return item
}

// described reports whether the manifests say something of a key, or there are
// none.
func (d *Describer) described(key string, manifests map[string]Manifest) bool {
	all := d.Manifests()
	for _, m := range all {
		if _, has := manifests[m][key]; has {
			return true
		}
	}
	return len(all) == 0
}

func unread(key string) *rag.Failure {
	return &rag.Failure{Stage: "fetch", Reason: WithheldReason, Detail: fmt.Sprintf(
		"object %q is gone from the source and its deletion is withheld, but it would have to be read again: put it back, or approve the deletion", key)}
}
