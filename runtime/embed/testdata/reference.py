"""Writes what the tests of embed and wordpiece are held to.

    python3 -m venv /tmp/reference && /tmp/reference/bin/pip install tokenizers==0.23.3 onnx==1.23.2 numpy
    /tmp/reference/bin/python runtime/embed/testdata/reference.py "$(hack/model.sh)"

Token ids and the words of single code points come from Hugging Face tokenizers;
vectors from ONNX's reference evaluator (numpy), which shares no code with ONNX
Runtime, with sentence-transformers' mean pooling and normalisation in float64.
The strings are drawn with a fixed seed, so a second run writes the same files.
"""
import gzip
import json
import pathlib
import random
import sys

import numpy
from onnx.reference import ReferenceEvaluator
from tokenizers import Tokenizer

HERE = pathlib.Path(__file__).parent
WORDPIECE = HERE.parent / "wordpiece" / "testdata"


def write(path, lines):
    with open(path, "wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, filename="") as out:
        out.write(("\n".join(lines) + "\n").encode())
    print(path, len(lines), "lines", path.stat().st_size, "bytes")


def load(folder):
    tok = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tok.no_truncation()
    tok.no_padding()
    tok.encode_special_tokens = True  # "[SEP]" in a text is text
    return tok


def codepoints(tok):
    """Runs of code points that fare alike between two letters: lo, hi, fate, text.

    drop: gone, the letters join · space: parts them · word: a word of its own ·
    part: part of the word, as itself or as the text given · mixed: words given, "|" between.
    """
    runs = []
    for cp in range(0x110000):
        if 0xD800 <= cp <= 0xDFFF:
            continue
        c = chr(cp)
        words = [w for w, _ in tok.pre_tokenizer.pre_tokenize_str(tok.normalizer.normalize_str("a" + c + "b"))]
        if words == ["ab"]:
            fate, text = "drop", ""
        elif words == ["a", "b"]:
            fate, text = "space", ""
        elif len(words) == 1:
            fate, text = "part", words[0][1:-1]
        elif len(words) == 3 and words[0] == "a" and words[2] == "b":
            fate, text = "word", words[1]
        else:
            fate, text = "mixed", "|".join(words)
        if text == c:
            text = ""
        if runs and runs[-1][1] == cp - 1 and runs[-1][2] == fate and runs[-1][3] == text == "":
            runs[-1][1] = cp
        else:
            runs.append([cp, cp, fate, text])
    return ["%X %X %s %s" % (lo, hi, fate, text.encode().hex()) for lo, hi, fate, text in runs]


SCRIPTS = [(0x21, 0x7E), (0xA0, 0xFF), (0x100, 0x24F), (0x250, 0x2AF), (0x370, 0x3FF), (0x400, 0x52F), (0x531, 0x58F),
           (0x590, 0x5FF), (0x600, 0x6FF), (0x750, 0x77F), (0x900, 0x97F), (0x980, 0x9FF), (0xA00, 0xA7F), (0xB80, 0xBFF),
           (0xC00, 0xC7F), (0xD00, 0xD7F), (0xE00, 0xE7F), (0xE80, 0xEFF), (0xF00, 0xFFF), (0x1000, 0x109F),
           (0x10A0, 0x10FF), (0x1100, 0x11FF), (0x13A0, 0x13FF), (0x1780, 0x17FF), (0x1E00, 0x1EFF), (0x1F00, 0x1FFF),
           (0x2000, 0x206F), (0x20A0, 0x20CF), (0x2100, 0x218F), (0x2460, 0x24FF), (0x2E80, 0x2FFF), (0x3040, 0x30FF),
           (0x3100, 0x312F), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3), (0xF900, 0xFAFF), (0xFB00, 0xFDFF), (0xFE00, 0xFE6F),
           (0xFF00, 0xFFEF), (0x10400, 0x1044F), (0x1D400, 0x1D7FF), (0x1F300, 0x1FAFF), (0x20000, 0x2A6DF)]
JOINTS = list(" \t\n\r.,;:!?-–—/|()[]{}<>'\"“”‘’…%&@#*+=_~^`") + ["\u00a0", "\u00ad", "\u200b", "\u200d", "\ufe0f", "\u2028", "\u3000", "\ufffd", "\x00", "\x07", "\x7f", "\u0301", "\u0308"]
SPECIALS = ["[SEP]", "[CLS]", "[PAD]", "[UNK]", "[MASK]", "[sep]", "[ SEP ]", "##ing", "##", "[SEP", "SEP]"]
PROSE = ["The register lists twelve employees for April 2025.", "Détention is billed after two free hours at $65 per hour.",
         "Employees aren't entitled to carry over more than ten days' leave.", "Don't pay twice: see clause 4.2(b) – “wait time”.",
         "Grüße aus Köln; die Straße heißt Weißenburger Straße.", "El niño comió piñas en São Paulo, ¿verdad?",
         "Total gross wages: Rs. 4,12,000.00 (₹75,000 for ST001)."]


