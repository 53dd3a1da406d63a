package cli_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/minio/minio-go/v7"

	"github.com/hardgate-dev/hardgate/runtime/cli"
	"github.com/hardgate-dev/hardgate/runtime/evaluate"
	"github.com/hardgate-dev/hardgate/runtime/source/s3test"
)

// bucket starts a real S3 server and puts a folder into s3://papers/hr/. It
// returns the endpoint.
func bucket(t *testing.T, folder string) string {
	t.Helper()
	server, err := s3test.Start(t.Context(), os.Getenv("VERSITYGW"), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	if err := server.Client.MakeBucket(t.Context(), "papers", minio.MakeBucketOptions{}); err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		key, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		_, err = server.Client.FPutObject(t.Context(), "papers", "hr/"+filepath.ToSlash(key), path, minio.PutObjectOptions{})
		return err
	})
	if err != nil {
		t.Fatalf("upload: %v", err)
	}
	return server.URL().String()
}

func TestDocumentsFromS3(t *testing.T) {
	s := newSample(t)
	endpoint := bucket(t, s.path("documents"))
	eval := func(env map[string]string, where string) result {
		return run(context.WithoutCancel(t.Context()), func(name string) string { return env[name] }, "eval", "-f", s.dir, "-o", "json", "--documents", where)
	}
	keys := map[string]string{"AWS_ENDPOINT_URL": endpoint, "AWS_ACCESS_KEY_ID": s3test.Access, "AWS_SECRET_ACCESS_KEY": s3test.Secret}

	t.Run("same verdict", func(t *testing.T) {
		got, want := scorecard(t, eval(keys, "s3://papers/hr")), scorecard(t, hardgate(t, "eval", "-f", s.dir, "-o", "json"))
		if d := cmp.Diff(want, got,
			cmpopts.IgnoreUnexported(evaluate.QuestionCard{}), cmpopts.EquateApprox(0, 1e-6),
			cmpopts.IgnoreFields(evaluate.Scorecard{}, "TakenAt", "Freeze"), cmpopts.IgnoreFields(evaluate.Inputs{}, "Source"), // the listings' versions differ
			cmpopts.IgnoreTypes(evaluate.Latency{}), cmpopts.IgnoreFields(evaluate.Asked{}, "LatencyMillis"),
		); d != "" {
			t.Errorf("a bucket is read as a folder is (-folder +bucket):\n%s", d)
		}
		if !got.Passed {
			t.Error("the gate stays shut")
		}
	})
	t.Run("the Corpus' endpoint", func(t *testing.T) {
		s.edit("corpus.yaml", "http://minio.storage:9000", endpoint)
		env := map[string]string{"AWS_ACCESS_KEY_ID": s3test.Access, "AWS_SECRET_ACCESS_KEY": s3test.Secret}
		if got := eval(env, "s3://papers/hr/"); got.code != 0 {
			t.Errorf("where AWS_ENDPOINT_URL is not set: exit %d: %s", got.code, got.err)
		}
	})

	cases := map[string]struct {
		reason string
		change map[string]string
		where  string
		code   int
		says   []string
	}{
		"empty prefix":  {"that no object has is no empty corpus", nil, "s3://papers/none", cli.ExitInput, []string{"spec.source.include", "0 objects"}},
		"no bucket":     {"nor is one that does not exist", nil, "s3://nowhere/hr", cli.ExitIncomplete, []string{"nowhere", "bucket"}},
		"wrong key":     {"nor is one that may not be read", map[string]string{"AWS_SECRET_ACCESS_KEY": "wrong"}, "s3://papers/hr", cli.ExitIncomplete, []string{"papers", "keys"}},
		"without a key": {"nobody's may not", map[string]string{"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""}, "s3://papers/hr", cli.ExitIncomplete, []string{"papers"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			env := map[string]string{}
			for _, m := range []map[string]string{keys, c.change} {
				for k, v := range m {
					env[k] = v
				}
			}
			got := eval(env, c.where)
			if got.code != c.code || got.out != "" {
				t.Errorf("%s: exit %d, want %d: %s%s", c.reason, got.code, c.code, got.out, got.err)
			}
			for _, says := range c.says {
				if !strings.Contains(got.err, says) {
					t.Errorf("%s: the message doesn't name %q: %s", c.reason, says, got.err)
				}
			}
			if strings.Contains(got.err, s3test.Secret) {
				t.Errorf("the message has the secret: %s", got.err)
			}
		})
	}
}
