"""Makes the vocabulary: pieces (words, word parts, CJK characters) and pairs of neighbouring pieces.

usage: vocabulary.py OUT.json PIECES PAIRS PAIRS.tsv.xz… (query, passage, kind…)
"""

import collections
import json
import lzma
import re
import sys

import wordfreq
from tokenizer import CAMEL, CJK, Tokenizer, fold, words

LATIN = {"x-de": 2.0, "x-fr": 2.0, "x-es": 3.0, "x-pt": 2.0}
SHARE = {"zh": 0.5, "x-zh": 0.6, "x-ja": 0.8, "docs": 0.5, "code": 0.7, "commit": 0.7, "lex": 0.6, "dialog": 2.5, "dialog-qa": 3.0, "asked": 2.0, "synthetic": 0.3, "fiction": 1.5, "qa": 3.0, "para": 2.0}


def read(paths: list[str]):
    for path in paths:
        with lzma.open(path, "rt", encoding="utf8") as file:
            for line in file:
                cells = line.rstrip("\n").split("\t")
                if len(cells) >= 3:
                    yield cells[0], cells[1], cells[2]


def count_words(paths: list[str]) -> tuple[collections.Counter, collections.Counter]:
    """Weighted counts of Latin words and of CJK characters. A camel-case word counts as its parts: `javascript` is learned where it is written so."""
    raw: dict[str, collections.Counter] = collections.defaultdict(collections.Counter)
    for query, passage, kind in read(paths):
        counter = raw[kind]
        counter.update(words(query))
        if not kind.startswith("x-"):
            counter.update(words(passage))
    latin, cjk = collections.Counter(), collections.Counter()
    for kind, counter in raw.items():
        weight = LATIN.get(kind, SHARE.get(kind, 1.0))
        for word, count in counter.items():
            if CJK.match(word):
                cjk[word] += count * weight
            else:
                for part in CAMEL.split(word):
                    latin[fold(part)] += count * weight
    return latin, cjk


def learn_parts(latin: collections.Counter, size: int) -> list[str]:
    """Word parts by the usual merging of frequent neighbours, on word counts (at most 200,000 distinct words)."""
    from tokenizers import Tokenizer as Fast
    from tokenizers import models, pre_tokenizers, trainers

    fast = Fast(models.WordPiece(unk_token="[UNK]"))
    fast.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    trainer = trainers.WordPieceTrainer(vocab_size=size, special_tokens=["[UNK]"], min_frequency=2, limit_alphabet=120, show_progress=False)
    top = latin.most_common(200000)
    fast.train_from_iterator((" ".join([word] * max(1, min(400, round((count / 20) ** 0.75)))) for word, count in top if len(word) <= 24), trainer)
    return [piece for piece in fast.get_vocab() if piece != "[UNK]"]


def whole_words(latin: collections.Counter) -> list[str]:
    """Everyday words of each language first (as far as the pairs teach them), then what is frequent in the pairs: names of things, code words."""
    out = {}
    for language, most, least in [("en", 27000, 3), ("de", 7500, 2), ("fr", 6500, 2), ("es", 7000, 2), ("pt", 5500, 2)]:
        ranked = dict.fromkeys(w for word in wordfreq.top_n_list(language, 60000) for w in [fold(word)] if w.isalpha() and latin[w] >= least)
        out.update(dict.fromkeys(list(ranked)[:most]))
    for word, count in latin.most_common():
        number = re.fullmatch(r"\d+", word)
        if count >= (200 if number else 20) and 1 < len(word) <= 24 and not (number and len(word) > 4) and not re.fullmatch(r"[0-9a-f]*\d[0-9a-f]*[a-f]+[0-9a-f]*", word):
            out.setdefault(word)
    return list(out)


def main() -> None:
    out, size, pair_count, *paths = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), *sys.argv[4:]
    latin, cjk = count_words(paths)
    han = [c for c, n in cjk.most_common(6200) if n >= 12]
    left = size - len(han)
    whole = whole_words(latin)
    parts = learn_parts(latin, 12000)
    single = sorted({c for p in parts for c in p.removeprefix("##") if len(p.removeprefix("##")) == 1})
    keep = dict.fromkeys([*single, *("##" + c for c in single), *(p for p in parts if p.startswith("##"))])
    for word in whole:
        if len(keep) >= left:
            break
        keep.setdefault(word)
    pieces = [*keep, *han]
    tokenizer = Tokenizer(pieces, [])
    counts: dict[str, collections.Counter] = collections.defaultdict(collections.Counter)
    for number, (query, passage, kind) in enumerate(read(paths)):
        group = "cjk" if kind in ("zh", "x-zh", "x-ja") else "latin" if kind.startswith("x-") else "english"
        for text in (query,) if kind.startswith("x-") else (query, passage):
            ids = tokenizer.ids(text)
            counts[group].update(zip(ids, ids[1:]))
        if number % 100000 == 0:
            for counter in counts.values():
                if len(counter) > 4000000:
                    for key in [k for k, n in counter.items() if n < 3]:
                        del counter[key]
    pairs = choose_pairs(counts, pieces, pair_count)
    json.dump({"pieces": pieces, "pairs": pairs}, open(out, "w", encoding="utf8"), ensure_ascii=False)
    print(len(pieces), "pieces,", len(han), "CJK,", len(pairs), "pairs")


def choose_pairs(counts: dict[str, collections.Counter], pieces: list[str], most: int) -> list[tuple[int, int]]:
    """Frequent pairs that say more than their parts: count discounted by how often the parts meet by chance."""
    chosen: dict[tuple[int, int], None] = {}
    common = {fold(w) for language in ("en", "de", "fr", "es", "pt") for w in wordfreq.top_n_list(language, 80)}
    for group, share in (("english", 0.45), ("cjk", 0.45), ("latin", 0.1)):
        counter = counts[group]
        left, right = collections.Counter(), collections.Counter()
        for (a, b), n in counter.items():
            left[a] += n
            right[b] += n
        total = sum(left.values())
        scored = []
        for (a, b), n in counter.items():
            if n < 15 or a == b or pieces[a].isdigit() and pieces[b].isdigit():
                continue
            chance = left[a] * right[b] / total
            lift = n / (chance + 1e-9)
            if lift > (10 if pieces[a] in common or pieces[b] in common else 2):
                scored.append(((n - chance) ** 0.75 * min(lift, 200) ** 0.25, a, b))
        scored.sort(reverse=True)
        for _, a, b in scored[: int(most * share)]:
            chosen.setdefault((a, b))
    return list(chosen)[:most]


if __name__ == "__main__":
    main()
