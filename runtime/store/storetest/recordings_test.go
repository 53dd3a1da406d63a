package storetest

import (
	"context"
	"net"
	"net/url"
	"os"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/hardgate-dev/hardgate/runtime/store/embedded"
)

// unserved lists the cases that the embedded store deliberately does not serve, by
// area/name, with the reason. Other recordings than ours may have more of an area's
// cases: area/* stands for those.
func unserved() map[string]string {
	const snapshots = "the embedded store's folder is its own snapshot; a corpus is carried elsewhere by backup and restore"
	out := map[string]string{"snapshots/*": snapshots}
	for _, name := range []string{
		"create", "list_empty", "list_one", "outlive_collection", "create_missing_collection", "list_missing_collection", "delete_missing", "list_full_empty",
	} {
		out["snapshots/"+name] = snapshots
	}
	return out
}

// TestRecordings replays the recordings of a real Qdrant against the embedded store,
// or against the server at QDRANT_URL (with QDRANT_API_KEY). RECORDINGS_DIR names
// another folder of recordings; what is outside of the project go's test cache does
// not watch, so run those with -count=1.
func TestRecordings(t *testing.T) {
	dir := os.Getenv("RECORDINGS_DIR")
	if dir == "" {
		dir = "recordings"
	}
	files, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	tally := &tally{}
	for _, file := range files {
		for i := range file.Cases {
			t.Run(file.Area+"/"+file.Cases[i].Name, func(t *testing.T) { tally.replay(t, file, &file.Cases[i]) })
		}
	}
	t.Logf("%d cases, %d not served, %d not compared", tally.cases, tally.unserved, tally.incomparable)
	if tally.unserved*10 > tally.cases {
		t.Errorf("%d of %d cases are not served: more than a tenth", tally.unserved, tally.cases)
	}
}

// tally counts what became of the cases.
type tally struct{ cases, unserved, incomparable int }

func (n *tally) replay(t *testing.T, file *File, c *Case) {
	n.cases++
	remote := os.Getenv("QDRANT_URL") != ""
	connect := embeddedConn
	if remote {
		connect = remoteConn
	}
	switch {
	case c.Unstable != "":
		n.incomparable++
		t.Logf("not compared: %s", c.Unstable)
		return
	case remote && c.Server != nil:
		n.incomparable++
		t.Logf("not compared: the server at QDRANT_URL was not started with %v", c.Server)
		return
	}
	verdict, err := run(t, connect, file, c)
	if err != nil {
		t.Fatal(err)
	}
	reason, listed := unserved()[file.Area+"/"+c.Name]
	if !listed {
		reason = unserved()[file.Area+"/*"]
	}
	switch {
	case !remote && verdict.Unserved && reason != "":
		n.unserved++
		t.Logf("not served: %s", reason)
	case !remote && verdict.Unserved && os.Getenv("RECORDINGS_DIR") != "": // ours are listed by name, others can't be
		n.unserved++
		t.Logf("not served: %s", verdict.Difference)
	case !remote && listed && verdict.Difference == "":
		t.Fatalf("served, yet listed as not served: %s", reason)
	case verdict.Difference != "":
		t.Fatalf("%s\n%s", c.About, verdict.Difference)
	}
}

func run(t *testing.T, connect func(*testing.T, *Case) *grpc.ClientConn, file *File, c *Case) (Verdict, error) {
	conn := connect(t, c)
	ctx := t.Context()
	if c.Server == nil {
		if err := Empty(ctx, conn); err != nil {
			return Verdict{}, err
		}
	}
	return Replay(ctx, conn, file, c)
}

// embeddedConn starts a fresh store, and reaches it over the network as others do:
// the connection within the process would send the key itself.
func embeddedConn(t *testing.T, c *Case) *grpc.ClientConn {
	t.Helper()
	server, err := embedded.Open(embedded.Options{
		APIKey: c.Server["QDRANT__SERVICE__API_KEY"], ReadOnlyAPIKey: c.Server["QDRANT__SERVICE__READ_ONLY_API_KEY"],
	})
	if err != nil {
		t.Fatal(err)
	}
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	conn, err := grpc.NewClient(listener.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
		if err := server.Close(); err != nil {
			t.Error(err)
		}
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return conn
}

func remoteConn(t *testing.T, _ *Case) *grpc.ClientConn {
	t.Helper()
	u, err := url.Parse(os.Getenv("QDRANT_URL"))
	if err != nil {
		t.Fatal(err)
	}
	options := []grpc.DialOption{grpc.WithTransportCredentials(insecure.NewCredentials())}
	if u.Scheme == "https" {
		options[0] = grpc.WithTransportCredentials(credentials.NewTLS(nil))
	}
	if key := os.Getenv("QDRANT_API_KEY"); key != "" {
		options = append(options, grpc.WithPerRPCCredentials(keyed(key)))
	}
	conn, err := grpc.NewClient(u.Host, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
	})
	return conn
}

type keyed string

func (k keyed) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	return map[string]string{"api-key": string(k)}, nil
}

func (keyed) RequireTransportSecurity() bool { return false }
