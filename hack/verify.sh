#!/usr/bin/env bash
# Regenerates what is generated and fails if any of it was stale, with the difference. It compares
# with what was there before, committed or not, so it holds in a work tree as it does in a clean
# checkout; what it regenerated stays, ready to be committed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

generated=(config/crd/bases config/rbac/role.yaml charts/hardgate/files api)
before=$(mktemp -d)
trap 'rm -rf "$before"' EXIT
cp -R --parents "${generated[@]}" "$before"

make --no-print-directory generate manifests
stale=0
for path in "${generated[@]}"; do
  diff -ru "$before/$path" "$path" || stale=1
done
[ $stale = 0 ] || { echo "verify: the files above were stale; they are regenerated now, commit them" >&2; exit 1; }
go mod tidy -diff || { echo "verify: go.mod or go.sum is not tidy: run go mod tidy" >&2; exit 1; }
echo "verify: generated files and go.mod are up to date"
