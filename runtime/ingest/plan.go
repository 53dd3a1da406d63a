package ingest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/settings"
	"github.com/hardgate-dev/hardgate/runtime/source"
)

// Action is what a revision has to do about one object.
type Action string

// Actions.
const (
	Keep    Action = "Keep"    // stored as it is
	Build   Action = "Build"   // fetch, extract, chunk, embed
	Rewrite Action = "Rewrite" // only fields changed: new payload, same vectors
	Fail    Action = "Fail"    // cannot be ingested; known before fetching
)

// Item is one object of the listing with what is to be done.
type Item struct {
	Object rag.Object
	Description
	Action  Action
	Failure *rag.Failure // of Fail
	rivals  *rag.Failure // of an object that fails should its bytes turn out to be a document; nil when its name is its own
	Old     *stored      // what the ledger has of the key and nothing superseded, nil when nothing
	kept    generations  // all that the ledger has of the key
	gone    bool         // the object is no longer in the source, and stays all the same
}

// Plan is the difference between a listing and the ledger.
type Plan struct {
	Items  []Item
	Remove []string            // keys in the ledger that the listing no longer has
	Erased map[string][]string // keys that are passed over, by the erased document whose name they have

	known     map[string]generations // all that the ledger has
	manifests map[string]Manifest
}

// Work counts the items that are not kept.
func (p Plan) Work() int {
	n := len(p.Remove)
	for _, i := range p.Items {
		if i.Action != Keep {
			n++
		}
	}
	return n
}

// plan compares. config is the hash of what ingestion depends on.
func plan(l source.Listing, d *Describer, rules settings.Eligibility, manifests map[string]Manifest, known map[string]generations, config string, x exceptions) Plan {
	var p Plan
	names := map[string][]int{}    // items by the document that they are
	doubtful := map[string][]int{} // and those that are one only if their bytes turn out to be read
	present := map[string]bool{}
	for _, o := range l.Documents {
		item := Item{Object: o, Old: known[o.Key].open(), kept: known[o.Key], Action: Build}
		desc, err := d.Describe(o.Key, manifests)
		if err == nil {
			err = undated(rules, desc.Fields)
		}
		if err != nil {
			item.Action, item.Failure = Fail, &rag.Failure{Stage: "metadata", Reason: "InvalidMetadata", Detail: err.Error()}
		} else {
			item.Description = desc
			name := rag.JoinRevision(desc.ID, desc.Revision)
			if slices.Contains(x.erased, name) {
				if p.Erased == nil {
					p.Erased = map[string][]string{}
				}
				p.Erased[name] = append(p.Erased[name], o.Key)
				continue // as if it were not there
			}
			if x.reads == nil || x.reads(o.Key) {
				names[name] = append(names[name], len(p.Items))
			} else {
				doubtful[name] = append(doubtful[name], len(p.Items))
			}
		}
		present[o.Key] = true
		p.Items = append(p.Items, item)
	}
	for _, o := range l.TooLarge {
		present[o.Key] = true
		p.Items = append(p.Items, Item{Object: o, Old: known[o.Key].open(), kept: known[o.Key], Action: Fail, Failure: &rag.Failure{
			Stage: "fetch", Reason: "TooLarge", Detail: fmt.Sprintf("%d bytes; source.maxObjectBytes admits fewer", o.Size)}})
	}
	p.retain(x.withheld, d, manifests, known, names, present)
	p.duplicates(names, doubtful)
	for i := range p.Items {
		p.Items[i].compare(config)
	}
	for key, g := range known {
		if !present[key] && g.open() != nil {
			p.Remove = append(p.Remove, key)
		}
	}
	slices.Sort(p.Remove)
	return p
}

// duplicates fails the objects that are one document. One that is doubtful fails only
// should its bytes turn out to be a document, and fails nobody else.
func (p *Plan) duplicates(names, doubtful map[string][]int) {
	for name, same := range names {
		if len(same) < 2 {
			continue
		}
		for _, i := range same {
			p.Items[i].Action, p.Items[i].Failure = Fail, duplicate(len(same), name)
		}
	}
	for name, same := range doubtful {
		if all := len(same) + len(names[name]); all > 1 {
			for _, i := range same {
				p.Items[i].rivals = duplicate(all, name)
			}
		}
	}
}

func duplicate(n int, name string) *rag.Failure {
	return &rag.Failure{Stage: "metadata", Reason: "DuplicateDocument", Detail: fmt.Sprintf("%d objects are document %q: make documents.id or documents.revision tell them apart", n, name)}
}

// compare decides between Keep, Rewrite and Build for what is stored already. What
// can't be read again fails where it would have to be.
func (i *Item) compare(config string) {
	i.weigh(config)
	if i.gone && i.Action == Build {
		i.Action, i.Failure = Fail, unread(i.Object.Key)
	}
}

func (i *Item) weigh(config string) {
	old := i.Old
	if old == nil || old.record.Version != i.Object.Version {
		return
	}
	same := old.config == config && old.record.Document == rag.JoinRevision(i.ID, i.Revision)
	if f := old.record.Failure; i.rivals != nil && same && (f == nil || *f == *i.rivals) {
		i.Action, i.Failure = Fail, i.rivals // these very bytes were a document
	}
	if i.Action == Fail {
		if old.record.Failure != nil && *old.record.Failure == *i.Failure {
			i.Action = Keep
		}
		return
	}
	retry := old.record.Failure != nil && (old.record.Failure.Stage == "fetch" || old.record.Failure.Stage == "metadata")
	switch {
	case !same || retry:
	case equal(old.record.Fields, i.Fields):
		i.Action = Keep
	case old.title() != title(i.Fields): // the title is part of what is embedded
	default:
		i.Action = Rewrite
	}
}

func (s *stored) title() string { return title(s.record.Fields) }

func title(fields map[string]any) string {
	t, _ := fields["title"].(string)
	return t
}

// equal compares fields as JSON does, so that 1 and 1.0 are one value.
func equal(a, b map[string]any) bool { return reflect.DeepEqual(canonical(a), canonical(b)) }

func canonical(m map[string]any) any {
	if len(m) == 0 {
		return nil
	}
	var out any
	text, err := json.Marshal(m)
	if err != nil || json.Unmarshal(text, &out) != nil {
		return m
	}
	return out
}
