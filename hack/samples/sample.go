package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"strings"
)

// Sample is one corpus: a folder with its YAML, written by hand, and its
// documents, written by this program.
type Sample struct {
	Dir       string // slashes, relative to the repository's root
	Documents []Document
	Variants  []string // further corpora over the same documents: the endings of corpus… and goldenset….yaml
}

// all returns every sample of the repository.
func all() []Sample {
	return []Sample{payroll(), evidence(), wide(), trade(), prose(), freight(), hire()}
}

// written returns everything that this program writes: the samples, and the
// files that test/faults puts in their place.
func written() []Sample { return append(all(), hidden()) }

// Document is one PDF: its content as data, so that the answer key can be
// checked against what is printed.
type Document struct {
	Key      string         // object key relative to the prefix
	Title    string         // of the PDF's information dictionary; "" leaves it out
	Fields   map[string]any // its line in metadata.jsonl; nil leaves the line out
	Look     Look
	Contents []Block
}

// Name is the document's part of an evidence id: what its metadata calls it, with
// its revision, else its file's name without extension.
func (d Document) Name() string {
	if id, ok := d.Fields["document"]; ok {
		return fmt.Sprintf("%v-%v", id, d.Fields["revision"])
	}
	return strings.TrimSuffix(path.Base(d.Key), path.Ext(d.Key))
}

// Tables returns the tables of the document in reading order.
func (d Document) Tables() []Table {
	var out []Table
	for _, b := range d.Contents {
		if t, ok := b.(Table); ok {
			out = append(out, t)
		}
	}
	return out
}

// Text is everything the document prints, one block or row a line.
func (d Document) Text() string {
	var lines []string
	for _, b := range d.Contents {
		lines = append(lines, b.lines()...)
	}
	return strings.Join(lines, "\n")
}

// Look is how a document is set.
type Look struct {
	Landscape bool
	Font      string  // a core font family; "" is Helvetica
	Size      float64 // points of body text; 0 is 10
	Head      string  // running head on every page
	Numbered  bool    // "Page 1 of 2" at the foot of every page
}

// Block is one piece of a document's content.
type Block interface {
	draw(p *press)
	lines() []string
}

// File is one file of the repository, as it must be.
type File struct {
	Path string // slashes, relative to the repository's root
	Data []byte
}

// Files returns the sample's PDFs, and its metadata.jsonl if any document has
// fields.
func (s Sample) Files() ([]File, error) {
	var files []File
	for _, d := range s.Documents {
		data, err := d.PDF()
		if err != nil {
			return nil, fmt.Errorf("draw %q of %q: %w", d.Key, s.Dir, err)
		}
		files = append(files, File{path.Join(s.Dir, "documents", d.Key), data})
	}
	manifest, err := s.manifest()
	if err != nil {
		return nil, err
	}
	if len(manifest) == 0 {
		return files, nil
	}
	return append(files, File{path.Join(s.Dir, "documents", "metadata.jsonl"), manifest}), nil
}

// manifest is one JSON object a line, for each document that has fields.
func (s Sample) manifest() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for _, d := range s.Documents {
		if d.Fields == nil {
			continue
		}
		line := map[string]any{"key": d.Key}
		for k, v := range d.Fields {
			line[k] = v
		}
		if err := enc.Encode(line); err != nil {
			return nil, fmt.Errorf("encode the metadata of %q: %w", d.Key, err)
		}
	}
	return b.Bytes(), nil
}
