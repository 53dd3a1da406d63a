package controllers

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/runtime/store"
	"github.com/hardgate-dev/hardgate/runtime/store/embedded"
)

// Variables by which this program is the store and no test.
const (
	aloneDir     = "HARDGATE_TEST_STORE_DIR"
	aloneAddress = "HARDGATE_TEST_STORE_ADDRESS"
	aloneCert    = "HARDGATE_TEST_STORE_CERT"
	aloneKey     = "HARDGATE_TEST_STORE_KEY"
)

// storeAlone serves a store until it is killed.
func storeAlone(dir, address string) int {
	a := embedded.Alone{Options: embedded.Options{Dir: dir}, Address: address, CertFile: os.Getenv(aloneCert), KeyFile: os.Getenv(aloneKey)}
	if err := a.Run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// alone is a store in a process of its own.
type alone struct {
	*testing.T
	dir, address string
	cert, key    string // files, "" = without TLS
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
	a.command.Env = append(os.Environ(), aloneDir+"="+a.dir, aloneAddress+"="+a.address, aloneCert+"="+a.cert, aloneKey+"="+a.key)
	a.command.Stderr = os.Stderr
	if err := a.command.Start(); err != nil {
		a.Fatal(err)
	}
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		c, err := a.connect()
		if err == nil {
			c.Close()
			return
		}
		if time.Now().After(deadline) {
			a.Fatal(err)
		}
	}
}

func (a *alone) connect() (*store.Client, error) {
	if a.cert == "" {
		return store.Connect(a.Context(), store.Config{URL: "http://" + a.address})
	}
	ca, err := os.ReadFile(a.cert)
	if err != nil {
		return nil, err
	}
	return store.Connect(a.Context(), store.Config{URL: "https://" + a.address, CA: ca})
}

// kill ends it as a power cut would.
func (a *alone) kill() {
	if a.command != nil {
		_ = a.command.Process.Kill()
		_ = a.command.Wait() // killed: that is its error
		a.command = nil
	}
}

// TestCollectionOverTLS keeps a collection in a store of its own that speaks TLS, by a
// certificate that nobody knows until the Collection names its authority.
func TestCollectionOverTLS(t *testing.T) {
	a := newAlone(t)
	a.cert, a.key = selfSigned(t)
	cert, err := os.ReadFile(a.cert)
	if err != nil {
		t.Fatal(err)
	}
	a.start()
	d := newDesk(t, everything()...)
	d.collection.Spec.Store = serverAt(v1alpha1.URL("https://" + a.address))
	d.apply()
	d.ExpectCondition(d.collection, v1alpha1.ReadyCondition, no, v1alpha1.StoreUnreachableReason, "caSecretRef")
	d.ExpectApplied(&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "store-ca"}, Data: map[string][]byte{"ca.crt": cert}})
	d.refresh(d.collection)
	d.collection.Spec.Store.Qdrant.CASecretRef = &v1alpha1.KeyReference{Name: "store-ca", Key: "ca.crt"}
	d.ExpectApplied(d.collection)
	d.ExpectReady(1)
	d.ExpectAnswer("30 days")
	if n := len(d.points(d.corpus.Status.Active.Collection)); n == 0 {
		t.Error("nothing is stored there")
	}
}

// selfSigned are the files of a certificate for 127.0.0.1 and of its key.
func selfSigned(t *testing.T) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(t.TempDir(), "tls.crt"), filepath.Join(t.TempDir(), "tls.key")
	for name, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: pkcs8}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
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
