package store

import (
	"fmt"
	"strings"
)

// unreached explains why a connection did not come about. gRPC keeps of what TLS
// says the words alone, so these are what there is to go by; one that isn't known is
// left as it is.
func unreached(cfg Config, err error) error {
	said := err.Error()
	advice := ""
	switch {
	case strings.Contains(said, "certificate signed by unknown authority") && len(cfg.CA) == 0:
		advice = "; the system doesn't know who signed the certificate: name its authority by caSecretRef"
	case strings.Contains(said, "certificate signed by unknown authority"):
		advice = "; the certificate isn't signed by the authority that caSecretRef names"
	case strings.Contains(said, "first record does not look like a TLS handshake"):
		advice = "; the server doesn't speak TLS: write its URL with http://"
	case strings.HasPrefix(cfg.URL, "http://") && strings.Contains(said, "error reading server preface"):
		advice = "; if the server speaks TLS, write its URL with https://"
	}
	return fmt.Errorf("reach store: %w%s", err, advice)
}
