package rerank

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	connectTimeout = 10 * time.Second
	replyTimeout   = 30 * time.Second // until the server begins to answer
	idleTimeout    = time.Minute      // until more of the file comes
	maxModel       = 2 << 30          // bytes: what one ONNX file can hold
)

// Fetch returns the path of the model file at an https, http or file URL, kept in
// dir under its sha256 (hex), which is the file's only identity: bytes of another
// hash are refused, and a file of that hash that is there is not fetched again.
// It is put in place whole or not at all. When ctx ends the transfer stops.
func Fetch(ctx context.Context, from, sum, dir string) (string, error) {
	if b, err := hex.DecodeString(sum); err != nil || len(b) != sha256.Size {
		return "", fmt.Errorf("reranker model: sha256 is %q, want 64 hexadecimal digits", sum)
	}
	u, err := url.Parse(from)
	if err != nil {
		return "", fmt.Errorf("reranker model: %w", err)
	}
	sum = strings.ToLower(sum)
	path := filepath.Join(dir, sum+".onnx")
	if f, err := os.Open(path); err == nil {
		h := sha256.New()
		_, err := io.Copy(h, f)
		_ = f.Close() // only read
		if err == nil && hex.EncodeToString(h.Sum(nil)) == sum {
			return path, nil
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("reranker model: %w", err)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	body, err := open(ctx, u)
	if err != nil {
		return "", fmt.Errorf("fetch reranker model %s: %w", u.Redacted(), err)
	}
	defer func() { _ = body.Close() }() // only read
	idle := time.AfterFunc(idleTimeout, func() { cancel(fmt.Errorf("no bytes came for %v", idleTimeout)) })
	defer idle.Stop()
	err = place(&awaited{ctx, body, idle}, sum, path)
	if err != nil {
		return "", fmt.Errorf("fetch reranker model %s: %w", u.Redacted(), err)
	}
	return path, nil
}

// open returns the file's bytes.
func open(ctx context.Context, u *url.URL) (io.ReadCloser, error) {
	switch u.Scheme {
	case "https", "http":
		return download(ctx, u)
	case "file":
		if u.Host != "" && u.Host != "localhost" || u.Path == "" {
			return nil, errors.New("a file URL has three slashes: file:///path/model.onnx")
		}
		info, err := os.Stat(u.Path)
		if err != nil {
			return nil, err
		}
		if !info.Mode().IsRegular() { // a pipe or device would block, or never end
			return nil, fmt.Errorf("%s is no regular file", u.Path)
		}
		return os.Open(u.Path)
	}
	return nil, fmt.Errorf("scheme %q is not supported: https, http and file are", u.Scheme)
}

func download(ctx context.Context, u *url.URL) (io.ReadCloser, error) {
	dialer := &net.Dialer{Timeout: connectTimeout}
	client := &http.Client{Transport: &http.Transport{
		Proxy: http.ProxyFromEnvironment, DialContext: dialer.DialContext, TLSHandshakeTimeout: connectTimeout,
		ResponseHeaderTimeout: replyTimeout, DisableKeepAlives: true, ForceAttemptHTTP2: true,
	}}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	resp, err := client.Do(req)
	if err != nil {
		var outer *url.Error
		if errors.As(err, &outer) { // it repeats the URL, secrets and all
			err = outer.Err
		}
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		_ = resp.Body.Close()
		return nil, fmt.Errorf("the server answered %s", resp.Status)
	}
	return resp.Body, nil
}

// awaited ends when ctx does, and pushes the idle timer back with each read.
type awaited struct {
	ctx  context.Context // that of the copy which reads
	body io.Reader
	idle *time.Timer
}

func (a *awaited) Read(p []byte) (int, error) {
	n, err := a.body.Read(p)
	if a.ctx.Err() != nil {
		return n, context.Cause(a.ctx)
	}
	if n > 0 {
		a.idle.Reset(idleTimeout)
	}
	return n, err
}

// place writes what is read to path by a rename, if it has that hash.
func place(body io.Reader, sum, path string) error {
	part, err := os.CreateTemp(filepath.Dir(path), ".part-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(part.Name()) }() // gone already where all went well
	h := sha256.New()
	n, err := io.Copy(io.MultiWriter(part, h), io.LimitReader(body, maxModel+1))
	err = errors.Join(err, part.Chmod(0o644), part.Sync(), part.Close())
	switch got := hex.EncodeToString(h.Sum(nil)); {
	case err != nil:
		return err
	case n > maxModel:
		return fmt.Errorf("it has more than %d bytes, which no ONNX file may", maxModel)
	case got != sum:
		return fmt.Errorf("its sha256 is %s, the one that was asked for %s", got, sum)
	}
	return os.Rename(part.Name(), path)
}
