package lexical

import (
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func encoder(tb testing.TB) *Encoder {
	tb.Helper()
	e, err := New(Options{K1: 1.2, B: 0.75, AverageLength: 128})
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

func TestTerms(t *testing.T) {
	cases := map[string]struct {
		reason, text string
		want         []string
	}{
		"codes":       {"a code is one term", "Invoice STL/2025-26/003, booking CT-88231.", []string{"invoice", "stl/2025-26/003", "booking", "ct-88231"}},
		"decimals":    {"a decimal is one term", "owes 211.25.", []string{"owes", "211.25"}},
		"money":       {"an amount is found with and without its sign", "$65/hour or ₹75,000", []string{"$65", "65", "hour", "or", "₹75000", "75000"}},
		"rupees":      {"Rs. is a currency, not part of the number", "Rs.75,000/- and Rs. 5,000", []string{"rs", "75000", "and", "5000"}},
		"thousands":   {"both ways to group", "75,000 1,23,456.50 12,345,678", []string{"75000", "123456.50", "12345678"}},
		"lists":       {"a list of numbers is no thousands", "1,2,3 and 2025,000", []string{"1", "2", "3", "and", "2025", "000"}},
		"case":        {"case and accents fold", "STRASSE straße Détention détention", []string{"strasse", "detention"}},
		"wide":        {"full width and ligatures fold", "ＳＴ００１ ﬁle", []string{"st001", "file"}},
		"hyphens":     {"typographic hyphens equal the keyboard's", "CT‑88231 CT–88231 CT\u00ad-88231", []string{"ct-88231"}},
		"possessive":  {"the register's register", "register's employees' don’t", []string{"register", "employees", "don't"}},
		"punctuation": {"what stands around a word is not of it", "(leave), “wages”: -5 #12 …end. a--b", []string{"leave", "wages", "5", "12", "end", "a", "b"}},
		"unicode dot": {"an underscore joins", "Salary_Register_April_2025", []string{"salary_register_april_2025"}},
		"time":        {"a colon joins digits only", "at 18:00 note:see", []string{"at", "18:00", "note", "see"}},
		"indic":       {"vowel signs make the word", "वेतन", []string{"वेतन"}},
		"arabic":      {"vowel points are optional", "مُرَتَّب", []string{"مرتب"}},
		"cjk":         {"no spaces: pairs", "薪资登记 ST001表", []string{"薪资", "资登", "登记", "st001", "表"}},
		"once":        {"each term once, in order", "wages of wages", []string{"wages", "of"}},
		"nothing":     {"no words, no terms", " … — | ", nil},
	}
	e := encoder(t)
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, e.Terms(c.text)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}

func weight(s Sparse, term string) float64 {
	if i, ok := slices.BinarySearch(s.Indices, index(term)); ok {
		return float64(s.Values[i])
	}
	return 0
}

func TestDocumentWeights(t *testing.T) {
	s := encoder(t).Document("wages and wages for CT-88231") // 5 words; wages twice
	norm := 1.2 * (1 - 0.75 + 0.75*5/128)
	for term, tf := range map[string]float64{"wages": 2, "for": 1, "ct-88231": 1, "88231": 0.5, "ct": 0.5, "88232": 0} {
		want := tf * 2.2 / (tf + norm)
		if got := weight(s, term); math.Abs(got-want) > 1e-6 {
			t.Errorf("weight of %q (tf %g) is %v, want %v", term, tf, got, want)
		}
	}
	if len(s.Indices) != 6 || len(s.Values) != 6 || !slices.IsSorted(s.Indices) {
		t.Errorf("want 6 ascending indices, got %v", s.Indices)
	}
}

func TestFound(t *testing.T) {
	cases := map[string]struct {
		reason, document, query string
		want                    bool
	}{
		"part":           {"the number of a code finds it", "booking CT-88231", "88231", true},
		"neighbour":      {"a neighbour is not found", "booking CT-88231", "88232", false},
		"whole":          {"a code doesn't find its siblings", "booking CT-88231", "CT-88232", false},
		"grouped":        {"75000 finds 75,000", "gross 75,000", "75000", true},
		"ungrouped":      {"and the other way round", "gross 75000", "75,000", true},
		"cents":          {"75,000.00 is found as 75,000", "gross 75,000.00", "75,000", true},
		"sign":           {"$65 is found as 65", "at $65 an hour", "65", true},
		"number":         {"and 65 by $65", "at 65 an hour", "$65", true},
		"other currency": {"but the sign alone finds nothing", "at $650", "$", false},
		"hyphenated":     {"a hyphenated word is found by its parts", "carry-over of leave", "carry over", true},
		"apart":          {"and finds them", "carry over of leave", "carry-over", true},
		"decimal part":   {"211 is not 211.25", "owes 211.25", "211", false},
		"decimal":        {"211.25 is itself", "owes $211.25", "211.25", true},
		"decimal sign":   {"with its sign as well", "owes 211.25", "$211.25", true},
		"letters":        {"the letters of a code find it", "booking CT-88231", "ct", true},
		"accents":        {"accents fold both ways", "entrepôt à Montréal", "Montreal ENTREPOT", true},
		"full width":     {"forms of a letter are one", "ＣＴ－８８２３１", "CT-88231", true},
		"sharp s":        {"case folds, not only lowers", "Straße", "STRASSE", true},
		"greek":          {"a final sigma is a sigma", "ΛΟΓΟΣ", "λόγος", true},
		"composed":       {"a letter and its mark are one letter", "de\u0301tention", "d\u00e9tention", true},
	}
	e := encoder(t)
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			doc, query := e.Document(c.document), e.Query(c.query)
			dot := 0.0
			for i, x := range query.Indices {
				if k, ok := slices.BinarySearch(doc.Indices, x); ok {
					dot += float64(query.Values[i] * doc.Values[k])
				}
			}
			if (dot > 0) != c.want {
				t.Errorf("%s: score of %q for %q is %v", c.reason, c.document, c.query, dot)
			}
		})
	}
}

