// Package s3test runs a real S3 server for tests: versitygw over a folder, on
// loopback. `make setup` brings the program; VERSITYGW names it.
package s3test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// The root account, which may do everything, and the region of all buckets.
const (
	Access = "root"
	Secret = "secret-of-the-root"
	Region = "us-east-1"
)

const (
	// patience is how long the server may take to answer: long, because it only
	// costs when a test fails.
	patience = 90 * time.Second
	poll     = 20 * time.Millisecond
	// attempts to find a port: another process may take a free one first.
	attempts = 5
)

// Server is an S3 server. It keeps what it holds while it is stopped.
type Server struct {
	Client *minio.Client // root's

	program, dir, address string
	command               *exec.Cmd
	ended                 chan struct{} // closed when the process has ended
}

// Start starts program, the path of versitygw, with all its files below dir, and
// returns when it answers. The caller calls Stop.
func Start(ctx context.Context, program, dir string) (*Server, error) {
	if _, err := os.Stat(program); err != nil {
		return nil, fmt.Errorf("versitygw: %w (run `make setup` and set VERSITYGW by hack/assets.sh)", err)
	}
	s := &Server{program: program, dir: dir}
	for _, d := range []string{s.Folder(), s.accounts()} {
		if err := os.Mkdir(d, 0o700); err != nil {
			return nil, err
		}
	}
	var err error
	for range attempts {
		if s.address, err = FreeAddress(); err != nil {
			return nil, err
		}
		s.Client, err = minio.New(s.address, &minio.Options{Creds: credentials.NewStaticV4(Access, Secret, ""), Region: Region, BucketLookup: minio.BucketLookupPath})
		if err != nil {
			return nil, err
		}
		if err = s.Resume(ctx); !errors.Is(err, errEnded) {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// FreeAddress is a loopback address with a port that nobody listened on a moment ago.
func FreeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

var errEnded = errors.New("the server has ended")

// Resume starts a stopped server again, on the same address and with what it held.
func (s *Server) Resume(ctx context.Context) error {
	log, err := os.OpenFile(s.Log(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close() // the server has a handle of its own
	s.command = exec.Command(s.program, "--access", Access, "--secret", Secret, "--port", s.address, "--region", Region,
		"--iam-dir", s.accounts(), "--iam-cache-disable", "posix", s.Folder())
	s.command.Stdout, s.command.Stderr = log, log
	if err := s.command.Start(); err != nil {
		return fmt.Errorf("start versitygw: %w", err)
	}
	s.ended = make(chan struct{})
	go func(command *exec.Cmd, ended chan struct{}) {
		_ = command.Wait() // killed, mostly
		close(ended)
	}(s.command, s.ended)
	if err := s.wait(ctx); err != nil {
		s.Stop()
		return err
	}
	return nil
}

// wait waits until the server answers.
func (s *Server) wait(ctx context.Context) error {
	for deadline := time.Now().Add(patience); ; time.Sleep(poll) {
		_, err := s.Client.ListBuckets(ctx)
		select {
		case <-s.ended: // whoever answered is another server
			return fmt.Errorf("%w: %s", errEnded, s.tail())
		default:
		}
		switch {
		case err == nil:
			return nil
		case time.Now().After(deadline), ctx.Err() != nil:
			return fmt.Errorf("the server does not answer: %w: %s", err, s.tail())
		}
	}
}

// Stop ends the server, as a crash would.
func (s *Server) Stop() {
	if s.command == nil {
		return
	}
	_ = s.command.Process.Kill() // it may have ended
	<-s.ended
	s.command = nil
}

// Admin runs a command of the server's administration.
func (s *Server) Admin(ctx context.Context, args ...string) error {
	all := append([]string{"admin", "--access", Access, "--secret", Secret, "--endpoint-url", s.URL().String()}, args...)
	if out, err := exec.CommandContext(ctx, s.program, all...).CombinedOutput(); err != nil {
		return fmt.Errorf("versitygw admin %s: %w: %s", args[0], err, out)
	}
	return nil
}

// URL is where the server listens.
func (s *Server) URL() *url.URL { return &url.URL{Scheme: "http", Host: s.address} }

// Folder holds a folder for each bucket, and in it a file for each object.
func (s *Server) Folder() string { return filepath.Join(s.dir, "data") }

// Log is the file to which the server writes a line for each request.
func (s *Server) Log() string { return filepath.Join(s.dir, "requests.log") }

func (s *Server) accounts() string { return filepath.Join(s.dir, "accounts") }

// tail is the end of the log, for an error.
func (s *Server) tail() string {
	text, err := os.ReadFile(s.Log())
	if err != nil {
		return err.Error()
	}
	return string(text[max(0, len(text)-1000):])
}
