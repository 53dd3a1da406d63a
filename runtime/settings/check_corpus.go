package settings

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"text/template"
	"time"

	"github.com/bmatcuk/doublestar/v4"
)

// Validate names every field of the spec that can't work, by the rules of the
// API server and those that it can't check: templates, globs and payload values.
func (c Corpus) Validate() error {
	var p problems
	c.check(root, &p)
	c.Source.check(root+".source", &p)
	c.Documents.check(root+".documents", &p)
	c.Pipeline.check(root+".pipeline", &p)
	c.Eligibility.check(root+".eligibility", &p)
	c.Gate.check(root+".gate", &p)
	c.priced(root, &p)
	return p.err()
}

func (c Cluster) check(path string, p *problems) {
	p.that(c.Interval.Std() >= time.Second, path+".interval", "must be at least 1s")
	if c.CollectionRef.Name == "" {
		p.add(path+".collectionRef", "is required: {name: …} of the Collection")
	} else {
		p.object(path+".collectionRef.name", c.CollectionRef.Name)
	}
	c.Access.check(path+".access", p)
	p.oneOf(path+".approval", c.Approval, "Automatic", "Manual")
	if c.RevisionHistoryLimit != nil {
		p.between(path+".revisionHistoryLimit", *c.RevisionHistoryLimit, 0, 20)
	}
	p.oneOf(path+".deletionPolicy", c.DeletionPolicy, "Delete", "Retain")
}

func (a Access) check(path string, p *problems) {
	ways := 0
	for _, used := range []bool{len(a.Tenants) > 0, a.TenantFromGroupPrefix != "", a.TenantFromNamespace} {
		if used {
			ways++
		}
	}
	p.that(ways <= 1, path, "must have at most one of tenants, tenantFromGroupPrefix and tenantFromNamespace")
	p.size(path+".tenants", len(a.Tenants), 0, 1000)
	unique(p, path+".tenants", a.Tenants, func(t Tenant) string { return t.Tenant }, "")
	for i, t := range a.Tenants {
		p.text(at(path+".tenants", i)+".tenant", t.Tenant, textLimit)
		p.texts(at(path+".tenants", i)+".groups", t.Groups, 1, 64)
	}
}

func (s Source) check(path string, p *problems) {
	if s.S3 == nil {
		p.add(path+".s3", "is required")
	} else {
		s.S3.check(path+".s3", p)
	}
	p.texts(path+".include", s.Include, 1, 64)
	p.globs(path+".include", s.Include)
	p.texts(path+".exclude", s.Exclude, 0, 64)
	p.globs(path+".exclude", s.Exclude)
	p.that(0 < s.MaxObjectBytes && s.MaxObjectBytes <= 4<<30, path+".maxObjectBytes", "must be a whole size such as 200Mi, at most 4Gi")
	p.between(path+".deletionGuard.percent", s.DeletionGuard.Percent, 0, 100)
	p.between(path+".deletionGuard.count", s.DeletionGuard.Count, 0, 1000000)
}

func (p *problems) globs(path string, globs []string) {
	for i, g := range globs {
		p.that(doublestar.ValidatePattern(g), at(path, i), "%q is not a glob pattern", g)
	}
}

func (s S3) check(path string, p *problems) {
	p.url(path+".endpoint", s.Endpoint)
	p.text(path+".region", s.Region, textLimit)
	p.form(path+".bucket", s.Bucket, 63, bucketForm, "a bucket name: lower case letters, digits, \"-\" and \".\"")
	p.that(s.Bucket == "" || len(s.Bucket) > 2, path+".bucket", "must have at least 3 characters")
	p.that(s.Prefix == "" || !strings.ContainsAny(s.Prefix[:1], "/ \t\r\n"), path+".prefix", "%q must not start with \"/\" or white space", s.Prefix)
	p.that(len([]rune(s.Prefix)) <= 1024, path+".prefix", "must have at most 1024 characters")
	if s.CredentialsSecretRef != nil {
		p.object(path+".credentialsSecretRef.name", s.CredentialsSecretRef.Name)
	}
	p.key(path+".caSecretRef", s.CASecretRef)
	p.that(s.CASecretRef == nil || strings.HasPrefix(s.Endpoint, "https://"), path+".caSecretRef", "needs an https:// endpoint")
}

