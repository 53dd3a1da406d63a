package faults

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

const (
	bucketName = "hr-docs"
	keyPrefix  = "hr/"

	// The reader is the Corpus' account; it may do what the bucket's policy says.
	reader       = "reader"
	readerSecret = "secret-of-the-reader"
	root         = "root"
	rootSecret   = "secret-of-the-root"
)

// bucket is an S3 server with one bucket, of which a test may take away whatever
// it likes: the server, the account, the permission.
type bucket struct {
	*testing.T
	binary, dir, address string
	client               *minio.Client // root's
	gateway              *exec.Cmd
}

// newBucket starts versitygw with accounts and a bucket that the reader may read.
func newBucket(t *testing.T) *bucket {
	t.Helper()
	b := &bucket{T: t, binary: os.Getenv("VERSITYGW"), dir: t.TempDir()}
	if _, err := os.Stat(b.binary); err != nil {
		t.Fatalf("VERSITYGW: %v (run `make setup`)", err)
	}
	for _, d := range []string{"data", "accounts"} {
		if err := os.Mkdir(filepath.Join(b.dir, d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b.address = free.Addr().String()
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	b.client, err = minio.New(b.address, &minio.Options{Creds: credentials.NewStaticV4(root, rootSecret, ""), Region: "us-east-1", BucketLookup: minio.BucketLookupPath})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.stop)
	b.start()
	b.account("create-user", "--access", reader, "--secret", readerSecret, "--role", "user")
	if err := b.client.MakeBucket(t.Context(), bucketName, minio.MakeBucketOptions{}); err != nil {
		t.Fatal(err)
	}
	b.allow("s3:ListBucket", "s3:GetObject")
	return b
}

// start starts the server, again on the same address and with what it held, and
// waits until it answers.
func (b *bucket) start() {
	b.Helper()
	log, err := os.OpenFile(b.log(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		b.Fatal(err)
	}
	defer log.Close() // the server has its own handle
	b.gateway = exec.Command(b.binary, "--access", root, "--secret", rootSecret, "--port", b.address, "--region", "us-east-1",
		"--iam-dir", filepath.Join(b.dir, "accounts"), "--iam-cache-disable", "posix", filepath.Join(b.dir, "data"))
	b.gateway.Stdout, b.gateway.Stderr = log, log
	if err := b.gateway.Start(); err != nil {
		b.Fatalf("start versitygw: %v", err)
	}
	eventually(b.T, "the S3 server answers", func() error {
		_, err := b.client.ListBuckets(b.Context())
		return err
	})
}

// stop ends the server, as a crash would.
func (b *bucket) stop() {
	if b.gateway == nil {
		return
	}
	_ = b.gateway.Process.Signal(syscall.SIGKILL) // it may have ended
	_ = b.gateway.Wait()                          // killed: that is its error
	b.gateway = nil
}

// account runs a command of the server's administration.
func (b *bucket) account(args ...string) {
	b.Helper()
	all := append([]string{"admin", "--access", root, "--secret", rootSecret, "--endpoint-url", "http://" + b.address}, args...)
	if out, err := exec.CommandContext(b.Context(), b.binary, all...).CombinedOutput(); err != nil {
		b.Fatalf("versitygw admin %s: %v: %s", args[0], err, out)
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

func (b *bucket) log() string { return filepath.Join(b.dir, "requests.log") }

// listings counts the listings that the server was asked for so far.
func (b *bucket) listings() int {
	b.Helper()
	data, err := os.ReadFile(b.log())
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
	if err := os.Rename(filepath.Join(b.dir, "data", from), filepath.Join(b.dir, "data", to)); err != nil {
		b.Fatal(err)
	}
}
