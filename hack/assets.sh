#!/usr/bin/env bash
# Brings what tests and the demo run on, beside the operator itself, and prints where it is.
#
#   hack/assets.sh controlplane   etcd, kube-apiserver, kubectl: the folder
#   hack/assets.sh helm           helm: the folder
#   hack/assets.sh s3             versitygw: the folder
#   hack/assets.sh model          MiniLM, its tokenizer, ONNX Runtime: the folder
#   hack/assets.sh ocr            Tesseract with English, installed where it is missing: the program
#   hack/assets.sh all            every part, as lines for the shell: eval "$(hack/assets.sh all)"
#
# Each part comes by its normal route or, where that can't be reached, by a second one, says which
# it took, and is checked against a pinned hash. All of it is kept under
# ${XDG_CACHE_HOME:-~/.cache}/hardgate; a second call costs milliseconds.
#
#   KUBEBUILDER_ASSETS            a control plane that is there already is used as it is
#   HARDGATE_CONTROLPLANE_ROUTE   "prebuilt" or "modules" allows only that; default: both, in that order
set -euo pipefail
hack=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

say() { echo "assets: $*" >&2; }

controlplane() {
  local route=${HARDGATE_CONTROLPLANE_ROUTE:-both} programs=(etcd kube-apiserver kubectl) program found
  if [ -n "${KUBEBUILDER_ASSETS:-}" ]; then
    for program in "${programs[@]}"; do
      [ -x "$KUBEBUILDER_ASSETS/$program" ] || { say "KUBEBUILDER_ASSETS has no $program: $KUBEBUILDER_ASSETS"; return 1; }
    done
    echo "$KUBEBUILDER_ASSETS"
    return
  fi
  case $route in
    prebuilt) "$hack/kube/prebuilt.sh" ;;
    modules) "$hack/kube/build.sh" "${programs[@]}" ;;
    both)
      "$hack/kube/prebuilt.sh" --cached && return
      found=$("$hack/kube/build.sh" --cached "${programs[@]}") && { echo "$found"; return; }
      if found=$("$hack/kube/prebuilt.sh"); then
        say "control plane: prebuilt, sha512 as pinned"
        echo "$found"
      else
        say "control plane: no prebuilt one to be had, building it from Go modules (about 9 CPU minutes, once)"
        "$hack/kube/build.sh" "${programs[@]}"
      fi ;;
    *) say "HARDGATE_CONTROLPLANE_ROUTE is \"$route\"; it may be prebuilt, modules or both"; return 2 ;;
  esac
}

all() {
  local folder
  folder=$(controlplane); printf 'export KUBEBUILDER_ASSETS=%q\n' "$folder"
  folder=$("$hack/kube/build.sh" helm); printf 'export HELM=%q\n' "$folder/helm"
  folder=$("$hack/s3/build.sh"); printf 'export VERSITYGW=%q\n' "$folder/versitygw"
  "$hack/tesseract.sh" --there || say "no Tesseract with English: tests of scans will fail, nothing else needs it (hack/assets.sh ocr installs it)"
  folder=$("$hack/model.sh"); printf 'export HARDGATE_MODEL_DIR=%q\n' "$folder"
}

case ${1:-} in
  controlplane) controlplane ;;
  helm) "$hack/kube/build.sh" helm ;;
  s3) "$hack/s3/build.sh" ;;
  model) "$hack/model.sh" ;;
  ocr) "$hack/tesseract.sh" ;;
  all) all ;;
  *) say "usage: hack/assets.sh controlplane|helm|s3|model|ocr|all"; exit 2 ;;
esac
