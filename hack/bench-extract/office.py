"""Prints Word documents with LibreOffice and writes down the tables that are in them.

Usage: office.py DIRECTORY < lines of a path, a tab, a name. Each becomes
DIRECTORY/NAME.pdf beside NAME.tables.json: an author's tables, laid out by a
program, with a truth that nobody had to read off the page. Documents without a
table of two rows and two columns are left out.
"""

import json
import pathlib
import sys
import tempfile

import docx
import soffice
from docx.oxml.ns import qn


def cells(table):
    """Lists the cells of a table with what they span; None where it holds another table."""
    out, open_cells = [], {}
    for r, row in enumerate(table.rows):
        c = row.grid_cols_before
        for tc in row._tr.tc_lst:
            if tc.findall(".//" + qn("w:tbl")):
                return None
            wide = tc.grid_span
            if tc.vMerge == "continue" and c in open_cells:
                open_cells[c]["end_row_offset_idx"] = r + 1
            else:
                text = "\n".join("".join(t.text or "" for t in p.iter(qn("w:t"))) for p in tc.findall(qn("w:p")))
                cell = {"text": text, "start_row_offset_idx": r, "end_row_offset_idx": r + 1, "start_col_offset_idx": c, "end_col_offset_idx": c + wide}
                out.append(cell)
                if tc.vMerge == "restart":
                    open_cells[c] = cell
                else:
                    open_cells.pop(c, None)
            c += wide
    return out


def tables(path):
    """Lists a document's tables, None when it has none that can be compared."""
    out, real = [], False
    for table in docx.Document(str(path)).tables:
        found = cells(table)
        if found is None:
            return None
        out.append({"data": {"table_cells": found}})
        filled = [c for c in found if c["text"].strip()]
        real = real or len({c["start_row_offset_idx"] for c in filled}) > 1 and len({c["start_col_offset_idx"] for c in filled}) > 1
    return out if real else None


def main():
    target = pathlib.Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        copies = []
        for line in sys.stdin:
            source, name = line.rstrip("\n").split("\t")
            if (target / f"{name}.pdf").exists():
                continue
            try:
                found = tables(source)
            except Exception as e:  # not every file of a test suite is sound
                print(f"{source}: {type(e).__name__}", file=sys.stderr)
                continue
            if not found:
                continue
            copies.append(pathlib.Path(home) / f"{name}.docx")
            copies[-1].write_bytes(pathlib.Path(source).read_bytes())
            (target / f"{name}.tables.json").write_text(json.dumps({"tables": found}, ensure_ascii=False), encoding="utf-8")
        soffice.convert(home, copies, "pdf", target)


if __name__ == "__main__":
    main()
