"""Writes registers as a browser prints them, with the tags it writes and without.

producers.py's kinds() takes kinds() from here. Each layout is a style sheet: what
parts rows and columns is drawn, shaded, or nothing but space.
"""

import html
import pathlib
import subprocess
import tempfile

STYLES = {
    "grid": "td,th{border:1px solid #333}",
    "parted": "table{border-collapse:separate;border-spacing:2px;border:1px solid #888}td,th{border:1px solid #888}",
    "rows": "td,th{border-bottom:1px solid #ddd;padding:8px}",
    "columns": "table{border:1px solid #000}td,th{border-left:1px solid #000}th{border-bottom:1px solid #000}",
    "head": "th{border-bottom:2px solid #000}",
    "none": "",
    "tight": "td,th{padding:1px 4px;font-size:8px}",
    "zebra": "tbody tr:nth-child(even){background:#f2f2f2}th{background:#ddd}",
    "bands": "tbody tr:nth-child(odd){background:#f9f9f9}th{background:#333;color:#fff}td{border-top:1px solid #ddd}",
    "white": "td,th{border:2px solid #fff;background:#eef}th{background:#99c}",
    "middle": "td,th{vertical-align:middle}",
    "bottom": "td,th{vertical-align:bottom}",
    "padded": "td,th{vertical-align:middle;padding:10px 8px}",
    "dotted": "td,th{border:1px dotted #666}",
    "once": "thead{display:table-row-group}",
    "serif": "*{font-family:serif}th{border-bottom:1px solid #000}",
}


def printed(path, register, css, tagged):
    head, align, _, rows = register

    def cells(kind, row):
        return "".join(f"<{kind} style='text-align:{'right' if a == 'r' else 'left'}'>{html.escape(text)}</{kind}>" for text, a in zip(row, align))

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    page = (f"<html><meta charset=utf-8><style>@page{{size:A4 landscape;margin:1.5cm}}*{{font-family:sans-serif}}table{{width:100%;border-collapse:collapse}}"
            f"td,th{{font-size:9px;padding:4px 6px;vertical-align:top}}{css}</style><h1>Register</h1><table><thead><tr>{cells('th', head)}</tr></thead><tbody>{body}</tbody></table></html>")
    with tempfile.TemporaryDirectory() as home:
        source = pathlib.Path(home) / "register.html"
        source.write_text(page, encoding="utf-8")
        subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={home}/profile", "--no-pdf-header-footer",
                        *([] if tagged else ["--disable-pdf-tagging"]), f"--print-to-pdf={path}", source.as_uri()], check=True, capture_output=True, timeout=120)


def kinds(contents):
    """Layouts with and without tags, over the contents in turn."""
    out = {}
    for i, (name, css) in enumerate(STYLES.items()):
        for tagged in (True, False):
            out[f"web_{name}{'tagged' if tagged else ''}"] = (printed, {"css": css, "tagged": tagged}, contents[i % len(contents)], "chromium")
    return out
