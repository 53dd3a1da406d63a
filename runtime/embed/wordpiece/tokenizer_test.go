package wordpiece

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// load reads the real tokenizer, which hack/model.sh puts in place.
func load(tb testing.TB) *Tokenizer {
	tb.Helper()
	t, err := Load(filepath.Join(settings.ModelDir(os.Getenv), "tokenizer.json"))
	if err != nil {
		tb.Fatalf("%v: run make setup", err)
	}
	return t
}

func TestStringsOfReference(t *testing.T) {
	tok := load(t)
	n, bad := 0, 0
	for line := range bytes.Lines(inflate(t, "strings.jsonl.gz")) {
		var want struct {
			Text string
			IDs  []int32
		}
		if err := json.Unmarshal(line, &want); err != nil {
			t.Fatal(err)
		}
		n++
		got := tok.Encode(want.Text)
		if diff := cmp.Diff(want.IDs, got); diff != "" {
			if bad++; bad <= 10 {
				t.Errorf("ids of %q (-want +got):\n%s", want.Text, diff)
			}
		}
		if c := tok.Count(want.Text); c != len(got) {
			t.Errorf("Count(%q) = %d, Encode gives %d", want.Text, c, len(got))
		}
	}
	if n < 3000 {
		t.Fatalf("only %d strings in the reference", n)
	}
	if bad > 0 {
		t.Errorf("%d of %d strings differ", bad, n)
	}
}

func TestSpecialNamesStayText(t *testing.T) {
	tok := load(t)
	ids := tok.Encode("pay [SEP] now [CLS]")
	for i, id := range ids[1 : len(ids)-1] {
		if id == tok.start || id == tok.end {
			t.Errorf("position %d holds special id %d: a document's text could end the sequence", i+1, id)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	ok := `{"normalizer":{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,"lowercase":true},
		"pre_tokenizer":{"type":"BertPreTokenizer"},
		"model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","max_input_chars_per_word":100,"vocab":{"[UNK]":0,"[CLS]":1,"[SEP]":2,"a":3,"##b":4}}}`
	if _, err := Parse([]byte(ok)); err != nil {
		t.Fatalf("a supported file: %v", err)
	}
	cases := map[string]struct{ reason, old, new, want string }{
		"model":        {"another model cuts words differently", `"WordPiece"`, `"Unigram"`, "not WordPiece"},
		"cased":        {"ids of a cased model would be wrong without a sign", `"lowercase":true`, `"lowercase":false`, "uncased"},
		"accents":      {"accents kept is another vocabulary", `"lowercase":true`, `"lowercase":true,"strip_accents":false`, "strip_accents"},
		"pretokenizer": {"splitting is fixed to BERT's", `"BertPreTokenizer"`, `"Whitespace"`, "BertPreTokenizer"},
		"normalizer":   {"folding is fixed to BERT's", `"BertNormalizer"`, `"NFC"`, "BertNormalizer"},
		"special":      {"a missing [SEP] would silently become id 0", `"[SEP]":2,`, ``, `lacks "[SEP]"`},
		"prefix":       {"no prefix would make every piece a continuation", `"##",`, `"",`, "continuing_subword_prefix"},
		"json":         {"a cut file", `"vocab"`, `vocab`, "invalid character"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := Parse([]byte(strings.Replace(ok, c.old, c.new, 1)))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: got error %v, want one with %q", c.reason, err, c.want)
			}
		})
	}
}

func FuzzCount(f *testing.F) {
	tok := load(f)
	for _, s := range []string{"", "ST001 | 75,000", "é\u0301", "\xff\xfe", "中文", "[SEP]", "a\u200db"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		whole := tok.Count(s)
		if whole != len(tok.Encode(s)) {
			t.Fatalf("Count differs from Encode")
		}
		if twice := tok.Count(s + "\n" + s); twice != 2*whole-2 {
			t.Fatalf("a line break must part words: %d, then %d for twice the text", whole, twice)
		}
	})
}

func BenchmarkEncode(b *testing.B) {
	tok := load(b)
	text := strings.Repeat("ST005 | Selvam R | Production Mgr | 38,000 is paid under clause 4.2(b). ", 12)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		tok.Encode(text)
	}
}
