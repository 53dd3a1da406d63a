package api

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// complaint is a field that was refused, and why.
type complaint struct{ field, message string }

// TestRefusals holds the API server and the command line to one verdict: the
// same files are refused, and the same field is named.
func TestRefusals(t *testing.T) {
	for _, f := range fixtures(t, ".bad.yaml") {
		t.Run(f.reason, func(t *testing.T) {
			_, err := decode(f.object.GetKind(), f.spec)
			expect(t, "settings", f, ofSettings(err))
			err = server.Create(t.Context(), f.object, client.DryRunAll)
			if f.admitted {
				if err != nil {
					t.Errorf("the API server can judge this after all; drop the mark: %v", err)
				}
				return
			}
			expect(t, "API server", f, ofServer(err))
		})
	}
}

func expect(t *testing.T, who string, f fixture, got []complaint) {
	t.Helper()
	for _, c := range got {
		if c.field == f.field && strings.Contains(c.message, f.says) {
			return
		}
	}
	t.Errorf("%s: want a complaint about %s that says %q, got %v", who, f.field, f.says, got)
}

func ofSettings(err error) []complaint {
	var (
		invalid settings.InvalidError
		out     []complaint
	)
	if err == nil || !errors.As(err, &invalid) {
		return []complaint{{message: "no complaint"}}
	}
	for _, p := range invalid {
		out = append(out, complaint{p.Path, p.Message})
	}
	return out
}

// unknown finds the fields that strict decoding refuses.
var unknown = regexp.MustCompile(`unknown field "([^"]+)"`)

func ofServer(err error) []complaint {
	var status apierrors.APIStatus
	if err == nil || !errors.As(err, &status) {
		return []complaint{{message: "no complaint"}}
	}
	var out []complaint
	for _, m := range unknown.FindAllStringSubmatch(err.Error(), -1) {
		out = append(out, complaint{m[1], m[0]})
	}
	if d := status.Status().Details; d != nil {
		for _, c := range d.Causes {
			out = append(out, complaint{c.Field, c.Message})
		}
	}
	if len(out) == 0 {
		out = append(out, complaint{message: err.Error()})
	}
	return out
}
