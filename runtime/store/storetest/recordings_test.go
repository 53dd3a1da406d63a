package storetest

import (
	"context"
	"net"
	"os"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"net/url"

	"github.com/hardgate-dev/hardgate/runtime/store/embedded"
)

// unserved lists the cases that the embedded store deliberately does not serve, by
// area/name, with the reason.
func unserved() map[string]string {
	const snapshots = "the embedded store's folder is its own snapshot; a corpus is carried elsewhere by backup and restore"
	out := map[string]string{}
	for _, name := range []string{
		"create", "list_empty", "list_one", "outlive_collection", "create_missing_collection", "list_missing_collection", "delete_missing", "list_full_empty",
	} {
		out["snapshots/"+name] = snapshots
	}
	return out
}

// TestRecordings replays the recordings of a real Qdrant against the embedded store,
// or against the server at QDRANT_URL (with QDRANT_API_KEY). RECORDINGS_DIR names
// another folder of recordings.
func TestRecordings(t *testing.T) {
	dir := os.Getenv("RECORDINGS_DIR")
	if dir == "" {
		dir = "recordings"
	}
	files, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	remote := os.Getenv("QDRANT_URL")
	total, skipped := 0, 0
	for _, file := range files {
		for i := range file.Cases {
			c := &file.Cases[i]
			total++
			t.Run(file.Area+"/"+c.Name, func(t *testing.T) {
				if c.Unstable != "" {
					t.Logf("not compared: %s", c.Unstable)
					return
				}
				if remote != "" && c.Server != nil {
					t.Logf("not compared: the server at QDRANT_URL was not started with %v", c.Server)
					return
				}
				reason, refused := unserved()[file.Area+"/"+c.Name]
				if remote != "" {
					refused = false
				}
				conn := embeddedConn
				if remote != "" {
					conn = remoteConn
				}
				verdict, err := run(t, conn, file, c)
				switch {
				case err != nil:
					t.Fatal(err)
				case refused && verdict.Unserved:
					skipped++
					t.Logf("not served: %s", reason)
				case refused && verdict.Difference == "":
					t.Fatalf("served, yet listed as not served: %s", reason)
				case verdict.Difference != "":
					t.Fatalf("%s\n%s", c.About, verdict.Difference)
				}
			})
		}
	}
	if skipped*10 > total {
		t.Errorf("%d of %d cases are not served: more than a tenth", skipped, total)
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
