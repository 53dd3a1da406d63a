package faults

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"

	"github.com/hardgate-dev/hardgate/runtime/source/s3test"
)

const (
	bucketName = "hr-docs"
	keyPrefix  = "hr/"

	// The reader is the Corpus' account; it may do what the bucket's policy says.
	reader       = "reader"
	readerSecret = "secret-of-the-reader"
)

// bucket is an S3 server with one bucket, of which a test may take away whatever
// it likes: the server, the account, the permission.
type bucket struct {
	*testing.T
	server *s3test.Server
	client *minio.Client // root's
}

// newBucket starts a server with accounts and a bucket that the reader may read.
func newBucket(t *testing.T) *bucket {
	t.Helper()
	server, err := s3test.Start(t.Context(), os.Getenv("VERSITYGW"), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	b := &bucket{T: t, server: server, client: server.Client}
	b.account("create-user", "--access", reader, "--secret", readerSecret, "--role", "user")
	if err := b.client.MakeBucket(t.Context(), bucketName, minio.MakeBucketOptions{}); err != nil {
		t.Fatal(err)
	}
	b.allow("s3:ListBucket", "s3:GetObject")
	return b
}

// start starts the server again.
func (b *bucket) start() {
	b.Helper()
	if err := b.server.Resume(b.Context()); err != nil {
		b.Fatal(err)
	}
}

// stop ends the server, as a crash would.
func (b *bucket) stop() { b.server.Stop() }

// account runs a command of the server's administration.
func (b *bucket) account(args ...string) {
	b.Helper()
	if err := b.server.Admin(b.Context(), args...); err != nil {
		b.Fatal(err)
	}
}

// allow lets the reader do these things and no others.
func (b *bucket) allow(actions ...string) {
	b.Helper()
	b.policy(b.statement("Allow", actions, "", "/*"))
}

// forbid lets the reader list everything and read all but one object.
func (b *bucket) forbid(key string) {
	b.Helper()
	b.policy(b.statement("Allow", []string{"s3:ListBucket", "s3:GetObject"}, "", "/*"), b.statement("Deny", []string{"s3:GetObject"}, "/"+keyPrefix+key))
}

func (b *bucket) statement(effect string, actions []string, paths ...string) map[string]any {
	var resources []string
	for _, p := range paths {
		resources = append(resources, "arn:aws:s3:::"+bucketName+p)
	}
	return map[string]any{"Effect": effect, "Principal": map[string]any{"AWS": []string{reader}}, "Action": actions, "Resource": resources}
}

func (b *bucket) policy(statements ...map[string]any) {
	b.Helper()
	text, err := json.Marshal(map[string]any{"Version": "2012-10-17", "Statement": statements})
	if err != nil {
		b.Fatal(err)
	}
	if err := b.client.SetBucketPolicy(b.Context(), bucketName, string(text)); err != nil {
		b.Fatalf("set policy %s: %v", text, err)
	}
}

// put puts an object below the prefix.
func (b *bucket) put(key string, data []byte) {
	b.Helper()
	if _, err := b.client.PutObject(b.Context(), bucketName, keyPrefix+key, bytes.NewReader(data), int64(len(data)), minio.PutObjectOptions{}); err != nil {
		b.Fatalf("put %s: %v", key, err)
	}
}

// putFile puts a file's content.
func (b *bucket) putFile(key, path string) {
	b.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	b.put(key, data)
}

// remove removes an object below the prefix.
func (b *bucket) remove(key string) {
	b.Helper()
	if err := b.client.RemoveObject(b.Context(), bucketName, keyPrefix+key, minio.RemoveObjectOptions{}); err != nil {
		b.Fatalf("remove %s: %v", key, err)
	}
}

// upload puts every file below a directory, key for key.
func (b *bucket) upload(dir string) {
	b.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		key, err := filepath.Rel(dir, path)
		b.putFile(filepath.ToSlash(key), path)
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
}

// listings counts the listings that the server was asked for so far.
func (b *bucket) listings() int {
	b.Helper()
	data, err := os.ReadFile(b.server.Log())
	if err != nil {
		b.Fatal(err)
	}
	return bytes.Count(data, []byte("list-type=2"))
}

// patience is how long something may take to come true: long, because it only
// costs when a test fails.
const patience = 90 * time.Second

// eventually polls until f returns nil.
func eventually(t *testing.T, what string, f func() error) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for {
		err := f()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within %s: %v", what, patience, err)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// move renames a bucket's folder while the server is down.
func (b *bucket) move(from, to string) {
	b.Helper()
	if err := os.Rename(filepath.Join(b.server.Folder(), from), filepath.Join(b.server.Folder(), to)); err != nil {
		b.Fatal(err)
	}
}
