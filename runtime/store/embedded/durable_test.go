package embedded

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/protobuf/encoding/protojson"
)

// childDir tells the test binary that it is the child which writes until it is killed.
const childDir = "HARDGATE_STORE_CHILD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childDir); dir != "" {
		if err := writeForever(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

// writeForever upserts points 0, 1, 2, … one by one and prints each id once it is
// acknowledged.
func writeForever(dir string) error {
	s, err := Open(Options{Dir: dir, MaxLog: 64 << 10})
	if err != nil {
		return err
	}
	p := &pointsService{server: s}
	for id := uint64(0); ; id++ {
		_, err := p.Upsert(context.Background(), &qdrant.UpsertPoints{CollectionName: "c", Wait: qdrant.PtrOf(true), Points: []*qdrant.PointStruct{numbered(id)}})
		if err != nil {
			return err
		}
		fmt.Println(id)
	}
}

func numbered(id uint64) *qdrant.PointStruct {
	return &qdrant.PointStruct{
		Id: qdrant.NewIDNum(id),
		Vectors: qdrant.NewVectorsMap(map[string]*qdrant.Vector{
			"dense":  qdrant.NewVectorDense([]float32{float32(id), 1, 2, 3}),
			"sparse": qdrant.NewVectorSparse([]uint32{uint32(id % 7), 100}, []float32{1, 2}),
		}),
		Payload: qdrant.NewValueMap(map[string]any{"n": int64(id), "pad": strings.Repeat("x", 200)}),
	}
}

func open(t *testing.T, options Options) *Server {
	t.Helper()
	s, err := Open(options)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func shut(t *testing.T, s *Server) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func makeCollection(t *testing.T, s *Server, name string) {
	t.Helper()
	_, err := (&collectionsService{server: s}).Create(t.Context(), &qdrant.CreateCollection{
		CollectionName:      name,
		VectorsConfig:       qdrant.NewVectorsConfigMap(map[string]*qdrant.VectorParams{"dense": {Size: 4, Distance: qdrant.Distance_Cosine}}),
		SparseVectorsConfig: qdrant.NewSparseVectorsConfig(map[string]*qdrant.SparseVectorParams{"sparse": {Modifier: qdrant.Modifier_Idf.Enum()}}),
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestKilled kills a writing process again and again: whatever it was told is
// stored must be there, and nothing else.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	s := open(t, Options{Dir: dir})
	makeCollection(t, s, "c")
	shut(t, s)
	for round := range 8 {
		acknowledged := killChild(t, dir, time.Duration(50+37*round)*time.Millisecond)
		s := open(t, Options{Dir: dir})
		n := uint64(len(s.collections["c"].slotOf))
		if n < acknowledged || n > acknowledged+1 {
			t.Fatalf("round %d: %d points are stored, %d were acknowledged", round, n, acknowledged)
		}
		for id := range n {
			if _, ok := s.collections["c"].slotOf[pointID{lo: id}]; !ok {
				t.Fatalf("round %d: point %d is missing", round, id)
			}
		}
		if _, err := (&pointsService{server: s}).Delete(t.Context(), &qdrant.DeletePoints{
			CollectionName: "c", Wait: qdrant.PtrOf(true), Points: qdrant.NewPointsSelectorFilter(&qdrant.Filter{}),
		}); err != nil {
			t.Fatal(err)
		}
		shut(t, s)
	}
}

// killChild lets a child write for a while, kills it, and returns how many points
// it had been told are stored.
func killChild(t *testing.T, dir string, after time.Duration) uint64 {
	t.Helper()
	child := exec.CommandContext(t.Context(), os.Args[0])
	child.Env = append(os.Environ(), childDir+"="+dir)
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	var acknowledged uint64
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		id, err := strconv.ParseUint(lines.Text(), 10, 64)
		if err != nil {
			break // cut off by the kill
		}
		if acknowledged == 0 {
			time.AfterFunc(after, func() { _ = child.Process.Kill() })
		}
		acknowledged = id + 1
	}
	if err := child.Wait(); err == nil {
		t.Fatal("the child ended by itself")
	}
	if acknowledged == 0 {
		t.Fatal("the child wrote nothing")
	}
	return acknowledged
}

// TestRestart makes one of every change, with and without snapshots, and compares
// the whole state after a restart.
func TestRestart(t *testing.T) {
	for name, maxLog := range map[string]int64{"log only": 1 << 30, "a snapshot after every change": 1} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := open(t, Options{Dir: dir, MaxLog: maxLog, Warn: func(err error) { t.Error(err) }})
			changes(t, s)
			want := dump(s)
			shut(t, s)
			s = open(t, Options{Dir: dir})
			if diff := cmp.Diff(want, dump(s)); diff != "" {
				t.Errorf("after a restart (-before +after):\n%s", diff)
			}
			if err := s.snapshot(); err != nil {
				t.Fatal(err)
			}
			shut(t, s)
			s = open(t, Options{Dir: dir})
			if diff := cmp.Diff(want, dump(s)); diff != "" {
				t.Errorf("after a snapshot and a restart (-before +after):\n%s", diff)
			}
			shut(t, s)
		})
	}
}

