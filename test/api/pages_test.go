package api

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// pages are the kinds' pages for users, by plural name.
func pages(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for plural, kind := range map[string]string{"collections": "collection", "corpora": "corpus", "goldensets": "goldenset"} {
		text, err := os.ReadFile("../../api/v1alpha1/" + kind + ".md")
		if err != nil {
			t.Fatal(err)
		}
		out[plural] = string(text)
	}
	return out
}

// TestPagesShowWhatIsAdmitted: what is copied from the page works.
func TestPagesShowWhatIsAdmitted(t *testing.T) {
	const least = "collectionRef: {name: hr}\nsource: {s3: {endpoint: 'https://s3.example', bucket: documents}}\n"
	shown := regexp.MustCompile("(?s)```yaml\nspec:\n(.*?)```").FindAllStringSubmatch(pages(t)["corpora"], -1)
	if len(shown) < 2 {
		t.Fatalf("%d examples of a spec", len(shown))
	}
	for i, m := range shown {
		text := least + regexp.MustCompile("(?m)^  ").ReplaceAllString(m[1], "")
		if _, err := settings.DecodeCorpus([]byte(text)); err != nil {
			t.Errorf("command line, example %d: %v\n%s", i+1, err, text)
		}
		c := &v1alpha1.Corpus{}
		if err := yaml.UnmarshalStrict([]byte(text), &c.Spec); err != nil {
			t.Fatal(err)
		}
		c.Namespace, c.GenerateName = "default", "shown-"
		if err := server.Create(t.Context(), c, client.DryRunAll); err != nil {
			t.Errorf("API server, example %d: %v", i+1, err)
		}
	}
}

// TestPagesNameEveryField: a field that works is a field that is explained.
func TestPagesNameEveryField(t *testing.T) {
	for plural, page := range pages(t) {
		t.Run(plural, func(t *testing.T) {
			text, err := os.ReadFile("../../config/crd/bases/rag.hardgate.dev_" + plural + ".yaml")
			if err != nil {
				t.Fatal(err)
			}
			var crd apiextensionsv1.CustomResourceDefinition
			if err := yaml.Unmarshal(text, &crd); err != nil {
				t.Fatal(err)
			}
			spec := crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"]
			for _, name := range fields(spec) {
				if !regexp.MustCompile(`\b` + name + `\b`).MatchString(page) {
					t.Errorf("the page doesn't speak of %s", name)
				}
			}
		})
	}
}

// fields lists the names of all fields below a schema.
func fields(s apiextensionsv1.JSONSchemaProps) []string {
	var out []string
	for name, p := range s.Properties {
		out = append(append(out, name), fields(p)...)
	}
	if s.Items != nil && s.Items.Schema != nil {
		out = append(out, fields(*s.Items.Schema)...)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		out = append(out, fields(*s.AdditionalProperties.Schema)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// TestPagesNameEveryReason: whoever reads a reason finds what to do about it.
func TestPagesNameEveryReason(t *testing.T) {
	source, err := os.ReadFile("../../api/v1alpha1/conditions.go")
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, page := range pages(t) {
		all.WriteString(page)
	}
	reasons := regexp.MustCompile(`Reason\s+= "(\w+)"`).FindAllStringSubmatch(string(source), -1)
	if len(reasons) == 0 {
		t.Fatal("no reasons in conditions.go")
	}
	for _, m := range reasons {
		if !strings.Contains(all.String(), "`"+m[1]+"`") {
			t.Errorf("no page explains %s", m[1])
		}
	}
}
