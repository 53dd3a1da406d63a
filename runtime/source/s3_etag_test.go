package source

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/source/s3test"
)

// TestS3WithoutETag reads files that were put into the server's folder past it: it
// knows their time alone, which tells a change as well.
func TestS3WithoutETag(t *testing.T) {
	g := serve(t)
	file := filepath.Join(g.Folder(), testBucket, "note.txt")
	put := func(text string, age time.Duration) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(-age)
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
	}
	put("first", time.Hour)
	s, err := OpenS3(S3Options{Endpoint: g.URL().String(), Region: "us-east-1", Bucket: testBucket, PathStyle: true, AccessKey: s3test.Access, SecretKey: s3test.Secret})
	if err != nil {
		t.Fatal(err)
	}
	first, err := List(t.Context(), s, Filter{}, nil)
	if err != nil || len(first.Documents) != 1 || first.Documents[0].Version == "" {
		t.Fatalf("listed %+v, %v", first.Documents, err)
	}
	if data, err := Read(t.Context(), s, first.Documents[0]); string(data) != "first" || err != nil {
		t.Errorf("read %q, %v", data, err)
	}
	put("later", time.Minute)
	if data, err := Read(t.Context(), s, first.Documents[0]); !errors.Is(err, ErrChanged) {
		t.Errorf("another version was read for it: %q, %v", data, err)
	}
	if later, err := List(t.Context(), s, Filter{}, nil); err != nil || later.Revision == first.Revision {
		t.Errorf("the change is not seen: %v", err)
	}
}