// The whole code must outrank the part, and the part the neighbour: CT-88231 asked
// for whole comes before a passage in which 88231 stands alone.
func TestPartsRankLower(t *testing.T) {
	e := encoder(t)
	score := func(document, query string) float64 {
		doc, q := e.Document(document), e.Query(query)
		dot := 0.0
		for i, x := range q.Indices {
			if k, ok := slices.BinarySearch(doc.Indices, x); ok {
				dot += float64(q.Values[i] * doc.Values[k])
			}
		}
		return dot
	}
	if word, part := score("load 88231 waited", "88231"), score("load CT-88231 waited", "88231"); !(word > part && part > 0) {
		t.Errorf("88231 scores %v as a word and %v as a part; want more and some", word, part)
	}
	for _, neighbour := range []string{"load CT-88232 waited", "load CT-8823 waited", "load CT-882310 waited"} {
		for _, query := range []string{"88231", "CT-88231"} {
			if s := score(neighbour, query); s != 0 {
				t.Errorf("%q scores %v for %q, want 0", neighbour, s, query)
			}
		}
	}
}

// The parameters act as BM25 says: k1 bounds what repetition adds, b what length takes.
func TestParameters(t *testing.T) {
	weigh := func(k1, b float64, text string) float64 {
		e, err := New(Options{K1: k1, B: b, AverageLength: 10})
		if err != nil {
			t.Fatal(err)
		}
		return weight(e.Document(text), "wages")
	}
	short, long := "wages", "wages"+strings.Repeat(" of", 99)
	cases := map[string]struct {
		reason    string
		got, want float64
	}{
		"k1 0":      {"then only whether it occurs counts", weigh(0, .75, "wages wages wages"), 1},
		"b 0":       {"then length doesn't count", weigh(1.2, 0, long), 1},
		"b 1":       {"then length counts in full", weigh(1.2, 1, long), 2.2 / (1 + 1.2*100/10)},
		"usual":     {"1.2 and 0.75, one word of the average's ten", weigh(1.2, .75, short), 2.2 / (1 + 1.2*(.25+.75*.1))},
		"repeated":  {"tf 3 of 3 words", weigh(1.2, .75, "wages wages wages"), 3 * 2.2 / (3 + 1.2*(.25+.75*.3))},
		"saturates": {"never over k1 + 1", min(2.2, weigh(1.2, 0, strings.Repeat("wages ", 5000))), weigh(1.2, 0, strings.Repeat("wages ", 5000))},
	}
	for name, c := range cases {
		if math.Abs(c.got-c.want) > 1e-6 {
			t.Errorf("%s: %v, want %v (%s)", name, c.got, c.want, c.reason)
		}
	}
}

func TestQueryWeights(t *testing.T) {
	s := encoder(t).Query("overtime overtime carry-over CT-88231")
	for term, want := range map[string]float64{"overtime": 1, "carry-over": 1, "carry": 0.5, "ct-88231": 1, "88231": 0} {
		if got := weight(s, term); got != want {
			t.Errorf("weight of %q is %v, want %v", term, got, want)
		}
	}
}

func TestIndexIsFNV1a(t *testing.T) {
	for term, want := range map[string]uint32{"": 0x811c9dc5, "a": 0xe40c292c, "foobar": 0xbf9cf968} { // published vectors
		if got := index(term); got != want {
			t.Errorf("index(%q) = %#x, want %#x", term, got, want)
		}
	}
}

func TestCollisionsAreCounted(t *testing.T) {
	// costarring and liquid share an FNV-1a 32.
	if index("costarring") != index("liquid") {
		t.Fatal("the pair doesn't collide")
	}
	s := encoder(t).Document("costarring liquid wages")
	if diff := cmp.Diff([]Collision{{"costarring", "liquid"}}, s.Collisions); diff != "" || len(s.Indices) != 2 {
		t.Errorf("%d indices, want 2; collisions (-want +got):\n%s", len(s.Indices), diff)
	}
	if c := encoder(t).Document("liquid wages").Collisions; c != nil {
		t.Errorf("without the pair there are collisions %v", c)
	}
	if both, one := weight(s, "liquid"), weight(s, "wages"); math.Abs(both-2*one) > 1e-6 {
		t.Errorf("the shared index weighs %v, want the sum of two terms of %v", both, one)
	}
}

