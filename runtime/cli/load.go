package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/assembly"
	"github.com/hardgate-dev/hardgate/runtime/evaluate"
	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/settings"
	"github.com/hardgate-dev/hardgate/runtime/source"
)

// corpus is one Corpus of the files, with what it refers to.
type corpus struct {
	namespace, name string
	from            string // the -f that holds it
	where           string // file and position, for messages
	settings        settings.Corpus
	collection      settings.Collection
	sets            []evaluate.Set
}

func (c corpus) id() string { return c.namespace + "/" + c.name }

// load reads the resources and checks each by itself and against the others.
func (s *sources) load() ([]corpus, error) {
	if len(s.files) == 0 {
		return nil, input(errors.New("-f is missing: name a YAML file or a directory of them"))
	}
	all, from, err := s.read()
	if err != nil {
		return nil, input(err)
	}
	var out []corpus
	var errs []error
	for i, m := range all {
		if m.Kind != "Corpus" || m.Spec == nil || !s.wants(m) {
			continue
		}
		c, err := assemble(m, all)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		c.from = from[i]
		out = append(out, c)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, input(err)
	}
	if len(out) == 0 {
		return nil, input(fmt.Errorf("no Corpus %s in %s", s.corpus, strings.Join(s.files, ", ")))
	}
	return out, nil
}

// read reads every -f; from tells which one holds each manifest. An object that
// stands twice is refused: of two answers to one name, neither is the right one.
func (s *sources) read() (all []settings.Manifest, from []string, err error) {
	first := map[[3]string]string{}
	for _, f := range s.files {
		ms, err := settings.ReadFiles(f)
		if err != nil {
			return nil, nil, unreadable(f, err)
		}
		for _, m := range ms {
			m.Namespace = settings.FirstNonBlank(m.Namespace, defaultNamespace)
			id := [3]string{m.Kind, m.Namespace, m.Name}
			if before, twice := first[id]; twice {
				return nil, nil, fmt.Errorf("%s: %s %s/%s stands in %s already", m.From, m.Kind, m.Namespace, m.Name, before)
			}
			first[id] = m.From
			all, from = append(all, m), append(from, f)
		}
	}
	return all, from, nil
}

// unreadable says which -f it was and what belongs there. What is wrong inside a
// YAML file is told as it is.
func unreadable(file string, err error) error {
	const want = "name a YAML file of a Corpus, its Collection and GoldenSets, or a directory of such files"
	ext := strings.ToLower(filepath.Ext(file))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("-f %q: no such file or directory: %s", file, want)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("-f %q: it may not be read: %w", file, err)
	case isDir(file) || ext == "" || ext == ".yaml" || ext == ".yml" || ext == ".json":
		return fmt.Errorf("-f %q: %w", file, err)
	}
	return fmt.Errorf("-f %q: not a YAML file of resources: %s", file, want)
}

// defaultNamespace is kubectl's for an object that names none.
const defaultNamespace = "default"

func (s *sources) wants(m settings.Manifest) bool {
	return s.corpus == "" || s.corpus == m.Name || s.corpus == m.Namespace+"/"+m.Name
}

// one loads exactly one Corpus.
func (s *sources) one() (corpus, error) {
	all, err := s.load()
	if err != nil {
		return corpus{}, err
	}
	if len(all) > 1 {
		var names []string
		for _, c := range all {
			names = append(names, c.id())
		}
		return corpus{}, input(fmt.Errorf("the files hold %d corpora, choose by --corpus: %s", len(all), strings.Join(names, ", ")))
	}
	return all[0], nil
}

func assemble(m settings.Manifest, all []settings.Manifest) (corpus, error) {
	c := corpus{namespace: m.Namespace, name: m.Name, where: m.From}
	var err error
	if c.settings, err = settings.DecodeCorpus(m.Spec); err != nil {
		return c, fmt.Errorf("%s: Corpus %q: %w", m.From, m.Name, err)
	}
	ref := c.settings.CollectionRef.Name
	coll, ok := find(all, "Collection", m.Namespace, ref)
	if !ok {
		return c, fmt.Errorf("%s: Corpus %q: spec.collectionRef: no Collection %q in the files", m.From, m.Name, ref)
	}
	if c.collection, err = settings.DecodeCollection(coll.Spec); err != nil {
		return c, fmt.Errorf("%s: Collection %q: %w", coll.From, ref, err)
	}
	if missing := assembly.Unindexed(c.settings.Eligibility, c.collection); len(missing) > 0 {
		return c, fmt.Errorf("%s: Corpus %q: spec.eligibility filters on %s: add to spec.payloadIndexes of Collection %q", m.From, m.Name, strings.Join(missing, ", "), ref)
	}
	names := slices.Clone(c.settings.Gate.GoldenSets)
	slices.Sort(names)
	for _, name := range names {
		set, err := goldenSet(all, m.Namespace, name)
		if err != nil {
			return c, fmt.Errorf("%s: Corpus %q: %w", m.From, m.Name, err)
		}
		c.sets = append(c.sets, set)
	}
	return c, nil
}

