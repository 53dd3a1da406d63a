package settings

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// The forms of names, as the API server has them.
var (
	objectForm = regexp.MustCompile(`^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$`)
	keyForm    = regexp.MustCompile(`^[-._a-zA-Z0-9]+$`)
	fieldForm  = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)
	urlForm    = regexp.MustCompile(`^https?://[^/?#@\s]+/?$`)
	apiForm    = regexp.MustCompile(`^https?://[^/?#@\s]+(/[^?#@\s]*)?$`)
	fileForm   = regexp.MustCompile(`^(https?://[^/?#@\s]+/[^?#@\s]+|file:///[^?#\s]+)$`)
	sha256Form = regexp.MustCompile(`^[0-9a-f]{64}$`)

	languageForm = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_]{1,30}$`)
	bucketForm   = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]*[a-z0-9]$`)
)

// textLimit is the length of names, values and globs, in characters.
const textLimit = 253

func (p *problems) text(path, s string, limit int) {
	switch {
	case s == "":
		p.add(path, "is required")
	case Blank(s):
		p.add(path, "must not be blank")
	case utf8.RuneCountInString(s) > limit:
		p.add(path, "must have at most %d characters", limit)
	}
}

func (p *problems) optional(path, s string) {
	if s != "" {
		p.text(path, s, textLimit)
	}
}

// form checks a required text against a pattern that says says in words.
func (p *problems) form(path, s string, limit int, form *regexp.Regexp, says string) {
	n := len(*p)
	p.text(path, s, limit)
	if len(*p) == n {
		p.that(form.MatchString(s), path, "%q must be %s", s, says)
	}
}

func (p *problems) object(path, s string) {
	p.form(path, s, textLimit, objectForm, "the name of an object: lower case letters, digits, \"-\" and \".\"")
}

func (p *problems) key(path string, r *KeyReference) {
	if r == nil {
		return
	}
	p.object(path+".name", r.Name)
	p.form(path+".key", r.Key, textLimit, keyForm, "a key: letters, digits, \"-\", \"_\" and \".\"")
}

// needed is a reference that must be there.
func (p *problems) needed(path string, r KeyReference) {
	if r == (KeyReference{}) {
		p.add(path, "is required: {name: …, key: …} of a Secret")
		return
	}
	p.key(path, &r)
}

func (p *problems) field(path, s string) {
	p.form(path, s, 63, fieldForm, "a field name: letters, digits, \"_\" and \"-\", not starting with a digit or \"-\"")
	p.that(s != "hardgate", path, "must not be \"hardgate\": that field is the operator's own")
}

func (p *problems) url(path, s string) {
	n := len(*p)
	p.form(path, s, 512, urlForm, "a URL such as https://host:port, without credentials, path or query")
	if len(*p) > n {
		return
	}
	u, err := url.Parse(s)
	p.that(err == nil && u.Hostname() != "", path, "%q must be a URL such as https://host:port", s)
}

// endpoint is the URL of an API, which may have a path: https://host/v1.
func (p *problems) endpoint(path, s string) {
	p.form(path, s, 512, apiForm, "a URL such as https://host:port/v1, without credentials or query")
}

func (p *problems) regexp(path, s string, limit int) {
	n := len(*p)
	p.text(path, s, limit)
	if _, err := regexp.Compile(s); err != nil && len(*p) == n {
		p.add(path, "must be a regular expression in RE2 syntax: %v", err)
	}
}

func (p *problems) oneOf(path, s string, allowed ...string) {
	p.that(slices.Contains(allowed, s), path, "%q must be one of %s", s, strings.Join(allowed, ", "))
}

func (p *problems) between(path string, n, low, high int) {
	p.that(low <= n && n <= high, path, "must be from %d to %d, not %d", low, high, n)
}

func (p *problems) within(path string, d Duration, low, high time.Duration) {
	p.that(low <= d.Std() && d.Std() <= high, path, "must be from %s to %s", span(low), span(high))
}

// span is a duration as a person writes it: 1h, not 1h0m0s.
func span(d time.Duration) string {
	s := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(s, zero) {
			s = s[:len(s)-2]
		}
	}
	return s
}

func (p *problems) fraction(path string, d Decimal) {
	p.that(0 <= d && d <= 1, path, "must be from 0 to 1, not %s", d)
}

// texts checks a list of distinct texts of at least low and at most high.
func (p *problems) texts(path string, list []string, low, high int) {
	p.size(path, len(list), low, high)
	unique(p, path, list, func(s string) string { return s }, "")
	for i, s := range list {
		p.text(at(path, i), s, textLimit)
	}
}

func (p *problems) size(path string, n, low, high int) {
	p.that(n >= low, path, "must have at least %d entries", low)
	p.that(n <= high, path, "must have at most %d entries, not %d", high, n)
}

// unique refuses entries with the key of an earlier one; field names the key
// within the entry, "" for the entry itself.
func unique[T any](p *problems, path string, list []T, key func(T) string, field string) {
	seen := map[string]bool{}
	for i, e := range list {
		k := key(e)
		p.that(!seen[k], at(path, i)+field, "%q stands twice", k)
		seen[k] = true
	}
}
