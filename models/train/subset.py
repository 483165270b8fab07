"""A smaller, talk-heavy sample of the pairs for the second stage.

usage: subset.py OUT.tsv.xz PAIRS.tsv.xz NEW.tsv.xz
"""

import lzma
import random
import sys

SHARE = {"dialog-task": 0.4, "docs": 0.2, "code": 0.35, "commit": 0.3, "lex": 0.3, "x-de": 0.12, "x-fr": 0.25, "x-es": 0.4, "x-pt": 0.35, "x-ja": 0.17, "x-zh": 0.12, "zh": 0.24}

out, *paths = sys.argv[1:]
rng = random.Random("subset")
with lzma.open(out, "wt", encoding="utf8", preset=2) as file:
    for path in paths:
        for line in lzma.open(path, "rt", encoding="utf8"):
            cells = line.rstrip("\n").split("\t")
            if len(cells) >= 3 and rng.random() < SHARE.get(cells[2], 1.0):
                file.write("\t".join(cells[:3]) + "\n")
