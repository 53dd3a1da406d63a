package ingest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"path"
	"regexp"
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
	n := 1
	for ; sc.Scan(); n++ {
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
		out[key] = whole(fields).(map[string]any)
	}
	if err := sc.Err(); err != nil {
		return nil, fmt.Errorf("%s line %d: %w", name, n, err)
	}
	return out, nil
}

// whole makes numbers without a fraction integers, so that a template prints
// 20250101 and not 2.0250101e+07.
func whole(v any) any {
	switch x := v.(type) {
	case float64:
		if n := int64(x); math.Abs(x) < 1<<53 && float64(n) == x {
			return n
		}
	case []any:
		for i := range x {
			x[i] = whole(x[i])
		}
	case map[string]any:
		for k := range x {
			x[k] = whole(x[k])
		}
	}
	return v
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
	if strings.Contains(out.Revision, "#") {
		return out, fmt.Errorf("object %q: documents.revision gives %q, which must not hold a #", key, out.Revision)
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

// undated returns why a validity cannot be read: a date that nobody can read
// would hide the document without a word. Absent, null, blank and empty are
// what the validity says of them.
func undated(rules settings.Eligibility, fields map[string]any) error {
	if rules.Validity == nil {
		return nil
	}
	for _, field := range []string{rules.Validity.From, rules.Validity.To} {
		for _, v := range values(fields[field]) {
			if _, err := settings.ParseInstant(v); err != nil && !settings.Blank(v) {
				return fmt.Errorf("field %q: %w", field, err)
			}
		}
	}
	return nil
}
