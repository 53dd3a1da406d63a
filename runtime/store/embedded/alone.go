package embedded

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
)

// Alone is a store that is served by itself, for other processes.
type Alone struct {
	Options
	// Address to listen on, host:port.
	Address string
	// CertFile and KeyFile, if not "", are PEM files by which TLS is spoken.
	CertFile, KeyFile string
	// Listening, if not nil, is told the address once requests are taken.
	Listening func(address string)
}

// Run serves until ctx ends; what was begun is answered then.
func (a Alone) Run(ctx context.Context) error {
	l, err := a.listen(ctx)
	if err != nil {
		return err
	}
	s, err := Open(a.Options)
	if err != nil {
		return errors.Join(err, l.Close())
	}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(l) }()
	if a.Listening != nil {
		a.Listening(l.Addr().String())
	}
	select {
	case err := <-ended:
		return errors.Join(err, s.Close())
	case <-ctx.Done():
		return s.Close()
	}
}

func (a Alone) listen(ctx context.Context) (net.Listener, error) {
	if (a.CertFile == "") != (a.KeyFile == "") {
		return nil, errors.New("TLS needs both a certificate and its key")
	}
	var config *tls.Config
	if a.CertFile != "" {
		pair, err := tls.LoadX509KeyPair(a.CertFile, a.KeyFile)
		if err != nil {
			return nil, fmt.Errorf("read TLS certificate: %w", err)
		}
		config = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12, NextProtos: []string{"h2"}}
	}
	var open net.ListenConfig
	l, err := open.Listen(ctx, "tcp", a.Address)
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	if config != nil {
		l = tls.NewListener(l, config)
	}
	return l, nil
}