def strings(tok):
    rnd = random.Random(20260401)
    vocab = sorted(w for w in tok.get_vocab() if not w.startswith(("[", "##")) and len(w) > 2 and w.isascii())
    digits = lambda n: "".join(rnd.choice("0123456789") for _ in range(n))
    letters = lambda n: "".join(rnd.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ") for _ in range(n))
    scalar = lambda: next(c for c in iter(lambda: rnd.randrange(0x110000), None) if not 0xD800 <= c <= 0xDFFF)
    out = ["", " ", "\n", "a" * 100, "a" * 101, "é" * 100, "e\u0301" * 100, "中" * 120, "x" * 5000] + SPECIALS + PROSE
    out += [rnd.choice(["STL/2025-26/%s", "CT-%s", "ST%s", "₹%s.50", "$%s", "%s.25", "INV%sA", "12-%s-2025", "(%s)", "%s%%", "Q%s/H2"]) % digits(rnd.randint(1, 6)) for _ in range(500)]
    out += [" | ".join([letters(2) + digits(3), rnd.choice(vocab).title(), digits(2) + "," + digits(3), letters(3) + "-" + digits(5)]) for _ in range(300)]
    out += [" ".join(rnd.choice(vocab) for _ in range(rnd.randint(1, 14))) for _ in range(400)]
    out += ["".join(rnd.choice(vocab) for _ in range(rnd.randint(2, 4))) for _ in range(200)]
    out += [rnd.choice(PROSE)[rnd.randint(0, 9):] + rnd.choice(SPECIALS) + rnd.choice(PROSE).swapcase() for _ in range(100)]
    out += [letters(rnd.randint(90, 110)).lower() + rnd.choice(JOINTS) for _ in range(60)]
    for lo, hi in SCRIPTS:
        out += ["".join(chr(rnd.randint(lo, hi)) if rnd.random() < .85 else rnd.choice(JOINTS) for _ in range(rnd.randint(1, 20))) for _ in range(24)]
    out += ["".join(rnd.choice("aeiouncsyAEIOUNCSY") + "".join(chr(rnd.randint(0x300, 0x36F)) for _ in range(rnd.randint(0, 3))) for _ in range(8)) for _ in range(200)]
    out += ["".join(chr(scalar()) if rnd.random() < .7 else rnd.choice(JOINTS + ["a", "Z", "9"]) for _ in range(rnd.randint(1, 16))) for _ in range(400)]
    out += ["".join(rnd.choice(JOINTS + ["a", "B", "7"]) for _ in range(rnd.randint(1, 20))) for _ in range(300)]
    return out


def texts():
    rnd = random.Random(7)
    body = ["Gratuity is payable after five years of continuous service.", "ST005 | Selvam R | Production Mgr | 38,000", "CT-88231", "",
            "STL/2025-26/003", "How many employees are in the April 2025 salary register?", "₹1,23,456.78 due 2025-03-31", "naïve café – Grüße",
            "薪资登记册", "[SEP] ignore [CLS]", "a " * 254]
    words = "salary register wages overtime leave policy invoice supplier mill finance detention rate clause wait claim".split()
    for n in (3, 5, 9, 17, 33, 65, 90, 120, 170, 220):
        body.append(" ".join(rnd.choice(words) for _ in range(n)).capitalize() + ".")
    return body


def vectors(tok, folder):
    model = ReferenceEvaluator(str(folder / "model.onnx"))
    lines = []
    for text in texts():
        ids = numpy.array([tok.encode(text).ids], dtype=numpy.int64)
        assert ids.shape[1] <= 256, (text, ids.shape)
        hidden = model.run(None, {"input_ids": ids, "attention_mask": numpy.ones_like(ids), "token_type_ids": numpy.zeros_like(ids)})[0]
        pooled = hidden[0].astype(numpy.float64).mean(axis=0)
        pooled /= max(numpy.linalg.norm(pooled), 1e-12)
        lines.append(json.dumps({"text": text, "tokens": ids.shape[1], "vector": [float("%.9f" % v) for v in pooled]}, ensure_ascii=False))
    return lines


def main():
    folder = pathlib.Path(sys.argv[1])
    tok = load(folder)
    write(WORDPIECE / "codepoints.txt.gz", codepoints(tok))
    write(WORDPIECE / "strings.jsonl.gz", [json.dumps({"text": s, "ids": tok.encode(s).ids}, ensure_ascii=False) for s in strings(tok)])
    write(HERE / "vectors.jsonl.gz", vectors(tok, folder))


main()
