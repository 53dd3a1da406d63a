package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// cost is what a reader's process used, its start included.
type cost struct {
	cpu float64 // seconds
	rss float64 // MB, at its highest
}

// ours and peer read files, each in one process.
func (b *bench) ours(ctx context.Context, files []string) (map[string]reading, cost, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, cost{}, err
	}
	return readers(exec.CommandContext(ctx, self, "-read", "-cache", b.cache), files)
}

func (b *bench) peer(ctx context.Context, files []string) (map[string]reading, cost, error) {
	const allPages = "100000"
	return readers(exec.CommandContext(ctx, b.python, filepath.Join("hack", "bench-extract", "peer.py"), allPages), files)
}

func readers(cmd *exec.Cmd, files []string) (map[string]reading, cost, error) {
	cmd.Stdin = strings.NewReader(strings.Join(files, "\n") + "\n")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return nil, cost{}, err
	}
	if err := cmd.Start(); err != nil {
		return nil, cost{}, err
	}
	out := map[string]reading{}
	dec := json.NewDecoder(bufio.NewReader(pipe))
	for dec.More() {
		var r reading
		if err := dec.Decode(&r); err != nil {
			return nil, cost{}, fmt.Errorf("reading of %s: %w", cmd.Path, err)
		}
		out[r.File] = r
	}
	if err := cmd.Wait(); err != nil {
		return nil, cost{}, fmt.Errorf("%s: %w\n%s", cmd.Path, err, errs.Bytes())
	}
	return out, costOf(cmd.ProcessState), nil
}

func costOf(p *os.ProcessState) cost {
	c := cost{cpu: (p.UserTime() + p.SystemTime()).Seconds()}
	if u, ok := p.SysUsage().(*syscall.Rusage); ok {
		c.rss = float64(u.Maxrss) / 1000 // Linux counts kB
	}
	return c
}

// cpuSeconds is what this process has used so far.
func cpuSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	const micro = 1e-6
	return float64(u.Utime.Sec+u.Stime.Sec) + micro*float64(u.Utime.Usec+u.Stime.Usec)
}

// poppler is a file's text by pdftotext, a form feed after each page.
func poppler(ctx context.Context, path string) (string, error) {
	out, err := exec.CommandContext(ctx, "pdftotext", "-enc", "UTF-8", path, "-").Output()
	if err != nil {
		return "", fmt.Errorf("pdftotext %s: %w", path, err)
	}
	return string(out), nil
}
