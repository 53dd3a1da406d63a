package demo

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// startManager runs this very binary as the manager, with the rights of its
// ServiceAccount and no others.
func (s *stage) startManager(ctx context.Context) error {
	s.title("The manager, under its own ServiceAccount")
	self, err := os.Executable()
	if err != nil {
		return err
	}
	token, err := s.cluster.token(ctx, systemNamespace, "hardgate")
	if err != nil {
		return err
	}
	kubeconfig := filepath.Join(s.dir, "manager.kubeconfig")
	if err := s.cluster.kubeconfig(kubeconfig, token); err != nil {
		return err
	}
	serve, err := port()
	if err != nil {
		return err
	}
	health, err := port()
	if err != nil {
		return err
	}
	s.manager, err = s.launch("manager", self, nil, "manager", "--kubeconfig", kubeconfig, "--data-dir", filepath.Join(s.dir, "data"),
		"--model-dir", s.ModelDir, "--extract-cache-dir", s.CacheDir, "--serve-address", serve, "--metrics-address", "0",
		"--health-address", health, "--endpoint", "http://"+serve, "--drift-interval", "10s")
	if err != nil {
		return err
	}
	if err := s.manager.ready(ctx, "http://"+serve+"/healthz"); err != nil {
		return fmt.Errorf("the manager does not come up: %w", err)
	}
	s.asker = &asker{base: "http://" + serve}
	s.say("up at http://%s, model all-MiniLM-L6-v2 on ONNX Runtime, embedded store in %s", serve, filepath.Join(s.dir, "data"))
	return nil
}
