package faults

import (
	"errors"
	"testing"

	"github.com/hardgate-dev/hardgate/runtime/cli"
)

// TestCommand runs `hardgate eval` itself on a good and a spoiled corpus: exit
// codes are what a pipeline goes by, the text is what a person reads.
func TestCommand(t *testing.T) {
	s := newSample(t, "april-headcount")
	if out, err := command(t, "eval", "-f", s.dir); err != nil {
		t.Fatalf("without a fault: %v\n%s", err, out)
	}
	s.pipeline(map[string]any{"mode": "TopSentences", "maxSentences": int64(6)}, "compression")
	out, err := command(t, "eval", "-f", s.dir)
	var exit *cli.Exit
	if !errors.As(err, &exit) || exit.Code != cli.ExitFailed {
		t.Errorf("ended with %v, want exit %d", err, cli.ExitFailed)
	}
	names(t, out, "april-headcount", "compression lost 1", "COMPRESSED", "ST0")
}
