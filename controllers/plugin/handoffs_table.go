package plugin

import (
	"cmp"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/hardgate-dev/hardgate/runtime/handoff"
)

// leastQuestion is how much of a question is shown on a terminal that is too
// narrow for anything.
const leastQuestion = 24

// width is how many columns the terminal has; 0 where the output is none, and
// nothing is cut.
func width(out io.Writer) int {
	f, ok := out.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0
	}
	w, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return w
}

// table writes a line a hand-off, its question cut to the terminal's width.
func table(out io.Writer, hs []handoff.Handoff, width int) error {
	const question = 4
	rows := [][]string{{"LAST ASKED", "TIMES", "REASONS", "TENANT", "QUESTION", "ID"}}
	for _, h := range hs {
		rows = append(rows, []string{
			h.Last.UTC().Format("2006-01-02 15:04:05"), strconv.FormatInt(h.Times, 10), cmp.Or(reasons(h), "-"), cmp.Or(h.As.Tenant, "-"),
			line(h.Question), h.ID,
		})
	}
	const gap = 3
	widths, others := make([]int, len(rows[0])), 0
	for i := range rows[0] {
		for _, r := range rows {
			widths[i] = max(widths[i], utf8.RuneCountInString(r[i]))
		}
		if i != question {
			others += widths[i] + gap
		}
	}
	if width > 0 {
		widths[question] = min(widths[question], max(leastQuestion, width-others))
	}
	var b strings.Builder
	for _, r := range rows {
		r[question] = cut(r[question], widths[question])
		for i, cell := range r {
			b.WriteString(cell)
			if i < len(r)-1 {
				b.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+gap))
			}
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// reasons are those of the flags, each once.
func reasons(h handoff.Handoff) string {
	var out []string
	for _, f := range h.Flags {
		if !slices.Contains(out, f.Reason) {
			out = append(out, f.Reason)
		}
	}
	return strings.Join(out, ",")
}

// line is a text on one line, without what a terminal would take for a command.
func line(s string) string {
	printable := strings.Map(func(r rune) rune {
		if strconv.IsPrint(r) {
			return r
		}
		return ' '
	}, s)
	return strings.Join(strings.Fields(printable), " ")
}

// cut shortens to n characters, of which the last tells that there is more.
func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}
