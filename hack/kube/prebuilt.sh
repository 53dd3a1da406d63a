#!/usr/bin/env bash
# Fetches the prebuilt etcd, kube-apiserver and kubectl that setup-envtest would fetch and prints
# their folder. Exit 1 says why it can't; the caller then builds from modules.
#
#   hack/kube/prebuilt.sh [--cached]     --cached: only if it is there already, without a word
#
# Only an archive named in envtest.sha512 is taken, and only with the bytes named there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

releases=https://github.com/kubernetes-sigs/controller-tools/releases/download
say() { echo "kube: $*" >&2; }

case $(uname -s)-$(uname -m) in
  Linux-x86_64) platform=linux-amd64 ;;
  Linux-aarch64 | Linux-arm64) platform=linux-arm64 ;;
  *) platform=$(uname -s)-$(uname -m) ;;
esac
read -r hash archive < <(grep -- "-$platform\.tar\.gz\$" envtest.sha512) ||
  { [ "${1:-}" = --cached ] || say "no pinned hash of a prebuilt control plane for $platform"; exit 1; }
release=${archive%"-$platform.tar.gz"}
root=${XDG_CACHE_HOME:-$HOME/.cache}/hardgate/kube
out=$root/$release-${hash:0:12}

if [ ! -x "$out/kube-apiserver" ]; then
  [ "${1:-}" != --cached ] || exit 1
  command -v curl >/dev/null || { say "curl is missing"; exit 1; }
  mkdir -p "$root"
  tmp=$(mktemp -d "$root/.fetch.XXXXXX")   # same file system, so that the rename is atomic
  trap 'rm -rf "$tmp"' EXIT
  say "fetching $archive"
  curl -fsSL --connect-timeout 3 --speed-limit 1024 --speed-time 20 --retry 1 \
    -o "$tmp/$archive" "$releases/$release/$archive" 2>"$tmp/error" || { say "$(head -n1 "$tmp/error")"; exit 1; }
  (cd "$tmp" && echo "$hash  $archive" | sha512sum -c --status) ||
    { say "$archive: its sha512 is not the pinned one, refused"; exit 1; }
  mkdir "$tmp/bin"
  tar -xzf "$tmp/$archive" -C "$tmp/bin" --strip-components=2   # controller-tools/envtest/NAME
  mv -T "$tmp/bin" "$out" 2>/dev/null || [ -x "$out/kube-apiserver" ]   # another fetch may have won
fi
echo "$out"
