"""Cleaning, tokens and pairs of the static embedder. FORMAT.md says the same in words; the TypeScript reader must agree with this file."""

import re
import unicodedata

WORD = re.compile(r"[^\W_]+")
CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
MARK = re.compile("[\u0300-\u036f]")
CJK = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f]")
CJK_SPLIT = re.compile(f"({CJK.pattern})")
LONGEST_WORD = 40

UUID = re.compile(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b", re.I | re.A)
HASH = re.compile(r"\b(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}\b", re.I | re.A)
STAMP = re.compile(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?|\[\d{1,2}:\d\d(?::\d\d)?\]", re.A)
SCHEME = re.compile(r"\b(?:https?|ftp|file)://(?:www\.)?", re.I | re.A)
ROLE = re.compile(
    r"(?<![^\n])[ \t]*(?:user|assistant|system|human|ai|bot|agent|tool|developer|customer|speaker|用户|助手|系统|ユーザー|アシスタント)[ \t]?\d{0,3}[ \t]*[:：]",
    re.I | re.A,
)


def clean(text: str, names: tuple[str, ...] = ()) -> str:
    """Without role labels, names of speakers, timestamps, ids: what is left carries the meaning. The text itself where nothing would be left."""
    out = ROLE.sub(" ", text)
    out = STAMP.sub(" ", out)
    out = UUID.sub(" ", out)
    out = HASH.sub(" ", out)
    out = SCHEME.sub(" ", out)
    for name in sorted(filter(None, names), key=len, reverse=True):
        before = "" if CJK.match(name[0]) else r"(?<![^\W_])"
        after = "" if CJK.match(name[-1]) else r"(?![^\W_])"
        out = re.sub(rf"{before}{re.escape(name)}{after}(?:['’]s)?[:：]?", " ", out, flags=re.I)
    return out if WORD.search(out) else text


def fold(word: str) -> str:
    """Lower case, without Latin accents."""
    low = word.lower()
    if low.isascii():
        return low
    return unicodedata.normalize("NFC", MARK.sub("", unicodedata.normalize("NFD", low)))


def words(text: str) -> list[str]:
    """Runs of letters and digits in their own case; each CJK character by itself."""
    if text.isascii():
        return WORD.findall(text)
    out = []
    for run in WORD.findall(unicodedata.normalize("NFKC", text)):
        if run.isascii() or not CJK.search(run):
            out.append(run)
        else:
            out.extend(part for part in CJK_SPLIT.split(run) if part)
    return out


class Tokenizer:
    def __init__(self, pieces: list[str], pairs: list[tuple[int, int]]):
        self.pieces, self.pairs = pieces, pairs
        self.index = {piece: i for i, piece in enumerate(pieces)}
        self.pair_index = {pair: len(pieces) + i for i, pair in enumerate(pairs)}
        self.cache: dict[str, list[int]] = {}

    def split(self, word: str) -> list[int]:
        """Greedy longest match; a character that no piece begins with is left out."""
        out, at = [], 0
        while at < len(word):
            end, prefix = min(len(word), at + LONGEST_WORD), "##" if at else ""
            while end > at and prefix + word[at:end] not in self.index:
                end -= 1
            if end == at:
                at += 1
            else:
                out.append(self.index[prefix + word[at:end]])
                at = end
        return out

    def word_ids(self, word: str) -> list[int]:
        known = self.cache.get(word)
        if known is None:
            low = fold(word)[:LONGEST_WORD]
            if low in self.index:
                known = [self.index[low]]
            else:
                known = [i for part in CAMEL.split(word) for i in self.split(fold(part)[:LONGEST_WORD])]
            self.cache[word] = known
        return known

    def ids(self, text: str) -> list[int]:
        """Pieces in order, then the rows of the known pairs of neighbours, in order."""
        out = [i for word in words(text) for i in self.word_ids(word)]
        pair = self.pair_index
        return out + [pair[p] for p in zip(out, out[1:]) if p in pair]
