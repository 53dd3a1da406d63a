package demo

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// process is a server that the demo started, and ends by its own process id.
type process struct {
	cmd   *exec.Cmd
	log   string
	ended chan struct{} // closed when it has ended; then err is how
	err   error
}

func (s *stage) launch(name, binary string, env []string, args ...string) (*process, error) {
	p := &process{log: filepath.Join(s.dir, name+".log"), ended: make(chan struct{})}
	log, err := os.Create(p.log)
	if err != nil {
		return nil, err
	}
	defer log.Close() // the child has its own handle
	p.cmd = exec.Command(binary, args...)
	p.cmd.Stdout, p.cmd.Stderr, p.cmd.Env = log, log, append(os.Environ(), env...)
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.ended)
	}()
	s.closers = append(s.closers, p.stop)
	return p, nil
}

// stop asks the process to end, and after a while makes it.
func (p *process) stop() error {
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return nil //nolint:nilerr // it has ended
	}
	select {
	case <-p.ended:
	case <-time.After(20 * time.Second):
		_ = p.cmd.Process.Kill() // it has had its time
		<-p.ended
	}
	return nil
}

// ready waits until url answers 200.
func (p *process) ready(ctx context.Context, url string) error {
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		resp, err := http.DefaultClient.Do(req)
		if err == nil {
			_ = resp.Body.Close() // nothing was read
			if resp.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-p.ended:
			return fmt.Errorf("it ended by itself, see %s: %w", p.log, p.err)
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// port finds a free one on loopback.
func port() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close() //nolint:errcheck // it was never used
	return l.Addr().String(), nil
}
