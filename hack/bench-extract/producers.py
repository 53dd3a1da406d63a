"""Writes registers as further programs print them: listings of characters, sheets that spill over their paper, XSL-FO, pages of a browser (browser.py).

generate.py calls write(DIRECTORY). Contents differ by kind and seed: invoices,
ledgers, stock, wide payrolls, with amounts of several countries, wrapped
descriptions and empty cells. The same files come out every time.
"""

import html
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import textwrap

import browser
from reportlab.lib.pagesizes import A4, landscape
from reportlab.pdfgen import canvas

SEEDS = (0, 1)
FIRST = "Rajesh Priya Murugan Jean-Luc Siobhan Günther Zoë François Bo Fatima José Anaïs Søren Åsa Mary-Ann Karthik".split()
LAST = ["Kumar", "Sundaram", "Ó Briain", "MacAllister-Whyte", "Li", "Al Zahra", "Weißmüller", "Núñez", "Lefèvre", "Øster", "Smith", "Garcia"]
WORDS = ("supply of dyed cotton yarn for the north mill quarterly maintenance contract including spare parts and labour replacement bearings freight charges to "
         "Rotterdam adjustment previous invoice consulting services per order safety boots annual licence renewal calibration certificate disposal waste").split()


def name(r):
    return f"{r.choice(FIRST)} {r.choice(LAST)}"


def description(r, most):
    text = " ".join(r.choice(WORDS) for _ in range(r.randint(2, most))).capitalize()
    return text + (f" ({r.randint(2, 60)} kg)" if r.random() < 0.2 else f", ref. {r.randint(100, 999)}/{r.randint(10, 24)}" if r.random() < 0.1 else "")


def amount(r, most=90000, negative=0.1, german=False):
    text = f"{r.randint(0, most):,}.{r.randint(0, 99):02d}"
    if german:
        text = text.replace(",", "_").replace(".", ",").replace("_", ".")
    return f"-{text}" if r.random() < negative else text if german or r.random() > negative else f"({text})"


def invoices(r, n):
    german = r.random() < 0.5
    rows = [[f"INV-2024-{100 + 3 * i + r.randint(0, 2):05d}", f"{r.randint(2019, 2025)}-{r.randint(1, 12):02d}-{r.randint(1, 28):02d}", name(r), description(r, 10),
             r.choice(["EUR", "USD", "GBP"]), amount(r, german=german), "n/a" if r.random() < 0.08 else amount(r, 9000, german=german),
             "" if r.random() < 0.1 else r.choice(["Open", "Paid", "Overdue", "Part paid"])] for i in range(n)]
    return ["Invoice No", "Date", "Customer", "Description", "Cur", "Net", "VAT", "Status"], "lllllrrl", [14, 10, 18, 32, 5, 11, 10, 9], rows


def ledger(r, n):
    rows = []
    for i in range(n):
        debit, value = r.random() < 0.5, amount(r, 50000, 0)
        rows.append([f"{r.randint(1, 28)} {r.choice(['Jan', 'May', 'Oct'])} {r.randint(2019, 2025)}", f"JV/{r.randint(19, 25)}/{1000 + i}", r.choice(["4100 Sales", "5210 Freight", "1200 Bank"]),
                     description(r, 12), value if debit else "", "" if debit else value, amount(r, 900000, 0.2)])
    return ["Date", "Voucher", "Account", "Narration", "Debit", "Credit", "Balance"], "llllrrr", [11, 11, 16, 34, 12, 12, 13], rows


def stock(r, n):
    rows = [[str(i + 1), f"{r.choice('ABCK')}{r.randint(10, 99)}-{r.randint(1000, 9999)}", description(r, 7), r.choice(["pcs", "kg", "m", "box"]), f"{r.randint(0, 4000):,}",
             amount(r, 900, 0), amount(r), f"{r.choice('ABCD')}-{r.randint(1, 30):02d}", "" if r.random() < 0.75 else r.choice(["slow mover", "recount", "see note 4"])] for i in range(n)]
    return ["Sl.", "Item code", "Item description", "Unit", "Qty", "Rate", "Value", "Bin", "Remarks"], "rlllrrrll", [5, 12, 30, 6, 8, 10, 12, 8, 14], rows


