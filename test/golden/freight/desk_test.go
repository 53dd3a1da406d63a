// Package freight holds the freight desk of config/samples to its sections: what
// is stored of its fourteen PDFs are the clauses that people wrote, by name.
// Everything runs on the real parts: the committed PDFs, the encoder and the
// embedded store.
package freight

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/hardgate-dev/hardgate/runtime/assembly"
	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/settings"
	"github.com/hardgate-dev/hardgate/runtime/source"
	"github.com/hardgate-dev/hardgate/runtime/store"
	"github.com/hardgate-dev/hardgate/runtime/store/embedded"
)

const sample = "../../../config/samples/freight"

// desk is the corpus as revision 1 of its collection, by document.
type desk struct {
	settings settings.Corpus
	chunks   map[string][]rag.Hit // in document order
	failed   int
}

// shared is ingested once: no test changes it.
var shared = sync.OnceValues(open)

func theDesk(t *testing.T) *desk {
	t.Helper()
	d, err := shared()
	if err != nil {
		t.Fatalf("open the freight desk (run `make setup`): %v", err)
	}
	return d
}

func open() (*desk, error) {
	runtime, err := assembly.Open(assembly.Options{
		ModelDir: settings.ModelDir(os.Getenv),
		CacheDir: settings.EngineDir(os.Getenv), Version: "test",
	})
	if err != nil {
		return nil, err
	}
	defer func() { _ = runtime.Close() }()
	server, err := embedded.Open(embedded.Options{})
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	client, err := store.Connect(ctx, store.Config{Embedded: server})
	if err != nil {
		return nil, err
	}
	return ingest(ctx, runtime, client)
}

// ingest makes the sample's documents revision 1 and reads back what is stored.
func ingest(ctx context.Context, runtime *assembly.Runtime, client *store.Client) (*desk, error) {
	all, err := settings.ReadFiles(sample)
	if err != nil {
		return nil, err
	}
	d := &desk{chunks: map[string][]rag.Hit{}}
	if d.settings, err = settings.DecodeCorpus(find(all, "Corpus").Spec); err != nil {
		return nil, err
	}
	c, err := settings.DecodeCollection(find(all, "Collection").Spec)
	if err != nil {
		return nil, err
	}
	physical, err := assembly.Physical("test", "freight", "freight", c, runtime.Model())
	if err != nil {
		return nil, err
	}
	if err := client.Ensure(ctx, physical, assembly.Schema(c, "test")); err != nil {
		return nil, err
	}
	place := assembly.Place{Store: client, Collection: physical, Corpus: "freight-desk"}
	folder := source.Dir{Path: filepath.Join(sample, "documents")}
	in, err := runtime.Ingester(ctx, place, folder, d.settings, assembly.Terms{})
	if err != nil {
		return nil, err
	}
	manifests, err := in.Manifests()
	if err != nil {
		return nil, err
	}
	listing, err := source.List(ctx, folder, assembly.Filter(d.settings.Source), manifests)
	if err != nil {
		return nil, err
	}
	summary, err := in.Run(ctx, listing, 1, nil)
	if err != nil {
		return nil, err
	}
	if d.failed = summary.Failed; d.failed > 0 {
		return nil, fmt.Errorf("%d documents failed: %+v", d.failed, summary.Failures)
	}
	view := runtime.View(place, 1, listing.Keys)
	records, err := view.Records(ctx)
	if err != nil {
		return nil, err
	}
	for _, r := range records {
		hits, err := view.Chunks(ctx, r.Document)
		if err != nil {
			return nil, err
		}
		slices.SortFunc(hits, func(a, b rag.Hit) int { return a.Ordinal - b.Ordinal })
		d.chunks[r.Document] = hits
	}
	return d, nil
}

func find(all []settings.Manifest, kind string) settings.Manifest {
	return all[slices.IndexFunc(all, func(m settings.Manifest) bool { return m.Kind == kind })]
}
