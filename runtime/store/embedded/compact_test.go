package embedded

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/qdrant/go-client/qdrant"
)

// TestCompact: what was deleted is in no file of the folder afterwards, and what was
// not is there after a restart.
func TestCompact(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	c, p := &collectionsService{server: s}, &pointsService{server: s}
	if _, err := c.Create(ctx, &qdrant.CreateCollection{CollectionName: "c", VectorsConfig: qdrant.NewVectorsConfig(&qdrant.VectorParams{Size: 2, Distance: qdrant.Distance_Cosine})}); err != nil {
		t.Fatal(err)
	}
	for id, text := range []string{"a secret of one", "kept by all"} {
		point := &qdrant.PointStruct{Id: qdrant.NewIDNum(uint64(id)), Vectors: qdrant.NewVectorsDense([]float32{1, 0}), Payload: qdrant.NewValueMap(map[string]any{"text": text})}
		if _, err := p.Upsert(ctx, &qdrant.UpsertPoints{CollectionName: "c", Wait: qdrant.PtrOf(true), Points: []*qdrant.PointStruct{point}}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := p.Delete(ctx, &qdrant.DeletePoints{CollectionName: "c", Wait: qdrant.PtrOf(true), Points: qdrant.NewPointsSelector(qdrant.NewIDNum(0))}); err != nil {
		t.Fatal(err)
	}
	if !inFolder(t, dir, "a secret of one") {
		t.Fatal("the log holds what was deleted until it is written anew: the case needs it")
	}
	if err := s.Compact(); err != nil {
		t.Fatal(err)
	}
	if inFolder(t, dir, "a secret of one") || !inFolder(t, dir, "kept by all") {
		t.Error("what was deleted is still in a file, or what was not isn't")
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err = Open(Options{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	n, err := (&pointsService{server: s}).Count(ctx, &qdrant.CountPoints{CollectionName: "c", Exact: qdrant.PtrOf(true)})
	if err != nil || n.GetResult().GetCount() != 1 {
		t.Errorf("after a restart: %v, %v", n, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err = Open(Options{}); err != nil {
		t.Fatal(err)
	}
	if err := s.Compact(); err != nil {
		t.Errorf("in memory: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func inFolder(t *testing.T, dir, text string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(data, []byte(text)) {
			return true
		}
	}
	return false
}
