"""Retrieval figures on sets in the form `ltm eval` reads: R@10 (R@3 for our own small sets; fraction, macro over categories) of the vectors alone, with BM25, with context.

The ranking here is a plain stand-in for the engine's: z-scores 1 : 1.5, gated context of the better neighbour (0.4), one speaker's turns.
"""

import collections
import gzip
import json
import re
import sqlite3

import numpy as np

STOP = set(
    "a an the i me my we our you your he she it they them his her its their is was were are be been do does did have has had what when where which who whom how why that "
    "this these those of to in on at for with and or but not from by about as if so than then there can could would should will shall may might must any some all into over "
    "after before up down out off again more most other such only own same too very just am being him us s t don now whose during between".split()
)
HAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]+")
_words: dict = {}


def read_set(path: str) -> list[dict]:
    return json.load(gzip.open(path) if path.endswith(".gz") else open(path, encoding="utf8"))


def han_pairs(text: str) -> str:
    return HAN.sub(lambda m: " " + " ".join(m[0][i : i + 2] for i in range(max(1, len(m[0]) - 1))) + " ", text)


def bm25(items: list[str], queries: list[str]) -> np.ndarray:
    db = sqlite3.connect(":memory:")
    db.execute("create virtual table t using fts5(x, tokenize='porter unicode61')")
    db.executemany("insert into t(rowid, x) values (?, ?)", list(enumerate(map(han_pairs, items))))
    scores = np.zeros((len(queries), len(items)), np.float32)
    for row, query in enumerate(queries):
        words = re.findall(r"[^\W_]+", han_pairs(query).lower())
        terms = list(dict.fromkeys(w for w in words if w not in STOP)) or words
        for item, score in db.execute("select rowid, -bm25(t) from t where t match ?", (" OR ".join(f'"{t}"' for t in terms) or '""',)):
            scores[row, item] = score
    return scores


def z(scores: np.ndarray) -> np.ndarray:
    return (scores - scores.mean(1, keepdims=True)) / (scores.std(1, keepdims=True) + 1e-9)


def with_neighbour(scores: np.ndarray, session: np.ndarray, gate: np.ndarray) -> np.ndarray:
    before, after = np.full_like(scores, -1e9), np.full_like(scores, -1e9)
    same = session[1:] == session[:-1]
    before[:, 1:] = np.where(same, scores[:, :-1], -1e9)
    after[:, :-1] = np.where(same, 0.9 * scores[:, 1:], -1e9)
    best = np.maximum(before, after)
    return scores + 0.4 * gate * np.where(best < -1e8, 0, best)


def runs_of(conversation: dict, key, embed) -> dict[str, np.ndarray]:
    items = [i["text"] for i in conversation["items"]]
    queries = [q["q"] for q in conversation["questions"]]
    names = tuple(conversation.get("names") or ())
    if key not in _words:
        _words[key] = bm25(items, queries)
    words = _words[key]
    runs = {"bm25": words}
    if embed is None:
        return runs
    meaning = embed(queries, True, names) @ embed(items, False, names).T
    runs["alone"] = meaning
    runs["+bm25"] = z(words) + 1.5 * z(meaning)
    if not names:
        return runs
    session = np.array([i.get("s", 0) for i in conversation["items"]])
    gate = np.minimum(1, 80 / np.array([max(1, len(re.findall(r"[^\W_]+", t))) for t in items])) ** 2
    fused = with_neighbour(z(words), session, gate) + 1.5 * with_neighbour(z(meaning), session, gate)
    runs["+context"] = fused
    speaker = np.array([t.split(":")[0].strip().lower() for t in items])
    named = fused.copy()
    for row, query in enumerate(queries):
        who = [n for n in names if re.search(rf"\b{re.escape(n)}\b", query, re.I)]
        if len(who) == 1:
            named[row] += speaker == who[0].lower()
    runs["+speaker"] = named
    return runs


def evaluate(conversations: list[dict], key: str, embed, k: int = 10) -> dict[str, float]:
    found: dict = collections.defaultdict(lambda: collections.defaultdict(list))
    for number, conversation in enumerate(conversations):
        place = {item["id"]: at for at, item in enumerate(conversation["items"])}
        for run, scores in runs_of(conversation, (key, number), embed).items():
            top = np.argsort(-scores, 1, kind="stable")[:, :k]
            for row, question in enumerate(conversation["questions"]):
                gold = {place[g] for g in question["gold"] if g in place}
                if gold:
                    found[run][question.get("cat", 0)].append(len(gold & set(top[row].tolist())) / len(gold))
    return {run: float(np.mean([np.mean(v) for v in by.values()])) for run, by in found.items()}


def evaluate_sets(paths: list[str], embed):
    for path in paths:
        name = path.split("/")[-1].split(".")[0]
        k = 3 if name.startswith("own-") else 10
        result = evaluate(read_set(path), name, embed, k)
        yield f"{name:11s} R@{k:<2d} " + " | ".join(f"{run} {value:.3f}" for run, value in result.items())
