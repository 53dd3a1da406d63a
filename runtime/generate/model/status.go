package model

import (
	"regexp"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// last is the status as a line of its own, in the forms in which models dress it.
var last = regexp.MustCompile("(?i)^[\\s*_`#>~-]*status[\\s*_`]*[:=][\\s*_`]*(answered|needs[\\s_-]human)[\\s*_`.!;]*$")

// Status takes the status off a draft's end. It is "" where the last line is
// none; a status in mid-text, or quoted from a passage, decides nothing. Of
// several at the end NEEDS_HUMAN counts.
func Status(draft string) (text string, status rag.Status) {
	text = strings.TrimSpace(draft)
	for {
		line := text[strings.LastIndexByte(text, '\n')+1:]
		m := last.FindStringSubmatch(line)
		if m == nil {
			return text, status
		}
		said := rag.NeedsHuman
		if strings.EqualFold(m[1], string(rag.Answered)) {
			said = rag.Answered
		}
		if status != rag.NeedsHuman {
			status = said
		}
		text = strings.TrimSpace(strings.TrimSuffix(text, line))
	}
}
