package main

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

//go:embed public.tsv
var manifest string

// public is a file of a public repository, or the ground truth beside one.
type public struct {
	set        string // dev, dev2, dev3: looked at when thresholds were chosen; seen: by an earlier prototype alone; unseen, unseen2, unseen3: never
	repository string // owner/name
	commit     string
	path       string
	sha256     string
	truth      string // path of its tables' ground truth, "" for none
	truthSum   string
}

// publicFiles reads the manifest; a set limits it, and each file must be there
// or is brought there.
func (b *bench) publicFiles(ctx context.Context) ([]public, error) {
	var out []public
	missing := 0
	for n, line := range strings.Split(strings.TrimRight(manifest, "\n"), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != 7 {
			return nil, fmt.Errorf("public.tsv:%d: %d fields, want 7", n+1, len(f))
		}
		p := public{f[0], f[1], f[2], f[3], f[4], f[5], f[6]}
		if b.set != "" && p.set != b.set {
			continue
		}
		if err := b.have(ctx, p); errors.Is(err, os.ErrNotExist) {
			missing++
			continue
		} else if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	if missing > 0 {
		fmt.Fprintf(b.out, "%d public files are not in %s and were left out; --download brings them\n", missing, b.public)
	}
	return out, nil
}

// local is where a file of the repository lies.
func (b *bench) local(p public, path string) string {
	return filepath.Join(b.public, filepath.FromSlash(p.repository), filepath.FromSlash(path))
}

func (b *bench) have(ctx context.Context, p public) error {
	if err := b.verified(ctx, p, p.path, p.sha256); err != nil || p.truth == "" {
		return err
	}
	return b.verified(ctx, p, p.truth, p.truthSum)
}

// verified checks a file against its hash, after bringing it if that is asked for.
func (b *bench) verified(ctx context.Context, p public, path, sum string) error {
	local := b.local(p, path)
	data, err := os.ReadFile(local)
	if errors.Is(err, os.ErrNotExist) && b.download {
		address := url.URL{Scheme: "https", Host: "raw.githubusercontent.com", Path: "/" + p.repository + "/" + p.commit + "/" + path}
		data, err = fetch(ctx, address.String())
	}
	if err != nil {
		return err
	}
	got := sha256.Sum256(data)
	if hex.EncodeToString(got[:]) != sum {
		return fmt.Errorf("%s: its hash is not the one in public.tsv", local)
	}
	if !b.download {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(local), 0o755); err != nil {
		return err
	}
	return os.WriteFile(local, data, 0o644)
}

func fetch(ctx context.Context, address string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("fetch %s: %s", address, res.Status)
	}
	return io.ReadAll(res.Body)
}

// tablesOf reads the ground truth of a file's tables.
func (b *bench) tablesOf(p public) ([][]cell, error) {
	if p.printer() != nil {
		return doclingTables(strings.TrimSuffix(b.pdf(p), ".pdf") + ".tables.json")
	}
	if strings.HasSuffix(p.truth, ".xml") {
		return icdarTables(b.local(p, p.truth))
	}
	return doclingTables(b.local(p, p.truth))
}
