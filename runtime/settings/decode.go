package settings

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"

	"sigs.k8s.io/yaml"
)

// root is the path at which every spec starts.
const root = "spec"

// DecodeCorpus reads a Corpus' spec from YAML or JSON, applies the defaults and
// validates it. The error is an InvalidError unless the text itself can't be read.
func DecodeCorpus(spec []byte) (Corpus, error) {
	var c Corpus
	if err := decode(spec, &c); err != nil {
		return Corpus{}, err
	}
	return c, c.Validate()
}

// DecodeCollection reads a Collection's spec like DecodeCorpus.
func DecodeCollection(spec []byte) (Collection, error) {
	var c Collection
	if err := decode(spec, &c); err != nil {
		return Collection{}, err
	}
	return c, c.Validate()
}

// DecodeGoldenSet reads a GoldenSet's spec like DecodeCorpus. Where questions
// come from elsewhere as well, Complete has to follow.
func DecodeGoldenSet(spec []byte) (GoldenSet, error) {
	var g GoldenSet
	if err := decode(spec, &g); err != nil {
		return GoldenSet{}, err
	}
	return g, g.Validate()
}

// DecodeQuestions reads the list of questions that questionsFrom names.
func DecodeQuestions(list []byte) ([]GoldenQuestion, error) {
	value, err := parse(list)
	if err != nil {
		return nil, err
	}
	var (
		questions []GoldenQuestion
		p         problems
	)
	fill(reflect.ValueOf(&questions).Elem(), value, "questions", &p)
	if len(p) == 0 {
		checkQuestions(questions, "questions", &p)
	}
	return questions, p.err()
}

// NewCorpus returns a Corpus of defaults. It lacks what has none.
func NewCorpus() Corpus {
	var c Corpus
	fillStruct(reflect.ValueOf(&c).Elem(), nil, root, &problems{})
	return c
}

func decode(spec []byte, into any) error {
	value, err := parse(spec)
	if err != nil {
		return err
	}
	var p problems
	if value == nil {
		value = map[string]any{}
	}
	fill(reflect.ValueOf(into).Elem(), value, root, &p)
	return p.err()
}

// parse reads YAML (or JSON, which is YAML) into maps, slices, strings, bools
// and json.Numbers; a key that stands twice is an error.
func parse(text []byte) (any, error) {
	data, err := yaml.YAMLToJSONStrict(text)
	if err != nil {
		return nil, fmt.Errorf("read YAML: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		return nil, fmt.Errorf("read JSON: %w", err)
	}
	return value, nil
}
