"""Collects what people ask about code with the code that does it: query, passage, kind (tab-separated).

usage: collect_code.py MIRROR WHEELS HELD OUT.tsv.xz SOURCES.tsv
MIRROR: folder of git snapshots (owner+name/repo); WHEELS: folder of *.whl; HELD: folder of evaluation sets (*.json.gz) with which no passage may share 60 characters.
"""

import collections
import glob
import gzip
import json
import lzma
import re
import sys
import warnings
import zipfile
import zlib

from code_pairs import braces, fenced, python, sheets, tldr
from code_words import asked, task
from text import Snapshot, sample, squeeze

MIRROR, WHEELS, HELD, OUT, SOURCES = sys.argv[1:6]
RUN, LONGEST = 60, 600
SHARE = 77  # of a hundred functions, so that the file stays small
ALLOWED = re.compile(r"MIT|BSD|Apache|ISC|PSF|Python Software|MPL|Mozilla|HPND|CC0|Unlicense|Zope|ZPL", re.I)
REFUSED = re.compile(r"(?<!L)GPL|General Public|Proprietary|Non-?Commercial", re.I)
warnings.simplefilter("ignore")
rows: dict[tuple[str, str], int] = {}
sources: list[tuple[str, str, str, str]] = []
runs: set[int] = set()
wholes: set[str] = set()
clean: dict[str, bool] = {}


def hold_back() -> None:
    for name in ("cosqa", "conala", "conala-ja-es", "nl2bash"):
        for conversation in json.loads(gzip.open(f"{HELD}/{name}.json.gz").read()):
            texts = [squeeze(item["text"], 10**6) for item in conversation["items"]]
            wholes.update(texts)
            wholes.update(squeeze(question["q"]).lower() for question in conversation["questions"])
            runs.update(hash(text[i : i + RUN]) for text in texts for i in range(len(text) - RUN + 1))


def allowed(query: str, passage: str) -> bool:
    if passage not in clean:
        clean[passage] = passage not in wholes and not any(hash(passage[i : i + RUN]) in runs for i in range(len(passage) - RUN + 1))
    return clean[passage] and query.lower() not in wholes


def add(kind: str, source: str, version: str, licence: str, pairs: list, most: int) -> None:
    """Keeps at most `most` pairs, whole passages first: the questions of one passage stay together."""
    groups = collections.defaultdict(list)
    for query, passage in pairs:
        query, passage = squeeze(query, 200), squeeze(passage, LONGEST)
        if 8 <= len(query) and 8 <= len(passage) and query.isascii() and query.lower() != passage.lower():
            groups[passage].append(query)
    count = 0
    for passage in sample(sorted(groups), most, source):
        for query in dict.fromkeys(groups[passage]):
            if count < most and len(groups[passage]) < 12 and (query, passage) not in rows and allowed(query, passage):
                rows[(query, passage)] = len(sources)
                count += 1
    if count:
        sources.append((kind, source, version, licence))
        print(f"{kind:7s} {source:50s} {count:7d}", flush=True)


