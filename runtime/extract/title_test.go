package extract

import "testing"

func TestTitleOfFile(t *testing.T) {
	cases := map[string]struct{ reason, key, want string }{
		"Words":    {"underscores are blanks", "hr/2025/salary_register_april.pdf", "salary register april"},
		"Code":     {"a code keeps its hyphen", "INV-170.pdf", "INV-170"},
		"Scanner":  {"a scanner's name says nothing", "inbox/scan_0012.pdf", ""},
		"Number":   {"nor does a number", "20250401-17.pdf", ""},
		"Hash":     {"nor a hash", "d41d8cd98f00b204e9800998ecf8427e.pdf", ""},
		"Nameless": {"", "", ""},
		"Untitled": {"the programs' own names", "Untitled-2.pdf", ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := titleOfFile(c.key); got != c.want {
				t.Errorf("%s: title of %q is %q, want %q", c.reason, c.key, got, c.want)
			}
		})
	}
}
