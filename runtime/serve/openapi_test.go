package serve_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/hardgate-dev/hardgate/runtime/handoff"
	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/serve"
)

// spec is the OpenAPI document as served, as far as these tests read it.
type spec struct {
	OpenAPI string `json:"openapi"`
	Info    struct{ Title, Version string }
	Paths   map[string]map[string]operation
	Schemas map[string]schema
	text    []byte
}

type operation struct {
	OperationID string `json:"operationId"`
	Parameters  []struct {
		Name, In string
		Required bool
	}
	RequestBody *struct {
		Content map[string]struct{ Schema ref }
	}
	Responses map[string]struct {
		Description string
		Content     map[string]struct{ Schema ref }
	}
}

type ref struct {
	Ref string `json:"$ref"`
}

type schema struct {
	Required             []string
	AdditionalProperties *bool
	Properties           map[string]json.RawMessage
}

func served(t *testing.T) spec {
	t.Helper()
	w := newWorld(t)
	got := w.do(http.MethodGet, "/openapi.json", "", "")
	var s struct {
		spec
		Components struct{ Schemas map[string]schema }
	}
	if err := json.Unmarshal(got.body, &s); err != nil {
		t.Fatalf("%d: %v", got.status, err)
	}
	s.spec.Schemas, s.text = s.Components.Schemas, got.body
	return s.spec
}

