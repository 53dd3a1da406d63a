package demo

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// up is printed by the process that stays when everything is there.
const up = "-- up --"

// detach starts the demo in a process of its own, shows what it prints until it
// is up, and leaves it.
func detach(ctx context.Context, o Options) error {
	if pid, ok := staying(o); ok {
		return fmt.Errorf("it is up already, as process %d: `make down` ends it", pid)
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	dir := o.state()
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	log, err := os.Create(filepath.Join(dir, "demo.log"))
	if err != nil {
		return err
	}
	defer log.Close() // the child has its own handle
	cmd := exec.Command(self, "demo", "--stay", "--foreground", "--control-plane", o.ControlPlane, "--versitygw", o.VersityGW, "--root", o.Root, "--model-dir", o.ModelDir, "--extract-cache-dir", o.CacheDir)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "pid"), []byte(strconv.Itoa(cmd.Process.Pid)), 0o600); err != nil {
		return err
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // its log says how it ended
		close(ended)
	}()
	return follow(ctx, o, filepath.Join(dir, "demo.log"), ended)
}

// follow copies a log until it says that everything is up.
func follow(ctx context.Context, o Options, path string, ended <-chan struct{}) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close() // only read
	r := bufio.NewReader(f)
	over := false
	for {
		line, err := r.ReadString('\n')
		if strings.TrimSpace(line) == up {
			return nil
		}
		fmt.Fprint(o.Out, line)
		if err == nil {
			continue
		}
		if over {
			return errors.New("it did not come up")
		}
		select {
		case <-ended:
			over = true
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// announce prints where everything is, and that it is up.
func (s *stage) announce() error {
	path := filepath.Join(s.dir, "admin.kubeconfig")
	if err := s.cluster.adminKubeconfig(path); err != nil {
		return err
	}
	token := filepath.Join(s.dir, "payroll-desk.token")
	if err := os.WriteFile(token, []byte(s.asker.token), 0o600); err != nil {
		return err
	}
	s.title("It stays up until `make down`")
	s.say("export KUBECONFIG=%s", path)
	s.say("S3:  %s  bucket %s, key %s, secret %s", s.s3.endpoint, bucketName, s.s3.access, s.s3.secret)
	s.say("ask: curl -H \"Authorization: Bearer $(cat %s)\" -d '{\"question\": \"%s\"}' %s/v1/corpora/hr/payroll/query", token, headcount, s.asker.base)
	s.say("%s", up)
	return nil
}

// staying is the process that an earlier --stay left, if it still is that one.
func staying(o Options) (int, bool) {
	data, err := os.ReadFile(filepath.Join(o.state(), "pid"))
	if err != nil {
		return 0, false
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(data)))
	if err != nil {
		return 0, false
	}
	args, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil || !strings.Contains(string(args), "--foreground") {
		return 0, false
	}
	return pid, true
}

// down ends the process that stays; it removes what it made as it goes.
func down(o Options) error {
	pid, ok := staying(o)
	if !ok {
		if err := os.RemoveAll(o.state()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		fmt.Fprintln(o.Out, "nothing is up")
		return nil
	}
	if err := syscall.Kill(pid, syscall.SIGTERM); err != nil {
		return fmt.Errorf("end process %d: %w", pid, err)
	}
	for range 600 {
		if err := syscall.Kill(pid, 0); errors.Is(err, syscall.ESRCH) {
			fmt.Fprintf(o.Out, "ended process %d and removed %s\n", pid, o.state())
			return os.RemoveAll(o.state())
		}
		time.Sleep(100 * time.Millisecond)
	}
	return fmt.Errorf("process %d does not end", pid)
}
