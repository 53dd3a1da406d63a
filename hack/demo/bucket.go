package demo

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// bucket is the S3 server with the payroll documents.
type bucket struct {
	endpoint, access, secret string
}

const (
	bucketName = "hr-docs"
	keyPrefix  = "hr/"
)

// startBucket starts versitygw over a folder and uploads the documents by S3.
func (s *stage) startBucket(ctx context.Context) error {
	s.title("A real S3 server with the payroll PDFs")
	address, err := port()
	if err != nil {
		return err
	}
	b := &bucket{endpoint: "http://" + address, access: "demo", secret: "demo-secret-of-this-machine"}
	data := filepath.Join(s.dir, "s3")
	if err := os.MkdirAll(data, 0o700); err != nil {
		return err
	}
	if _, err := s.launch("versitygw", s.VersityGW, nil, "--access", b.access, "--secret", b.secret, "--port", address, "--region", "us-east-1", "posix", data); err != nil {
		return err
	}
	c, err := minio.New(address, &minio.Options{Creds: credentials.NewStaticV4(b.access, b.secret, ""), Region: "us-east-1", BucketLookup: minio.BucketLookupPath})
	if err != nil {
		return err
	}
	if err := eventually(ctx, func() error { return c.MakeBucket(ctx, bucketName, minio.MakeBucketOptions{}) }); err != nil {
		return fmt.Errorf("make bucket: %w", err)
	}
	n := 0
	dir := s.sample("documents")
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		key, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		n++
		_, err = c.FPutObject(ctx, bucketName, keyPrefix+filepath.ToSlash(key), path, minio.PutObjectOptions{})
		return err
	})
	if err != nil {
		return fmt.Errorf("upload documents: %w", err)
	}
	s.s3 = b
	s.say("versitygw at %s; %d objects put into s3://%s/%s", b.endpoint, n, bucketName, keyPrefix)
	return nil
}

// eventually repeats fn until it succeeds or a server has had its time to start.
func eventually(ctx context.Context, fn func() error) error {
	deadline := time.Now().Add(20 * time.Second)
	for {
		err := fn()
		if err == nil || time.Now().After(deadline) || ctx.Err() != nil {
			return err
		}
		time.Sleep(100 * time.Millisecond)
	}
}
