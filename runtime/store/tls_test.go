package store

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/store/embedded"
)

// certificate is a self-signed one for 127.0.0.1, and its key, as PEM.
func certificate(t *testing.T) (cert, key []byte) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: "store"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs8})
}

// alone serves a store by itself until the test ends; cert "" is without TLS.
func alone(t *testing.T, cert, key string) (address string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	listening, ended := make(chan string, 1), make(chan error, 1)
	a := embedded.Alone{
		Options: embedded.Options{Dir: t.TempDir(), APIKey: "open sesame"}, Address: "127.0.0.1:0", CertFile: cert, KeyFile: key,
		Listening: func(address string) { listening <- address },
	}
	go func() { ended <- a.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	select {
	case address = <-listening:
	case err := <-ended:
		ended <- nil
		t.Fatal(err)
	}
	return address
}

func TestTLS(t *testing.T) {
	dir := t.TempDir()
	cert, key := certificate(t)
	other, _ := certificate(t)
	certFile, keyFile := filepath.Join(dir, "tls.crt"), filepath.Join(dir, "tls.key")
	for name, data := range map[string][]byte{certFile: cert, keyFile: key} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	secure, plain := alone(t, certFile, keyFile), alone(t, "", "")
	for name, tc := range map[string]struct {
		reason string
		cfg    Config
		says   string // "" = it works
	}{
		"trusted":       {"the certificate is its own authority", Config{URL: "https://" + secure, CA: cert}, ""},
		"unknown":       {"the system knows nothing of it", Config{URL: "https://" + secure}, "name its authority by caSecretRef"},
		"another's":     {"a rotated authority", Config{URL: "https://" + secure, CA: other}, "isn't signed by the authority"},
		"plain to TLS":  {"one letter is missing", Config{URL: "http://" + secure}, "write its URL with https://"},
		"TLS to plain":  {"one letter is too much", Config{URL: "https://" + plain, CA: cert}, "write its URL with http://"},
		"plain to same": {"", Config{URL: "http://" + plain}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			tc.cfg.APIKey = "open sesame"
			c, err := Connect(ctx, tc.cfg)
			if err == nil {
				defer c.Close()
				_, err = c.AliasTarget(ctx, "anything") // the key goes along
			}
			if (err == nil) != (tc.says == "") || err != nil && !strings.Contains(err.Error(), tc.says) {
				t.Errorf("%s: %v, want %q", tc.reason, err, tc.says)
			}
		})
	}
}
