package store

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/qdrant/go-client/qdrant"
)

func TestEnsure(t *testing.T) {
	c := ensured(t)
	state, drift, err := c.Inspect(t.Context(), "c", schema())
	if err != nil {
		t.Fatal(err)
	}
	if !state.Exists || len(state.Indexes) != len(schema().Indexes) || len(drift) != 0 {
		t.Errorf("fresh collection: state %+v, drift %+v", state, drift)
	}
	if err := c.Ensure(t.Context(), "c", schema()); err != nil {
		t.Errorf("a second time: %v", err)
	}
	var foreign *ForeignError
	other := schema()
	other.Owner = "you"
	if err := c.Ensure(t.Context(), "c", other); !errors.As(err, &foreign) || foreign.Owner != "me" {
		t.Errorf("another owner's collection: %v", err)
	}
	if err := c.DropCollection(t.Context(), "c", "you"); !errors.As(err, &foreign) {
		t.Errorf("drop another owner's collection: %v", err)
	}
	if err := c.DropCollection(t.Context(), "c", "me"); err != nil {
		t.Error(err)
	}
	if err := c.DropCollection(t.Context(), "c", "me"); err != nil {
		t.Errorf("drop what is dropped: %v", err)
	}
	if state, _, err := c.Inspect(t.Context(), "c", schema()); err != nil || state.Exists {
		t.Errorf("dropped: %+v, %v", state, err)
	}
}

// TestDrift changes a collection behind the client's back, and has it reported and
// repaired.
func TestDrift(t *testing.T) {
	raw := func(t *testing.T, c *Client, field string, kind qdrant.FieldType, params *qdrant.PayloadIndexParams) {
		t.Helper()
		if _, err := c.points.CreateFieldIndex(t.Context(), &qdrant.CreateFieldIndexCollection{CollectionName: "c", Wait: qdrant.PtrOf(true), FieldName: field, FieldType: &kind, FieldIndexParams: params}); err != nil {
			t.Fatal(err)
		}
	}
	update := func(t *testing.T, c *Client, u *qdrant.UpdateCollection) {
		t.Helper()
		u.CollectionName = "c"
		if _, err := c.collections.Update(t.Context(), u); err != nil {
			t.Fatal(err)
		}
	}
	tests := map[string]struct {
		reason string
		change func(*testing.T, *Client)
		want   Drift
	}{
		"missing index": {
			reason: "an index was dropped",
			change: func(t *testing.T, c *Client) {
				if _, err := c.points.DeleteFieldIndex(t.Context(), &qdrant.DeleteFieldIndexCollection{CollectionName: "c", Wait: qdrant.PtrOf(true), FieldName: "customer"}); err != nil {
					t.Fatal(err)
				}
			},
			want: Drift{Kind: MissingIndex, Field: "customer", Want: "Keyword"},
		},
		"wrong type": {
			reason: "a keyword index became one of integers",
			change: func(t *testing.T, c *Client) { raw(t, c, "customer", qdrant.FieldType_FieldTypeInteger, nil) },
			want:   Drift{Kind: WrongIndexType, Field: "customer", Want: "Keyword", Have: "Integer"},
		},
		"half an index": {
			reason: "an integer index that serves no ranges cannot select a revision",
			change: func(t *testing.T, c *Client) {
				raw(t, c, "hardgate.from", qdrant.FieldType_FieldTypeInteger, qdrant.NewPayloadIndexParamsInt(&qdrant.IntegerIndexParams{Lookup: qdrant.PtrOf(true), Range: qdrant.PtrOf(false)}))
			},
			want: Drift{Kind: WrongIndexType, Field: "hardgate.from", Want: "Integer", Have: "Integer without look-up or without range"},
		},
		"tenant": {
			reason: "the tenant flag was lost",
			change: func(t *testing.T, c *Client) {
				raw(t, c, "hardgate.corpus", qdrant.FieldType_FieldTypeKeyword, nil)
			},
			want: Drift{Kind: TenantFlag, Field: "hardgate.corpus", Want: "true", Have: "false"},
		},
		"extra index": {
			reason: "somebody made an index of their own",
			change: func(t *testing.T, c *Client) { raw(t, c, "mine", qdrant.FieldType_FieldTypeBool, nil) },
			want:   Drift{Kind: ExtraIndex, Field: "mine", Have: "Bool"},
		},
		"strict mode": {
			reason: "strict mode was switched off",
			change: func(t *testing.T, c *Client) {
				update(t, c, &qdrant.UpdateCollection{StrictModeConfig: &qdrant.StrictModeConfig{Enabled: qdrant.PtrOf(false)}})
			},
			want: Drift{Kind: StrictMode, Field: "strict", Want: "true", Have: "false"},
		},
		"half of strict mode": {
			reason: "unindexed writes were allowed",
			change: func(t *testing.T, c *Client) {
				update(t, c, &qdrant.UpdateCollection{StrictModeConfig: &qdrant.StrictModeConfig{UnindexedFilteringUpdate: qdrant.PtrOf(true)}})
			},
			want: Drift{Kind: StrictMode, Field: "strict", Want: "true", Have: "false"},
		},
		"quantization": {
			reason: "vectors were quantized",
			change: func(t *testing.T, c *Client) {
				update(t, c, &qdrant.UpdateCollection{VectorsConfig: qdrant.NewVectorsConfigDiffMap(map[string]*qdrant.VectorParamsDiff{
					DenseVector: {QuantizationConfig: qdrant.NewQuantizationDiffBinary(&qdrant.BinaryQuantization{})},
				})})
			},
			want: Drift{Kind: Quantization, Field: "quantization", Want: "None", Have: "Binary"},
		},
		"on disk": {
			reason: "vectors were moved to the disk",
			change: func(t *testing.T, c *Client) {
				update(t, c, &qdrant.UpdateCollection{VectorsConfig: qdrant.NewVectorsConfigDiffMap(map[string]*qdrant.VectorParamsDiff{DenseVector: {OnDisk: qdrant.PtrOf(true)}})})
			},
			want: Drift{Kind: OnDisk, Field: "onDisk", Want: "false", Have: "true"},
		},
		"modifier": {
			reason: "the sparse vector lost its weighting",
			change: func(t *testing.T, c *Client) {
				update(t, c, &qdrant.UpdateCollection{SparseVectorsConfig: qdrant.NewSparseVectorsConfig(map[string]*qdrant.SparseVectorParams{SparseVector: {Modifier: qdrant.Modifier_None.Enum()}})})
			},
			want: Drift{Kind: Modifier, Field: SparseVector, Want: "Idf", Have: "None"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			c := ensured(t)
			test.change(t, c)
			_, drift, err := c.Inspect(t.Context(), "c", schema())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]Drift{test.want}, drift); diff != "" {
				t.Fatalf("%s (-want +got):\n%s", test.reason, diff)
			}
			if err := c.Repair(t.Context(), "c", schema(), drift); err != nil {
				t.Fatal(err)
			}
			if _, drift, err = c.Inspect(t.Context(), "c", schema()); err != nil || len(drift) > 0 {
				t.Errorf("%s: after the repair: %+v, %v", test.reason, drift, err)
			}
		})
	}
}

