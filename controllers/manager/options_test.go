package manager

import (
	"context"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"github.com/hardgate-dev/hardgate/runtime/assembly"
)

// parse binds and reads flags as the command does.
func parse(t *testing.T, args ...string) (Options, error) {
	t.Helper()
	var o Options
	f := pflag.NewFlagSet("manager", pflag.ContinueOnError)
	f.SetOutput(io.Discard)
	o.Bind(f)
	if err := f.Parse(args); err != nil {
		t.Fatal(err)
	}
	return o, o.Validate()
}

func TestOptions(t *testing.T) {
	defaults := Options{
		DataDir: "/data", ServeAddress: ":8080", MetricsAddress: ":9090", HealthAddress: ":8081",
		Endpoint: "http://hardgate.hardgate-system.svc", DriftInterval: time.Minute, Concurrency: 4,
	}
	with := func(change func(*Options)) Options {
		o := defaults
		change(&o)
		return o
	}
	cases := map[string]struct {
		reason string
		args   []string
		want   Options
	}{
		"defaults": {"only the data's place has none", nil, defaults},
		"blank": {
			"a blank flag counts as left out: charts write such",
			[]string{"--serve-address= ", "--metrics-address=", "--health-address=\t", "--endpoint=", "--cluster-id= ", "--audience=", "--audience= ", "--kubeconfig= "},
			defaults,
		},
		"given": {
			"",
			[]string{"--serve-address=127.0.0.1:1", "--metrics-address=0", "--health-address=:3", "--endpoint=https://rag.example.com", "--cluster-id=eu-1", "--audience=a", "--audience=b", "--leader-elect", "--drift-interval=5s", "--concurrent-corpora=9", "--kubeconfig=/k"},
			Options{
				DataDir: "/data", ServeAddress: "127.0.0.1:1", MetricsAddress: "0", HealthAddress: ":3", Endpoint: "https://rag.example.com", ClusterID: "eu-1",
				Audiences: []string{"a", "b"}, LeaderElect: true, DriftInterval: 5 * time.Second, Concurrency: 9, Kubeconfig: "/k",
			},
		},
		"slash": {"status.endpoint joins a path to it", []string{"--endpoint=https://rag.example.com/"}, with(func(o *Options) { o.Endpoint = "https://rag.example.com" })},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := parse(t, append([]string{"--data-dir=/data"}, c.args...)...)
			if err != nil {
				t.Fatalf("%s: %v", c.reason, err)
			}
			if len(got.Audiences) == 0 {
				got.Audiences = nil
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
		})
	}
}

func TestOptionsRefused(t *testing.T) {
	cases := map[string]struct {
		reason string
		args   []string
		says   string
	}{
		"no data dir":    {"what is stored would go with the process", nil, "--data-dir"},
		"blank data dir": {"blank is missing", []string{"--data-dir= "}, "--data-dir"},
		"no URL":         {"clients could not reach it", []string{"--data-dir=/d", "--endpoint=rag.example.com"}, "--endpoint"},
		"no HTTP":        {"nor this", []string{"--data-dir=/d", "--endpoint=grpc://rag.example.com"}, "--endpoint"},
		"no host":        {"nor this", []string{"--data-dir=/d", "--endpoint=https:///v1"}, "--endpoint"},
		"too often":      {"a collection would be compared all the time", []string{"--data-dir=/d", "--drift-interval=10ms"}, "--drift-interval"},
		"never":          {"drift would go unseen", []string{"--data-dir=/d", "--drift-interval=0s"}, "--drift-interval"},
		"cluster id":     {"it is part of a collection's name", []string{"--data-dir=/d", "--cluster-id=eu/1"}, "--cluster-id"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if _, err := parse(t, c.args...); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %v doesn't name %s", c.reason, err, c.says)
			}
		})
	}
}

func TestKubeconfigIsNamed(t *testing.T) {
	err := Run(t.Context(), Options{Kubeconfig: filepath.Join(t.TempDir(), "none")}, assembly.Options{})
	if err == nil || !strings.Contains(err.Error(), "--kubeconfig") {
		t.Errorf("%v", err)
	}
}

func TestClusterIDOfTheFlag(t *testing.T) {
	if id, err := clusterID(t.Context(), nil, "eu-1"); id != "eu-1" || err != nil {
		t.Errorf("the flag's is asked of nobody: %q, %v", id, err)
	}
}

// TestServerLetsRequestsFinish ends the server while a request is under way.
func TestServerLetsRequestsFinish(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	entered, release := make(chan struct{}), make(chan struct{})
	s := &server{address: address, handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		close(entered)
		<-release
		_, _ = w.Write([]byte("twelve"))
	})}
	if s.NeedLeaderElection() {
		t.Error("every replica serves")
	}
	if err := s.Start(t.Context()); err == nil || !strings.Contains(err.Error(), "--serve-address") {
		t.Errorf("an address in use is named: %v", err)
	}
	l.Close()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Start(ctx) }()
	answers := make(chan string, 1)
	go func() {
		for range 200 {
			resp, err := http.Get("http://" + address)
			if err != nil { // it is still starting
				time.Sleep(20 * time.Millisecond)
				continue
			}
			text, _ := io.ReadAll(resp.Body)
			resp.Body.Close()
			answers <- string(text)
			return
		}
		answers <- "no answer"
	}()
	<-entered
	stop()
	select {
	case err := <-ended:
		t.Errorf("it ended in the middle of an answer: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	close(release)
	if got := <-answers; got != "twelve" {
		t.Errorf("the request under way got %q", got)
	}
	if err := <-ended; err != nil {
		t.Errorf("a clean end is no error: %v", err)
	}
}
