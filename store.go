package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hardgate-dev/hardgate/runtime/cli"
	"github.com/hardgate-dev/hardgate/runtime/settings"
	"github.com/hardgate-dev/hardgate/runtime/store/embedded"
)

// storeCommand runs the embedded store by itself: one process, for test clusters.
// Keys come by the environment, where the list of processes doesn't show them.
func storeCommand(env *cli.Environment) *cobra.Command {
	var a embedded.Alone
	c := &cobra.Command{
		Use: "store", Short: "Run the embedded store by itself, speaking Qdrant's gRPC API; keys in $HARDGATE_STORE_API_KEY and $HARDGATE_STORE_READ_ONLY_API_KEY",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if settings.Blank(a.Dir) {
				return &cli.Exit{Code: cli.ExitInput, Err: errors.New("--data-dir is missing: name a directory that outlives the process")}
			}
			a.Address = settings.FirstNonBlank(a.Address, ":6334")
			a.CertFile, a.KeyFile = settings.FirstNonBlank(a.CertFile), settings.FirstNonBlank(a.KeyFile)
			if (a.CertFile == "") != (a.KeyFile == "") {
				return &cli.Exit{Code: cli.ExitInput, Err: errors.New("--tls-cert and --tls-key go together")}
			}
			a.APIKey, a.ReadOnlyAPIKey = env.Getenv("HARDGATE_STORE_API_KEY"), env.Getenv("HARDGATE_STORE_READ_ONLY_API_KEY")
			a.Warn = func(err error) { fmt.Fprintln(env.Err, "hardgate store:", err) }
			a.Listening = func(address string) { fmt.Fprintln(env.Out, "serving on", address) }
			if err := a.Run(c.Context()); err != nil {
				return &cli.Exit{Code: cli.ExitFailed, Err: err}
			}
			return nil
		},
	}
	f := c.Flags()
	f.StringVar(&a.Dir, "data-dir", "", "directory of the store (required)")
	f.StringVar(&a.Address, "address", ":6334", "address to listen on")
	f.StringVar(&a.CertFile, "tls-cert", "", "PEM file of the certificate; with --tls-key, TLS is spoken")
	f.StringVar(&a.KeyFile, "tls-key", "", "PEM file of the certificate's key")
	return c
}
