#!/usr/bin/env bash
# Builds programs out of a module of pinned versions and prints the folder they are in.
#
#   hack/gomodule.sh [--cached] NAME DIR LDFLAGS PROGRAM=PACKAGE...
#
# --cached: exit 1 without a word if a program is yet to be built.
# DIR holds the module: its go.mod pins the versions, its go.sum the bytes, and -mod=readonly
# lets neither be changed by a build. The folder is named by all that goes into a program, so a
# second call costs milliseconds and two versions never meet. A program appears by a rename:
# half a program can't be seen, and of two builds at once either may win.
set -euo pipefail

cached=
if [ "$1" = --cached ]; then cached=yes; shift; fi
name=$1 dir=$2 ldflags=$3
shift 3
cd "$dir"
root=${XDG_CACHE_HOME:-$HOME/.cache}/hardgate/$name
key=$({ go env GOVERSION GOOS GOARCH; cat go.mod go.sum; echo "$ldflags"; } | sha256sum | cut -c1-16)
out=$root/$key

say() { echo "$name: $*" >&2; }

# progress reads what `go build -v` says: a line for each package compiled or downloaded, and
# the compiler's own words, which are passed on.
progress() {
  local line count=0 next=$((SECONDS + 15))
  while IFS= read -r line; do
    case $line in
      "go: downloading "*) ;;
      *[!A-Za-z0-9._/~-]*) echo "$line" >&2; continue ;;
    esac
    count=$((count + 1))
    if ((SECONDS >= next)); then
      say "  $count packages compiled or fetched, ${SECONDS} s"
      next=$((SECONDS + 15))
    fi
  done
}

missing=()
for pair; do [ -x "$out/${pair%%=*}" ] || missing+=("$pair"); done
if [ ${#missing[@]} -gt 0 ]; then
  [ -z "$cached" ] || exit 1
  mkdir -p "$out"
  tmp=$(mktemp -d "$root/.build.XXXXXX")   # same file system, so that the rename is atomic
  trap 'rm -rf "$tmp"' EXIT
  export CGO_ENABLED=0 GOFLAGS="-mod=readonly -trimpath -buildvcs=false"
  for pair in "${missing[@]}"; do
    program=${pair%%=*} package=${pair#*=}
    say "building $program from $package, modules checked against go.sum"
    nice -n 5 go build -v -ldflags "-s -w $ldflags" -o "$tmp/$program" "$package" 2>&1 | progress
    mv -fT "$tmp/$program" "$out/$program"
  done
  say "built in ${SECONDS} s: $out"
fi
echo "$out"
