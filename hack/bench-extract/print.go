package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// printer makes PDFs of files of one kind, with their tables beside them.
type printer struct {
	kind    string // as the totals name it
	script  string
	program string // what the script needs
}

// printer is how the file is printed, nil for what is a PDF already.
func (p public) printer() *printer {
	switch strings.ToLower(filepath.Ext(p.path)) {
	case ".docx":
		return &printer{"Word documents", "office.py", "soffice"}
	case ".xlsx", ".ods":
		return &printer{"spreadsheets", "sheets.py", "soffice"}
	case ".html", ".htm":
		return &printer{"HTML pages", "pages.py", "chromium"}
	}
	return nil
}

// pdf is where the file to be read lies.
func (b *bench) pdf(p public) string {
	const enough = 16 // digits of the hash
	if p.printer() != nil {
		return filepath.Join(b.work, "printed", p.sha256[:enough]+".pdf")
	}
	return b.local(p, p.path)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// print makes PDFs of the files that are none, where the programs for it are installed.
func (b *bench) print(ctx context.Context, files []public) error {
	lists := map[printer]string{}
	for _, p := range files {
		if with, pdf := p.printer(), b.pdf(p); with != nil && !exists(pdf) {
			lists[*with] += fmt.Sprintf("%s\t%s\n", b.local(p, p.path), strings.TrimSuffix(filepath.Base(pdf), ".pdf"))
		}
	}
	for with, list := range lists {
		if _, missing := exec.LookPath(with.program); missing != nil {
			fmt.Fprintf(b.out, "%s is not installed: the %s are left out\n", with.program, with.kind)
			continue
		}
		cmd := exec.CommandContext(ctx, b.python, filepath.Join("hack", "bench-extract", with.script), filepath.Join(b.work, "printed"))
		cmd.Stdin = strings.NewReader(list)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("print %s: %w\n%s", with.kind, err, out)
		}
	}
	unprinted := 0
	for _, p := range files {
		if p.printer() != nil && !exists(b.pdf(p)) {
			unprinted++
		}
	}
	if unprinted > 0 {
		fmt.Fprintf(b.out, "%d files could not be printed here and are left out\n", unprinted)
	}
	return nil
}