func goldenSet(all []settings.Manifest, namespace, name string) (evaluate.Set, error) {
	m, ok := find(all, "GoldenSet", namespace, name)
	if !ok {
		return evaluate.Set{}, fmt.Errorf("spec.gate.goldenSets: no GoldenSet %q in the files", name)
	}
	g, err := settings.DecodeGoldenSet(m.Spec)
	if err != nil {
		return evaluate.Set{}, fmt.Errorf("%s: GoldenSet %q: %w", m.From, name, err)
	}
	if from := g.QuestionsFrom; from != nil {
		cm, ok := find(all, "ConfigMap", namespace, from.ConfigMapRef.Name)
		if !ok {
			return evaluate.Set{}, fmt.Errorf("%s: GoldenSet %q: spec.questionsFrom: no ConfigMap %q in the files", m.From, name, from.ConfigMapRef.Name)
		}
		text, ok := cm.Data[from.ConfigMapRef.Key]
		if !ok || settings.Blank(text) {
			return evaluate.Set{}, fmt.Errorf("%s: ConfigMap %q: data.%s is missing or blank", cm.From, cm.Name, from.ConfigMapRef.Key)
		}
		more, err := settings.DecodeQuestions([]byte(text))
		if err != nil {
			return evaluate.Set{}, fmt.Errorf("%s: ConfigMap %q: %w", cm.From, cm.Name, err)
		}
		if g, err = g.Complete(more); err != nil {
			return evaluate.Set{}, fmt.Errorf("%s: GoldenSet %q: %w", m.From, name, err)
		}
	}
	return evaluate.Set{Name: name, Key: g}, nil
}

func find(all []settings.Manifest, kind, namespace, name string) (settings.Manifest, bool) {
	for _, m := range all {
		if m.Kind == kind && m.Name == name && m.Namespace == namespace {
			return m, true
		}
	}
	return settings.Manifest{}, false
}

// driver opens the documents: a directory, a bucket, or documents/ beside the
// YAML.
func (s *sources) driver(c corpus, getenv func(string) string) (source.Driver, error) {
	if rest, ok := strings.CutPrefix(s.documents, "s3://"); ok {
		return bucket("--documents", rest, c.settings.Source.S3, getenv)
	}
	dir := s.documents
	if settings.Blank(dir) {
		var err error
		if dir, err = s.beside(c); err != nil {
			return nil, input(err)
		}
	}
	if !isDir(dir) {
		return nil, input(fmt.Errorf("--documents: %q is not a directory", dir))
	}
	return source.Dir{Path: dir}, nil
}

// beside is the documents folder in the -f that holds the corpus, or in the only
// other one that has such a folder.
func (s *sources) beside(c corpus) (string, error) {
	if d := filepath.Join(c.from, "documents"); isDir(d) {
		return d, nil
	}
	var found []string
	for _, f := range s.files {
		if d := filepath.Join(f, "documents"); isDir(d) {
			found = append(found, d)
		}
	}
	switch len(found) {
	case 0:
		return "", errors.New("--documents is missing, and no directory given by -f has a documents folder")
	case 1:
		return found[0], nil
	}
	return "", fmt.Errorf("--documents is missing, and there are several documents folders: %s", strings.Join(found, ", "))
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// bucket addresses s3://bucket/prefix by the variables that S3 tools read; the
// endpoint is the Corpus' own where AWS_ENDPOINT_URL is not set. flag names the argument in errors.
func bucket(flag, rest string, s3 *settings.S3, getenv func(string) string) (source.Driver, error) {
	name, prefix, _ := strings.Cut(rest, "/")
	if settings.Blank(name) {
		return nil, input(fmt.Errorf("%s: s3:// has no bucket: s3://bucket/prefix", flag))
	}
	o := source.S3Options{
		Endpoint: getenv("AWS_ENDPOINT_URL"), Region: settings.FirstNonBlank(getenv("AWS_REGION"), getenv("AWS_DEFAULT_REGION"), "us-east-1"),
		Bucket: name, Prefix: prefix, PathStyle: true,
		AccessKey: getenv("AWS_ACCESS_KEY_ID"), SecretKey: getenv("AWS_SECRET_ACCESS_KEY"), SessionToken: getenv("AWS_SESSION_TOKEN"),
	}
	for _, half := range []struct{ value, other, name string }{{o.AccessKey, o.SecretKey, "AWS_ACCESS_KEY_ID"}, {o.SecretKey, o.AccessKey, "AWS_SECRET_ACCESS_KEY"}} {
		if half.value == "" && half.other != "" { // without either, requests are anonymous
			return nil, input(fmt.Errorf("%s: %s is missing or blank", flag, half.name))
		}
	}
	where := "AWS_ENDPOINT_URL"
	if o.Endpoint == "" && s3 != nil {
		o.Endpoint, o.PathStyle, where = s3.Endpoint, s3.PathStyle, "spec.source.s3"
	}
	d, err := source.OpenS3(o)
	if err != nil {
		return nil, input(fmt.Errorf("%s (endpoint of %s): %w", flag, where, err))
	}
	return byVariables{d}, nil
}

// byVariables is a bucket that the environment addresses: its errors name the
// variables where a source speaks of the fields of a Corpus.
type byVariables struct{ source.Driver }

// List lists the bucket.
func (b byVariables) List(ctx context.Context) ([]rag.Object, error) {
	all, err := b.Driver.List(ctx)
	if err == nil {
		return all, nil
	}
	told := strings.NewReplacer(
		"source.s3.credentialsSecretRef", "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY", "source.s3.bucket", "its name", "source.s3.endpoint", "AWS_ENDPOINT_URL",
	).Replace(err.Error())
	return nil, &reworded{told, err}
}

// reworded is an error in other words.
type reworded struct {
	text string
	err  error
}

func (r *reworded) Error() string { return r.text }

// Unwrap returns the error as it was worded.
func (r *reworded) Unwrap() error { return r.err }
