package openai

import (
	"regexp"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/generate/model"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

var (
	// brackets hold handles: [1.3], [1.3, 2.1], [1.3–1.5], 【1.3】.
	brackets = regexp.MustCompile(`[ \t]*[\[【]\s*\d+(?:\.\d+)?(?:\s*(?:[,;&–-]|and)\s*\d+(?:\.\d+)?)*\s*[\]】]`)
	handle   = regexp.MustCompile(`\d+(?:\.\d+)?`)
	span     = regexp.MustCompile(`(\d+)\.(\d+)\s*[–-]\s*(?:(\d+)\.)?(\d+)`)
	// loose is the blank that is left before a sign when brackets go.
	loose = regexp.MustCompile(`[ \t]+([.,;:!?])(\s|$)`)
)

// resolve takes the handles out of a text and returns the units that they name.
// What was not in the prompt is dropped, with a flag.
func resolve(in rag.PromptContext, text string) (string, []model.Ref, []rag.Flag) {
	named := make(map[string]model.Ref, len(in.Handles))
	for _, h := range in.Handles {
		named[h.Name] = model.Ref{Hit: h.Hit, Unit: h.Unit}
	}
	var refs []model.Ref
	var unknown []string
	text = brackets.ReplaceAllStringFunc(text, func(group string) string {
		for _, name := range names(group, in) {
			if ref, ok := named[name]; ok {
				refs = append(refs, ref)
			} else {
				unknown = append(unknown, "["+name+"]")
			}
		}
		return ""
	})
	if len(unknown) == 0 {
		return tidy(text), refs, nil
	}
	return tidy(text), refs, []rag.Flag{{Reason: model.UnknownHandle, Detail: strings.Join(unknown, " ") + " is cited and was not in the prompt"}}
}

func tidy(text string) string { return loose.ReplaceAllString(text, "$1$2") }

// names lists the handles of a group, those between the ends of a range included.
func names(group string, in rag.PromptContext) []string {
	m := span.FindStringSubmatch(group)
	if m == nil || m[3] != "" && m[3] != m[1] {
		return handle.FindAllString(group, -1)
	}
	first, last := m[1]+"."+m[2], m[1]+"."+m[4]
	var out []string
	inside := false
	for _, h := range in.Handles {
		inside = inside || h.Name == first
		if inside {
			out = append(out, h.Name)
		}
		if inside && h.Name == last {
			return append(handle.FindAllString(strings.Replace(group, m[0], "", 1), -1), out...)
		}
	}
	return handle.FindAllString(group, -1)
}