func TestCollisionsBetween(t *testing.T) {
	cases := map[string]struct {
		reason, question, passage string
		want                      []Collision
	}{
		"other term":   {"found by a word that it doesn't hold", "Is it liquid?", "Costarring in the play.", []Collision{{"liquid", "costarring"}}},
		"turned":       {"the question's term comes first", "Who is costarring?", "A liquid asset.", []Collision{{"costarring", "liquid"}}},
		"both":         {"found rightly, and scored for both", "Is it liquid?", "A liquid asset, costarring.", []Collision{{"liquid", "costarring"}}},
		"same":         {"the same term is no collision", "Is it liquid?", "A liquid asset.", nil},
		"in a part":    {"parts are indexed as well", "Is it liquid?", "A costarring-role.", []Collision{{"liquid", "costarring"}}},
		"unasked part": {"a code's parts aren't asked for", "What is liquid-42?", "Costarring in the play.", nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, encoder(t).Between(c.question, c.passage)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}

func TestIDs(t *testing.T) {
	cases := map[string]struct {
		reason, text string
		want         []string
	}{
		"codes":      {"codes of letters and digits", "ST012, STL/2025-26/003; CT-88231 (AX-42) INV_7719 st001 ST001", []string{"ax-42", "ct-88231", "inv_7719", "st001", "st012", "stl/2025-26/003"}},
		"row":        {"a row's id among its cells", "ST005 | Selvam R | Production Mgr | 38,000", []string{"st005"}},
		"file name":  {"a document's name is a code", "Invoice_INV2025003_Welspun.pdf", []string{"invoice_inv2025003_welspun.pdf"}},
		"amounts":    {"amounts are none", "$65 ₹75,000 Rs.5,000/- 1,200.50 65k 12lakh USD250", nil},
		"dates":      {"dates and years are none", "2025-03-31 12/04/2025 12-Apr-2025 April-2025 apr25 2025-26 3rd-May-2025 2025-03-31T10:00", nil},
		"times":      {"times are none", "18:00 10am 24h 24/7 9:30pm", nil},
		"ordinals":   {"ordinals and shares are none", "3rd 21st 100th 12.5% 50%", nil},
		"quantities": {"quantities are none", "30-day 12kg 250ml 10.5mm 48hrs 100mb 1000rpm 12-month", nil},
		"periods":    {"fiscal periods are none", "Q1 H2 FY25 FY2025-26 Q3-2025 2025Q3", nil},
		"references": {"numbered references are none", "no.3 p.12 page-14 fig.12 clause-4.2 p12 Section 4", nil},
		"words":      {"hyphenated words are none", "follow-up carry-over and/or e.g. state-of-the-art", nil},
		"short":      {"one digit doesn't identify", "B2 Q9 W-2 v2 mp3", nil},
		"digits":     {"digits alone may be a number", "88231 2025001 98400-12345", nil},
		"question":   {"a question is read like a passage", "what is stl/2025-26/003's total?", []string{"stl/2025-26/003"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, IDs(c.text)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}

func TestNewRefuses(t *testing.T) {
	for reason, o := range map[string]Options{
		"negative k1":      {K1: -1, B: .75, AverageLength: 128},
		"k1 not a number":  {K1: math.NaN(), B: .75, AverageLength: 128},
		"b over 1":         {K1: 1.2, B: 1.1, AverageLength: 128},
		"no average":       {K1: 1.2, B: .75},
		"negative average": {K1: 1.2, B: .75, AverageLength: -3},
	} {
		if _, err := New(o); err == nil {
			t.Errorf("%s was accepted", reason)
		}
	}
}

func FuzzDocument(f *testing.F) {
	e := encoder(f)
	for _, s := range []string{"", "ST001 | 75,000", "é\u0301", "\xff\xfe", "中文", ",,,1,,2", "$", "a'-'b", "½ ₹5"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d := e.Document(s)
		for i, v := range d.Values {
			if !(v > 0) || math.IsInf(float64(v), 0) || (i > 0 && d.Indices[i] <= d.Indices[i-1]) {
				t.Fatalf("index %d weighs %v in %v", d.Indices[i], v, d.Indices)
			}
		}
		for _, term := range e.Terms(s) {
			if weight(d, term) == 0 {
				t.Fatalf("query term %q isn't in its own document", term)
			}
			if utf8.ValidString(s) && strings.ContainsAny(term, " \n\t|") {
				t.Fatalf("term %q holds a separator", term)
			}
		}
		if ids := IDs(s); !slices.IsSorted(ids) || len(slices.Compact(slices.Clone(ids))) != len(ids) {
			t.Fatalf("ids %v", ids)
		}
	})
}

func BenchmarkDocument(b *testing.B) {
	e := encoder(b)
	text := strings.Repeat("ST005 | Selvam R | Production Mgr | 38,000 is paid under clause 4.2(b) – ₹75,000. ", 12)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		e.Document(text)
	}
}