// changes makes one of every kind of change.
func changes(t *testing.T, s *Server) {
	t.Helper()
	makeCollection(t, s, "c")
	makeCollection(t, s, "dropped")
	c, p := &collectionsService{server: s}, &pointsService{server: s}
	ctx, wait := t.Context(), qdrant.PtrOf(true)
	var points []*qdrant.PointStruct
	for id := range uint64(600) {
		points = append(points, numbered(id))
	}
	ids := func(list ...uint64) *qdrant.PointsSelector {
		var out []*qdrant.PointId
		for _, id := range list {
			out = append(out, qdrant.NewIDNum(id))
		}
		return qdrant.NewPointsSelectorIDs(out)
	}
	calls := []func() (any, error){
		func() (any, error) {
			return p.CreateFieldIndex(ctx, &qdrant.CreateFieldIndexCollection{CollectionName: "c", Wait: wait, FieldName: "n", FieldType: qdrant.FieldType_FieldTypeInteger.Enum()})
		},
		func() (any, error) {
			return p.CreateFieldIndex(ctx, &qdrant.CreateFieldIndexCollection{CollectionName: "c", Wait: wait, FieldName: "gone", FieldType: qdrant.FieldType_FieldTypeKeyword.Enum()})
		},
		func() (any, error) {
			return p.Upsert(ctx, &qdrant.UpsertPoints{CollectionName: "c", Wait: wait, Points: points})
		},
		func() (any, error) {
			return p.SetPayload(ctx, &qdrant.SetPayloadPoints{CollectionName: "c", Wait: wait, PointsSelector: ids(1, 2), Payload: qdrant.NewValueMap(map[string]any{"x": 1}), Key: qdrant.PtrOf("a.b")})
		},
		func() (any, error) {
			return p.OverwritePayload(ctx, &qdrant.SetPayloadPoints{CollectionName: "c", Wait: wait, PointsSelector: ids(3), Payload: qdrant.NewValueMap(map[string]any{"x": 1})})
		},
		func() (any, error) {
			return p.DeletePayload(ctx, &qdrant.DeletePayloadPoints{CollectionName: "c", Wait: wait, PointsSelector: ids(4), Keys: []string{"n"}})
		},
		func() (any, error) {
			return p.ClearPayload(ctx, &qdrant.ClearPayloadPoints{CollectionName: "c", Wait: wait, Points: ids(5)})
		},
		func() (any, error) {
			return p.DeleteVectors(ctx, &qdrant.DeletePointVectors{CollectionName: "c", Wait: wait, PointsSelector: ids(6), Vectors: &qdrant.VectorsSelector{Names: []string{"dense"}}})
		},
		func() (any, error) {
			return p.UpdateVectors(ctx, &qdrant.UpdatePointVectors{CollectionName: "c", Wait: wait, Points: []*qdrant.PointVectors{{
				Id: qdrant.NewIDNum(7), Vectors: qdrant.NewVectorsMap(map[string]*qdrant.Vector{"dense": qdrant.NewVectorDense([]float32{3, 1, 4, 1})}),
			}}})
		},
		func() (any, error) {
			return p.Delete(ctx, &qdrant.DeletePoints{CollectionName: "c", Wait: wait, Points: qdrant.NewPointsSelectorFilter(&qdrant.Filter{
				Must: []*qdrant.Condition{qdrant.NewRange("n", &qdrant.Range{Gte: qdrant.PtrOf(500.0)})},
			})})
		},
		func() (any, error) {
			return p.DeleteFieldIndex(ctx, &qdrant.DeleteFieldIndexCollection{CollectionName: "c", Wait: wait, FieldName: "gone"})
		},
		func() (any, error) {
			return c.Update(ctx, &qdrant.UpdateCollection{CollectionName: "c", StrictModeConfig: &qdrant.StrictModeConfig{Enabled: qdrant.PtrOf(true)}})
		},
		func() (any, error) {
			return c.UpdateAliases(ctx, &qdrant.ChangeAliases{Actions: []*qdrant.AliasOperations{
				{Action: &qdrant.AliasOperations_CreateAlias{CreateAlias: &qdrant.CreateAlias{CollectionName: "c", AliasName: "kept"}}},
				{Action: &qdrant.AliasOperations_CreateAlias{CreateAlias: &qdrant.CreateAlias{CollectionName: "c", AliasName: "deleted"}}},
				{Action: &qdrant.AliasOperations_DeleteAlias{DeleteAlias: &qdrant.DeleteAlias{AliasName: "deleted"}}},
			}})
		},
		func() (any, error) { return c.Delete(ctx, &qdrant.DeleteCollection{CollectionName: "dropped"}) },
	}
	for i, call := range calls {
		if _, err := call(); err != nil {
			t.Fatalf("change %d: %v", i, err)
		}
	}
}

