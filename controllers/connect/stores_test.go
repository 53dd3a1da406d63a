package connect

import (
	"net"
	"testing"

	"github.com/hardgate-dev/hardgate/runtime/store"
	"github.com/hardgate-dev/hardgate/runtime/store/embedded"
)

// TestStoresLetGo rotates keys: no connection stays that nobody asks by.
func TestStoresLetGo(t *testing.T) {
	server, err := embedded.Open(embedded.Options{}) // without a key any is good
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go server.Serve(l) // until Close
	t.Cleanup(func() { server.Close() })
	var s stores
	dial := func(holder, key string) *store.Client {
		t.Helper()
		c, err := s.dial(t.Context(), holder, store.Config{URL: "http://" + l.Addr().String(), APIKey: key})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	first := dial("hr/a place", "1")
	if dial("hr/a place", "1") != first || dial("hr/b place", "1") != first {
		t.Error("those who address a server alike share a connection")
	}
	second := dial("hr/a place", "2")
	if second == first || len(s.clients) != 2 {
		t.Errorf("%d connections: the old key's is still b's", len(s.clients))
	}
	for _, key := range []string{"2", "3", "4", "5"} {
		dial("hr/a place", key)
		dial("hr/b place", key)
	}
	if len(s.clients) != 1 {
		t.Errorf("%d connections after both keys were rotated, want 1", len(s.clients))
	}
	dial("hr/a other", "5")
	s.release("hr/a ")
	if len(s.held) != 1 || len(s.clients) != 1 {
		t.Errorf("a is gone, b is not: %d held, %d connections", len(s.held), len(s.clients))
	}
	s.release("hr/b ")
	if len(s.held) != 0 || len(s.clients) != 0 {
		t.Errorf("nobody is left: %d held, %d connections", len(s.held), len(s.clients))
	}
}
