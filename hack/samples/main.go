// Command samples writes the documents of every sample corpus: the PDFs and the
// metadata.jsonl beside them. What it writes depends on its source alone, so the
// committed files can be compared byte for byte with a fresh run.
//
// Run it from the repository's root:
//
//	go run ./hack/samples
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	root := flag.String("root", ".", "root of the repository")
	flag.Parse()
	for _, s := range written() {
		if err := write(*root, s); err != nil {
			fmt.Fprintln(os.Stderr, "samples:", err)
			os.Exit(1)
		}
	}
}

// write puts a sample's files below its documents folder.
func write(root string, s Sample) error {
	files, err := s.Files()
	if err != nil {
		return err
	}
	for _, f := range files {
		path := filepath.Join(root, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return fmt.Errorf("make the folder of %q: %w", f.Path, err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			return fmt.Errorf("write %q: %w", f.Path, err)
		}
	}
	return nil
}
