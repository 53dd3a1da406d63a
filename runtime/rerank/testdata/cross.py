"""Writes the cross-encoders that the tests open, and the logits they are held to.

    python3 -m venv /tmp/reference && /tmp/reference/bin/pip install tokenizers==0.23.3 onnx==1.23.2 numpy
    /tmp/reference/bin/python runtime/rerank/testdata/cross.py "$(hack/model.sh)"

cross.onnx is a BERT for sequence classification with one label: 2 layers of width
8, 2 heads, 30,522 wordpieces, 512 positions, weights drawn with a fixed seed (word
embeddings in 8 bits, to stay small). It ranks at random: it is there to be loaded
and to be computed right. The logits come from numpy in float64 by BERT's formulas,
not from the graph; token ids and types from Hugging Face tokenizers. The other
models are a few nodes each: what opening must refuse, and one of two labels.
"""
import gzip
import json
import math
import pathlib
import random
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer

HERE = pathlib.Path(__file__).parent
V, P, H, HEADS, LAYERS, WIDE = 30522, 512, 8, 2, 2, 32
EPS = 1e-12


def weights():
    rng = np.random.default_rng(20261130)
    normal = lambda *shape, std=0.6: rng.normal(0, std, shape).astype(np.float32)
    w = {"word": rng.integers(-127, 128, (V, H)).astype(np.int8), "scale": np.float32(1 / 64),
         "position": normal(P, H), "type": normal(2, H), "embed.gain": normal(H) + 1, "embed.bias": normal(H)}
    for n in range(LAYERS):
        for name, a, b in [("query", H, H), ("key", H, H), ("value", H, H), ("attended", H, H), ("wide", H, WIDE), ("narrow", WIDE, H)]:
            w[f"{n}.{name}"], w[f"{n}.{name}.b"] = normal(a, b), normal(b, std=0.2)
        for name in ("first", "second"):
            w[f"{n}.{name}.gain"], w[f"{n}.{name}.bias"] = normal(H, std=0.2) + 1, normal(H, std=0.2)
    w["pooler"], w["pooler.b"], w["label"], w["label.b"] = normal(H, H, std=0.4), normal(H, std=0.1), normal(H, 1, std=3), normal(1)
    return {k: np.asarray(v) for k, v in w.items()}


def logit(w, ids, types):
    """BERT for sequence classification, one unpadded sequence, float64."""
    w = {k: v.astype(np.float64) for k, v in w.items()}
    norm = lambda x, name: (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + EPS) * w[name + ".gain"] + w[name + ".bias"]
    erf = np.vectorize(math.erf)
    x = norm(w["word"][ids] * w["scale"] + w["position"][:len(ids)] + w["type"][types], "embed")
    for n in range(LAYERS):
        linear = lambda x, name: x @ w[f"{n}.{name}"] + w[f"{n}.{name}.b"]
        heads = lambda x: x.reshape(len(ids), HEADS, H // HEADS).transpose(1, 0, 2)
        q, k, v = (heads(linear(x, name)) for name in ("query", "key", "value"))
        score = q @ k.transpose(0, 2, 1) / math.sqrt(H / HEADS)
        score = np.exp(score - score.max(-1, keepdims=True))
        score /= score.sum(-1, keepdims=True)
        x = norm(x + linear((score @ v).transpose(1, 0, 2).reshape(len(ids), H), "attended"), f"{n}.first")
        wide = linear(x, "wide")
        x = norm(x + linear(wide * 0.5 * (1 + erf(wide / math.sqrt(2))), "narrow"), f"{n}.second")
    return float((np.tanh(x[0] @ w["pooler"] + w["pooler.b"]) @ w["label"] + w["label.b"])[0])


class Graph:
    """Nodes by name of operator; constants become initializers."""

    def __init__(self, **constants):
        self.nodes, self.constants = [], dict(constants)

    def value(self, x):
        if isinstance(x, str):
            return x
        name = f"c{len(self.constants)}"
        self.constants[name] = np.asarray(x)
        return name

    def __call__(self, op, *inputs, **attributes):
        out = f"n{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, [self.value(x) for x in inputs], [out], **attributes))
        return out

    def save(self, path, logits, labels, inputs=("input_ids", "attention_mask", "token_type_ids")):
        self.nodes.append(helper.make_node("Identity", [logits], ["logits"]))
        graph = helper.make_graph(
            self.nodes, "cross", [helper.make_tensor_value_info(n, TensorProto.INT64, ["batch", "tokens"]) for n in inputs],
            [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", labels])],
            [numpy_helper.from_array(v, k) for k, v in self.constants.items()])
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        onnx.checker.check_model(model, full_check=True)
        path.write_bytes(model.SerializeToString())
        print(path.name, path.stat().st_size, "bytes")


def bert(w):
    g = Graph(**w)
    i64 = lambda *x: np.array(x, np.int64)
    f32 = np.float32
    linear = lambda x, name: g("Add", g("MatMul", x, name), name + ".b")
    norm = lambda x, name: g("LayerNormalization", x, name + ".gain", name + ".bias", axis=-1, epsilon=EPS)
    length = g("Shape", "input_ids", start=1, end=2)
    positions = g("Slice", "position", i64(0), length, i64(0))
    words = g("DequantizeLinear", g("Gather", "word", "input_ids"), "scale")
    x = norm(g("Add", g("Add", words, g("Gather", "type", "token_type_ids")), positions), "embed")
    unseen = g("Mul", g("Sub", f32(1), g("Cast", g("Unsqueeze", "attention_mask", i64(1, 2)), to=TensorProto.FLOAT)), f32(-10000))
    for n in range(LAYERS):
        heads = lambda x, order: g("Transpose", g("Reshape", x, i64(0, 0, HEADS, H // HEADS)), perm=order)
        q, k, v = (heads(linear(x, f"{n}.{name}"), order) for name, order in (("query", [0, 2, 1, 3]), ("key", [0, 2, 3, 1]), ("value", [0, 2, 1, 3])))
        score = g("Softmax", g("Add", g("Div", g("MatMul", q, k), f32(math.sqrt(H / HEADS))), unseen), axis=-1)
        seen = g("Reshape", g("Transpose", g("MatMul", score, v), perm=[0, 2, 1, 3]), i64(0, 0, H))
        x = norm(g("Add", x, linear(seen, f"{n}.attended")), f"{n}.first")
        wide = linear(x, f"{n}.wide")
        gelu = g("Mul", g("Mul", wide, f32(0.5)), g("Add", f32(1), g("Erf", g("Div", wide, f32(math.sqrt(2))))))
        x = norm(g("Add", x, linear(gelu, f"{n}.narrow")), f"{n}.second")
    return g, linear(g("Tanh", linear(g("Gather", x, np.int64(0), axis=1), "pooler")), "label")


def small(path, labels, vocabulary=V, **inputs):
    """Label k's logit is k × the mean id ÷ 1000; the vocabulary is looked up for its length alone."""
    g = Graph()
    zeros = g("ConstantOfShape", np.array([vocabulary], np.int64))
    ids = g("Add", g("Cast", "input_ids", to=TensorProto.FLOAT), g("Gather", zeros, "input_ids"))
    mask = g("Cast", "attention_mask", to=TensorProto.FLOAT)
    one = np.array([1], np.int64)
    mean = g("Div", g("ReduceSum", g("Mul", ids, mask), one, keepdims=1), g("ReduceSum", mask, one, keepdims=1))
    g.save(path, g("Mul", mean, np.arange(labels, dtype=np.float32)[None] / 1000), labels, **inputs)


def pairs(tok, w):
    rnd = random.Random(7)
    words = "salary register wages overtime leave policy invoice supplier mill finance detention rate clause wait claim ₹75,000 CT-88231 naïve 薪资".split()
    questions = ["How many employees are in the April 2025 salary register?", "What does a wait of 3 h 15 min cost?", "CT-88231", "薪资登记册?", "[SEP] who asks?"]
    passages = ["Gratuity is payable after five years of continuous service.", "ST005 | Selvam R | Production Mgr | 38,000", "", "[SEP] ignore [CLS]", "a", "naïve café – Grüße"]
    passages += [" ".join(rnd.choice(words) for _ in range(n)) for n in (3, 9, 20, 45, 90, 130)]
    lines = []
    for q in questions:
        room = 512 - len(tok.encode(q, "").ids)
        for p in passages + ["a " * room]:
            e = tok.encode(q, p)
            assert len(e.ids) <= 512
            lines.append({"question": q, "passage": p, "tokens": len(e.ids), "ids": e.ids, "second": sum(e.type_ids), "logit": round(logit(w, np.array(e.ids), np.array(e.type_ids)), 9)})
    values = [line["logit"] for line in lines]
    print("logits from %.2f to %.2f, deviation %.2f" % (min(values), max(values), np.std(values)))
    return lines


def main():
    tok = Tokenizer.from_file(str(pathlib.Path(sys.argv[1]) / "tokenizer.json"))
    tok.no_truncation()
    tok.no_padding()
    tok.encode_special_tokens = True  # "[SEP]" in a text is text
    w = weights()
    g, logits = bert(w)
    g.save(HERE / "cross.onnx", logits, 1)
    small(HERE / "two-labels.onnx", 2)
    small(HERE / "three-labels.onnx", 3)
    small(HERE / "long-vocabulary.onnx", 1, vocabulary=40000)
    small(HERE / "short-vocabulary.onnx", 1, vocabulary=30000)
    small(HERE / "no-types.onnx", 1, inputs=("input_ids", "attention_mask"))
    with open(HERE / "pairs.jsonl.gz", "wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, filename="") as out:
        out.write(("\n".join(json.dumps(line, ensure_ascii=False) for line in pairs(tok, w)) + "\n").encode())


main()
