"""Reads (what it does, the code that does it) from Python, languages with braces, markdown, shell cheat sheets."""

import ast
import re
import zlib

from code_words import asked, keywords, sentence_of, task, words_of
from text import FRONT, plain, squeeze, title_of

SHELLS = ("sh", "bash", "shell", "console", "shell-session", "powershell", "bat", "cmd", "azurecli", "terminal", "zsh")


def phrased(text: str, language: str, seed: str, name: str = "") -> list[str]:
    """One to three ways to ask for the same thing, chosen by the text itself."""
    chance = zlib.crc32(seed.encode())
    out = [text] if text and chance % 4 else []
    if text:
        out.append(asked(text, language, chance >> 2))
    if len(words_of(name)) > 1 and (chance >> 8) % 3 == 0:
        out.append(" ".join(words_of(name)) + (f" {language}" if (chance >> 10) % 3 == 0 else ""))
    return out


def comments(lines: list[str], mark: str = "#") -> list[tuple[str, str]]:
    """(a comment that states a task, the one to five lines below it)."""
    out, at = [], 0
    while at < len(lines):
        start = at
        while at < len(lines) and lines[at].lstrip().startswith(mark + " "):
            at += 1
        if at == start:
            at += 1
            continue
        text, indent, code = " ".join(line.strip()[len(mark) :].strip() for line in lines[start:at]), len(lines[start]) - len(lines[start].lstrip()), []
        while at < len(lines) and len(code) < 6 and lines[at].strip() and len(lines[at]) - len(lines[at].lstrip()) >= indent and not lines[at].lstrip().startswith(mark):
            code.append(lines[at].strip())
            at += 1
        text = sentence_of(text)
        if task(text) and 0 < len(code) < 6 and 3 <= len(text.split()) <= 20:
            out.append((text, " ".join(code)))
    return out


