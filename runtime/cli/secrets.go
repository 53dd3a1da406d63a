package cli

import (
	"fmt"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/assembly"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// terms reads what the settings refer to from the environment, since there is no
// cluster to keep a Secret: the key "api-key" of "voyage" is HARDGATE_SECRET_VOYAGE_API_KEY.
func (env *Environment) terms(c settings.Corpus) (assembly.Terms, error) {
	t, err := assembly.Secrets(c, func(ref settings.KeyReference, field string) (string, error) {
		name := variable(ref)
		v := env.Getenv(name)
		if settings.Blank(v) {
			return "", fmt.Errorf("%s: on the command line key %q of Secret %q is read from the variable %s alone, which is missing or blank (a Secret in the files is not read)", field, ref.Key, ref.Name, name)
		}
		return v, nil
	})
	t.Golden = true
	return t, err
}

func variable(ref settings.KeyReference) string {
	plain := strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' {
			return r
		}
		return '_'
	}, strings.ToUpper(ref.Name+"_"+ref.Key))
	return "HARDGATE_SECRET_" + plain
}