// dump is everything that a server holds, as text.
func dump(s *Server) map[string]string {
	s.writing.Lock()
	defer s.writing.Unlock()
	out := map[string]string{}
	for alias, target := range s.aliases {
		out["alias "+alias] = target
	}
	for name, c := range s.collections {
		out["collection "+name] = protojson.Format(c.info())
		for id, slot := range c.slotOf {
			out[fmt.Sprintf("point %s %s", name, id)] = protojson.Format(c.stored(slot))
		}
		for term, list := range c.sparse["sparse"].lists {
			out[fmt.Sprintf("term %s %d", name, term)] = strconv.Itoa(list.live)
		}
	}
	return out
}

// TestTorn cuts and spoils the files of a store in every way, and looks at what
// opening it says.
func TestTorn(t *testing.T) {
	last := func(data []byte) []byte { return data[len(data)-40:] }
	tests := map[string]struct {
		reason  string
		spoil   func(dir string) error
		points  int // found afterwards
		problem Problem
	}{
		"torn tail": {
			reason: "a record that was cut off in the middle was never acknowledged",
			spoil:  edit("log-1", func(data []byte) []byte { return append(data, last(data)[:17]...) }),
			points: 3,
		},
		"torn header and garbage": {
			reason: "whatever stands behind the last whole record was never acknowledged",
			spoil:  edit("log-1", func(data []byte) []byte { return append(data, "HLG1 and some garbage that is no record at all"...) }),
			points: 3,
		},
		"half of the last record": {
			reason: "the last record has no later one to tell that it was acknowledged: it counts as torn",
			spoil:  edit("log-1", func(data []byte) []byte { return data[:len(data)-5] }),
			points: 2,
		},
		"damage in the middle": {
			reason:  "a later record tells that this part was on disk",
			spoil:   edit("log-1", func(data []byte) []byte { data[len(data)/3] ^= 1; return data }),
			problem: Damaged,
		},
		"log lost":        {reason: "changes are missing", spoil: func(dir string) error { return os.Remove(filepath.Join(dir, "log-1")) }, problem: Damaged},
		"snapshot lost":   {reason: "the state is missing", spoil: func(dir string) error { return os.Remove(filepath.Join(dir, "snapshot-1")) }, problem: Damaged},
		"snapshot spoilt": {reason: "its end is missing", spoil: edit("snapshot-1", func(data []byte) []byte { return data[:len(data)-1] }), problem: Damaged},
		"mark lost":       {reason: "a folder that holds a log with changes but no mark is not known to be ours", spoil: func(dir string) error { return os.Remove(filepath.Join(dir, markName)) }, problem: Foreign},
		"another's mark":  {reason: "another format", spoil: edit(markName, func([]byte) []byte { return []byte("something else") }), problem: Foreign},
		"files lost": {reason: "the mark alone says that there was something", spoil: func(dir string) error {
			return errors.Join(os.Remove(filepath.Join(dir, "log-1")), os.Remove(filepath.Join(dir, "snapshot-1")))
		}, problem: Damaged},
		"unfinished switch": {reason: "a snapshot that was not renamed does not count", spoil: func(dir string) error {
			return errors.Join(os.WriteFile(filepath.Join(dir, newName), []byte("half"), 0o600), os.WriteFile(filepath.Join(dir, "log-2"), nil, 0o600))
		}, points: 3},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := open(t, Options{Dir: dir})
			makeCollection(t, s, "c")
			for id := range uint64(3) {
				if _, err := (&pointsService{server: s}).Upsert(t.Context(), &qdrant.UpsertPoints{CollectionName: "c", Wait: qdrant.PtrOf(true), Points: []*qdrant.PointStruct{numbered(id)}}); err != nil {
					t.Fatal(err)
				}
			}
			shut(t, s)
			if err := test.spoil(dir); err != nil {
				t.Fatal(err)
			}
			s, err := Open(Options{Dir: dir})
			var folder *FolderError
			if errors.As(err, &folder) && folder.Problem == test.problem {
				return
			}
			if err != nil || test.problem != "" {
				t.Fatalf("%s: want %q, got %v", test.reason, test.problem, err)
			}
			if got := len(s.collections["c"].slotOf); got != test.points {
				t.Errorf("%s: %d points, want %d", test.reason, got, test.points)
			}
			shut(t, s)
		})
	}
}

