package docx_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/extract/docx"
	"github.com/hardgate-dev/hardgate/runtime/extract/scroll/scrolltest"
)

const space = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"`

// file packs a body and further parts.
func file(t testing.TB, body string, more map[string]string) []byte {
	t.Helper()
	parts := map[string]string{"word/document.xml": `<?xml version="1.0"?><w:document ` + space + `><w:body>` + body + `</w:body></w:document>`}
	maps.Copy(parts, more)
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		f, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(parts[name])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// p is a paragraph with properties.
func p(text string, props ...string) string {
	return `<w:p><w:pPr>` + strings.Join(props, "") + `</w:pPr><w:r><w:t>` + text + `</w:t></w:r></w:p>`
}

func styled(id string) string { return `<w:pStyle w:val="` + id + `"/>` }

func listed(list, depth string) string {
	return `<w:numPr><w:ilvl w:val="` + depth + `"/><w:numId w:val="` + list + `"/></w:numPr>`
}

func tc(text string, props ...string) string {
	return `<w:tc><w:tcPr>` + strings.Join(props, "") + `</w:tcPr>` + p(text) + `</w:tc>`
}

const styles = `<w:styles ` + space + `>
<w:style w:styleId="Heading2"><w:name w:val="heading 2"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
<w:style w:styleId="Own"><w:name w:val="Own"/><w:basedOn w:val="Heading2"/></w:style>
<w:style w:styleId="Title"><w:name w:val="Title"/></w:style>
<w:style w:styleId="Loop"><w:name w:val="Loop"/><w:basedOn w:val="Loop"/></w:style>
<w:style w:styleId="ListBullet"><w:name w:val="List Bullet"/><w:pPr><w:numPr><w:numId w:val="2"/></w:numPr></w:pPr></w:style>
</w:styles>`

const numbering = `<w:numbering ` + space + `>
<w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>
<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1.%2)"/></w:lvl></w:abstractNum>
<w:abstractNum w:abstractNumId="8"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="x"/></w:lvl></w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="8"/></w:num></w:numbering>`

func TestRead(t *testing.T) {
	parts := map[string]string{"word/styles.xml": styles, "word/numbering.xml": numbering}
	cases := map[string]struct {
		reason, body string
		more         map[string]string
		want         string
	}{
		"Headings": {"by name, by what a style is based on, by the paragraph itself",
			p("Leave policy", styled("Title")) + p("Carry over", styled("Own")) + p("Notes", `<w:outlineLvl w:val="2"/>`) + p("Text", styled("Loop")), nil,
			"# Leave policy\n## Carry over\n### Notes\nText\n"},
		"Lists": {"count on, and begin again below a new item",
			p("One", listed("1", "0")) + p("Inner", listed("1", "1")) + p("More", listed("1", "1")) + p("Two", listed("1", "0")) + p("Inner", listed("1", "1")) + p("Dot", styled("ListBullet")), nil,
			"1. One\n1.a) Inner\n1.b) More\n2. Two\n2.a) Inner\n• Dot\n"},
		"Runs": {"join without a space, and break where they say",
			`<w:p><w:r><w:t>ST</w:t></w:r><w:r><w:t xml:space="preserve">001 </w:t><w:noBreakHyphen/><w:t>x</w:t><w:br/><w:t>next</w:t><w:tab/><w:t>col</w:t></w:r></w:p>`, nil,
			"ST001 -x\nnext col\n"},
		"Changes": {"are read as if accepted, and told",
			`<w:p><w:r><w:t xml:space="preserve">Pay </w:t></w:r><w:del><w:r><w:delText>9,000</w:delText></w:r></w:del><w:ins><w:r><w:t>8,000</w:t></w:r></w:ins></w:p>`, nil,
			"Pay 8,000\n!TrackedChanges 5 characters that tracked changes delete were left out, and what they insert was read\n"},
		"Table": {"with merged cells: a label in each row, an amount once",
			`<w:tbl><w:tr><w:trPr><w:tblHeader/></w:trPr>` + tc("Dept") + tc("ID") + tc("Pay") + `</w:tr>` +
				`<w:tr>` + tc("Mill", `<w:vMerge w:val="restart"/>`) + tc("ST001") + tc("9,000", `<w:vMerge w:val="restart"/>`) + `</w:tr>` +
				`<w:tr>` + tc("", `<w:vMerge/>`) + tc("ST002") + tc("", `<w:vMerge/>`) + `</w:tr>` +
				`<w:tr>` + tc("Total", `<w:gridSpan w:val="2"/>`) + tc("9,000") + `</w:tr></w:tbl>`, nil,
			"[table 1, header 1]\nDept | ID | Pay\nMill | ST001 | 9,000\nMill | ST002 | \nTotal |  | 9,000\n"},
		"Boxes": {"text boxes follow their paragraph, once", `<w:p><w:r><w:t>Text</w:t><mc:AlternateContent><mc:Choice><w:txbxContent>` + p("Boxed") + `</w:txbxContent></mc:Choice><mc:Fallback><w:txbxContent>` + p("Boxed") + `</w:txbxContent></mc:Fallback></mc:AlternateContent></w:r></w:p>`, nil,
			"Text\nBoxed\n"},
		"Controls": {"content controls are transparent", `<w:sdt><w:sdtContent>` + p("Inside") + `</w:sdtContent></w:sdt>`, nil, "Inside\n"},
		"Notes": {"stand at the end under their number", `<w:p><w:r><w:t>Terms</w:t><w:footnoteReference w:id="2"/></w:r></w:p>`,
			map[string]string{"word/footnotes.xml": `<w:footnotes ` + space + `><w:footnote w:type="separator" w:id="0">` + p("x") + `</w:footnote><w:footnote w:id="2">` + p("Since April.") + `</w:footnote></w:footnotes>`},
			"Terms[2]\n[2] Since April.\n"},
		"Running": {"headers are kept apart", p("Text"), map[string]string{"word/header1.xml": `<w:hdr ` + space + `>` + p("Mill Ltd") + `</w:hdr>`}, "Text\n(aside) Mill Ltd\n"},
		"Fields":  {"show their result, not their code", `<w:p><w:r><w:instrText>PAGE</w:instrText></w:r><w:r><w:t>4</w:t></w:r></w:p>`, nil, "4\n"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			more := maps.Clone(parts)
			maps.Copy(more, c.more)
			doc, ok, err := docx.Read(file(t, c.body, more))
			if err != nil || !ok {
				t.Fatalf("text %v, error %v", ok, err)
			}
			if d := cmp.Diff(c.want, scrolltest.Text(t, doc)); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
		})
	}
}