// compile compiles one of the document's schemas. The dialect of OpenAPI 3.1 is
// JSON Schema 2020-12; a reference that leads nowhere is an error.
func (s spec) compile(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(s.text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	if err := c.AddResource("openapi.json", doc); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("openapi.json#/components/schemas/" + name)
	if err != nil {
		t.Fatalf("schema %s: %v", name, err)
	}
	return compiled
}

// conforms validates a body as it went out.
func (s spec) conforms(t *testing.T, name string, body []byte) {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	if err := s.compile(t, name).Validate(value); err != nil {
		t.Errorf("a body that is no %s: %v", name, err)
	}
}

func TestSpecIsOpenAPI(t *testing.T) {
	s := served(t)
	if s.OpenAPI != "3.1.0" || s.Info.Title == "" || s.Info.Version == "" {
		t.Errorf("openapi %q, info %+v", s.OpenAPI, s.Info)
	}
	for name := range s.Schemas {
		s.compile(t, name)
	}
	ids := map[string]bool{}
	for path, methods := range s.Paths {
		for method, op := range methods {
			if op.OperationID == "" || ids[op.OperationID] {
				t.Errorf("%s %s: operationId %q is missing or stands twice", method, path, op.OperationID)
			}
			ids[op.OperationID] = true
			var named []string
			for _, p := range op.Parameters {
				if p.In == "path" && p.Required {
					named = append(named, p.Name)
				}
			}
			if d := cmp.Diff(placeholders(path), named); d != "" {
				t.Errorf("%s %s: each part in braces is a required parameter (-want +got):\n%s", method, path, d)
			}
			refs := []ref{}
			if op.RequestBody != nil {
				refs = append(refs, op.RequestBody.Content["application/json"].Schema)
			}
			for status, r := range op.Responses {
				if r.Description == "" {
					t.Errorf("%s %s: response %s has no description", method, path, status)
				}
				refs = append(refs, r.Content["application/json"].Schema)
			}
			for _, r := range refs {
				if _, ok := s.Schemas[strings.TrimPrefix(r.Ref, "#/components/schemas/")]; !ok {
					t.Errorf("%s %s: %q leads nowhere", method, path, r.Ref)
				}
			}
		}
	}
}

func placeholders(path string) []string {
	var out []string
	for part := range strings.SplitSeq(path, "/") {
		if name, ok := strings.CutPrefix(part, "{"); ok {
			out = append(out, strings.TrimSuffix(name, "}"))
		}
	}
	return out
}

// TestSpecHasEveryRoute walks the router: a route without a line in the document
// fails, and so does a line without a route. Probes and metrics are for the
// cluster, not for clients.
func TestSpecHasEveryRoute(t *testing.T) {
	routes, ok := serve.New(serve.Options{Corpora: corpora{}}).(chi.Routes)
	if !ok {
		t.Fatal("the handler is no router to walk")
	}
	want := map[string]bool{}
	err := chi.Walk(routes, func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		if strings.HasPrefix(route, "/v1/") {
			want[method+" "+strings.TrimSuffix(route, "/")] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for path, methods := range served(t).Paths {
		for method := range methods {
			got[strings.ToUpper(method)+" "+path] = true
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-routed +documented):\n%s", d)
	}
	if len(want) < 3 {
		t.Errorf("only %v were walked", want)
	}
}

// TestSpecHasEveryField compares the schemas with the JSON tags of the types
// that they describe.
func TestSpecHasEveryField(t *testing.T) {
	s := served(t)
	for name, of := range map[string]reflect.Type{
		"Request":  reflect.TypeFor[serve.Request](),
		"Response": reflect.TypeFor[serve.Response](),
		"Citation": reflect.TypeFor[rag.Citation](),
		"Cited":    reflect.TypeFor[rag.Cited](),
		"Place":    reflect.TypeFor[rag.Place](),
		"Flag":     reflect.TypeFor[rag.Flag](),
		"Handoffs": reflect.TypeFor[serve.Handed](),
		"Handoff":  reflect.TypeFor[handoff.Handoff](),
		"As":       reflect.TypeFor[handoff.As](),
	} {
		t.Run(name, func(t *testing.T) {
			described := s.Schemas[name]
			fields, optional := tags(of)
			slices.Sort(fields)
			if d := cmp.Diff(fields, slices.Sorted(maps.Keys(described.Properties))); d != "" {
				t.Errorf("(-type +document):\n%s", d)
			}
			for _, r := range described.Required {
				if slices.Contains(optional, r) || !slices.Contains(fields, r) {
					t.Errorf("%q is required, yet may be left out", r)
				}
			}
		})
	}
	if r := s.Schemas["Request"]; r.AdditionalProperties == nil || *r.AdditionalProperties {
		t.Error("the server refuses unknown fields of a request; the document has to say so")
	}
	for _, f := range []string{"answer", "status", "citations", "degraded"} {
		if !slices.Contains(s.Schemas["Response"].Required, f) {
			t.Errorf("an answer always has %s; the document has to say so", f)
		}
	}
}

// tags are the JSON names of a struct's fields, and those that omitempty drops.
func tags(of reflect.Type) (all, optional []string) {
	for f := range of.Fields() {
		tag, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && tag == "" {
			a, o := tags(f.Type)
			all, optional = append(all, a...), append(optional, o...)
			continue
		}
		all = append(all, tag)
		if strings.Contains(options, "omitempty") {
			optional = append(optional, tag)
		}
	}
	return all, optional
}

func TestBodiesConform(t *testing.T) {
	s := served(t)
	w := newWorld(t)
	w.corpora[w.namespace+"/canteen"] = serve.Corpus{Asker: newDesk("system:serviceaccounts"), Revision: 3}
	w.corpora[w.namespace+"/board"] = serve.Corpus{UID: "uid-2", Asker: newDesk("board"), Revision: 3}
	token := w.member("ann", asker, tracer)
	answer := w.ask(token, "canteen", serve.Request{Question: "When?"})
	s.conforms(t, "Response", answer.body)
	refusal := w.ask(token, "board", serve.Request{Question: "When, if it is slow?"})
	s.conforms(t, "Response", refusal.body)
	for corpus, hash := range map[string]string{"canteen": answer.ContextHash, "board": refusal.ContextHash} {
		path := w.path(corpus, "answers/"+hash)
		s.conforms(t, map[string]string{"canteen": "Context", "board": "Error"}[corpus], w.do(http.MethodGet, path, "Bearer "+token, "").body)
		s.conforms(t, map[string]string{"canteen": "Response", "board": "Error"}[corpus], w.do(http.MethodPost, path+"/replay", "Bearer "+token, "").body)
	}
	list := w.do(http.MethodGet, w.path("board", "handoffs"), "Bearer "+token, "")
	s.conforms(t, "Handoffs", list.body)
	handed := w.handed(token, "board", "").Handoffs
	if len(handed) != 1 {
		t.Fatalf("one question was handed to people: %s", list.body)
	}
	s.conforms(t, "Handoff", w.do(http.MethodDelete, w.path("board", "handoffs/"+handed[0].ID), "Bearer "+token, "").body)
	s.conforms(t, "Error", w.do(http.MethodGet, "/v1/nowhere", "", "").body)
	s.conforms(t, "Error", w.do(http.MethodPut, w.path("board", "handoffs"), "", "").body)
	s.conforms(t, "Error", w.ask(token, "canteen", serve.Request{}).body)
	s.conforms(t, "Error", w.ask("nobody's", "canteen", serve.Request{}).body)
}
