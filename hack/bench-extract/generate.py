"""Writes registers as PDF with reportlab, fpdf2 and (where installed) LibreOffice.

Usage: generate.py DIRECTORY. Beside each NAME.pdf stands NAME.rows.json: the
rows, names of the columns included once, each cell as it was printed with its
line breaks as spaces. The same files come out every time: no date, no chance.
"""

import csv
import datetime
import html
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

from fpdf import FPDF
from fpdf.fonts import FontFace
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen import canvas
from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

import producers

SIZES = (12, 60, 120)

NAMES = [
    "Rajesh Kumar M", "Priya Sundaram", "Murugan K", "Lakshmi Narayanan Venkataraman", "Selvam R", "Karthik P",
    "Anitha D", "Jean-Luc Ó Briain", "Siobhan MacAllister-Whyte", "Bo Li", "Fatima Al Zahra", "Günther Weißmüller",
]
TITLES = [
    "CFO", "Finance Manager", "Senior Accountant (Receivables and Treasury)", "Accounts Assistant", "Production Manager, Spinning and Weaving",
    "Shift Supervisor", "Electrician Grade II", "Driver", "Security Officer", "Quality Control Inspector for Dyed Yarn",
]
DEPARTMENTS = ["Accounts", "Mill", "Stores", "Admin", "R&D", "Dye House"]
HEADER = ["Emp ID", "Name", "Designation", "Dept", "Joined", "Days", "Basic", "Net Pay"]


def indian(n):
    """Groups digits as in India: 12,34,567."""
    s = str(n)
    head, tail = s[:-3], s[-3:]
    parts = []
    while head:
        parts.insert(0, head[-2:])
        head = head[:-2]
    return ",".join(parts + [tail]) if parts else tail


