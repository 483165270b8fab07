"""Reads git snapshots, markdown, gettext catalogues, dictd dictionaries."""

import gzip
import random
import re
import subprocess
from pathlib import Path

FENCE = re.compile(r"^(```|~~~).*?^\1[^\n]*$", re.M | re.S)
FRONT = re.compile(r"\A---\n.*?\n---\n", re.S)
LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
TAG = re.compile(r"<[^>]{1,300}>|\{\{.*?\}\}|\{%.*?%\}", re.S)
MARKS = re.compile(r"[*`]+|^\s*(?:>|[-*+]|\d+\.|:)\s+", re.M)
SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"'(])|(?<=[。！？])")
HAN = re.compile(r"[\u3400-\u9fff]")


class Snapshot:
    """A git directory without a work tree, read at one commit."""

    def __init__(self, root: str, name: str, ref: str = "HEAD"):
        folder = Path(root) / name.replace("/", "+") / "repo"
        self.dir = folder / ".git" if (folder / ".git").is_dir() else folder
        self.name, self.ref = name, ref
        self.commit = self._git("rev-parse", ref).decode().strip()

    def _git(self, *args: str) -> bytes:
        return subprocess.run(["git", "-C", str(self.dir), *args], capture_output=True, check=True).stdout

    def files(self, pattern: str) -> list[tuple[str, str]]:
        """(path, text) of every stored file whose path matches, in path order."""
        wanted = re.compile(pattern)
        rows = [line.split("\t", 1) for line in self._git("ls-tree", "-r", "-l", self.ref).decode().splitlines()]
        picked = [(meta.split()[2], path) for meta, path in rows if meta.split()[3].isdigit() and wanted.search(path)]
        if not picked:
            return []
        feed = "".join(f"{blob}\n" for blob, _ in picked).encode()
        raw = subprocess.run(["git", "-C", str(self.dir), "cat-file", "--batch"], input=feed, capture_output=True).stdout
        out, at = [], 0
        for _, path in picked:
            end = raw.index(b"\n", at)
            head = raw[at:end].split()
            if head[-1] == b"missing":
                at = end + 1
                continue
            size = int(head[2])
            out.append((path, raw[end + 1 : end + 1 + size].decode("utf8", "replace")))
            at = end + size + 2
        return out


def squeeze(text: str, limit: int = 420) -> str:
    text = re.sub(r"\s+", " ", text).strip()
    if len(text) <= limit:
        return text
    cut = text.rfind(" ", 0, limit)
    return text[: cut if cut > limit // 2 else limit]


def plain(markdown: str) -> str:
    text = LINK.sub(r"\1", markdown)
    text = TAG.sub(" ", text)
    return MARKS.sub("", text).replace("\\", "")


def blocks(markdown: str) -> list[tuple[int, str]]:
    """(heading level or 0, text) in order, without code, tables and front matter."""
    body = FENCE.sub("\n", FRONT.sub("", markdown.replace("\r\n", "\n")))
    body = re.sub(r"<!--.*?-->", "\n", body, flags=re.S)
    out = []
    for part in re.split(r"\n\s*\n", body):
        lines = part.strip("\n").split("\n")
        while lines and lines[0].startswith("#"):
            head = lines.pop(0)
            level = len(head) - len(head.lstrip("#"))
            out.append((level, squeeze(plain(re.sub(r"\{#.*?\}", "", head.lstrip("# ")))).rstrip(" #")))
        rest = "\n".join(lines)
        if not rest.strip() or rest.lstrip().startswith("|") or rest.startswith("    "):
            continue
        text = squeeze(plain(rest))
        if text:
            out.append((0, text))
    return out


def title_of(markdown: str) -> str:
    found = re.search(r"^title:\s*[\"']?(.+?)[\"']?\s*$", markdown[:2000], re.M)
    return plain(found.group(1).split("|")[0]).strip() if found else ""


def sentences(text: str) -> list[str]:
    return [s.strip() for s in SENTENCE.split(text) if s.strip()]


def doc_pairs(markdown: str, chinese: bool = False) -> list[tuple[str, str]]:
    """(title and heading → paragraph) and (first sentence → the rest)."""
    least = 12 if chinese else 40
    out, head, title = [], "", title_of(markdown)
    for level, text in blocks(markdown):
        if level:
            head = text
            title = title or text
            continue
        if len(text) < least or bool(HAN.search(text)) != chinese:
            continue
        query = head or title
        if title and title.lower() not in query.lower():
            query = f"{title}: {query}" if len(query) < 40 else query
        if query:
            out.append((query, text))
        parts = sentences(text)
        if len(parts) > 2:
            out.append((parts[0], " ".join(parts[1:])))
    return out


def aligned(source: str, target: str) -> list[tuple[str, str]]:
    """Paragraphs of a translation beside the original's, where both documents have the same outline."""
    a, b = blocks(source), blocks(target)

    def sections(rows):
        out = [[]]
        for level, text in rows:
            if level:
                out.append([text])
            else:
                out[-1].append(text)
        return out

    one, two = sections(a), sections(b)
    if len(one) != len(two):
        return []
    pairs = []
    for left, right in zip(one, two):
        if len(left) == len(right):
            pairs += [(r, l) for l, r in zip(left, right) if r != l and 0.2 < len(r) / max(1, len(l)) < 3]
    return pairs


def po_pairs(text: str) -> list[tuple[str, str]]:
    out = []
    for entry in text.split("\n\n"):
        if "#, fuzzy" in entry or "msgid_plural" in entry:
            continue
        found = re.search(r"^msgid (.*?)^msgstr (.*)", entry, re.M | re.S)
        if not found:
            continue
        source, target = ("".join(re.findall(r'"((?:[^"\\]|\\.)*)"', part)) for part in found.groups())
        source, target = (re.sub(r":\w+:`~?!?([^`<]*)(?:<[^`]*>)?`|`+([^`]*)`+_*", r"\1\2", x.replace("\\n", " ").replace('\\"', '"')) for x in (source, target))
        if source and target and source != target:
            out.append((squeeze(plain(target)), squeeze(plain(source))))
    return out


def dictd(path: str) -> list[tuple[str, str]]:
    """(headword, first gloss) of a dictd file, read as text: a headword line with /sound/, then gloss lines."""
    out, word = [], None
    for line in gzip.open(path, "rt", encoding="utf8", errors="replace"):
        line = line.rstrip("\n")
        found = re.match(r"^(\S.{0,60}?) /[^/]+/(?:\s|$)", line)
        if found:
            word = found.group(1)
        elif word and line.strip() and not re.match(r"^\s+(Note|Synonym|see)", line):
            gloss = re.sub(r"^\s*(?:\d+\.\s*)?|<[^>]*>|\[[^\]]*\]|\{|\}", "", line).strip(" ,;")
            if gloss and len(gloss) < 80:
                out.append((word, gloss))
            word = None
    return out


def sample(rows: list, most: int, seed: str) -> list:
    rows = list(dict.fromkeys(rows))
    random.Random(seed).shuffle(rows)
    return rows[:most]
