#!/usr/bin/env bash
# Measures the extractor beside pdfplumber: make bench-extract. The peer, the
# generators and poppler are brought by the usual routes where they are missing,
# into the user's cache; no test needs any of them. PUBLIC names a directory of
# public files (public.tsv), DOWNLOAD=1 fills it; ARGS goes to the driver.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

work=${XDG_CACHE_HOME:-$HOME/.cache}/hardgate/bench-extract
python=$work/venv/bin/python
mkdir -p "$work"
if [ ! -x "$python" ] || ! "$python" -c 'import pdfplumber, reportlab, fpdf, docx' 2>/dev/null; then
  python3 -m venv "$work/venv"
  "$python" -m pip install --quiet pdfplumber==0.11.10 reportlab==5.1.0 fpdf2==2.8.9 python-docx==1.2.0
fi
if ! command -v pdftotext >/dev/null; then
  apt-get install -y --no-install-recommends poppler-utils >/dev/null ||
    { echo "bench-extract: install poppler-utils for pdftotext" >&2; exit 1; }
fi
command -v soffice >/dev/null || echo "bench-extract: without LibreOffice (writer and calc) its layouts, Word documents and spreadsheets are left out" >&2
command -v chromium >/dev/null || echo "bench-extract: without Chromium the HTML pages are left out" >&2
go build -o "$work/bench-extract" ./hack/bench-extract
exec "$work/bench-extract" -python "$python" -work "$work" ${PUBLIC:+-public "$PUBLIC"} ${DOWNLOAD:+-download} ${ARGS:-}
