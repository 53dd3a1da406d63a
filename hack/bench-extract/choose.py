"""Chooses public documents whose tables are a clear truth and prints their lines for public.tsv.

Usage: choose.py MANIFEST WORK < lines of a repository, a commit, a path, a local path.
The rules look at the source, and at its print through poppler alone; no reader that
is measured has seen a file when it is chosen.

- A repository is on one side: those that share a file are one family. A family with
  a repository that was looked at is dev; one with an unseen repository is unseen;
  for others it is the parity of the SHA-256 of the first name. The set's name ends
  in the number of the round, so that older figures stay comparable.
- At most MOST files of a kind a repository, the first by their SHA-256.
- One table at least of 3 rows and 2 columns with 12 filled cells; fewer than 60 pages.
- Poppler finds 98 % of the truth's words on the pages: the rest was cut off or hidden.
- Word documents: every table is in the body's text (none in text boxes, headers,
  footers, content controls); no charts, diagrams, embedded objects, metafiles; no
  deleted text or footnotes in cells, and lists, whose numbers are not in the text,
  in no more than a cell in twenty. Pages and sheets: see pages.js and sheets.py.
"""

import collections
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import unicodedata
import xml.etree.ElementTree as ET
import zipfile

ROUND = "3"
MOST, LARGEST, PAGES, RECALL = 10, 1_500_000, 60, 0.98
SCRIPTS = {"docx": "office.py", "html": "pages.py", "htm": "pages.py", "xlsx": "sheets.py", "ods": "sheets.py"}
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
DRAWN = re.compile(r"(word|xl)/(charts|diagrams|embeddings|drawings/drawing)|Object ")


def kind(path):
    return SCRIPTS.get(path.rsplit(".", 1)[-1].lower())


def numbered(styles):
    """Lists the paragraph styles that number their paragraphs."""
    return {s.get(W + "styleId") for s in styles.iter(W + "style") if s.find(f"{W}pPr/{W}numPr") is not None}


def large_document(tables):
    """Tells whether one table has 3 rows and 12 cells with text."""
    return any(len(t.findall(W + "tr")) >= 3 and sum(any(x.text for x in c.iter(W + "t")) for c in t.iter(W + "tc")) >= 12 for t in tables)


def clear_document(z):
    """Tells whether a Word document's tables are what its print shows."""
    names = z.namelist()
    body = ET.fromstring(z.read("word/document.xml")).find(W + "body")
    if any(b"<w:tbl>" in z.read(n) for n in names if re.match(r"word/(header|footer)\d*\.xml", n)):
        return False
    direct = body.findall(W + "tbl")
    unseen = {W + n for n in ("del", "moveFrom", "footnoteReference", "endnoteReference", "txbxContent")}
    if len(list(body.iter(W + "tbl"))) != len(direct) or any(e.tag in unseen for t in direct for e in t.iter()) or not large_document(direct):
        return False
    styles = numbered(ET.fromstring(z.read("word/styles.xml"))) if "word/styles.xml" in names else set()
    cells = [c for t in direct for c in t.iter(W + "tc")]
    return 20 * sum(listed(c, styles) for c in cells) <= len(cells)


def listed(cell, styles):
    """Tells whether a cell has a paragraph of a list."""
    paragraphs = [p for p in cell.iter(W + "pPr")]
    return any(p.find(W + "numPr") is not None or p.find(W + "pStyle") is not None and p.find(W + "pStyle").get(W + "val") in styles for p in paragraphs)


def clear_workbook(z):
    """Tells whether a workbook has 12 cells and nothing drawn; sheets.py tells the rest."""
    sheets = [n for n in z.namelist() if re.match(r"xl/worksheets/.*\.xml$|content\.xml$", n)]
    cells = sum(len(re.findall(rb"<(?:\w+:)?(?:c|table-cell)\s", z.read(n))) for n in sheets)
    return cells >= 12 and not any(DRAWN.match(n) for n in z.namelist())


