package plain_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/extract/plain"
	"github.com/hardgate-dev/hardgate/runtime/extract/scroll/scrolltest"
)

// wide encodes text as UTF-16, without a mark.
func wide(text string, little bool) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(text)) {
		if little {
			b.WriteString(string([]byte{byte(u), byte(u >> 8)}))
		} else {
			b.WriteString(string([]byte{byte(u >> 8), byte(u)}))
		}
	}
	return b.String()
}

func TestDecode(t *testing.T) {
	cases := map[string]struct {
		reason, in, want, name string
		guessed                bool
		err                    error
	}{
		"UTF8":        {"as it is", "Müller ₹ 1,200", "Müller ₹ 1,200", "utf-8", false, nil},
		"Mark":        {"is no letter", "\xEF\xBB\xBFMüller", "Müller", "utf-8", false, nil},
		"UTF16LE":     {"by its mark", "\xFF\xFE" + wide("Müller", true), "Müller", "utf-16le", false, nil},
		"UTF16BE":     {"by its mark", "\xFE\xFF" + wide("Müller", false), "Müller", "utf-16be", false, nil},
		"UTF16":       {"by its look", wide("Register of May", true), "Register of May", "utf-16le", true, nil},
		"UTF16Big":    {"by its look", wide("Register of May", false), "Register of May", "utf-16be", true, nil},
		"Windows":     {"curly quotes are where Latin-1 has controls", "The \x93M\xFCller\x94 rate: \x80 5", "The “Müller” rate: € 5", "windows-1252", true, nil},
		"Binary":      {"zero bytes are in no text", "abc\x00\x01\x02def", "", "", false, plain.ErrBinary},
		"Controls":    {"nor are many control characters", "\x01\x02\x03\x04abc", "", "", false, plain.ErrBinary},
		"OtherScript": {"bytes that are mostly high are in an encoding that nobody named", "\xCF\xF0\xE8\xE2\xE5\xF2 \xEC\xE8\xF0", "", "", false, plain.ErrUnknown},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			text, encoding, guessed, err := plain.Decode([]byte(c.in))
			if !errors.Is(err, c.err) || text != c.want || encoding != c.name || guessed != c.guessed {
				t.Errorf("%s: %q in %q, guessed %v, error %v; want %q in %q, %v, %v", c.reason, text, encoding, guessed, err, c.want, c.name, c.guessed, c.err)
			}
		})
	}
}

func TestRead(t *testing.T) {
	doc, ok, err := plain.Read([]byte("Leave policy\r\n\r\nEvery employee has\r\na right to leave.\fPage two\n"))
	if err != nil || !ok {
		t.Fatalf("text %v, error %v", ok, err)
	}
	if d := cmp.Diff("Leave policy\nEvery employee has\na right to leave.\nPage two\n", scrolltest.Text(t, doc)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	var begins []bool
	for _, l := range doc.Pages[0].Lines {
		begins = append(begins, l.Begins)
	}
	if d := cmp.Diff([]bool{true, true, false, true}, begins); d != "" {
		t.Errorf("blank lines and form feeds part paragraphs (-want +got):\n%s", d)
	}
}
