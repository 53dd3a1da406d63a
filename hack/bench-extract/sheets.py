"""Prints spreadsheets with LibreOffice and writes down the tables that are in them.

Usage: sheets.py DIRECTORY < lines of a path, a tab, a name. Each becomes
DIRECTORY/NAME.pdf beside NAME.tables.json: the used cells as LibreOffice displays
them, hidden rows, columns and sheets left out. LibreOffice's flat format says
both; in it each sheet is made as wide as the paper before it is printed.

A block of rows without a blank row is a table; rows of one cell at its head or
foot are titles and notes. Workbooks in which that is not clear are left out:
blocks side by side, charts and other drawings, more than 2,000 rows, sheets that
would be printed at less than half their size.
"""

import json
import pathlib
import sys
import tempfile
import xml.etree.ElementTree as ET

import soffice

TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
FO = "{urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0}"
DRAWN = tuple("{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}" + n for n in ("frame", "custom-shape", "line", "rect", "g", "control"))
MOST_ROWS, LEAST_SCALE = 2000, 0.5
INCHES = {"in": 1, "cm": 1 / 2.54, "mm": 1 / 25.4, "pt": 1 / 72}


class Unclear(Exception):
    """A workbook whose tables are no clear truth."""


def inches(length):
    return float(length[:-2]) * INCHES[length[-2:]] if length else 0.0


def shown_text(node):
    """Returns what a paragraph shows; comments are elsewhere."""
    if node.tag == TEXT + "s":
        own = " " * int(node.get(TEXT + "c", 1))
    else:
        own = {TEXT + "tab": "\t", TEXT + "line-break": "\n"}.get(node.tag, node.text or "")
    return own + "".join(shown_text(child) + (child.tail or "") for child in node)


def repeated(table, tag):
    """Lists rows or columns with how often each repeats, groups unpacked."""
    for e in table:
        if e.tag == TABLE + tag:
            yield e, int(e.get(f"{TABLE}number-{tag[6:]}s-repeated", 1))
        elif e.tag.startswith(TABLE + tag):  # table-row-group, table-header-columns, table-rows
            yield from repeated(e, tag)


def hidden(e):
    return e.get(TABLE + "visibility", "visible") != "visible"


def visible_columns(table):
    """Lists, for each column, whether it is printed and its style; the sheet's rest is one long run."""
    out = []
    for e, n in repeated(table, "table-column"):
        out += [(not hidden(e), e.get(TABLE + "style-name"))] * min(n, 1024)
    return out


def row_cells(row, columns):
    """Lists the filled cells of a row: displayed column, text, rows and columns covered."""
    out, c = [], 0
    for e in row:
        n = int(e.get(TABLE + "number-columns-repeated", 1))
        text = "\n".join(shown_text(p) for p in e.findall(TEXT + "p")) if e.tag == TABLE + "table-cell" else ""
        wide = int(e.get(TABLE + "number-columns-spanned", 1))
        if text.strip():
            for k in range(c, c + n):
                span = sum(v for v, _ in columns[k : k + wide])
                if span:
                    out.append((sum(v for v, _ in columns[:k]), text, int(e.get(TABLE + "number-rows-spanned", 1)), span))
        c += n
    return out


def sheet_cells(table, columns):
    """Lists the cells of a sheet by displayed row: (row, column, text, rows, columns)."""
    rows, r, displayed = [], 0, {}
    for e, n in repeated(table, "table-row"):
        cells = row_cells(e, columns)
        if r + n > MOST_ROWS and cells:
            raise Unclear("rows")
        for k in range(r, r + n if r + n <= MOST_ROWS else r):
            if not hidden(e):
                displayed[k] = len(displayed)
                rows += [(k, *cell) for cell in cells]
        r += n
    return [(displayed[r], c, text, sum(k in displayed for k in range(r, r + tall)), wide) for r, c, text, tall, wide in rows]


def parts(cells, at, size):
    """Splits cells where a row (or column) is blank."""
    out, end = [], -1
    for cell in sorted(cells, key=lambda c: c[at]):
        if cell[at] > end:
            out.append([])
        out[-1].append(cell)
        end = max(end, cell[at] + cell[size])
    return out


def trimmed(cells):
    """Takes off rows of one cell at the head and foot."""
    rows = parts(cells, 0, 3)[0] and sorted({c[0] for c in cells})
    alone = [sum(c[0] == r for c in cells) == 1 for r in rows]
    while rows and alone[0]:
        rows, alone = rows[1:], alone[1:]
    while rows and alone[-1]:
        rows, alone = rows[:-1], alone[:-1]
    return [c for c in cells if c[0] in rows]


