package generate

import (
	"fmt"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// LowConfidence flags an answer that cites text which recognition was not sure of.
const LowConfidence = "LowConfidence"

// Doubtful is the confidence under which a row or sentence is worth a look at the
// page. Of the rows of rough scans (200 dpi, noisy, crooked), three in four with a
// wrong character lie under it, and one in nine of the right ones.
const Doubtful = 0.70

// Doubts returns a flag when an answer cites recognised text under Doubtful.
func Doubts(citations []rag.Citation) []rag.Flag {
	n, least, name := 0, 1.0, ""
	for _, c := range citations {
		for _, u := range c.Units {
			if u.Confidence == nil || *u.Confidence >= Doubtful {
				continue
			}
			if n++; *u.Confidence < least {
				least, name = *u.Confidence, c.Document+"#"+u.Name
			}
		}
	}
	if n == 0 {
		return nil
	}
	return []rag.Flag{{Reason: LowConfidence, Detail: fmt.Sprintf("%d cited rows or sentences were recognised from a picture with a confidence under %.2f, the least certain is %s (%.2f): look at the page", n, Doubtful, name, least)}}
}