def clear(path, local):
    """Tells by the source alone whether a file may be chosen."""
    data = pathlib.Path(local).read_bytes()
    if len(data) > LARGEST:
        return False
    if kind(path) == "pages.py":
        return len(re.findall(rb"<t[dh]\b", data, re.I)) >= 12
    try:
        with zipfile.ZipFile(local) as z:
            if kind(path) == "sheets.py":
                return clear_workbook(z)
            return not any(DRAWN.match(n) or n.endswith((".emf", ".wmf")) for n in z.namelist()) and clear_document(z)
    except (zipfile.BadZipFile, KeyError, ET.ParseError, AttributeError, NotImplementedError, RuntimeError):
        return False


def families(files):
    """Maps a repository to the first name of those it shares files with."""
    parent = {}

    def root(a):
        while parent.setdefault(a, a) != a:
            a = parent[a]
        return a

    owner = {}
    for f in files:
        a, b = sorted((root(f["repository"]), root(owner.setdefault(f["sha"], f["repository"]))))
        parent[b] = a
    return {r: root(r) for r in list(parent)}


def side(family, members, known):
    sets = {s.rstrip("23") for m in members for s in known.get(m, ())}
    if sets & {"dev", "seen"} and "unseen" in sets:
        return None
    if sets:
        return ("unseen" if "unseen" in sets else "dev") + ROUND
    return ("dev", "unseen")[int(hashlib.sha256(family.encode()).hexdigest(), 16) % 2] + ROUND


def words(text):
    return collections.Counter(re.findall(r"\w+", unicodedata.normalize("NFKC", text)))


def right(pdf):
    """Tells whether a print is a clear truth."""
    truth = pdf.with_suffix(".tables.json")
    if not pdf.exists() or not truth.exists():
        return False
    tables = [t["data"]["table_cells"] for t in json.loads(truth.read_text(encoding="utf-8"))["tables"]]

    def large(cells):
        filled = [c for c in cells if c["text"].strip()]
        return len(filled) >= 12 and len({c["start_row_offset_idx"] for c in filled}) >= 3 and len({c["start_col_offset_idx"] for c in filled}) >= 2

    info = re.search(rb"Pages:\s+(\d+)", subprocess.run(["pdfinfo", str(pdf)], capture_output=True, check=False).stdout)
    if not any(map(large, tables)) or not info or int(info[1]) >= PAGES:
        return False
    there = words("\n".join(c["text"] for t in tables for c in t))
    seen = words(subprocess.run(["pdftotext", str(pdf), "-"], capture_output=True, check=False).stdout.decode(errors="replace"))
    return (there & seen).total() >= RECALL * there.total()


def candidates(files, skip):
    """Takes the first files of each repository and kind that are clear by their source."""
    out, count, taken = [], collections.Counter(), set(skip)
    for f in sorted(files, key=lambda f: f["sha"]):
        key = f["repository"], kind(f["path"])
        if f["sha"] in taken or count[key] >= MOST or not clear(f["path"], f["local"]):
            continue
        taken.add(f["sha"])
        count[key] += 1
        out.append(f)
    return out


def main():
    manifest, work = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    known, skip = collections.defaultdict(set), set()
    for line in manifest.read_text(encoding="utf-8").splitlines():
        fields = line.split("\t")
        known[fields[1] if len(fields) > 1 else ""].add(fields[0])
        skip.update(fields[4:5])
    files = [dict(zip(("repository", "commit", "path", "local"), line.rstrip("\n").split("\t"))) for line in sys.stdin]
    for f in files:
        f["sha"] = hashlib.sha256(pathlib.Path(f["local"]).read_bytes()).hexdigest()
    family = families(files)
    sides = {name: side(name, [r for r in family if family[r] == name], known) for name in set(family.values())}
    chosen = [f for f in candidates(files, skip) if sides[family[f["repository"]]]]
    printing = []
    for script in sorted(set(SCRIPTS.values())):
        p = subprocess.Popen([sys.executable, str(pathlib.Path(__file__).parent / script), str(work)], stdin=subprocess.PIPE, text=True)
        p.stdin.write("".join(f"{f['local']}\t{f['sha'][:16]}\n" for f in chosen if kind(f["path"]) == script))
        p.stdin.close()
        printing.append(p)
    if any([p.wait() for p in printing]):
        sys.exit("choose: a printer failed")
    for f in chosen:
        if right(work / f"{f['sha'][:16]}.pdf"):
            print("\t".join([sides[family[f["repository"]]], f["repository"], f["commit"], f["path"], f["sha"], "", ""]))


if __name__ == "__main__":
    main()
