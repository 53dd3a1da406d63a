package retrieve

import (
	"encoding/json"
	"fmt"

	"github.com/qdrant/go-client/qdrant"

	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// Decode reads a stored chunk back. The chunk itself is JSON text under
// hardgate.chunk; every other top-level key is the user's.
func Decode(payload map[string]*qdrant.Value) (rag.Chunk, error) {
	var c rag.Chunk
	own := payload[store.Own].GetStructValue().GetFields()
	if err := json.Unmarshal([]byte(own["chunk"].GetStringValue()), &c); err != nil {
		return c, fmt.Errorf("stored chunk of %q: %w", own["document"].GetStringValue(), err)
	}
	c.Fields = make(map[string]any, len(payload))
	for k, v := range payload {
		if k != store.Own {
			c.Fields[k] = store.FromValue(v)
		}
	}
	return c, nil
}
