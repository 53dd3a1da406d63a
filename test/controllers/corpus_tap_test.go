package controllers

import (
	"context"
	"fmt"
	"net"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
)

func clientKey(o client.Object) client.ObjectKey { return client.ObjectKeyFromObject(o) }

// tap is a store of its own behind a wire that sees every request.
type tap struct {
	url v1alpha1.URL

	mu     sync.Mutex
	cut    bool
	held   chan struct{} // closed to let requests of the verb pass
	verb   string
	spared int           // that many pass before
	told   chan struct{} // closed when the first is held
	writes map[string]int
}

// newTap starts a store with an API key, "" for none.
func newTap(t *testing.T, key string) *tap {
	t.Helper()
	return tapOf(t, qdrantServer(t, key))
}

// tapOf puts a wire before a store that is there.
func tapOf(t *testing.T, url string) *tap {
	t.Helper()
	conn, err := grpc.NewClient(strings.TrimPrefix(url, "http://"), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	x := &tap{writes: map[string]int{}}
	server := grpc.NewServer(grpc.ForceServerCodec(bytesCodec{}), grpc.UnknownServiceHandler(func(_ any, stream grpc.ServerStream) error {
		method, _ := grpc.MethodFromServerStream(stream)
		if !x.pass(path.Base(method)) {
			return status.Error(codes.Unavailable, "the wire is cut")
		}
		x.wait(path.Base(method))
		return forward(stream, conn, method)
	}))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go server.Serve(l) // until Stop
	t.Cleanup(func() { x.Release(); server.Stop(); conn.Close() })
	x.url = v1alpha1.URL("http://" + l.Addr().String())
	return x
}

// reads are the requests that change nothing; any other may.
func reads() []string {
	return []string{"HealthCheck", "Get", "List", "CollectionExists", "ListAliases", "ListCollectionAliases", "Scroll", "Count", "Facet", "Query", "QueryBatch", "Search"}
}

// Cut cuts the wire, or mends it.
func (x *tap) Cut(cut bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.cut = cut
}

// Hold keeps requests of a verb waiting until Release.
func (x *tap) Hold(verb string) { x.HoldAfter(verb, 0) }

// HoldAfter lets the first of them pass.
func (x *tap) HoldAfter(verb string, pass int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.verb, x.spared, x.held, x.told = verb, pass, make(chan struct{}), make(chan struct{})
}

// Held is closed when a request waits.
func (x *tap) Held() <-chan struct{} {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.told
}

// Release lets them pass.
func (x *tap) Release() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.held != nil {
		close(x.held)
	}
	x.verb, x.held = "", nil
}

func (x *tap) wait(verb string) {
	x.mu.Lock()
	held := x.held
	switch {
	case x.verb != verb || held == nil:
		held = nil
	case x.spared > 0:
		x.spared--
		held = nil
	default:
		select {
		case <-x.told:
		default:
			close(x.told)
		}
	}
	x.mu.Unlock()
	if held != nil {
		<-held
	}
}

// pass counts a request and reports whether the wire carries it.
func (x *tap) pass(verb string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !slices.Contains(reads(), verb) {
		x.writes[verb]++
	}
	return !x.cut
}

// Writes are the requests that may have changed something, by verb.
func (x *tap) Writes() map[string]int {
	x.mu.Lock()
	defer x.mu.Unlock()
	out := map[string]int{}
	for k, n := range x.writes {
		out[k] = n
	}
	return out
}

// Forget counts from 0 on.
func (x *tap) Forget() {
	x.mu.Lock()
	defer x.mu.Unlock()
	clear(x.writes)
}

// forward carries one unary request to another server as it is.
func forward(in grpc.ServerStream, to *grpc.ClientConn, method string) error {
	ctx := in.Context()
	if md, ok := metadata.FromIncomingContext(ctx); ok {
		ctx = metadata.NewOutgoingContext(ctx, md)
	}
	return carry(ctx, in, to, method)
}

func carry(ctx context.Context, in grpc.ServerStream, to *grpc.ClientConn, method string) error {
	var request, reply []byte
	if err := in.RecvMsg(&request); err != nil {
		return err
	}
	if err := to.Invoke(ctx, method, &request, &reply, grpc.ForceCodec(bytesCodec{}), grpc.MaxCallRecvMsgSize(64<<20)); err != nil {
		return err
	}
	return in.SendMsg(&reply)
}

// bytesCodec leaves messages as they are on the wire.
type bytesCodec struct{}

func (bytesCodec) Name() string { return "proto" }

func (bytesCodec) Marshal(v any) ([]byte, error) {
	if b, ok := v.(*[]byte); ok {
		return *b, nil
	}
	return nil, fmt.Errorf("a message of type %T", v)
}

func (bytesCodec) Unmarshal(data []byte, v any) error {
	b, ok := v.(*[]byte)
	if !ok {
		return fmt.Errorf("a message of type %T", v)
	}
	*b = append([]byte(nil), data...)
	return nil
}
