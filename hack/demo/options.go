package demo

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// Options are the demo's flags.
type Options struct {
	ControlPlane string // directory of etcd and kube-apiserver
	VersityGW    string // the S3 server's binary
	Root         string // of the source tree: config/ is read from it
	Stay, Down   bool
	Foreground   bool // the process that stays, started by Stay

	Out                io.Writer
	ModelDir, CacheDir string
}

// Bind declares the flags.
func (o *Options) Bind(f *pflag.FlagSet) {
	f.StringVar(&o.ControlPlane, "control-plane", "", "directory of etcd and kube-apiserver (hack/assets.sh controlplane)")
	f.StringVar(&o.VersityGW, "versitygw", "", "the S3 server's binary (hack/assets.sh s3)")
	f.StringVar(&o.Root, "root", ".", "the source tree, for config/")
	f.BoolVar(&o.Stay, "stay", false, "stay up after the demo, and print the URLs")
	f.BoolVar(&o.Down, "down", false, "end what --stay left up, and remove what it made")
	f.BoolVar(&o.Foreground, "foreground", false, "")
	_ = f.MarkHidden("foreground") // it exists
}

// Validate names what is missing.
func (o *Options) Validate() error {
	if o.Down {
		return nil
	}
	if settings.Blank(o.ControlPlane) || settings.Blank(o.VersityGW) {
		return errors.New("--control-plane and --versitygw are missing: `make demo` sets them")
	}
	for _, p := range []string{filepath.Join(o.ControlPlane, "etcd"), filepath.Join(o.ControlPlane, "kube-apiserver"), o.VersityGW, o.sample("corpus.yaml")} {
		if _, err := os.Stat(p); err != nil {
			return fmt.Errorf("%w (run `make setup`, from the source tree)", err)
		}
	}
	return nil
}

func (o *Options) sample(name string) string {
	return filepath.Join(o.Root, "config", "samples", "payroll", name)
}

// state is where a demo that stays keeps its files.
func (o *Options) state() string { return filepath.Join(filepath.Dir(o.CacheDir), "demo") }