def python(source: str) -> tuple[list, list]:
    """Pairs from functions and comments, and pairs from tests."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return [], []
    lines, pairs, tests = source.splitlines(), [], []
    for node in ast.walk(tree):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) or not 1 < node.end_lineno - node.lineno < 60:
            continue
        body = "\n".join(lines[node.lineno - 1 : node.end_lineno])
        if node.name.startswith("test_"):
            if len(words_of(node.name)) > 3:
                tests.append((" ".join(words_of(node.name)[1:]), body))
            continue
        doc, text = ast.get_docstring(node), ""
        if doc:
            first = node.body[0]
            bare = "\n".join(lines[node.lineno - 1 : first.lineno - 1] + lines[first.end_lineno : node.end_lineno])
            text, whole = sentence_of(doc), body
            body = bare
            example = " ".join(re.findall(r"^\s*(?:>>>|\.\.\.) (.+)$", doc, re.M))
            if text and len(example) > 20 and len(example) < 400:
                pairs.append((text, example))
            if text and len(node.body) > 1 and zlib.crc32(whole.encode()) % 4 == 0:
                pairs.append((keywords(text, "python"), whole))
            if len(node.body) == 1:
                continue
        if len(text.split()) < 3 and (node.name.startswith("__") or len(words_of(node.name)) < 3):
            continue
        pairs += [(query, body) for query in phrased(text if len(text.split()) > 2 else "", "python", body, node.name)]
    for text, code in comments(lines):
        pairs += [(query, code) for query in phrased(text, "python", code)[:2]]
    return pairs, tests


HEADER = r"(?P<doc>/\*\*(?:[^*]|\*(?!/))*\*/|(?:^[ \t]*//[^\n]*\n)+)\s*(?P<code>(?:export |default |public |static |final |async |@\w+\s+|private |protected )*(?:function\b[^{};]*|(?:func|const|var|let)\s+[^\n{;]*|[\w<>\[\], ?.]+\([^{};]*\)[^{};=\n]*|[\w.]+\s*[=:][^\n{;]*)\s*\{)"


def braces(source: str, language: str) -> list[tuple[str, str]]:
    """(what the comment says, the function below it) in languages with braces."""
    out = []
    for found in re.finditer(HEADER, source, re.M):
        depth, end = 1, found.end()
        while end < len(source) and depth and end - found.end() < 3000:
            depth += {"{": 1, "}": -1}.get(source[end], 0)
            end += 1
        doc = re.sub(r"^\s*(?:/\*\*|\*/|\*|//)\s?", "", found["doc"].replace("*/", ""), flags=re.M)
        doc = re.sub(r"\A.*?@(?:description|summary)\s+", "", doc, flags=re.S)
        text, code = sentence_of(re.sub(r"\{@\w+ ([^}]*)\}|</?\w+>", r"\1", doc)), source[found.start("code") : end]
        if language == "go":
            text = sentence_of(re.sub(r"^\s*\w+ (?=[a-z]+s )", "", doc))
        if not depth and len(text.split()) > 2 and code.count("\n") > 1:
            name = re.search(r"(\w+)\s*(?:=|\(|:)", code)
            out += [(query, code) for query in phrased(text, language, code, name[1] if name else "")]
    return out


def commands(code: str) -> str:
    """A console block without prompts, comments and output."""
    lines = [line.strip() for line in code.splitlines()]
    prompted = [re.sub(r"^(?:\$|PS>|>|#) ", "", line) for line in lines if re.match(r"(?:\$|PS>|>) ", line)]
    return " ".join(prompted or [line for line in lines if line and not line.startswith("#")])


def fenced(markdown: str) -> tuple[list, list]:
    """(heading or the sentence above, code block) and the same for command lines."""
    title, head, above, code, shell = title_of(markdown), "", "", [], []
    for part in re.split(r"^([ \t]*```.*?\n[ \t]*```[ \t]*$)", FRONT.sub("", markdown.replace("\r\n", "\n")), flags=re.M | re.S):
        found = re.match(r"[ \t]*```\s*\{?\.?([\w+#-]*)[^\n]*\n(.*)\n[ \t]*```", part, re.S)
        if not found:
            for text in re.split(r"\n\s*\n|\n(?=#)", part):
                if text.lstrip().startswith("#"):
                    head, above = squeeze(plain(re.sub(r"\{#.*?\}", "", text.lstrip("# \n").split("\n")[0]))), ""
                    title = title or head
                elif text.strip() and not text.lstrip().startswith(("|", "<", ":::", ">")):
                    above = sentence_of(plain(text.strip()).split("\n\n")[-1])
            continue
        language, body = found[1].lower(), found[2]
        heading = f"{title}: {head}" if title and title not in head and len(head) < 40 else head
        queries = [text for text in (heading, above if len(above.split()) > 3 else "") if len(text) > 9]
        if language in SHELLS:
            shell += [(query, commands(body)) for query in queries] + [(t, c) for t, c in comments(body.splitlines())]
        elif language not in ("text", "output", "plain", "plaintext", "none", "mermaid", ""):
            code += [(query, body) for query in queries]
    return code, shell


def tldr(text: str) -> list[tuple[str, str]]:
    out = []
    for what, command in re.findall(r"^- (.+?):?\n\n`(.+)`$", text, re.M):
        what = re.sub(r"\[(\w+)\]", r"\1", plain(what))
        command = re.sub(r"\{\{\[(-\w+)\|(--[\w-]+)\]\}\}", lambda m: m[1 + zlib.crc32(what.encode()) % 2], command)
        command = re.sub(r"\{\{(.*?)\}\}", lambda m: m[1].split("|")[0].strip("[]"), command)
        out += [(query, command) for query in phrased(what, "", command)] + [(f"{command.split()[0]} {keywords(what, '')}", command)] * (zlib.crc32(command.encode()) % 2)
    return out


def sheets(text: str) -> list[tuple[str, str]]:
    """Cheat sheets: `# what it does`, then commands."""
    out = []
    for what, block in re.findall(r"^#+ (.+?):?\n((?:[^#\s].*\n?)+)", re.sub(r"\A---\n.*?---\n|^[%$].*\n", "", text, flags=re.S), re.M):
        for command in block.strip().split("\n")[:2]:
            out += [(query, re.sub(r"<(\w+)>", r"\1", command)) for query in phrased(re.sub(r"^To ", "", what), "", command)]
    return out
