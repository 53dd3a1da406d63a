package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/backup"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// keeper is how backup and restore reach the manager, which has the store.
type keeper struct {
	reach  reach
	bucket bucketFlags
}

func (k *keeper) bind(c *cobra.Command) {
	k.reach.bind(c.Flags())
	k.bucket.bind(c)
}

// backupCommand writes an archive of a Collection.
func backupCommand(t *target, out io.Writer) *cobra.Command {
	var k keeper
	var to string
	c := &cobra.Command{
		Use: "backup COLLECTION --to FILE|s3://BUCKET/KEY", Short: "Write a Collection to a portable archive: points, vectors, payload, revisions, verdicts", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if settings.Blank(to) {
				return errors.New("--to is missing: name a file, or s3://bucket/key")
			}
			s, err := k.open(cmd.Context(), t, args[0])
			if err != nil {
				return err
			}
			defer s.close()
			body, err := s.ask(cmd.Context(), http.MethodGet, "backup", nil)
			if err != nil {
				return err
			}
			defer body.Close()
			kept := newChecked(body)
			if err := s.write(cmd.Context(), to, kept); err != nil {
				return fmt.Errorf("nothing was written to %s: %w", to, err)
			}
			_, err = fmt.Fprintf(out, "%s: collection %s/%s with %d points, %d bytes; read back and whole. Documents that are erased from now on stay in it\n",
				to, s.namespace, args[0], kept.points, kept.bytes)
			return err
		},
	}
	c.Flags().StringVar(&to, "to", "", "file, or s3://bucket/key (required)")
	k.bind(c)
	return c
}

// restoreCommand reads an archive into a Collection.
func restoreCommand(t *target, out io.Writer) *cobra.Command {
	var k keeper
	var from string
	c := &cobra.Command{
		Use: "restore COLLECTION --from FILE|s3://BUCKET/KEY", Short: "Read an archive into a Collection whose Corpora are suspended and new", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if settings.Blank(from) {
				return errors.New("--from is missing: name a file, or s3://bucket/key")
			}
			s, err := k.open(cmd.Context(), t, args[0])
			if err != nil {
				return err
			}
			defer s.close()
			in, err := s.read(cmd.Context(), from)
			if err != nil {
				return err
			}
			defer in.Close()
			body, err := s.ask(cmd.Context(), http.MethodPost, "restore", in)
			if err != nil {
				return err
			}
			defer body.Close()
			var done backup.Restored
			if err := json.NewDecoder(body).Decode(&done); err != nil {
				return fmt.Errorf("read the answer: %w", err)
			}
			for _, c := range done.Corpora {
				if _, err := fmt.Fprintf(out, "corpus %s/%s serves revision %d of %s: %d documents, %d chunks (%d points of erased documents left out); set spec.suspend to false\n",
					s.namespace, c.Name, c.Revision, done.TakenAt.UTC().Format("2006-01-02 15:04:05"), c.Documents, c.Chunks, c.Withheld); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().StringVar(&from, "from", "", "file, or s3://bucket/key (required)")
	k.bind(c)
	return c
}

// session is an open way to the manager.
type session struct {
	wire       wire
	close      func()
	namespace  string
	collection string
	cluster    client.Client
	bucket     bucketFlags
}

// open finds the manager, by the status.endpoint of a Corpus of the Collection where
// no flag names it. Of several replicas any will do.
func (k *keeper) open(ctx context.Context, t *target, collection string) (*session, error) {
	c, namespace, err := t.connect()
	if err != nil {
		return nil, err
	}
	wires, err := k.reach.open(ctx, t, func() (string, error) { return published(ctx, c, namespace, collection) })
	if err != nil {
		return nil, err
	}
	if len(wires) == 0 {
		return nil, errors.New("no manager serves: see the pods of its Deployment")
	}
	closing := func() {
		for _, w := range wires {
			w.close()
		}
	}
	return &session{wire: wires[0], close: closing, namespace: namespace, collection: collection, cluster: c, bucket: k.bucket}, nil
}

// published is where the Corpora of a Collection say that the manager answers.
func published(ctx context.Context, c client.Client, namespace, collection string) (string, error) {
	var all v1alpha1.CorpusList
	if err := c.List(ctx, &all, client.InNamespace(namespace)); err != nil {
		return "", fmt.Errorf("list Corpora: %w", err)
	}
	err := fmt.Errorf("no Corpus in namespace %q refers to Collection %q, and Corpora say by status.endpoint where the manager is: apply them first (for a restore with spec.suspend: true), or name its base URL by --endpoint", namespace, collection)
	for i := range all.Items {
		if string(all.Items[i].Spec.CollectionRef.Name) != collection {
			continue
		}
		var base string
		if base, err = endpointOf(&all.Items[i]); err == nil {
			return base, nil
		}
	}
	return "", err
}

// ask sends a request about the Collection and returns the body of a success.
func (s *session) ask(ctx context.Context, method, what string, body io.Reader) (io.ReadCloser, error) {
	kind := ""
	if body != nil {
		kind = backup.MediaType
	}
	return s.wire.ask(ctx, method, fmt.Sprintf("/v1/collections/%s/%s/%s", s.namespace, s.collection, what), kind, body)
}

// write keeps an archive in a file or bucket. Neither has anything of that name
// unless all of the archive came.
func (s *session) write(ctx context.Context, to string, in io.Reader) error {
	if strings.HasPrefix(to, s3Scheme) {
		return s.upload(ctx, to, in)
	}
	part := to + ".part"
	f, err := os.OpenFile(part, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, in)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(part))
	}
	return os.Rename(part, to)
}

func (s *session) read(ctx context.Context, from string) (io.ReadCloser, error) {
	if strings.HasPrefix(from, s3Scheme) {
		return s.download(ctx, from)
	}
	return os.Open(from)
}
