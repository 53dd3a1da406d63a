package markdown_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/extract/markdown"
	"github.com/hardgate-dev/hardgate/runtime/extract/scroll/scrolltest"
)

func TestRead(t *testing.T) {
	cases := map[string]struct {
		reason, in, title, want string
	}{
		"Headings":  {"both ways of writing them", "Leave\n=====\n\n## Carry over\nUntil\nMarch.\n", "Leave", "# Leave\n## Carry over\nUntil March.\n"},
		"Lists":     {"nested, numbered, to be ticked", "1. One\n2. Two\n   - Inner\n\n- [x] Done\n- [ ] Open\n", "", "1. One\n2. Two\n• Inner\n• [x] Done\n• [ ] Open\n"},
		"Table":     {"with its header", "| ID | Pay |\n|---|--:|\n| ST001 | 9,000 |\n| ST002 | **8,000** |\n", "", "[table 1, header 1]\nID | Pay\nST001 | 9,000\nST002 | 8,000\n"},
		"Code":      {"lines stay lines", "```\na = 1\nb = 2\n```\n", "", "a = 1\nb = 2\n"},
		"HTML":      {"inside is read as such", "Text\n\n<table><tr><th>A<th>B<tr><td>1<td>2</table>\n", "", "Text\n[table 1, header 1]\nA | B\n1 | 2\n"},
		"Metadata":  {"gives the title and stays readable", "---\ntitle: \"Rack guide\"\nowner: HR\n---\n# Airflow\nFront to rear.\n", "Rack guide", "title: \"Rack guide\"\nowner: HR\n# Airflow\nFront to rear.\n"},
		"Rule":      {"a rule at the top is no metadata", "---\n\nText\n", "", "Text\n"},
		"Links":     {"are their text", "See [the plan](https://x.example/a?b=c) and <https://y.example>.\n", "", "See the plan and https://y.example.\n"},
		"Footnotes": {"stand at the end", "Terms[^1].\n\n[^1]: Since April.\n", "", "Terms 1.\n1. Since April.\n"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			doc, ok, err := markdown.Read([]byte(c.in))
			if err != nil || !ok {
				t.Fatalf("text %v, error %v", ok, err)
			}
			if doc.Title != c.title {
				t.Errorf("title %q, want %q", doc.Title, c.title)
			}
			if d := cmp.Diff(c.want, scrolltest.Text(t, doc)); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
		})
	}
}
