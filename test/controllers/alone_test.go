package controllers

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"testing"
	"time"

	"sigs.k8s.io/cli-utils/pkg/kstatus/status"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/runtime/store"
	"github.com/hardgate-dev/hardgate/runtime/store/embedded"
)

// Variables by which this program is the store and no test.
const (
	aloneDir     = "HARDGATE_TEST_STORE_DIR"
	aloneAddress = "HARDGATE_TEST_STORE_ADDRESS"
)

// storeAlone serves a store until it is killed.
func storeAlone(dir, address string) int {
	if err := (embedded.Alone{Options: embedded.Options{Dir: dir}, Address: address}).Run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// alone is a store in a process of its own.
type alone struct {
	*testing.T
	dir, address string
	command      *exec.Cmd
}

func newAlone(t *testing.T) *alone {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	a := &alone{T: t, dir: t.TempDir(), address: l.Addr().String()}
	t.Cleanup(a.kill)
	return a
}

// start starts it on what it had before.
func (a *alone) start() {
	a.Helper()
	a.command = exec.Command(os.Args[0])
	a.command.Env = append(os.Environ(), aloneDir+"="+a.dir, aloneAddress+"="+a.address)
	a.command.Stderr = os.Stderr
	if err := a.command.Start(); err != nil {
		a.Fatal(err)
	}
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		c, err := store.Connect(a.Context(), store.Config{URL: "http://" + a.address})
		if err == nil {
			c.Close()
			return
		}
		if time.Now().After(deadline) {
			a.Fatal(err)
		}
	}
}

// kill ends it as a power cut would.
func (a *alone) kill() {
	if a.command != nil {
		_ = a.command.Process.Kill()
		_ = a.command.Wait() // killed: that is its error
		a.command = nil
	}
}

// TestMoveToAServerThatIsKilled kills the other store between two batches of the
// copy: the one before goes on serving, and the copy is taken up when it is back.
func TestMoveToAServerThatIsKilled(t *testing.T) {
	target := newAlone(t)
	target.start()
	tap := tapOf(t, "http://"+target.address)
	d := newDesk(t, everything()...)
	for n := range 110 {
		d.bucket.Put(fmt.Sprintf("memo-%d.pdf", n), page(fmt.Sprintf("Memo %d", n), fmt.Sprintf("Item HG-%04d is kept in aisle %d.", n, n%7)))
	}
	d.apply()
	d.ExpectReady(1)
	before := d.records(d.vectorsOf())
	if len(before) < 300 {
		t.Fatalf("%d points are too few for two batches", len(before))
	}
	wrong := d.crowd("30 days")
	d.bucket.Forget()
	tap.HoldAfter("Upsert", 1)
	d.moveTo(serverAt(tap.url))
	<-tap.Held()
	target.kill()
	tap.Release()
	d.ExpectCondition(d.collection, v1alpha1.ReconcilingCondition, yes, v1alpha1.StoreUnreachableReason, string(tap.url), "embedded serves")
	d.ExpectKstatus(d.collection, status.InProgressStatus)
	d.ExpectAnswer("30 days")
	d.ExpectServing(1)

	tap.Forget()
	target.start()
	d.ExpectMoved(string(tap.url))
	wrong()
	d.ExpectAnswer("30 days")
	d.sameRecords("the copy is another", before, d.records(d.vectors()))
	if n := tap.Writes()["Upsert"]; n != 1 {
		t.Errorf("%d batches were written after the kill, want the 1 that was missing", n)
	}
	if n := d.bucket.Fetches(); len(n) > 0 {
		t.Errorf("documents were read again: %v", n)
	}
}

// vectorsOf is the store of the desk's collection as it is now.
func (d *desk) vectorsOf() *store.Client {
	d.Helper()
	d.refresh(d.collection)
	return d.vectors()
}
