package letter

import (
	"regexp"
	"strings"
	"unicode"
)

var (
	// history is where the letter that is answered begins.
	history = regexp.MustCompile(`(?i)^\s*(?:-{2,}\s*(?:original|forwarded) message|from:\s|sent:\s|_{5,}|on\b.{4,80}\bwrote:\s*$)`)
	// closing is a line that ends a letter; the name follows, on it or below.
	closing = regexp.MustCompile(`(?i)^\s*(?:(?:many |with )?(?:thanks|thank you|regards|greetings|cheers)|(?:kind|best|warm|kindest|warmest) (?:regards|wishes)|best|sincerely|yours(?: \w+)?|thx|ta)(?:\s+(?:again|in advance|and regards|a lot))?\s*[,.!–-]*\s*(?:\pL[\pL.'’-]*(?:[ ,]+\pL[\pL.'’&-]*){0,5})?\s*[,.!]?\s*$`)
	// greeting opens a letter: "Hi there," "Dear Ms Nair," "Good morning."
	greeting = regexp.MustCompile(`^\s*(?i:hi|hello|hey|dear|good (?:morning|afternoon|evening|day)|morning|afternoon|evening|greetings)(?: (?i:all|team|both|everyone|everybody|there|again|accounts|sir|madam|colleagues|desk)| (?i:sir or madam)| \p{Lu}[\pL.'’-]*){0,4}\s*(?:[,.!:–-]\s*|\n|$)`)
)

// body is the text of a letter without greeting, foot and history.
func body(text string) string {
	var kept []string
	for _, line := range strings.Split(text, "\n") {
		if history.MatchString(line) && !strings.HasPrefix(strings.TrimSpace(line), ">") {
			if strings.HasSuffix(strings.TrimSpace(line), "wrote:") || len(kept) > 0 {
				break
			}
			continue
		}
		if strings.HasPrefix(strings.TrimSpace(line), ">") {
			continue
		}
		kept = append(kept, line)
	}
	for i, line := range kept {
		if strings.TrimSpace(line) != "" && closing.MatchString(line) && !strings.Contains(line, "?") {
			kept = kept[:i]
			break
		}
	}
	text = strings.TrimSpace(strings.Join(unsigned(kept), "\n"))
	if m := greeting.FindStringIndex(text); m != nil {
		text = text[m[1]:]
	}
	return strings.TrimSpace(text)
}

// unsigned drops the lines at the foot that are names and telephone numbers.
func unsigned(lines []string) []string {
	n := len(lines)
	for n > 0 {
		l := strings.TrimSpace(lines[n-1])
		if l != "" && !name(l) && !reachable(l) {
			break
		}
		n--
	}
	return lines[:n]
}

// mostNames is how many words a name with its firm has.
const mostNames = 6

// name reports whether a line is a name: a few words with capitals, no full stop
// and no figures.
func name(line string) bool {
	if strings.ContainsFunc(line, unicode.IsDigit) || strings.ContainsAny(line, "?!:;") || strings.HasSuffix(line, ".") {
		return false
	}
	words := strings.FieldsFunc(line, func(r rune) bool { return unicode.IsSpace(r) || r == ',' })
	if len(words) == 0 || len(words) > mostNames {
		return false
	}
	for _, w := range words {
		if first := []rune(w)[0]; !unicode.IsUpper(first) && !strings.Contains(" of and & de van von – - ", " "+w+" ") {
			return false
		}
	}
	return true
}

var contact = regexp.MustCompile(`(?i)^(?:(?:mobile|tel|telephone|phone|mob|cell|fax|direct|office)\b[.:]?\s*)?[+(]?\d[\d ()/.-]{6,}$|^\S+@\S+\.\S+$|^(?:www\.|https?://)\S+$`)

// reachable reports whether a line says where the sender can be reached.
func reachable(line string) bool { return contact.MatchString(line) }

var (
	end     = regexp.MustCompile(`[.?!]+["”’)]*(?:\s+|$)|\n\s*\n|\n`)
	abbrev  = regexp.MustCompile(`(?i)(?:^|[\s(])(?:no|nos|mr|mrs|ms|dr|st|inc|ltd|co|approx|e\.g|i\.e|etc|vs|ref|tel|oct|nov|dec|jan|feb|mar|apr|jun|jul|aug|sept?|\pL)\.$`)
	wrapped = regexp.MustCompile(`[\pL\d,;–-]\n[\pL\d(“"$£€₹]`)
)

// sentences cuts a body into sentences. A line break ends one only where the line
// does not go on below.
func sentences(text string) []string {
	text = unwrap(text)
	var out []string
	from := 0
	for _, m := range end.FindAllStringIndex(text, -1) {
		if text[m[0]] == '.' && abbrev.MatchString(text[from:m[0]+1]) {
			continue
		}
		if s := strings.TrimSpace(text[from:m[1]]); s != "" {
			out = append(out, strings.Join(strings.Fields(s), " "))
		}
		from = m[1]
	}
	if s := strings.TrimSpace(text[from:]); s != "" {
		out = append(out, strings.Join(strings.Fields(s), " "))
	}
	return out
}

// long is how many characters a line has that was broken to fit a width.
const long = 50

// unwrap joins lines that were broken to fit a width.
func unwrap(text string) string {
	lines := strings.Split(text, "\n")
	for i := len(lines) - 1; i > 0; i-- {
		a, b := strings.TrimRight(lines[i-1], " "), strings.TrimLeft(lines[i], " ")
		if len(a) >= long && len(b) > 0 && wrapped.MatchString(a[len(a)-1:]+"\n"+b[:1]) {
			lines[i-1] = a + " " + b
			lines = append(lines[:i], lines[i+1:]...)
		}
	}
	return strings.Join(lines, "\n")
}