def tables(cells):
    """Lists the tables of a sheet's cells."""
    out = []
    for block in parts(cells, 0, 3):
        block = trimmed(block)
        if not block:
            continue
        if len(parts(block, 1, 4)) > 1:
            raise Unclear("side by side")
        top, left = min(c[0] for c in block), min(c[1] for c in block)
        if len({c[0] for c in block}) > 1 and len({c[1] for c in block}) > 1:
            out.append({"data": {"table_cells": [
                {"text": text, "start_row_offset_idx": r - top, "end_row_offset_idx": r - top + tall, "start_col_offset_idx": c - left, "end_col_offset_idx": c - left + wide}
                for r, c, text, tall, wide in block]}})
    return out


class Workbook:
    """A spreadsheet in LibreOffice's flat format."""

    def __init__(self, path):
        for _, (prefix, uri) in ET.iterparse(str(path), events=["start-ns"]):
            ET.register_namespace(prefix, uri)  # LibreOffice reads formulas by their prefix
        self.tree = ET.parse(str(path))
        self.root = self.tree.getroot()
        self.styles = {s.get(STYLE + "name"): s for s in self.root.iter(STYLE + "style")}

    def _style(self, name, child, key):
        style = self.styles.get(name)
        found = style.find(STYLE + child) if style is not None else None
        return found.get(key) if found is not None else None

    def sheets(self):
        """Lists the sheets that are printed."""
        for t in self.root.iter(TABLE + "table"):
            if self._style(t.get(TABLE + "style-name"), "table-properties", TABLE + "display") != "false":
                yield t

    def width(self, columns, last):
        """Adds up the widths of the displayed columns up to the last used."""
        out, seen = 0.0, 0
        for visible, style in columns:
            if visible and seen <= last:
                out, seen = out + inches(self._style(style, "table-column-properties", STYLE + "column-width")), seen + 1
        return out

    def fit(self):
        """Makes each sheet as wide as the paper and prints all of it; returns the narrowest paper's width."""
        for t in self.root.iter(TABLE + "table"):
            t.attrib.pop(TABLE + "print-ranges", None)
            t.attrib.pop(TABLE + "print", None)
        widths = []
        for p in self.root.iter(STYLE + "page-layout-properties"):
            for key in [k for k in p.attrib if k.startswith(STYLE + "scale-to")]:
                del p.attrib[key]
            p.set(STYLE + "scale-to-X", "1")
            p.set(STYLE + "scale-to-Y", "0")
            margin = inches(p.get(FO + "margin-left") or p.get(FO + "margin")) + inches(p.get(FO + "margin-right") or p.get(FO + "margin"))
            widths.append(inches(p.get(FO + "page-width", "8.27in")) - margin)
        return min(widths, default=0.0)

    def tables(self):
        """Lists the tables; the sheets are fitted to their pages."""
        paper, out = self.fit(), []
        for t in self.sheets():
            if any(e.tag in DRAWN for e in t.iter()):
                raise Unclear("drawings")
            columns = visible_columns(t)
            cells = sheet_cells(t, columns)
            if cells and self.width(columns, max(c[1] for c in cells)) * LEAST_SCALE > paper:
                raise Unclear("too wide")
            out += tables(cells) if cells else []
        return out


def flattened(home, jobs):
    """Converts workbooks to the flat format; returns the tables of each by its flat file."""
    books = []
    for source, name in jobs:
        book = home / (name + pathlib.Path(source).suffix)
        book.write_bytes(pathlib.Path(source).read_bytes())
        books.append(book)
    soffice.convert(home, books, "fods", home)
    out = {}
    for book in books:
        flat = book.with_suffix(".fods")
        try:
            workbook = Workbook(flat)
            if found := workbook.tables():
                workbook.tree.write(str(flat), encoding="utf-8", xml_declaration=True)
                out[flat] = found
        except (OSError, ET.ParseError, Unclear) as e:  # not every file of a test suite is sound
            print(f"{book.name}: {type(e).__name__} {e}", file=sys.stderr)
    return out


def main():
    target = pathlib.Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    jobs = [line.rstrip("\n").split("\t") for line in sys.stdin]
    jobs = [(source, name) for source, name in jobs if not (target / f"{name}.pdf").exists()]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory:
        home = pathlib.Path(directory)
        found = flattened(home, jobs)
        soffice.convert(home, list(found), "pdf", target)
        for flat, some in found.items():
            (target / f"{flat.stem}.tables.json").write_text(json.dumps({"tables": some}, ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    main()