func TestTitle(t *testing.T) {
	doc, _, err := docx.Read(file(t, p("Text"), map[string]string{"docProps/core.xml": `<cp:coreProperties><dc:title>Leave policy</dc:title></cp:coreProperties>`}))
	if err != nil || doc.Title != "Leave policy" {
		t.Errorf("title %q, error %v", doc.Title, err)
	}
}

func TestErrors(t *testing.T) {
	whole := file(t, p("Text"), nil)
	cases := map[string]struct {
		reason string
		data   []byte
		want   error
	}{
		"Cut":       {"the directory at the end is gone", whole[:len(whole)/2], docx.ErrDamaged},
		"Other":     {"a zip of something else", file(t, p("Text"), map[string]string{"word/document.xml": "<a/>"}), docx.ErrDamaged},
		"Unclosed":  {"elements don't nest", file(t, p("Text"), map[string]string{"word/document.xml": "<a><b></a></b>"}), docx.ErrDamaged},
		"Encrypted": {"the container of encrypted files", []byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1 and so on"), docx.ErrEncrypted},
		"Bomb":      {"70 MB of nothing in 70 KB", file(t, strings.Repeat(" ", 70<<20), nil), docx.ErrTooLarge},
		"Nodes":     {"elements without end beside each other", file(t, strings.Repeat("<w:p/>", 2_100_000), nil), docx.ErrTooLarge},
		"Attrs":     {"attributes without end", file(t, "<w:p "+strings.Repeat(`a="" `, 2_100_000)+"/>", nil), docx.ErrTooLarge},
		"Deep":      {"elements without end inside each other", file(t, strings.Repeat("<w:p>", 100_000), nil), docx.ErrTooLarge},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if _, _, err := docx.Read(c.data); !errors.Is(err, c.want) {
				t.Errorf("%s: error %v, want %v", c.reason, err, c.want)
			}
		})
	}
}

// Rows that leave out more cells than a table may have are not laid out at all.
func TestTableIsBounded(t *testing.T) {
	left := strings.Repeat(`<w:tr><w:trPr><w:gridBefore w:val="1024"/></w:trPr></w:tr>`, 2000)
	doc, ok, err := docx.Read(file(t, p("Text")+`<w:tbl>`+left+`</w:tbl>`, nil))
	if err != nil || !ok || len(doc.Problems) != 1 || doc.Problems[0].Reason != docx.TableSkipped {
		t.Errorf("text %v, problems %v, error %v", ok, doc.Problems, err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(file(f, p("Text", styled("Own"))+`<w:tbl><w:tr>`+tc("a", `<w:vMerge/>`)+tc("b", `<w:gridSpan w:val="9"/>`)+`</w:tr></w:tbl>`, map[string]string{"word/styles.xml": styles}))
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, ok, err := docx.Read(data)
		if err == nil && ok {
			scrolltest.Text(t, doc)
		}
	})
}
