package storetest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLoadRefuses holds that no folder passes because nothing in it is compared.
func TestLoadRefuses(t *testing.T) {
	const call = `"request": {"rpc": "qdrant.Collections/List", "body": {}}`
	for name, tc := range map[string]struct {
		reason, text, says string
	}{
		"no file":          {"an empty folder holds nothing to anything", "", "no recordings"},
		"no cases":         {"an empty file doesn't either", `{"area": "x", "cases": []}`, "no cases"},
		"nothing expected": {"a case without an answer can't fail", `{"area": "x", "cases": [{"name": "n", ` + call + `}]}`, "neither an answer"},
		"an unknown field": {"it could change what is right", `{"area": "x", "cases": [{"name": "n", "expect": {}, "response": {}, ` + call + `}]}`, "unknown field"},
		"no such fixture":  {"the case would run on something else", `{"area": "x", "cases": [{"name": "n", "fixture": "f", "response": {}, ` + call + `}]}`, `no fixture "f"`},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if tc.text != "" {
				if err := os.WriteFile(filepath.Join(dir, "x.json"), []byte(tc.text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("%s: want %q, got %v", tc.reason, tc.says, err)
			}
		})
	}
}
