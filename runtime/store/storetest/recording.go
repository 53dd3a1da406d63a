// Package storetest holds every store to the same behaviours: requests with the
// answers of a real Qdrant, replayed over gRPC and compared.
//
// A folder of recordings enters, and a connection to an empty server; a verdict for
// each case leaves. It refuses a file whose format it does not know.
package storetest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// Call is one request: "package.Service/Method", and the protojson of its message.
type Call struct {
	RPC      string            `json:"rpc"`
	Body     json.RawMessage   `json:"body"`
	Metadata map[string]string `json:"metadata,omitempty"`
	Error    *Error            `json:"error,omitempty"` // of a setup call: the failure that it must meet
}

// Error is a gRPC status: the canonical name of its code, and the exact message.
type Error struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Case is one recorded behaviour, from an empty server on.
type Case struct {
	Name        string            `json:"name"`
	Area        string            `json:"area"`
	About       string            `json:"about,omitempty"`
	Core        bool              `json:"core,omitempty"`
	Server      map[string]string `json:"server,omitempty"` // environment of the server under test
	Fixture     string            `json:"fixture,omitempty"`
	Setup       []Call            `json:"setup,omitempty"`
	Request     Call              `json:"request"`
	Response    json.RawMessage   `json:"response,omitempty"`
	Error       *Error            `json:"error,omitempty"`
	Alternative json.RawMessage   `json:"alternative,omitempty"` // a second right answer
	Order       string            `json:"order,omitempty"`       // "" as recorded, "ties", "any"
	Unstable    string            `json:"unstable,omitempty"`    // why the case cannot be compared
}

// File is the recordings of one area.
type File struct {
	Area     string            `json:"area"`
	Server   string            `json:"server"`
	Client   string            `json:"client"`
	Fixtures map[string][]Call `json:"fixtures,omitempty"`
	Cases    []Case            `json:"cases"`
}

// Load reads every *.json of a folder.
func Load(dir string) ([]*File, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, fmt.Errorf("list recordings: %w", err)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("no recordings in %q", dir)
	}
	slices.Sort(names)
	files := make([]*File, len(names))
	for i, name := range names {
		if files[i], err = load(name); err != nil {
			return nil, err
		}
	}
	return files, nil
}

func load(name string) (*File, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read recordings: %w", err)
	}
	file := &File{}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields() // a field that is not understood could change what is right
	if err := decoder.Decode(file); err != nil {
		return nil, fmt.Errorf("recordings %q: %w", name, err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, fmt.Errorf("recordings %q: more than one value", name)
	}
	if len(file.Cases) == 0 {
		return nil, fmt.Errorf("recordings %q: no cases", name)
	}
	for i := range file.Cases {
		if err := file.check(&file.Cases[i]); err != nil {
			return nil, fmt.Errorf("recordings %q: case %q: %w", name, file.Cases[i].Name, err)
		}
	}
	return file, nil
}

// check refuses a case that nothing could fail.
func (f *File) check(c *Case) error {
	switch {
	case c.Fixture != "" && f.Fixtures[c.Fixture] == nil:
		return fmt.Errorf("no fixture %q", c.Fixture)
	case c.Unstable == "" && c.Error == nil && c.Response == nil && c.Alternative == nil:
		return errors.New("it has neither an answer nor an error")
	}
	return nil
}

// Before lists the calls that come before a case's request.
func (f *File) Before(c *Case) []Call {
	return slices.Concat(f.Fixtures[c.Fixture], c.Setup)
}