def wide(r, n):
    head = ["No.", "Employee", "Department", "Grade", "Basic", "HRA", "Conv.", "Medical", "Overtime", "Gross", "PF", "ESI", "Tax", "Net pay", "Bank account", "Remarks"]
    rows = [[str(i + 1), name(r), r.choice(["Accounts", "Mill", "Stores"]), r.choice(["A1", "A2", "B"])] + [amount(r, most, 0) if r.random() > empty else "" for most, empty in (
        (90000, 0), (9000, 0), (900, 0.3), (900, 0), (5000, 0.6), (99000, 0), (9000, 0), (900, 0.4), (9000, 0.2))] + [
        amount(r, 90000, 0.05), str(r.randint(10**10, 10**11)), "" if r.random() < 0.6 else r.choice(["on leave", "new joiner", "transferred from Pune"])] for i in range(n)]
    return head, "rlllrrrrrrrrrrll", [6, 24, 16, 8, 12, 12, 10, 10, 10, 12, 10, 10, 10, 12, 20, 24], rows


def listing(path, register, rule="-", bars=False, under=False, wrap=26, title=True, groups=0, every=False):
    """A line printer's register, a page of 55 lines; long cells go on on the next line."""
    head, align, _, rows = register
    widths = [min(wrap, max(len(x[k]) for x in [head] + rows)) for k in range(len(head))]
    gap = " | " if bars else "  "

    def line(cells):
        text = gap.join(c.rjust(w) if a == "r" else c.ljust(w) for c, w, a in zip(cells, widths, align))
        return f"| {text} |" if bars else text.rstrip()

    total = sum(widths) + len(gap) * (len(widths) - 1)
    drawn = "+-" + "-+-".join("-" * w for w in widths) + "-+" if bars else gap.join(rule * w for w in widths) if under else rule * total
    top = (["NORTHERN MILLS PLC" + "REGISTER OF ENTRIES".rjust(50), "RUN DATE 30/04/25   PROGRAM RG410", ""] if title else []) + [drawn, line(head), drawn][under:]
    pages, page = [], list(top)
    for i, row in enumerate(rows):
        parts = [textwrap.wrap(c, w, break_on_hyphens=False) or [""] for c, w in zip(row, widths)]
        block = [line([p[k] if k < len(p) else "" for p in parts]) for k in range(max(map(len, parts)))] + [drawn] * every
        before = ["", f"DEPARTMENT: {100 + i // groups} NORTH", ""] if groups and i % groups == 0 else []
        if len(page) + len(before) + len(block) > 54:
            pages.append(page + [drawn] * (bars and not every))
            page = list(top)
        page += before + block
    pages.append(page + [drawn, "", "*** END OF REPORT ***"])
    size = min(8, (landscape(A4)[0] - 60) / (0.6 * max(len(text) for p in pages for text in p)))
    document = canvas.Canvas(str(path), pagesize=landscape(A4), invariant=1)
    for page in pages:
        document.setFont("Courier", size)
        for k, text in enumerate(page):
            if text.strip():
                document.drawString(30, 560 - 9.4 * k, text)
        document.showPage()
    document.save()


NAMES = " ".join(f'xmlns:{k}="urn:oasis:names:tc:opendocument:xmlns:{v}:1.0"' for k, v in
                 {"office": "office", "table": "table", "text": "text", "style": "style", "fo": "xsl-fo-compatible"}.items())


