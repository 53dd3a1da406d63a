package flow

import (
	"context"
	"fmt"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// EntitiesLost flags identifiers of a retrieved table that a later stage dropped.
const EntitiesLost = "EntitiesLost"

// maxNamed bounds how many lost identifiers a flag spells out.
const maxNamed = 12

// Surviving watches a stage for identifiers of table rows that enter it and do
// not leave it. A loss is flagged even when the answer happens to be right: a
// table without some of its rows is a broken table.
func Surviving(s Stage[rag.Retrieved, rag.Retrieved]) Stage[rag.Retrieved, rag.Retrieved] {
	return Func[rag.Retrieved, rag.Retrieved](func(ctx context.Context, in rag.Retrieved) (rag.Retrieved, error) {
		out, err := s.Apply(ctx, in)
		if err != nil {
			return out, err
		}
		left := strings.ToLower(strings.Join(out.Texts(), "\n"))
		for _, h := range in.Hits {
			if !h.Table {
				continue
			}
			had := strings.ToLower(h.Body()) // an id may stand in the title alone, which is no row
			var lost []string
			n := 0
			for _, id := range h.IDs {
				if !strings.Contains(had, id) {
					continue
				}
				n++
				if !strings.Contains(left, id) {
					lost = append(lost, id)
				}
			}
			if len(lost) > 0 {
				out.Flags = append(out.Flags, rag.Flag{Reason: EntitiesLost, Detail: fmt.Sprintf("%s lost %d of %d: %s", h.Evidence(), len(lost), n, some(lost))})
			}
		}
		return out, nil
	})
}

func some(ids []string) string {
	if len(ids) <= maxNamed {
		return strings.Join(ids, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(ids[:maxNamed], ", "), len(ids)-maxNamed)
}
