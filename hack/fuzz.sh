#!/usr/bin/env bash
# Runs every fuzz target for the given time, one after the other; go test takes one at a time.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

duration=${1:?usage: hack/fuzz.sh DURATION}
grep -rHo --include='*_test.go' '^func Fuzz[A-Za-z0-9_]*' . | sort | while IFS=: read -r file function; do
  target=${function#func }
  echo "fuzz: $target in $(dirname "$file")"
  go test -run '^$' -fuzz "^$target\$" -fuzztime "$duration" "$(dirname "$file")" </dev/null
done
