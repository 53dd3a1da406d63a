package settings_test

import (
	"testing"

	"github.com/hardgate-dev/hardgate/runtime/settings"
)

func TestPlaces(t *testing.T) {
	cases := map[string]struct {
		reason        string
		env           map[string]string
		model, engine string
	}{
		"Home":  {"the cache of a user who set nothing", map[string]string{"HOME": "/home/ann"}, "/home/ann/.cache/hardgate/all-MiniLM-L6-v2", "/home/ann/.cache/hardgate/pdf-engine"},
		"XDG":   {"a cache elsewhere", map[string]string{"HOME": "/home/ann", "XDG_CACHE_HOME": "/var/cache"}, "/var/cache/hardgate/all-MiniLM-L6-v2", "/var/cache/hardgate/pdf-engine"},
		"Named": {"the model's folder is told", map[string]string{"HOME": "/home/ann", "HARDGATE_MODEL_DIR": "/models/minilm"}, "/models/minilm", "/home/ann/.cache/hardgate/pdf-engine"},
		"Blank": {"blank is missing", map[string]string{"HOME": "/home/ann", "XDG_CACHE_HOME": " ", "HARDGATE_MODEL_DIR": "\t"}, "/home/ann/.cache/hardgate/all-MiniLM-L6-v2", "/home/ann/.cache/hardgate/pdf-engine"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			env := func(name string) string { return c.env[name] }
			if got := settings.ModelDir(env); got != c.model {
				t.Errorf("%s: model in %s, want %s", c.reason, got, c.model)
			}
			if got := settings.EngineDir(env); got != c.engine {
				t.Errorf("%s: engine in %s, want %s", c.reason, got, c.engine)
			}
		})
	}
}
