# The entry points. `make` alone lists them; nothing here needs more than Go, a C compiler and
# what hack/assets.sh brings.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
IMAGE ?= hardgate-dev/hardgate:$(VERSION)
CONTAINER_TOOL ?= docker
FUZZTIME ?= 30s
TESTS ?= ./...
OCR_PACKAGES ?=

tool := go tool -modfile=hack/tools/go.mod
# KUBEBUILDER_ASSETS, HELM, VERSITYGW and HARDGATE_MODEL_DIR, exported: a call costs milliseconds once all is there.
# Assigned first: eval alone would hide that a part could not be brought.
assets := parts=$$(hack/assets.sh all) && eval "$$parts"
demo := bin/hardgate demo --control-plane="$$KUBEBUILDER_ASSETS" --versitygw="$$VERSITYGW" --model-dir="$$HARDGATE_MODEL_DIR"

##@ Everyday

.PHONY: help
help: ## This list
	@awk 'BEGIN {FS = ":.*## "} /^##@/ {printf "\n%s\n", substr($$0, 5)} /^[a-z-]+:.*## / {printf "  %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: setup
setup: ## Bring the control plane, the S3 server, helm and the model; says which route each took
	@hack/assets.sh all

.PHONY: build
build: ## bin/hardgate, and bin/kubectl-hardgate beside it
	@mkdir -p bin
	CGO_ENABLED=1 go build -ldflags '-X main.version=$(VERSION)' -o bin/hardgate .
	@ln -sf hardgate bin/kubectl-hardgate

.PHONY: demo
demo: setup build ## From a PDF in a bucket to a verified answer, and the refusal that is the point of it
	@$(assets) && $(demo)

.PHONY: up
up: setup build ## The same, but it stays up and prints its URLs
	@$(assets) && $(demo) --stay

.PHONY: down
down: build ## Remove what `make up` made, and only that
	@bin/hardgate demo --down

.PHONY: run
run: setup build ## The manager on this machine, for the cluster of the current kubeconfig
	@$(assets) && bin/hardgate manager --data-dir=.cache/data --extract-cache-dir=.cache/extract --model-dir="$$HARDGATE_MODEL_DIR" \
	  --serve-address=127.0.0.1:8080 --metrics-address=127.0.0.1:9090 --health-address=127.0.0.1:8081

##@ Code

.PHONY: generate
generate: ## Deep copies of the API types
	$(tool) controller-gen object paths=./api/...

.PHONY: manifests
manifests: ## CRDs and the manager's role from the Go types and markers, and the chart's copies of both
	$(tool) controller-gen crd rbac:roleName=hardgate-manager paths='{.,./api/...,./controllers/...,./runtime/serve/...}' \
	  output:crd:dir=config/crd/bases output:rbac:dir=config/rbac
	@hack/chart-files.sh

.PHONY: fmt
fmt: ## Format, imports grouped
	$(tool) golangci-lint fmt

.PHONY: lint
lint: ## golangci-lint: what CONTRIBUTING asks for, as far as a machine can tell
	$(tool) golangci-lint run

.PHONY: verify
verify: ## Regenerate everything that is generated; fails if any of it was stale
	@hack/verify.sh

.PHONY: clean
clean: ## Remove bin and dist; what setup brought stays in the cache
	rm -rf bin dist

##@ Proof

.PHONY: test
test: setup verify lint ## Everything that must hold: verify, lint, then unit, envtest, S3, chart and golden tests
	@$(assets) && $(tool) gotestsum --format pkgname --format-hide-empty-pkg -- -timeout 20m $(TESTS)

.PHONY: e2e
e2e: demo ## The whole job on real parts: the demo exits 0 only if all of it came true

.PHONY: bench
bench: setup ## Every benchmark
	@$(assets) && go test -run '^$$' -bench . -benchmem $$(grep -rl --include='*_test.go' '^func Benchmark' . | xargs -r -n1 dirname | sort -u)

.PHONY: bench-extract
bench-extract: ## PDF extraction beside pdfplumber: rows, tokens, tables, CPU, bounds; PUBLIC=directory of the public files
	@hack/bench-extract/run.sh

.PHONY: fuzz
fuzz: setup ## Every fuzz target for FUZZTIME each
	@$(assets) && hack/fuzz.sh $(FUZZTIME)

.PHONY: vuln
vuln: ## Known vulnerabilities in what is called; needs the vulnerability database
	$(tool) govulncheck ./...

##@ Shipping

.PHONY: image
image: ## The container image; OCR_PACKAGES="tesseract-ocr" puts Tesseract in
	$(CONTAINER_TOOL) build --build-arg VERSION=$(VERSION) --build-arg OCR_PACKAGES="$(OCR_PACKAGES)" -t $(IMAGE) .

.PHONY: chart
chart: manifests ## In dist: the Helm chart, linted, and kustomize's manifests
	@mkdir -p dist
	@$(assets) && "$$HELM" lint --strict charts/hardgate && "$$HELM" package charts/hardgate -d dist
	$(tool) kustomize build config/default > dist/install.yaml
