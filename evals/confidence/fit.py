"""Fits the forests by which src/engine/search/confidence.ts judges a hit, and prints them.

python3 fit.py KIND=EVIDENCE.jsonl ...   (pip install numpy lightgbm; KIND: weighed, unweighed, text, meaning)

EVIDENCE.jsonl is what `node evals/confidence.ts --evidence` writes. Every set weighs the same, within it every size, and of the questions half have an
answer. A better score, cosine or share never lowers a confidence, and more that nothing holds never raises one.
"""
import json, sys
from collections import Counter
import lightgbm, numpy

EVIDENCE = "size cosine familiarity score lead above words usual length unknown share ahead beyond".split()
RISING = {"cosine", "score", "lead", "above", "words", "share", "ahead", "beyond"}
TREES = {"weighed": 80}
UNUSED = {"unweighed": {"familiarity"}, "text": {"familiarity", "cosine"}, "meaning": {"familiarity"}}


def read(path):
    rows, right, cells = [], [], []
    for line in open(path):
        asked = json.loads(line)
        for hit in asked["best"]:
            rows.append([hit["evidence"][name] for name in EVIDENCE])
            right.append(hit["isRight"])
            cells.append((asked["set"], asked["size"], asked["kind"]))
    counts = Counter(cells)
    weights = numpy.array([(2 if cell[2] == "answerable" else 1) / counts[cell] for cell in cells])
    return numpy.array(rows), numpy.array(right, int), weights / weights.mean()


def fit(kind, path):
    rows, right, weights = read(path)
    for name in UNUSED.get(kind, ()):
        rows[:, EVIDENCE.index(name)] = 0
    trees = TREES.get(kind, 40)
    model = lightgbm.LGBMClassifier(
        n_estimators=trees, num_leaves=6, learning_rate=9.6 / trees, min_child_samples=80, reg_lambda=5,
        subsample=0.8, subsample_freq=1, colsample_bytree=0.7, verbose=-1, n_jobs=1, random_state=1,
        monotone_constraints=[1 if name in RISING else -1 if name == "unknown" else 0 for name in EVIDENCE],
    )
    return model.fit(rows, right, sample_weight=weights)


def number(value):
    text = f"{value:.3f}".rstrip("0").rstrip(".").replace("0.", ".", 1) if abs(value) < 1 else f"{value:.2f}".rstrip("0").rstrip(".")
    return text if text not in ("", "-", "-0") else "0"


def write(node):
    """In the order of reading: a split is the letter of its evidence and its border, then what is not above it, then what is; a leaf is its log-odds."""
    if "leaf_value" in node:
        return number(node["leaf_value"])
    letter = chr(ord("a") + node["split_feature"])
    return f"{letter}{number(node['threshold'])} {write(node['left_child'])} {write(node['right_child'])}"


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        kind, path = argument.split("=", 1)
        trees = fit(kind, path).booster_.dump_model()["tree_info"]
        print(f"  {kind}: [")
        for tree in trees:
            print(f"    '{write(tree['tree_structure'])}',")
        print("  ],")
