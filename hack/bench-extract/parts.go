package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
)

// bench runs the parts and adds up what they cost.
type bench struct {
	options
	out         io.Writer
	mine, other cost // in total
}

// both has the same files read by either reader.
func (b *bench) both(ctx context.Context, files []string) (mine, other map[string]reading, err error) {
	mine, c, err := b.ours(ctx, files)
	if err != nil {
		return nil, nil, err
	}
	b.mine.cpu, b.mine.rss = b.mine.cpu+c.cpu, max(b.mine.rss, c.rss)
	other, c, err = b.peer(ctx, files)
	b.other.cpu, b.other.rss = b.other.cpu+c.cpu, max(b.other.rss, c.rss)
	return mine, other, err
}

// registers counts the rows that are exactly right.
func (b *bench) registers(ctx context.Context) error {
	dir := filepath.Join(b.work, "registers")
	cmd := exec.CommandContext(ctx, b.python, filepath.Join("hack", "bench-extract", "generate.py"), dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("generate registers: %w\n%s", err, out)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.pdf"))
	if err != nil {
		return err
	}
	mine, other, err := b.both(ctx, files)
	if err != nil {
		return err
	}
	kinds := map[string]*[2]tally{}
	var all [2]tally
	for _, f := range files {
		want, err := generatedRows(strings.TrimSuffix(f, ".pdf") + ".rows.json")
		if err != nil {
			return err
		}
		kind := filepath.Base(f[:strings.LastIndex(f, "_")])
		if kinds[kind] == nil {
			kinds[kind] = &[2]tally{}
		}
		for i, r := range []reading{mine[f], other[f]} {
			t := rowsRight(want, r.Tables)
			kinds[kind][i].add(t)
			all[i].add(t)
			if i == 0 && b.verbose && t.right < t.there {
				fmt.Fprintf(b.out, "  %s: %d of %d rows, %d found %s\n", filepath.Base(f), t.right, t.there, t.found, r.Error)
			}
		}
	}
	fmt.Fprintf(b.out, "register rows exactly right   ours              pdfplumber\n")
	for _, k := range sorted(kinds) {
		b.rows(k, *kinds[k])
	}
	b.rows("all", all)
	return nil
}

func (b *bench) rows(name string, t [2]tally) {
	fmt.Fprintf(b.out, "  %-22s %5d/%d %5.1f %%   %5d/%d %5.1f %%\n", name,
		t[0].right, t[0].there, 100*t[0].recall(), t[1].right, t[1].there, 100*t[1].recall())
}

// text compares tokens with poppler's on the public files.
func (b *bench) text(ctx context.Context) error {
	return b.scored(ctx, "tokens against poppler", func(p public, r reading) (tally, error) {
		want, err := poppler(ctx, b.pdf(p))
		return multiset(tokens(want), tokens(strings.Join(r.Pages, "\n"))), err
	}, func(p public) bool { return p.printer() == nil })
}

// tables compares neighbouring cells with the ground truth; a table found where
// there is none counts against the reader.
func (b *bench) tables(ctx context.Context) error {
	return b.scored(ctx, "table adjacency", func(p public, r reading) (tally, error) {
		truth, err := b.tablesOf(p)
		if err != nil {
			return tally{}, err
		}
		var want, got []string
		for _, t := range truth {
			want = append(want, adjacencies(t)...)
		}
		for _, t := range r.Tables {
			got = append(got, adjacencies(cellsOf(t))...)
		}
		return multiset(want, got), nil
	}, func(p public) bool { return p.truth != "" || p.printer() != nil && exists(b.pdf(p)) })
}

// scored prints one score over the public files, by set and repository.
func (b *bench) scored(ctx context.Context, what string, score func(public, reading) (tally, error), wanted func(public) bool) error {
	if b.public == "" {
		fmt.Fprintf(b.out, "%s: no --public directory, not measured\n", what)
		return nil
	}
	all, err := b.publicFiles(ctx)
	if err != nil {
		return err
	}
	if err := b.print(ctx, all); err != nil {
		return err
	}
	var files []string
	by := map[string]public{}
	for _, p := range all {
		if path := b.pdf(p); wanted(p) {
			files, by[path] = append(files, path), p
		}
	}
	if len(files) == 0 {
		return errors.New("none of the public files is there")
	}
	mine, other, err := b.both(ctx, files)
	if err != nil {
		return err
	}
	groups := map[string]*score2{}
	for _, f := range files {
		p := by[f]
		a, err := score(p, mine[f])
		if err != nil {
			return err
		}
		c, err := score(p, other[f])
		if err != nil {
			return err
		}
		for _, name := range p.groups() {
			if groups[name] == nil {
				groups[name] = &score2{}
			}
			groups[name].add(a, c)
		}
		if b.verbose {
			fmt.Fprintf(b.out, "  %s %s/%s: %.3f %v, pdfplumber %.3f %s\n", p.set, p.repository, p.path, a.f1(), a, c.f1(), mine[f].Error)
		}
	}
	fmt.Fprintf(b.out, "%s, F1: mean over files (pooled)   ours             pdfplumber\n", what)
	for _, name := range sorted(groups) {
		g := groups[name]
		n := float64(g.files)
		fmt.Fprintf(b.out, "  %-40s %3d files  %.3f (%.3f)   %.3f (%.3f)\n", name, g.files, g.sum[0]/n, g.all[0].f1(), g.sum[1]/n, g.all[1].f1())
	}
	return nil
}

// groups are the totals a file counts in: its set, its set's kind of file, its repository.
func (p public) groups() []string {
	out := []string{p.set, p.set + " " + p.repository}
	if with := p.printer(); with != nil {
		out = append(out, p.set+" "+with.kind)
	}
	return out
}

// score2 adds up the scores of both readers.
type score2 struct {
	files int
	sum   [2]float64
	all   [2]tally
}

func (s *score2) add(mine, other tally) {
	s.files++
	for i, t := range []tally{mine, other} {
		s.sum[i] += t.f1()
		s.all[i].add(t)
	}
}

// totals prints the costs of all parts together.
func (b *bench) totals() error {
	if b.other.cpu > 0 {
		fmt.Fprintf(b.out, "CPU of text and tables together: ours %.1f s, pdfplumber %.1f s, ratio 1/%.1f\n", b.mine.cpu, b.other.cpu, b.other.cpu/b.mine.cpu)
		fmt.Fprintf(b.out, "highest resident memory: ours %.0f MB, pdfplumber %.0f MB\n", b.mine.rss, b.other.rss)
	}
	return nil
}

func sorted[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}
