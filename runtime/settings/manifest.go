package settings

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"sigs.k8s.io/yaml"
)

// The API that manifests are written in.
const (
	group      = "rag.hardgate.dev"
	APIVersion = group + "/v1alpha1"
)

// Manifest is one document of a manifest file.
type Manifest struct {
	From            string // file and position, for messages
	APIVersion      string
	Kind            string // Corpus, Collection or GoldenSet where Spec is set
	Name, Namespace string
	Spec            json.RawMessage   // of our kinds; nil for any other object
	Data            map[string]string // of a ConfigMap, for questionsFrom
}

// ReadFiles reads manifests from files, and from the *.yaml and *.yml of
// directories (not of those below; a kustomization file is not a manifest).
func ReadFiles(paths ...string) ([]Manifest, error) {
	var out []Manifest
	for _, path := range paths {
		files, err := expand(path)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			ms, err := readFile(file)
			if err != nil {
				return nil, err
			}
			out = append(out, ms...)
		}
	}
	return out, nil
}

func readFile(path string) ([]Manifest, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err // names the path
	}
	defer f.Close()
	return ReadManifests(path, f)
}

func expand(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err // names the path
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err // names the path
	}
	var files []string
	for _, e := range entries {
		ext := filepath.Ext(e.Name())
		if e.Type().IsRegular() && (ext == ".yaml" || ext == ".yml") && strings.TrimSuffix(e.Name(), ext) != "kustomization" {
			files = append(files, filepath.Join(path, e.Name()))
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: no *.yaml in this directory", path)
	}
	return files, nil
}

// ReadManifests reads the documents of one YAML stream; from names it in
// messages. Objects of other API groups are returned without a spec, since
// files for a cluster have them as well; an unknown kind or version of our own
// group, or one of our kinds under another group, is an error.
func ReadManifests(from string, r io.Reader) ([]Manifest, error) {
	texts, err := split(r)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", from, err)
	}
	var (
		out  []Manifest
		errs []error
	)
	for i, text := range texts {
		where := from
		if len(texts) > 1 {
			where = fmt.Sprintf("%s, document %d", from, i+1)
		}
		m, err := readManifest(text)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", where, err))
			continue
		}
		m.From = where
		out = append(out, m)
	}
	return out, errors.Join(errs...)
}

// split cuts a stream at lines that start with "---" and drops documents
// without content.
func split(r io.Reader) ([]string, error) {
	var (
		out []string
		doc strings.Builder
	)
	flush := func() {
		var value any
		if err := yaml.Unmarshal([]byte(doc.String()), &value); err != nil || value != nil {
			out = append(out, doc.String())
		}
		doc.Reset()
	}
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadString('\n')
		if strings.HasPrefix(line, "---") {
			flush()
		} else {
			doc.WriteString(line)
		}
		if errors.Is(err, io.EOF) {
			flush()
			return out, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// readManifest reads one object.
func readManifest(text string) (Manifest, error) {
	data, err := yaml.YAMLToJSONStrict([]byte(text))
	if err != nil {
		return Manifest{}, err
	}
	var object struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		Metadata   struct {
			Name      string `json:"name"`
			Namespace string `json:"namespace"`
		} `json:"metadata"`
		Spec json.RawMessage `json:"spec"`
		Data json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(data, &object); err != nil {
		return Manifest{}, err
	}
	m := Manifest{APIVersion: object.APIVersion, Kind: object.Kind, Name: object.Metadata.Name, Namespace: object.Metadata.Namespace}
	ours, err := m.ours()
	switch {
	case err != nil:
		return Manifest{}, err
	case ours:
		m.Spec = object.Spec
		return m, checkTop(data, m)
	case m.APIVersion == "v1" && m.Kind == "ConfigMap" && len(object.Data) > 0:
		if err := json.Unmarshal(object.Data, &m.Data); err != nil {
			return Manifest{}, fmt.Errorf("data: %w", err)
		}
	}
	return m, nil
}

// ours says whether the object is of our API.
func (m Manifest) ours() (bool, error) {
	if Blank(m.APIVersion) || Blank(m.Kind) {
		return false, errors.New("apiVersion and kind are required")
	}
	kinds := m.Kind == "Corpus" || m.Kind == "Collection" || m.Kind == "GoldenSet"
	g, _, _ := strings.Cut(m.APIVersion, "/")
	switch {
	case m.APIVersion == APIVersion && kinds:
		return true, nil
	case m.APIVersion == APIVersion:
		return false, fmt.Errorf("kind: %q is none of Corpus, Collection and GoldenSet", m.Kind)
	case g == group || kinds:
		return false, fmt.Errorf("apiVersion: %s is in %s, not %q", m.Kind, APIVersion, m.APIVersion)
	}
	return false, nil
}

// checkTop refuses what doesn't belong beside spec, and an object without a name.
func checkTop(data []byte, m Manifest) error {
	var top map[string]json.RawMessage
	if err := json.Unmarshal(data, &top); err != nil {
		return err
	}
	var p problems
	for _, known := range []string{"apiVersion", "kind", "metadata", "spec", "status"} {
		delete(top, known)
	}
	for name := range top {
		p.add(name, "is not a field of a %s", m.Kind)
	}
	p.object("metadata.name", m.Name)
	p.that(len(m.Spec) > 0, root, "is required")
	return p.err()
}