def registers(count, long=True):
    """Makes rows of eight columns; a few cells are empty, negative or long."""
    rows = []
    for i in range(count):
        basic = 9000 + (i * i * 3701 + i * 977) % 266000
        net = basic * 109 // 100
        title = TITLES[(i * 7 + i // 11) % len(TITLES)]
        rows.append([
            f"E{1001 + i}", NAMES[(i * 5 + i // 7) % len(NAMES)], title if long or len(title) < 22 else title[:18].strip(),
            DEPARTMENTS[i % len(DEPARTMENTS)], f"{i % 28 + 1:02d}/{i % 12 + 1:02d}/20{10 + i % 15}",
            "" if i % 17 == 4 else str(20 + i % 11), indian(basic) + ".00", f"-{indian(net)}.50" if i % 23 == 9 else f"{indian(net)}.50",
        ])
    return rows


WIDTHS = [40, 100, 130, 55, 60, 35, 65, 70]  # points
RIGHT = (5, 6, 7)


def reportlab(path, rows, style, wrap=True, repeat=True, widths=WIDTHS, size=8, page=landscape(A4), pad=6, footer=True):
    """A platypus table with a style; the names stand on every page if repeat."""
    cell = ParagraphStyle("cell", fontName="Helvetica", fontSize=size, leading=size * 1.2)
    number = ParagraphStyle("number", parent=cell, alignment=2)
    data = [HEADER]
    for row in rows:
        data.append([Paragraph(html.escape(t), number if k in RIGHT else cell) if wrap else t for k, t in enumerate(row)])
    table = Table(data, colWidths=widths, repeatRows=1 if repeat else 0)
    base = [("FONTSIZE", (0, 0), (-1, -1), size), ("VALIGN", (0, 0), (-1, -1), "TOP"), ("FONTNAME", (0, 0), (-1, 0), "Helvetica-Bold"),
            ("ALIGN", (5, 0), (-1, -1), "RIGHT"), ("LEFTPADDING", (0, 0), (-1, -1), pad), ("RIGHTPADDING", (0, 0), (-1, -1), pad)]
    table.setStyle(TableStyle(base + style))

    def foot(canvas, doc):
        if footer:
            canvas.setFont("Helvetica", 7)
            canvas.drawString(40, 20, "Sri Lakshmi Textiles Ltd - Confidential")
            canvas.drawRightString(page[0] - 40, 20, f"Page {doc.page}")

    title = ParagraphStyle("title", fontName="Helvetica-Bold", fontSize=14, leading=18)
    story = [Paragraph("Salary Register April 2025", title), Paragraph("All amounts are in rupees and include arrears.", cell), Spacer(1, 8), table]
    SimpleDocTemplate(str(path), pagesize=page, invariant=1, topMargin=36, bottomMargin=40).build(story, onFirstPage=foot, onLaterPages=foot)


def overflowing(path, rows):
    """Long names run over the days, which are empty there: they are cut off nowhere."""
    order = [0, 2, 5, 1, 3, 4, 6, 7]
    moved = [[row[k] for k in order] for row in rows]
    for i, row in enumerate(moved):
        if len(row[1]) > 30:
            row[2] = ""
    table = [[HEADER[k] for k in order]] + moved
    document = canvas.Canvas(str(path), pagesize=landscape(A4), invariant=1)
    left = [40, 85, 215, 250, 380, 450, 510, 580, 650]
    y = 0
    for i, row in enumerate(table):
        if y < 50:
            if i:
                document.showPage()
            y = 540
        document.setFont("Helvetica-Bold" if i == 0 else "Helvetica", 8)
        for k, t in enumerate(row):
            if order[k] in RIGHT:
                document.drawRightString(left[k + 1] - 6, y, t)
            else:
                document.drawString(left[k], y, t)
        y -= 13
    document.save()
    return table


def report(path, rows):
    """A line printer's register: each line is one string, padded with blanks."""
    widths = [7, 31, 45, 10, 11, 5, 14, 14]
    pdf = FPDF(orientation="landscape", format="A4")
    pdf.set_creation_date(datetime.datetime(2025, 4, 30, tzinfo=datetime.timezone.utc))
    pdf.set_font("Courier", size=8)
    for start in range(0, len(rows), 45):
        pdf.add_page()
        pdf.text(10, 12, "SRI LAKSHMI TEXTILES LTD                   SALARY REGISTER APRIL 2025")
        for i, row in enumerate([HEADER] + rows[start:start + 45]):
            line = "".join(t.rjust(w - 1) + " " if k in RIGHT else t.ljust(w) for k, (t, w) in enumerate(zip(row, widths)))
            pdf.text(10, 20 + 4 * i, line.rstrip())
    pdf.output(str(path))


def grouped(path, rows):
    """Departments one after the other, each under its name and with its total."""
    data, style = [HEADER], [("LINEBELOW", (0, 0), (-1, 0), 0.75, colors.black)]
    for department in sorted({r[3] for r in rows}):
        members = [r for r in rows if r[3] == department]
        style.append(("SPAN", (0, len(data)), (-1, len(data))))
        data.append([f"Department: {department}"] + [""] * 7)
        data += members
        style.append(("LINEABOVE", (6, len(data)), (-1, len(data)), 0.5, colors.black))
        data.append(["", f"Total {department}", "", "", "", "", f"{indian(len(members) * 98765)}.00", f"{indian(len(members) * 109876)}.50"])
    table = Table(data, colWidths=[45, 150, 200, 60, 65, 40, 80, 85], repeatRows=1)
    table.setStyle(TableStyle([("FONTSIZE", (0, 0), (-1, -1), 8), ("ALIGN", (5, 0), (-1, -1), "RIGHT"), ("FONTNAME", (0, 0), (-1, 0), "Helvetica-Bold")] + style))
    SimpleDocTemplate(str(path), pagesize=landscape(A4), invariant=1, topMargin=36, bottomMargin=40).build([table])


def zebra(count):
    """Shades every second row."""
    return [("BACKGROUND", (0, i), (-1, i), colors.HexColor("#e8eef6")) for i in range(2, count + 1, 2)] + [
        ("BACKGROUND", (0, 0), (-1, 0), colors.HexColor("#204060")), ("TEXTCOLOR", (0, 0), (-1, 0), colors.white)]


def fpdf(path, rows, layout, line=1.4, fill=None, width=None, align="LEFT"):
    """A table as fpdf2 lays it out, cells centred on their row."""
    pdf = FPDF(orientation="landscape", format="A4")
    pdf.set_creation_date(datetime.datetime(2025, 4, 30, tzinfo=datetime.timezone.utc))
    pdf.add_page()
    pdf.set_font("Helvetica", "B", 14)
    pdf.cell(0, 10, "Salary Register April 2025", new_x="LMARGIN", new_y="NEXT")
    pdf.set_font("Helvetica", size=8)
    with pdf.table(borders_layout=layout, col_widths=[w * 0.45 for w in WIDTHS], line_height=8 * line / 72 * 25.4, width=width or 270,
                   text_align=[align] * 5 + ["RIGHT"] * 3, headings_style=FontFace(emphasis="BOLD"),
                   cell_fill_color=fill, cell_fill_mode="ROWS" if fill else "NONE") as table:
        for row in [HEADER] + rows:
            printed = table.row()
            for t in row:
                printed.cell(t)
    pdf.output(str(path))


def office(path, source, kind):
    """Converts a source with LibreOffice."""
    with tempfile.TemporaryDirectory() as home:
        subprocess.run(["soffice", f"-env:UserInstallation=file://{home}/profile", "--headless", "--convert-to", kind, "--outdir", home, str(source)],
                       check=True, capture_output=True)
        shutil.move(next(pathlib.Path(home).glob("*.pdf")), path)


def writer(path, rows, style, repeat=True):
    """A table in a text document."""
    def line(row, tag):
        return "<tr>" + "".join(f"<{tag}{' align=right' if k in RIGHT else ''}>{html.escape(t) or '<br>'}</{tag}>" for k, t in enumerate(row)) + "</tr>"
    head = line(HEADER, "th")
    head = f"<thead>{head}</thead>" if repeat else head
    page = ("<html><head><meta charset=utf-8><style>@page{size:297mm 210mm;margin:15mm} td,th{font:8pt 'Liberation Sans'}</style></head><body><h2>Salary Register April 2025</h2>"
            f"<table {style} width=100%>{head}<tbody>" + "".join(line(r, "td") for r in rows) + "</tbody></table></body></html>")
    with tempfile.TemporaryDirectory() as home:
        source = pathlib.Path(home) / "register.html"
        source.write_text(page, encoding="utf-8")
        office(path, source, "pdf:writer_web_pdf_Export")


def plain(rows):
    """Writes amounts as a sheet shows numbers without a format."""
    out = []
    for row in rows:
        basic, net = (t.replace(",", "") for t in row[6:])
        out.append(row[:6] + [basic[:-3], net[:-1]])
    return out


def calc(path, rows):
    """A sheet whose columns spill onto further pages."""
    with tempfile.TemporaryDirectory() as home:
        source = pathlib.Path(home) / "register.csv"
        with source.open("w", newline="", encoding="utf-8") as out:
            csv.writer(out).writerows([HEADER] + rows)
        office(path, source, "pdf:calc_pdf_Export")


def kinds():
    """Names the layouts, each a function of a path and rows."""
    grid = [("GRID", (0, 0), (-1, -1), 0.5, colors.black)]
    out = {
        "rl_grid": lambda p, r: reportlab(p, r, grid),
        "rl_grid_norepeat": lambda p, r: reportlab(p, r, grid, repeat=False),
        "rl_zebra": lambda p, r: reportlab(p, r, zebra(len(r))),
        "rl_lines": lambda p, r: reportlab(p, r, [("LINEBELOW", (0, 0), (-1, -1), 0.25, colors.grey)]),
        "rl_head": lambda p, r: reportlab(p, r, [("LINEBELOW", (0, 0), (-1, 0), 1, colors.black)], wrap=False, widths=[45, 150, 200, 60, 65, 40, 80, 85]),
        "rl_plain": lambda p, r: reportlab(p, r, []),
        "rl_tight": lambda p, r: reportlab(p, r, [], wrap=False, widths=[32, 122, 176, 44, 48, 24, 56, 60], pad=2),
        "rl_inner": lambda p, r: reportlab(p, r, [("INNERGRID", (0, 0), (-1, -1), 0.25, colors.grey)]),
        "rl_columns": lambda p, r: reportlab(p, r, [("LINEAFTER", (0, 0), (-2, -1), 0.5, colors.black), ("BOX", (0, 0), (-1, -1), 0.5, colors.black), ("LINEBELOW", (0, 0), (-1, 0), 0.5, colors.black)]),
        "rl_middle": lambda p, r: reportlab(p, r, [("VALIGN", (0, 0), (-1, -1), "MIDDLE")]),
        "rl_portrait": lambda p, r: reportlab(p, r, [("LINEBELOW", (0, 0), (-1, -1), 0.25, colors.grey)], widths=[36, 76, 104, 48, 52, 30, 62, 62], size=7, page=A4, pad=4),
        "rl_centre": lambda p, r: reportlab(p, r, [("ALIGN", (0, 0), (-1, -1), "CENTER")], wrap=False, widths=[45, 150, 200, 60, 65, 40, 80, 85]),
        "rl_overflow": overflowing,
        "rl_groups": grouped,
        "report": report,
        "fpdf_all": lambda p, r: fpdf(p, r, "ALL"),
        "fpdf_min": lambda p, r: fpdf(p, r, "MINIMAL"),
        "fpdf_rows": lambda p, r: fpdf(p, r, "HORIZONTAL_LINES"),
        "fpdf_columns": lambda p, r: fpdf(p, r, "NO_HORIZONTAL_LINES", line=1.7),
        "fpdf_top": lambda p, r: fpdf(p, r, "SINGLE_TOP_LINE", line=1.6),
        "fpdf_none": lambda p, r: fpdf(p, r, "NONE", line=1.8),
        "fpdf_bands": lambda p, r: fpdf(p, r, "NONE", fill=(224, 235, 255)),
    }
    if shutil.which("soffice"):
        out["low_grid"] = lambda p, r: writer(p, r, "border=1 cellspacing=0 cellpadding=3")
        out["low_norepeat"] = lambda p, r: writer(p, r, "border=1 cellspacing=0 cellpadding=3", repeat=False)
        out["low_plain"] = lambda p, r: writer(p, r, "border=0 cellpadding=4")
        out["loc_csv"] = calc
    return out


def main():
    target = pathlib.Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    for kind, write in kinds().items():
        for count in SIZES:
            path = target / f"{kind}_{count}.pdf"
            truth = path.with_suffix(".rows.json")
            if truth.exists():
                continue
            rows = registers(count)
            if kind.startswith("loc_"):
                rows = plain(rows)
            printed = write(path, rows) or [HEADER] + rows
            truth.write_text(json.dumps(printed, ensure_ascii=False), encoding="utf-8")
    producers.write(target)


main()