def from_python(name: str, version: str, licence: str, texts: list[str], most: int) -> None:
    pairs, tests = [], []
    for text in texts:
        found = python(text) if len(text) < 400_000 else ([], [])
        pairs += found[0]
        tests += found[1]
    add("codeq", name, version, licence, pairs, most)
    add("codeq", f"{name}, tests", version, licence, tests, most // 12)


def wheels() -> None:
    for path in sorted(glob.glob(f"{WHEELS}/*.whl")):
        with zipfile.ZipFile(path) as wheel:
            names = sorted(wheel.namelist())
            about = wheel.read(next(n for n in names if n.endswith(".dist-info/METADATA"))).decode("utf8", "replace").split("\n\n")[0]
            found = re.search(r"^License-Expression: (.+)", about, re.M) or re.search(r"^Classifier: License ::(?: OSI Approved ::)? (?!OSI Approved$)(.+)", about, re.M) or re.search(r"^License: (.{3,60})$", about, re.M)
            licence = found[1].strip() if found else ""
            if not ALLOWED.search(licence) or REFUSED.search(licence):
                print("not used:", path.rsplit("/")[-1], licence)
                continue
            texts = [wheel.read(n).decode("utf8", "replace") for n in names if n.endswith(".py") and not re.search(r"_?vendor|/locale/|providers/\w+/\w+/\w+/", n)]
        name, version = path.rsplit("/")[-1].split("-")[:2]
        from_python(f"{name} (PyPI)", version, licence, texts, 2500)


def repositories() -> None:
    for name, path, licence, most in [
        ("TheAlgorithms/Python", r"\.py$", "MIT", 6000), ("geekcomputers/Python", r"\.py$", "MIT", 4000), ("keon/algorithms", r"\.py$", "MIT", 3000), ("saltstack/salt", r"^salt/(utils|modules|states|runners)/.*\.py$", "Apache-2.0", 9000),
    ]:  # fmt: skip
        repo = Snapshot(MIRROR, name)
        from_python(name, repo.commit, licence, [text for _, text in repo.files(path)], most)
    for name, path, language, licence, most in [
        ("lodash/lodash", r"^(?!.*(test|dist|vendor|fp/)).*\.[jt]s$", "javascript", "MIT", 4000), ("date-fns/date-fns", r"src/\w+/index\.[jt]s$", "javascript", "MIT", 3000), ("ramda/ramda", r"^source/.*\.js$", "javascript", "MIT", 2000),
        ("josdejong/mathjs", r"^src/.*\.js$", "javascript", "Apache-2.0", 4000), ("mrdoob/three.js", r"^src/.*\.js$", "javascript", "MIT", 3000), ("phaserjs/phaser", r"^src/.*\.js$", "javascript", "MIT", 2500),
        ("stdlib-js/stdlib", r"@stdlib/(string|utils|array|fs|time|regexp|assert|object|process|os|net|streams|buffer|cli|nlp|iter)/.*/lib/main\.js$", "javascript", "Apache-2.0", 7000),
        ("trekhleb/javascript-algorithms", r"^src/.*(?<!test)\.js$", "javascript", "MIT", 3000), ("eslint/eslint", r"^lib/.*\.js$", "javascript", "MIT", 5000),
        ("golang/go", r"^src/(strings|bytes|os|io|net|fmt|sort|slices|maps|time|path|bufio|archive|compress|crypto|encoding|text|html|mime|strconv|math|log|errors|sync|context|database|image|regexp|unicode)/.*(?<!_test)\.go$", "go", "BSD-3-Clause", 14000),
        ("apache/commons-lang", r"^src/main/.*\.java$", "java", "Apache-2.0", 7000), ("google/guava", r"^guava/src/.*\.java$", "java", "Apache-2.0", 7000),
    ]:  # fmt: skip
        repo = Snapshot(MIRROR, name)
        add("codeq", name, repo.commit, licence, [pair for _, text in repo.files(path) for pair in braces(text, language)], most)


def pages() -> None:
    for name, path, licence, most in [
        ("30-seconds/30-seconds-of-code", r"^snippets/.*\.md$", "CC0-1.0", 3000), ("Chalarangelo/30-seconds-of-code", r"^content/snippets/.*\.md$", "CC-BY-4.0", 6000), ("30-seconds/30-seconds-of-python", r"^snippets/.*\.md$", "CC0-1.0", 2000),
        ("mdn/content", r"^files/en-us/(web/(javascript|api|css|html|http)|learn)", "CC-BY-SA-2.5, code CC0-1.0", 16000), ("kubernetes/website", r"^content/en/docs/.*\.md$", "CC-BY-4.0", 8000),
        ("dotnet/docs", r"^docs/.*\.md$", "CC-BY-4.0, code MIT", 10000), ("MicrosoftDocs/cpp-docs", r"^docs/.*\.md$", "CC-BY-4.0, code MIT", 6000), ("MicrosoftDocs/SupportArticles-docs", r"\.md$", "CC-BY-4.0, code MIT", 5000),
        ("github/docs", r"^content/.*\.md$", "CC-BY-4.0, code MIT", 5000), ("docker/docs", r"^content/.*\.md$", "Apache-2.0", 9000), ("rust-lang/rust-by-example", r"\.md$", "MIT/Apache-2.0", 2000), ("eslint/eslint", r"^docs/.*\.md$", "MIT", 3000),
        ("onceupon/Bash-Oneliner", r"^README\.md$", "MIT", 3000), ("trimstray/the-book-of-secret-knowledge", r"^README\.md$", "MIT", 3000), ("dylanaraps/pure-bash-bible", r"^README\.md$", "MIT", 1000),
        ("Idnan/bash-guide", r"^README\.md$", "MIT", 300), ("learnbyexample/cli_text_processing_coreutils", r"\.md$", "MIT", 1500), ("python/peps", r"\.md$", "CC0-1.0", 500), ("getgrav/grav-learn", r"\.md$", "MIT", 1000),
    ]:  # fmt: skip
        repo, code, shell = Snapshot(MIRROR, name), [], []
        for _, text in repo.files(path):
            found = fenced(text)
            code += found[0]
            shell += found[1]
        add("codeqa", name, repo.commit, licence, code, most)
        add("shell", name, repo.commit, licence, [(q, c) for query, c in shell for q in [query, *([asked(query, "", len(c))] if task(query) else [])]], most)


def cheats() -> None:
    repo = Snapshot(MIRROR, "tldr-pages/tldr")
    add("shell", repo.name, repo.commit, "CC-BY-4.0", [pair for _, text in repo.files(r"^pages/.*\.md$") for pair in tldr(text)], 40000)
    for name, path, licence in [("cheat/cheatsheets", r"^[^./]+$", "CC0-1.0"), ("denisidoro/cheats", r"\.cheat$", "CC0-1.0"), ("chubin/cheat.sheets", r"^sheets/", "MIT"), ("LeCoupa/awesome-cheatsheets", r"\.sh$", "MIT")]:
        repo = Snapshot(MIRROR, name)
        add("shell", name, repo.commit, licence, [pair for _, text in repo.files(path) for pair in sheets(text)], 12000)


hold_back()
for collect in (cheats, pages, repositories, wheels):
    collect()
library = [open(path, encoding="utf8", errors="replace").read() for path in sorted(glob.glob(f"{sys.base_prefix}/lib/python3.*/**/*.py", recursive=True)) if not re.search("site-packages|lib2to3|/test/|idlelib", path)]
from_python("Python standard library", sys.version.split()[0], "PSF-2.0", library, 9000)
kept = {pair: at for pair, at in rows.items() if sources[at][0] != "codeq" or zlib.crc32(pair[1].encode()) % 100 < SHARE}
counts = collections.Counter(kept.values())
with lzma.open(OUT, "wt", encoding="utf8", preset=6) as file:
    file.writelines(f"{query}\t{passage}\t{sources[at][0]}\n" for (query, passage), at in kept.items())
with open(SOURCES, "w", encoding="utf8") as file:
    file.writelines("\t".join([*source, str(counts[at])]) + "\n" for at, source in enumerate(sources))
print(len(kept), "pairs;", sum(not good for good in clean.values()), "passages left out for evaluation")
