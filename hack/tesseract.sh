#!/usr/bin/env bash
# Brings Tesseract and its data for English, which tests of scans run, and prints where it is.
# What is installed already is used as it is; else it comes from the distribution's packages,
# which only root can install. --there only looks.
set -euo pipefail

say() { echo "tesseract: $*" >&2; }

there() { command -v tesseract >/dev/null && tesseract --list-langs 2>/dev/null | grep -qx eng; }

if [ "${1:-}" = --there ]; then
  there
  exit
fi
if ! there; then
  command -v apt-get >/dev/null || { say "install Tesseract 5 with English (tesseract-ocr, tesseract-ocr-eng) by this system's package manager"; exit 1; }
  [ "$(id -u)" = 0 ] || { say "run: sudo apt-get install tesseract-ocr tesseract-ocr-eng"; exit 1; }
  say "installing tesseract-ocr"
  export DEBIAN_FRONTEND=noninteractive
  apt-get -qq update >&2
  apt-get -qq install -y --no-install-recommends tesseract-ocr tesseract-ocr-eng tesseract-ocr-osd >&2
  there || { say "installed, and still not to be found"; exit 1; }
fi
command -v tesseract