def sheet(path, register, order="ttb", grid=False, border="", fit=False, upright=False, wrap=False, valign="bottom", footer=False, repeat=True, titles=0, band=""):
    """A sheet as Calc prints it, from flat ODS: order "ltr" is over, then down."""
    head, align, weights, rows = register
    widths = [w * 0.19 + 0.2 if wrap else 0.19 * max(len(x[k]) for x in [head] + rows) + 0.3 for k, w in enumerate(weights)]  # cm
    paper = ("21cm", "29.7cm") if upright else ("29.7cm", "21cm")
    layout = (f'fo:page-width="{paper[0]}" fo:page-height="{paper[1]}" fo:margin="1.5cm" style:print-page-order="{order}" '
              f'style:print="zero-values{" grid" if grid else ""}"' + (' style:scale-to-X="1" style:scale-to-Y="0"' if fit else ""))
    styles = "".join(f'<style:style style:name="co{k}" style:family="table-column"><style:table-column-properties style:column-width="{w:.2f}cm"/></style:style>' for k, w in enumerate(widths))
    for kind, weight, fill in (("c", "normal", ""), ("b", "normal", band), ("h", "bold", "")):
        for a, text in (("l", "start"), ("r", "end")):
            cell = (f'fo:border="{border}" ' if border else "") + (f'fo:background-color="{fill}" ' if fill else "") + ('fo:wrap-option="wrap" ' if wrap else "")
            styles += (f'<style:style style:name="{kind}{a}" style:family="table-cell"><style:table-cell-properties {cell}style:vertical-align="{valign}"/>'
                       f'<style:paragraph-properties fo:text-align="{text}"/><style:text-properties fo:font-size="9pt" fo:font-weight="{weight}"/></style:style>')

    def line(cells, kind):
        return "<table:table-row>" + "".join(
            f'<table:table-cell table:style-name="{kind}{a}" office:value-type="string"><text:p>{html.escape(t)}</text:p></table:table-cell>' if t
            else f'<table:table-cell table:style-name="{kind}{a}"/>' for t, a in zip(cells, align)) + "</table:table-row>"

    columns = [f'<table:table-column table:style-name="co{k}"/>' for k in range(len(head))]
    if titles:
        columns = ["<table:table-header-columns>"] + columns[:titles] + ["</table:table-header-columns>"] + columns[titles:]
    names = line(head, "h")
    body = (f"<table:table-header-rows>{names}</table:table-header-rows>" if repeat else names) + "".join(line(r, "b" if band and i % 2 else "c") for i, r in enumerate(rows))
    foot = "<style:footer><text:p>Page <text:page-number>1</text:page-number></text:p></style:footer>" if footer else '<style:footer style:display="false"/>'
    flat = (f'<?xml version="1.0" encoding="UTF-8"?><office:document {NAMES} office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.spreadsheet">'
            f'<office:automatic-styles><style:page-layout style:name="pm"><style:page-layout-properties {layout}/></style:page-layout>{styles}'
            '<style:style style:name="ta" style:family="table" style:master-page-name="Default"/></office:automatic-styles><office:master-styles>'
            f'<style:master-page style:name="Default" style:page-layout-name="pm"><style:header style:display="false"/>{foot}</style:master-page></office:master-styles><office:body>'
            f'<office:spreadsheet><table:table table:name="Sheet" table:style-name="ta">{"".join(columns)}{body}</table:table></office:spreadsheet></office:body></office:document>')
    with tempfile.TemporaryDirectory() as home:
        source = pathlib.Path(home) / "register.fods"
        source.write_text(flat, encoding="utf-8")
        subprocess.run(["soffice", f"-env:UserInstallation=file://{home}/profile", "--headless", "--convert-to", "pdf:calc_pdf_Export", "--outdir", home, str(source)],
                       check=True, capture_output=True)
        shutil.move(source.with_suffix(".pdf"), path)


