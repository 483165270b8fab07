"""Collects further everyday German, French, Spanish, Portuguese and Japanese with its English: foreign text, English, kind, source (tab-separated).

usage: collect_more.py MIRROR DEBIAN OLD.tsv OUT.tsv SOURCES.tsv
MIRROR: folder of git snapshots (owner+name/repo); DEBIAN: unpacked packages by name; OLD.tsv: what collect.py wrote, whose dictionaries are used again.
"""

import collections
import gettext
import html
import json
import re
import sys
import unicodedata
import xml.etree.ElementTree as Xml
from pathlib import Path

import simplemma
import wordfreq
from text import Snapshot, plain, sample, squeeze

MIRROR, DEBIAN, OLD, OUT, SOURCES = sys.argv[1:6]
LANGUAGES = ("de", "fr", "es", "pt", "ja", "zh")
rows: list[tuple[str, str, str, str]] = []
sources: list[tuple[str, str, str, str, int]] = []
glosses: dict[str, dict[str, list[str]]] = collections.defaultdict(lambda: collections.defaultdict(list))


def add(language: str, source: str, commit: str, licence: str, pairs: list, most: int) -> None:
    kept = [(squeeze(q), squeeze(d)) for q, d in pairs]
    kept = sample([(q, d) for q, d in kept if len(q) > 1 and len(d) > 1 and q.lower() != d.lower()], most, f"{language} {source}")
    rows.extend((q, d, f"x-{language}", source) for q, d in kept)
    sources.append((f"x-{language}", source, commit, licence, len(kept)))
    print(f"{language} {source:60s} {len(kept):8d}", flush=True)


MARKUP = re.compile(r"<[^>]{1,200}>|[_&](?=\w)|%\(?\w*\)?[\d.]*[sdifu]|\{\w*\}|\$\w+|\\n|https?://\S+")


def message(text: str) -> str:
    """A program's message without marks, accelerators and places for values."""
    text = re.sub(r"^[a-z_ ]{1,30}[\^|]", "", text)
    return re.sub(r"\s+", " ", html.unescape(MARKUP.sub(" ", text)).replace("*", " ")).strip(" :.…")


def catalogues() -> None:
    """Compiled gettext catalogues; the game's are dialogues and tales, the others speak of people, families and money."""
    names = {"de": ["de"], "fr": ["fr"], "es": ["es"], "pt": ["pt_BR", "pt"], "ja": ["ja"], "zh": ["zh_CN"]}
    for package, licence in [("wesnoth-1.16-data", "GPL-2.0-or-later"), ("freeciv-data", "GPL-2.0-or-later"), ("gramps", "GPL-2.0-or-later"), ("gnucash-common", "GPL-2.0-or-later"), ("homebank-data", "GPL-2.0-or-later")]:
        for language in LANGUAGES:
            pairs = []
            for name in names[language]:
                for path in sorted(Path(f"{DEBIAN}/{package}").rglob(f"{name}/LC_MESSAGES/*.mo")):
                    with open(path, "rb") as file:
                        catalogue = gettext.GNUTranslations(file)._catalog
                    for key, value in catalogue.items():
                        source = key[0] if isinstance(key, tuple) else key
                        if source and isinstance(value, str) and len(source) < 700:
                            pairs.append((message(value), message(source.split("\x04")[-1])))
            if pairs:
                add(language, f"{package} (Debian)", "", licence, pairs, 20000)


def office_help() -> None:
    def paragraphs(folder: Path) -> dict[tuple[str, str], str]:
        out = {}
        for path in sorted(folder.rglob("*.html")):
            for tag, name, text in re.findall(r'<(p|h\d)[^>]*\bid="([^"]+)"[^>]*>(.*?)</\1>', path.read_text("utf8"), re.S):
                out[(str(path.relative_to(folder)), name)] = re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", "", text))).strip()
        return out

    english = paragraphs(Path(f"{DEBIAN}/libreoffice-help-en-us/usr/share/libreoffice/help/en-US"))
    for code, language in [("de", "de"), ("fr", "fr"), ("es", "es"), ("pt-br", "pt"), ("ja", "ja")]:
        folder = Path(f"{DEBIAN}/libreoffice-help-{code}/usr/share/libreoffice/help/{'pt-BR' if code == 'pt-br' else code}")
        pairs = [(text, english[key]) for key, text in paragraphs(folder).items() if key in english and 8 < len(text) < 500]
        add(language, f"libreoffice-help-{code} (Debian)", "", "MPL-2.0", pairs, 20000)


