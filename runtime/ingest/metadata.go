package ingest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// Describer derives a document's id, revision and payload fields from its key
// and the manifests.
type Describer struct {
	id, revision *template.Template
	rules        []rule
}

type rule struct {
	path     *regexp.Regexp
	manifest string
	set      map[string]any
}

// Description is what a document is called and which fields it carries.
type Description struct {
	ID, Revision string
	Fields       map[string]any
}

// NewDescriber compiles the templates and rules; errors name the field.
func NewDescriber(d settings.Documents) (*Describer, error) {
	var out Describer
	var err error
	if out.id, err = parse("documents.id", d.ID); err != nil {
		return nil, err
	}
	if out.revision, err = parse("documents.revision", d.Revision); err != nil {
		return nil, err
	}
	for i, m := range d.Metadata {
		r := rule{manifest: m.Manifest, set: m.Set}
		if m.Path != "" {
			if r.path, err = regexp.Compile(m.Path); err != nil {
				return nil, fmt.Errorf("documents.metadata[%d].path: %w", i, err)
			}
		}
		out.rules = append(out.rules, r)
	}
	return &out, nil
}

func parse(field, text string) (*template.Template, error) {
	t, err := template.New(field).Option("missingkey=zero").Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", field, err)
	}
	return t, nil
}

// Manifests are the keys of the side files that the rules read.
func (d *Describer) Manifests() []string {
	var out []string
	for _, r := range d.rules {
		if r.manifest != "" {
			out = append(out, r.manifest)
		}
	}
	return out
}

// Manifest is a parsed side file: the fields by object key.
type Manifest map[string]map[string]any

// ParseManifest reads JSON lines, each an object with "key". Errors name the
// file and the line.
func ParseManifest(name string, data []byte) (Manifest, error) {
	out := Manifest{}
	sc := bufio.NewScanner(bytes.NewReader(data))
	sc.Buffer(nil, 1<<20) // one line describes one document
	for n := 1; sc.Scan(); n++ {
		line := bytes.TrimSpace(sc.Bytes())
		if len(line) == 0 {
			continue
		}
		var fields map[string]any
		if err := json.Unmarshal(line, &fields); err != nil {
			return nil, fmt.Errorf("%s line %d: %w", name, n, err)
		}
		key, _ := fields["key"].(string)
		if key == "" {
			return nil, fmt.Errorf(`%s line %d: no "key", the object's key relative to the prefix`, name, n)
		}
		if _, twice := out[key]; twice {
			return nil, fmt.Errorf("%s line %d: key %q is described twice", name, n, key)
		}
		delete(fields, "key")
		out[key] = fields
	}
	return out, sc.Err()
}

// Describe applies the rules in order, later ones winning.
func (d *Describer) Describe(key string, manifests map[string]Manifest) (Description, error) {
	fields := map[string]any{}
	for _, r := range d.rules {
		switch {
		case r.path != nil:
			groups(r.path, key, fields)
		case r.manifest != "":
			maps.Copy(fields, manifests[r.manifest][key])
		default:
			maps.Copy(fields, r.set)
		}
	}
	if _, taken := fields["hardgate"]; taken {
		return Description{}, fmt.Errorf("object %q: the field \"hardgate\" is the operator's own and cannot be set", key)
	}
	base := strings.TrimSuffix(path.Base(key), path.Ext(key))
	in := map[string]any{"Key": key, "Base": base, "Metadata": fields}
	out := Description{Fields: fields}
	var err error
	if out.ID, err = render(d.id, in); err != nil {
		return out, fmt.Errorf("object %q: %w", key, err)
	}
	if out.ID == "" || strings.Contains(out.ID, "#") {
		return out, fmt.Errorf("object %q: documents.id gives %q, which must be neither empty nor hold a #", key, out.ID)
	}
	if out.Revision, err = render(d.revision, in); err != nil {
		return out, fmt.Errorf("object %q: %w", key, err)
	}
	return out, nil
}

func groups(re *regexp.Regexp, key string, into map[string]any) {
	m := re.FindStringSubmatch(key)
	if m == nil {
		return
	}
	for i, name := range re.SubexpNames() {
		if name != "" && m[i] != "" {
			into[name] = m[i]
		}
	}
}

// render executes a template; a missing field is nothing, not "<no value>".
func render(t *template.Template, in any) (string, error) {
	var b strings.Builder
	if err := t.Execute(&b, in); err != nil {
		return "", err
	}
	return strings.TrimSpace(strings.ReplaceAll(b.String(), "<no value>", "")), nil
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
		if from, ok := is[v.From].(string); !ok {
			if was[v.From] != nil {
				patch[v.From] = nil
			}
		} else if old, ok := was[v.From].(string); ok && settings.Instant(from).After(settings.Instant(old)) {
			patch[v.From] = from
		}
		if to, ok := is[v.To].(string); ok && v.To != "" {
			if old, had := was[v.To].(string); !had || settings.Instant(to).Before(settings.Instant(old)) {
				patch[v.To] = to
			}
		}
	}
	return patch
}

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