func TestImmutableDrift(t *testing.T) {
	c := ensured(t)
	larger := schema()
	larger.Size = 4
	_, drift, err := c.Inspect(t.Context(), "c", larger)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Drift{{Kind: Immutable, Field: "size", Want: "4", Have: "3"}}, drift); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
	var immutable *ImmutableError
	if err := c.Repair(t.Context(), "c", larger, drift); !errors.As(err, &immutable) {
		t.Errorf("repair of the size: %v", err)
	}
}

func TestAlias(t *testing.T) {
	c := ensured(t)
	other := schema()
	if err := c.Ensure(t.Context(), "d", other); err != nil {
		t.Fatal(err)
	}
	for _, target := range []string{"c", "d", "d"} {
		if err := c.SetAlias(t.Context(), "live", target); err != nil {
			t.Fatal(err)
		}
		if got, err := c.AliasTarget(t.Context(), "live"); err != nil || got != target {
			t.Errorf("alias leads to %q, %v; want %q", got, err, target)
		}
	}
	if err := c.SetAlias(t.Context(), "live", "nowhere"); !IsNotFound(err) {
		t.Errorf("alias of a missing collection: %v", err)
	}
	if got, err := c.AliasTarget(t.Context(), "live"); err != nil || got != "d" {
		t.Errorf("after the failed move it leads to %q, %v", got, err)
	}
	for range 2 {
		if err := c.DeleteAlias(t.Context(), "live"); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := c.AliasTarget(t.Context(), "live"); err != nil || got != "" {
		t.Errorf("deleted alias leads to %q, %v", got, err)
	}
}
