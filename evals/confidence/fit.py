"""Fits the trees by which src/search/verdict.ts judges whether a store answers a question.

python3 fit.py EVIDENCE.jsonl ...   (pip install numpy lightgbm scikit-learn)

EVIDENCE.jsonl is what `node evals/confidence.ts --evidence` writes. Every family of sets weighs the same (the name up to the first dash) but those made by rule, which weigh a quarter, within it every
set, within that every size, of which whole conversations (0) count three times, and of the questions half have an answer. What is the same for all
questions of a store is blurred, so that the trees cannot tell stores apart by it. Prints how each family fares when it is left out of the fit, then for each kind of
query the border and what the confidence of the first hit becomes where seven of eight questions have an answer, and the trees.
"""
import json, math, sys
from collections import Counter
import lightgbm, numpy
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

EVIDENCE = "first size usual asked familiarity unknown held together beyond kin named speaker lacked missing nearest above".split()
RISING = {"first", "held", "together", "beyond", "speaker", "nearest", "above"}
FALLING = {"unknown", "lacked", "missing"}
TREES = 120
BLURRED = {"size": 0.7, "usual": 0.3}
WHOLE = 3
# So many questions of another store may be called found. Where fewer were, more of the answers would be missed than that saves.
PASSING = {"question": 1 / 8, "keywords": 1 / 6, "remark": 1 / 6, "name": 1 / 10}
# People ask a memory mostly for what they have told it. With this share the error stays small from seven of ten to all of them.
ANSWERED = 7 / 8
HOLDS_ALL = math.log(3) - 1e-9
# Their questions avoid the words of their answers on purpose; strangers' questions do not.
MADE_BY_RULE = {"assistant", "chinese", "developer", "friends", "languages"}
OF_RULE = 0.25


def read(paths):
    """Of the questions that were judged so at all: gibberish is not."""
    asked = [each for path in paths for each in map(json.loads, open(path)) if each["evidence"]]
    rows = numpy.array([[each["evidence"][name] for name in EVIDENCE] for each in asked])
    families = numpy.array([each["set"].split("-")[0] for each in asked])
    return asked, rows, families


def weigh(asked, families):
    cells = [(family, each["set"], each["size"], each["kind"]) for family, each in zip(families, asked)]
    counts = Counter(cells)
    sizes = Counter((family, name) for family, name, _ in {cell[:3] for cell in cells})
    sets = Counter(family for family, _ in {cell[:2] for cell in cells})
    kinds = Counter(cell[:3] for cell in {cell for cell in cells if cell[3] != "answerable"})
    weights = numpy.array([
        (OF_RULE if cell[0] in MADE_BY_RULE else 1) * (1 if cell[2] else WHOLE) * (0.5 if cell[3] == "answerable" else 0.5 / kinds[cell[:3]]) / counts[cell] / sizes[cell[:2]] / sets[cell[0]] for cell in cells
    ])
    return weights / weights.mean()


def fit(rows, answerable, weights):
    rows = rows.copy()
    chance = numpy.random.default_rng(1)
    for name, deviation in BLURRED.items():
        rows[:, EVIDENCE.index(name)] += chance.normal(0, deviation, len(rows))
    model = lightgbm.LGBMClassifier(
        n_estimators=TREES, num_leaves=8, learning_rate=0.1, min_child_samples=200, reg_lambda=5,
        subsample=0.8, subsample_freq=1, colsample_bytree=0.7, verbose=-1, n_jobs=1, random_state=1,
        monotone_constraints=[1 if name in RISING else -1 if name in FALLING else 0 for name in EVIDENCE],
    )
    return model.fit(rows, answerable, sample_weight=weights)


def leave_each_out(rows, answerable, weights, families):
    chances = numpy.zeros(len(rows))
    for family in sorted(set(families)):
        own = families == family
        chances[own] = fit(rows[~own], answerable[~own], weights[~own]).predict_proba(rows[own])[:, 1]
        print("//", family, "AUC", round(roc_auc_score(answerable[own], chances[own], sample_weight=weights[own]), 3))
    return chances


def log_odds(chances):
    return numpy.log(chances / (1 - chances))


def number(value):
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    text = text.replace("0.", ".", 1) if abs(value) < 1 else text
    return text if text not in ("", "-", "-0") else "0"


def floor(value):
    """Rounded down: much of the evidence is exactly 0 or 1 for many questions, which must stay on their side of it."""
    return number(math.floor(value * 1000) / 1000)


def write(node):
    """In the order of reading: a split is the letter of its evidence and its border, then what is not above it, then what is; a leaf is its log-odds."""
    if "leaf_value" in node:
        return number(node["leaf_value"])
    letter = chr(ord("a") + node["split_feature"])
    return f"{letter}{floor(node['threshold'])} {write(node['left_child'])} {write(node['right_child'])}"


if __name__ == "__main__":
    asked, rows, families = read(sys.argv[1:])
    weights = weigh(asked, families)
    answerable = numpy.array([each["kind"] == "answerable" for each in asked])
    right = numpy.array([each["isRight"] for each in asked])
    chances = leave_each_out(rows, answerable, weights, families)
    asks = numpy.array([each["asks"] for each in asked])
    foreign = numpy.array([each["kind"] == "foreign" for each in asked])
    # As in confidence.ts: what holds nearly all that was asked is an answer.
    chances = numpy.where(rows[:, 0] >= HOLDS_ALL, numpy.maximum(chances, 0.75), chances)
    both = numpy.column_stack([rows[:, 0], log_odds(chances)])
    usual = weights * numpy.where(answerable, ANSWERED, 1 - ANSWERED)
    for kind, passing in PASSING.items():
        others, own = (asks == kind) & foreign, (asks == kind) & answerable
        order = numpy.argsort(-chances[others])
        so_many = numpy.cumsum(weights[others][order]) / weights[others].sum()
        border = chances[others][order][numpy.searchsorted(so_many, passing)]
        found = numpy.average(chances[own] >= border, weights=weights[own])
        # A name is in a hit or it is not, which the store's chance knows already.
        known = both[asks == kind][:, 1 if kind == "name" else 0:]
        calibration = LogisticRegression(C=1e6).fit(known, right[asks == kind], sample_weight=usual[asks == kind])
        print(f"// {kind}: {passing:.3f} of another store pass {border:.3f}, and {found:.3f} of the answerable;", calibration.intercept_.round(3), calibration.coef_.round(3))
    for tree in fit(rows, answerable, weights).booster_.dump_model()["tree_info"]:
        print(f"  '{write(tree['tree_structure'])}',")
