package settings

import (
	"fmt"
	"strings"
)

// Problem is one thing that is wrong with a spec.
type Problem struct {
	Path    string // of the field, e.g. spec.pipeline.chunking.size
	Message string // what to do about it
}

// InvalidError is every problem of a spec, in the order of its fields.
type InvalidError []Problem

// Error joins the problems, each with its path.
func (v InvalidError) Error() string {
	lines := make([]string, len(v))
	for i, p := range v {
		lines[i] = p.Path + ": " + p.Message
	}
	return strings.Join(lines, "; ")
}

// problems collects what is wrong.
type problems []Problem

func (p *problems) add(path, format string, args ...any) {
	*p = append(*p, Problem{Path: path, Message: fmt.Sprintf(format, args...)})
}

func (p *problems) that(ok bool, path, format string, args ...any) {
	if !ok {
		p.add(path, format, args...)
	}
}

// err is nil when nothing was collected.
func (p *problems) err() error {
	if len(*p) == 0 {
		return nil
	}
	return InvalidError(*p)
}
