package manager

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// Options are the manager's flags. A blank one counts as left out.
type Options struct {
	Kubeconfig     string
	DataDir        string
	ServeAddress   string
	MetricsAddress string
	HealthAddress  string
	Endpoint       string
	ClusterID      string
	LeaderElect    bool
	Audiences      []string
	DriftInterval  time.Duration
	Concurrency    int
}

// Bind declares the flags.
func (o *Options) Bind(f *pflag.FlagSet) {
	f.StringVar(&o.Kubeconfig, "kubeconfig", "", "kubeconfig file (default: in-cluster, else $KUBECONFIG or the user's)")
	f.StringVar(&o.DataDir, "data-dir", "", "directory of the embedded store and of kept prompt contexts (required)")
	f.StringVar(&o.ServeAddress, "serve-address", ":8080", "address on which corpora are asked")
	f.StringVar(&o.MetricsAddress, "metrics-address", ":9090", "address of Prometheus metrics; 0 = none")
	f.StringVar(&o.HealthAddress, "health-address", ":8081", "address of /healthz and /readyz")
	f.StringVar(&o.Endpoint, "endpoint", "http://hardgate.hardgate-system.svc", "base URL of --serve-address as clients reach it, for status.endpoint")
	f.StringVar(&o.ClusterID, "cluster-id", "", "names this cluster in collections of a shared Qdrant (default: from the UID of namespace kube-system)")
	f.BoolVar(&o.LeaderElect, "leader-elect", false, "only one of several managers reconciles")
	f.StringSliceVar(&o.Audiences, "audience", nil, "audience that a token must be for (default: the API server's own)")
	f.DurationVar(&o.DriftInterval, "drift-interval", time.Minute, "how often a collection is compared with its spec")
	f.IntVar(&o.Concurrency, "concurrent-corpora", 4, "Corpora that are visited at a time; one alone is never visited twice at once")
}

// clusterForm is what may stand first in a collection's name, before a dot.
var clusterForm = regexp.MustCompile(`^[A-Za-z0-9-]{1,63}$`)

// Validate applies defaults to what is blank and names what is missing.
func (o *Options) Validate() error {
	o.ServeAddress = settings.FirstNonBlank(o.ServeAddress, ":8080")
	o.MetricsAddress = settings.FirstNonBlank(o.MetricsAddress, ":9090")
	o.HealthAddress = settings.FirstNonBlank(o.HealthAddress, ":8081")
	o.Endpoint = strings.TrimSuffix(settings.FirstNonBlank(o.Endpoint, "http://hardgate.hardgate-system.svc"), "/")
	o.Kubeconfig, o.ClusterID = settings.FirstNonBlank(o.Kubeconfig), settings.FirstNonBlank(o.ClusterID)
	o.Audiences = slices.DeleteFunc(o.Audiences, settings.Blank)
	if settings.Blank(o.DataDir) {
		return errors.New("--data-dir is missing: name a directory that outlives the process")
	}
	if u, err := url.Parse(o.Endpoint); err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return fmt.Errorf("--endpoint: %q is not a URL such as https://rag.example.com", o.Endpoint)
	}
	if o.ClusterID != "" && !clusterForm.MatchString(o.ClusterID) {
		return fmt.Errorf("--cluster-id: %q is not up to 63 letters, digits and \"-\"", o.ClusterID)
	}
	if o.DriftInterval < time.Second {
		return fmt.Errorf("--drift-interval: %s is under 1s", o.DriftInterval)
	}
	if o.Concurrency < 1 || o.Concurrency > 64 {
		return fmt.Errorf("--concurrent-corpora: %d is not from 1 to 64", o.Concurrency)
	}
	return nil
}