func edit(name string, change func([]byte) []byte) func(string) error {
	return func(dir string) error {
		path := filepath.Join(dir, name)
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(path, change(data), 0o600)
	}
}

func TestFolder(t *testing.T) {
	t.Run("a folder of something else is refused", func(t *testing.T) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "photo.jpg"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		var folder *FolderError
		if _, err := Open(Options{Dir: dir}); !errors.As(err, &folder) || folder.Problem != Foreign {
			t.Errorf("want %s, got %v", Foreign, err)
		}
	})
	t.Run("a folder that is open is refused", func(t *testing.T) {
		dir := t.TempDir()
		s := open(t, Options{Dir: dir})
		var folder *FolderError
		if _, err := Open(Options{Dir: dir}); !errors.As(err, &folder) || folder.Problem != InUse {
			t.Errorf("want %s, got %v", InUse, err)
		}
		shut(t, s)
		shut(t, open(t, Options{Dir: dir}))
	})
	t.Run("a volume's lost+found is no content", func(t *testing.T) {
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, "lost+found"), 0o700); err != nil {
			t.Fatal(err)
		}
		shut(t, open(t, Options{Dir: dir}))
	})
	t.Run("an interrupted first start is started again", func(t *testing.T) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "log-1"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		shut(t, open(t, Options{Dir: dir}))
	})
}