def formatted(path, register, cell="", head="#dddddd", band="", valign="before", repeat=True):
    """A table of Apache FOP's."""
    names, align, weights, rows = register

    def line(cells, extra=""):
        return f"<fo:table-row {extra}>" + "".join(f'<fo:table-cell {cell} padding="2pt" display-align="{valign}"><fo:block text-align="{"end" if a == "r" else "start"}">{html.escape(t)}'
                                                  "</fo:block></fo:table-cell>" for t, a in zip(cells, align)) + "</fo:table-row>"

    top = line(names, 'font-weight="bold"' + (f' background-color="{head}"' if head else ""))
    body = "".join(line(r, 'keep-together.within-page="always"' + (f' background-color="{band}"' if band and i % 2 else "")) for i, r in enumerate(rows))
    columns = "".join(f'<fo:table-column column-width="proportional-column-width({w})"/>' for w in weights)
    text = ('<?xml version="1.0" encoding="UTF-8"?><fo:root xmlns:fo="http://www.w3.org/1999/XSL/Format"><fo:layout-master-set><fo:simple-page-master master-name="p" page-width="297mm" '
            'page-height="210mm" margin="12mm"><fo:region-body margin-bottom="10mm"/><fo:region-after extent="6mm"/></fo:simple-page-master></fo:layout-master-set>'
            '<fo:page-sequence master-reference="p" font-family="Helvetica" font-size="8pt"><fo:static-content flow-name="xsl-region-after"><fo:block text-align="center">Page <fo:page-number/>'
            '</fo:block></fo:static-content><fo:flow flow-name="xsl-region-body"><fo:block font-size="14pt">Register of entries</fo:block><fo:table table-layout="fixed" width="100%" '
            f'border-collapse="collapse">{columns}' + (f"<fo:table-header>{top}</fo:table-header>" if repeat else "")
            + f"<fo:table-body>{'' if repeat else top}{body}</fo:table-body></fo:table></fo:flow></fo:page-sequence></fo:root>")
    with tempfile.TemporaryDirectory() as home:
        source = pathlib.Path(home) / "register.fo"
        source.write_text(text, encoding="utf-8")
        subprocess.run(["fop", "-fo", str(source), "-pdf", str(path)], check=True, capture_output=True)


def kinds():
    """Names the layouts: what writes them, what is in them, the program they need."""
    thin, bottom = "0.5pt solid #000000", 'border-bottom="0.5pt dotted black"'
    return {
        "list_dash": (listing, {}, ledger, None), "list_equals": (listing, {"rule": "="}, invoices, None), "list_under": (listing, {"under": True}, stock, None),
        "list_bars": (listing, {"bars": True}, invoices, None), "list_boxes": (listing, {"bars": True, "every": True, "title": False}, stock, None),
        "list_rules": (listing, {"every": True}, ledger, None), "list_groups": (listing, {"groups": 10}, stock, None), "list_long": (listing, {"wrap": 90}, invoices, None),
        "calc_fit": (sheet, {"fit": True, "wrap": True}, stock, "soffice"), "calc_bands": (sheet, {"fit": True, "wrap": True, "band": "#eeeeee", "valign": "top"}, invoices, "soffice"),
        "calc_grid": (sheet, {"fit": True, "wrap": True, "grid": True, "valign": "middle"}, ledger, "soffice"),
        "calc_down": (sheet, {}, ledger, "soffice"), "calc_downwide": (sheet, {"border": thin, "footer": True}, wide, "soffice"),
        "calc_downtitles": (sheet, {"border": thin, "titles": 2}, wide, "soffice"), "calc_downonce": (sheet, {"repeat": False}, wide, "soffice"),
        "calc_over": (sheet, {"order": "ltr", "upright": True}, invoices, "soffice"), "calc_overwide": (sheet, {"order": "ltr"}, wide, "soffice"),
        "calc_overgrid": (sheet, {"order": "ltr", "grid": True, "upright": True, "footer": True}, ledger, "soffice"),
        "calc_overtitles": (sheet, {"order": "ltr", "titles": 2, "border": thin}, wide, "soffice"),
        "fop_grid": (formatted, {"cell": 'border="0.5pt solid black"'}, stock, "fop"), "fop_dotted": (formatted, {"cell": bottom}, ledger, "fop"),
        "fop_bands": (formatted, {"band": "#eeeeff"}, invoices, "fop"), "fop_middle": (formatted, {"head": "", "valign": "center"}, invoices, "fop"),
        "fop_once": (formatted, {"cell": bottom, "repeat": False}, stock, "fop"),
        **browser.kinds([invoices, ledger, stock]),
    }


def write(target):
    missing = set()
    for kind, (print_, options, contents, program) in kinds().items():
        if program and not shutil.which(program):
            missing.add(program)
            continue
        for seed in SEEDS:
            path = target / f"{kind}_{seed}.pdf"
            truth = path.with_suffix(".rows.json")
            if truth.exists():
                continue
            r = random.Random(f"{kind}{seed}")
            register = contents(r, r.randint(60, 160))
            print_(path, register, **options)
            truth.write_text(json.dumps([register[0]] + register[3], ensure_ascii=False), encoding="utf-8")
    for program in sorted(missing):
        print(f"bench-extract: without {program} its layouts are left out", file=sys.stderr)