def desktop_help() -> None:
    def parts(path: Path) -> list[str]:
        found = re.findall(r"<(p|title|desc)\b[^>]*>(.*?)</\1>", path.read_text("utf8"), re.S)
        return [re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", "", text))).strip() for _, text in found]

    root = Path(f"{DEBIAN}/gnome-user-docs/usr/share/help")
    for code, language in [("de", "de"), ("fr", "fr"), ("es", "es"), ("pt_BR", "pt"), ("ja", "ja"), ("zh_CN", "zh")]:
        pairs = []
        for path in sorted((root / code).rglob("*.page")):
            source = root / "C" / path.relative_to(root / code)
            left, right = (parts(source), parts(path)) if source.exists() else ([], [])
            if len(left) == len(right):
                pairs += [(b, a) for a, b in zip(left, right) if a != b]
        add(language, "gnome-user-docs (Debian)", "", "CC-BY-SA-3.0", pairs, 10000)


PLAYED = dict(zip("æ§þßçðëïñøµüÿ", "asbbcdeinouuy"))


def english_of(text: str) -> str:
    """The pseudo language of the pack, which is English with odd letters."""
    text = "".join(PLAYED.get(c, PLAYED.get(c.lower(), c).upper() if c.lower() in PLAYED else c) for c in text)
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


def editor_messages() -> None:
    repo = Snapshot(MIRROR, "microsoft/vscode-loc")

    def strings(pack: str) -> dict[tuple[str, str], str]:
        text = repo.files(rf"^i18n/vscode-language-pack-{pack}/translations/main\.i18n\.json$")[0][1]
        return {(name, key): value for name, group in json.loads(text)["contents"].items() for key, value in group.items()}

    english = {key: english_of(message(value)) for key, value in strings("qps-ploc").items()}
    for pack, language in [("de", "de"), ("fr", "fr"), ("es", "es"), ("pt-BR", "pt"), ("ja", "ja"), ("zh-hans", "zh")]:
        pairs = [(message(value), english[key]) for key, value in strings(pack).items() if key in english and len(value) > 6]
        add(language, repo.name, repo.commit, "MIT", pairs, 15000)


def sentences() -> None:
    """Tatoeba's sentences, as others keep them: English, a tab, the other language."""
    for name, path, language in [
        ("DevHunterYZ/Neural-Machine-Translation", r"^fra\.txt$", "fr"), ("NJUxlj/seq2seq-attention-translation", r"^data/eng-fra\.txt$", "fr"),
        ("DarrenCarvalho/Language-Translation", r"^data/deu\.txt$", "de"), ("futurebridge/ZukaiML", r"^jpn\.txt$", "ja"),
    ]:  # fmt: skip
        repo = Snapshot(MIRROR, name)
        lines = [line.split("\t") for _, text in repo.files(path) for line in text.splitlines()]
        add(language, f"Tatoeba, by {name}", repo.commit, "CC-BY-2.0-FR", [(cells[1], cells[0]) for cells in lines if len(cells) > 1], 50000)


def apertium() -> None:
    for name, path, language, foreign in [
        ("apertium/apertium-eng-spa", r"^apertium-eng-spa\.eng-spa\.dix$", "es", "r"), ("apertium/apertium-fra-eng", r"^apertium-fra-eng\.fra-eng\.dix$", "fr", "l"),
    ]:  # fmt: skip
        repo, pairs = Snapshot(MIRROR, name), []
        for left, right in re.findall(r"<l>(.*?)</l>\s*<r>(.*?)</r>", repo.files(path)[0][1], re.S):
            a, b = (re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", re.sub(r"<b\s*/>", " ", x))).strip() for x in (left, right))
            pairs.append((b, a) if foreign == "r" else (a, b))
        add(language, repo.name, repo.commit, "GPL-2.0-or-later", pairs, 60000)
        remember(language, pairs)
    repo, pairs = Snapshot(MIRROR, "mananoreboton/en-es-en-Dic"), []
    for _, text in repo.files(r"^src/main/resources/dic/es-en\.xml$"):
        for word in Xml.fromstring(text).iter("w"):
            concept, meaning = (word.findtext(tag) or "" for tag in ("c", "d"))
            meaning = re.split(r"[,;]", re.sub(r"\([^)]*\)|\{[^}]*\}|\[[^\]]*\]", "", meaning))[0].strip()
            if concept and 1 < len(meaning) < 50 and "{prop}" not in (word.findtext("t") or ""):
                pairs.append((re.sub(r"\{[^}]*\}|\([^)]*\)", "", concept).strip(), meaning))
    add("es", repo.name, repo.commit, "Apache-2.0", pairs, 60000)
    remember("es", pairs)


def remember(language: str, pairs: list) -> None:
    for word, meaning in pairs:
        if " " not in word and len(meaning) < 40 and meaning not in glosses[language][word.lower()]:
            glosses[language][word.lower()].append(meaning)


def forms() -> None:
    """Frequent inflected forms with the meaning of their dictionary form: `llegan` as `llegar`, arrive."""
    with open(OLD, encoding="utf8") as file:
        for line in file:
            cells = line.rstrip("\n").split("\t")
            if cells[2] in ("x-de", "x-fr", "x-es", "x-pt") and len(cells) > 3 and ("freedict" in cells[3] or "omw" in cells[3]):
                remember(cells[2][2:], [(cells[0], cells[1])])
    for language in ("de", "fr", "es", "pt"):
        pairs = []
        for word in wordfreq.top_n_list(language, 30000):
            lemma = simplemma.lemmatize(word, language).lower()
            known = glosses[language].get(lemma) or glosses[language].get(word)
            pairs += [(word, meaning) for meaning in (known or [])[:2]]
        add(language, "forms by simplemma 2.0.0 of words by wordfreq 3.1.1, glosses as above", "", "MIT, CC-BY-SA-4.0", pairs, 60000)


for collect in (catalogues, office_help, desktop_help, editor_messages, sentences, apertium, forms):
    collect()
with open(OUT, "w", encoding="utf8") as file:
    for cells in rows:
        file.write("\t".join(plain(c).replace("\t", " ") if i < 2 else c for i, c in enumerate(cells)) + "\n")
with open(SOURCES, "w", encoding="utf8") as file:
    file.writelines("\t".join(map(str, s)) + "\n" for s in sources)
print(len(rows), "pairs")