func (d Documents) check(path string, p *problems) {
	p.text(path+".id", d.ID, 512)
	p.that(len([]rune(d.Revision)) <= 512, path+".revision", "must have at most 512 characters")
	p.template(path+".id", d.ID)
	p.template(path+".revision", d.Revision)
	p.size(path+".metadata", len(d.Metadata), 0, 32)
	for i, m := range d.Metadata {
		m.check(at(path+".metadata", i), p)
	}
}

func (p *problems) template(path, text string) {
	_, err := template.New("").Parse(text)
	p.that(err == nil, path, "is not a Go template: %v", err)
}

func (m Metadata) check(path string, p *problems) {
	kinds := 0
	if m.Path != "" {
		kinds++
		p.regexp(path+".path", m.Path, 512)
		if r, err := regexp.Compile(m.Path); err == nil {
			p.that(strings.Join(r.SubexpNames(), "") != "", path+".path", "must name at least one group: (?P<field>…)")
		}
	}
	if m.Manifest != "" {
		kinds++
		p.text(path+".manifest", m.Manifest, 1024)
		p.that(!strings.ContainsAny(m.Manifest[:1], "/ \t\r\n"), path+".manifest", "%q must not start with \"/\" or white space", m.Manifest)
	}
	if m.Set != nil {
		kinds++
		p.size(path+".set", len(m.Set), 1, 64)
		checkPayload(path+".set", m.Set, p)
	}
	p.that(kinds == 1, path, "must have exactly one of path, manifest and set")
}

// checkPayload allows what a payload field can hold: a string, a number, a
// boolean, or a list of them.
func checkPayload(path string, set map[string]any, p *problems) {
	for _, field := range slices.Sorted(maps.Keys(set)) {
		p.field(path+"."+field, field)
		list, isList := set[field].([]any)
		if !isList {
			list = []any{set[field]}
		}
		for _, v := range list {
			switch v.(type) {
			case string, float64, bool:
			default:
				p.add(path+"."+field, "must be a string, a number, a boolean or a list of them")
			}
		}
	}
}

func (e Eligibility) check(path string, p *problems) {
	p.size(path+".constants", len(e.Constants), 0, 32)
	unique(p, path+".constants", e.Constants, func(r Constant) string { return r.Field }, "")
	for i, r := range e.Constants {
		p.field(at(path+".constants", i)+".field", r.Field)
		p.texts(at(path+".constants", i)+".values", r.Values, 1, 64)
	}
	p.size(path+".identity", len(e.Identity), 0, 32)
	unique(p, path+".identity", e.Identity, func(r IdentityRule) string { return r.Field }, "")
	for i, r := range e.Identity {
		p.field(at(path+".identity", i)+".field", r.Field)
		p.text(at(path+".identity", i)+".claim", r.Claim, textLimit)
		p.texts(at(path+".identity", i)+".shared", r.Shared, 0, 64)
	}
	p.size(path+".question", len(e.Question), 0, 16)
	unique(p, path+".question", e.Question, func(r QuestionRule) string { return r.Field }, "")
	for i, r := range e.Question {
		p.field(at(path+".question", i)+".field", r.Field)
		p.regexp(at(path+".question", i)+".pattern", r.Pattern, 512)
	}
	if v := e.Validity; v != nil {
		p.field(path+".validity.from", v.From)
		if v.To != "" {
			p.field(path+".validity.to", v.To)
		}
	}
}

func (g Gate) check(path string, p *problems) {
	p.oneOf(path+".mode", g.Mode, "Enforce", "Audit")
	p.texts(path+".goldenSets", g.GoldenSets, 0, 16)
	for i, n := range g.GoldenSets {
		p.that(n == "" || objectForm.MatchString(n), at(path+".goldenSets", i), "%q must be the name of an object", n)
	}
	p.that(g.Interval.Std() >= time.Minute, path+".interval", "must be at least 1m")
	p.oneOf(path+".onRegression", g.OnRegression, "Rollback", "Report")
}

// sumsToOne allows for the rounding of two decimals of six digits.
func sumsToOne(a, b Decimal) bool { return math.Abs(float64(a+b)-1) < 1e-7 }

func at(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }
