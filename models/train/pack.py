"""Writes the table the package ships, and the golden file that proves a reader right.

usage: pack.py TABLE.npz VOCABULARY.json OUT.bin GOLDEN.json
"""

import json
import struct
import sys

import numpy as np
from golden_texts import TEXTS
from tokenizer import Tokenizer, clean

MAGIC = b"LTMEMBD1"


def write(table: np.ndarray, scale: np.ndarray, vocabulary: dict, path: str) -> None:
    """Header, then four sections, each beginning at a multiple of 8 bytes. FORMAT.md describes them."""
    sections = {
        "pieces": "\n".join(vocabulary["pieces"]).encode(),
        "pairs": np.array(vocabulary["pairs"], "<u2").tobytes(),
        "scales": scale.astype("<f4").tobytes(),
        "table": table.tobytes(),
    }
    header: dict = {"name": "ltm-embed-v3", "dims": table.shape[1] * 2, "bits": 4, "pieces": len(vocabulary["pieces"]), "pairs": len(vocabulary["pairs"]), "sections": {}}
    room, at = 1024, 16 + 1024
    for name, content in sections.items():
        header["sections"][name] = {"offset": at, "length": len(content)}
        at += -(-len(content) // 8) * 8
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(MAGIC + struct.pack("<II", len(text), 0) + text.ljust(room, b" "))
        for name, content in sections.items():
            assert file.tell() == header["sections"][name]["offset"]
            file.write(content.ljust(-(-len(content) // 8) * 8, b"\0"))


class Embedder:
    """Reads the file back: the reference for every other reader."""

    def __init__(self, path: str):
        raw = open(path, "rb").read()
        assert raw[:8] == MAGIC
        header = json.loads(raw[16 : 16 + struct.unpack("<I", raw[8:12])[0]])
        part = {name: raw[s["offset"] : s["offset"] + s["length"]] for name, s in header["sections"].items()}
        rows = header["pieces"] + header["pairs"]
        pairs = np.frombuffer(part["pairs"], "<u2").reshape(-1, 2).tolist()
        self.tokenizer = Tokenizer(part["pieces"].decode().split("\n"), [tuple(p) for p in pairs])
        packed = np.frombuffer(part["table"], np.uint8).reshape(rows, -1)
        self.table = np.empty((rows, header["dims"]), np.int8)
        self.table[:, 0::2], self.table[:, 1::2] = (packed & 15).astype(np.int8) - 8, (packed >> 4).astype(np.int8) - 8
        self.scale = np.frombuffer(part["scales"], "<f4").astype(np.float64)

    def ids(self, text: str, names: tuple[str, ...] = ()) -> list[int]:
        return self.tokenizer.ids(clean(text, names))

    def vector(self, text: str, names: tuple[str, ...] = ()) -> np.ndarray:
        total = np.zeros(self.table.shape[1])
        for i in self.ids(text, names):
            total += self.scale[i] * self.table[i]
        length = np.linalg.norm(total)
        return (total / length if length else total).astype(np.float32)


def main(table: str, vocabulary: str, out: str, golden: str) -> None:
    loaded = np.load(table)
    write(loaded["table"], loaded["scale"].astype(np.float32), json.load(open(vocabulary, encoding="utf8")), out)
    embedder = Embedder(out)
    rows = []
    for text, names in TEXTS:
        vector = embedder.vector(text, names)
        rows.append({"text": text, "names": list(names), "clean": clean(text, names), "ids": embedder.ids(text, names), "vector": [round(float(x), 6) for x in vector]})
    with open(golden, "w", encoding="utf8") as file:
        file.write('{"note": "vector: unit length, rounded to 6 decimals; a reader agrees within 2e-6 in every number", "texts": [\n')
        file.write(",\n".join(json.dumps(r, ensure_ascii=False, separators=(",", ":")) for r in rows))
        file.write("\n]}\n")
    print(len(rows), "golden texts")


if __name__ == "__main__":
    main(*sys.argv[1:5])
