"""Reads PDFs with pdfplumber's defaults: a JSON line a file, as the driver's own reader writes them.

Usage: peer.py PAGES < list of paths. PAGES bounds the pages read of each file.
"""

import json
import sys
import time

import pdfplumber


def read(path, pages):
    out = {"file": path, "pages": [], "tables": []}
    start = time.process_time()
    try:
        with pdfplumber.open(path) as pdf:
            for page in pdf.pages[:pages]:
                out["pages"].append(page.extract_text() or "")
                for table in page.find_tables():
                    out["tables"].append({"page": page.page_number, "rows": table.extract()})
    except Exception as e:  # whatever it does not read is scored as nothing found
        out["error"] = f"{type(e).__name__}: {e}"
    out["cpu"] = time.process_time() - start
    return out


limit = int(sys.argv[1])
for line in sys.stdin:
    print(json.dumps(read(line.strip(), limit)), flush=True)
