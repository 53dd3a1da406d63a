package serve

import (
	_ "embed"
	"net/http"
)

//go:embed openapi.json
var spec []byte

// openAPI describes the surface to clients.
func openAPI(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(spec)
}
