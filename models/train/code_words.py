"""Words of identifiers, first sentences of doc comments, and the ways people ask for a piece of code."""

import re

STOP = set("a an the of to for in on at by with from and or is are be been it its this that these those as if when given into which will can should may using used use their there his our your you we i not any each all some such than then so but do does how what where also e.g i.e".split())
KEPT = {"if", "not", "from", "to", "in", "all", "by", "with"}
VERBS = set(
    "add adjust align allow append apply assert assign attach authenticate bind break build bundle cache calculate call cancel cast change check choose clean clear clip clone close collapse collect combine compare compile compress compute concatenate configure connect construct convert copy count create "
    "crop cut decode decompress decorate decrypt define delete deploy derive deserialize detect determine disable disconnect discover display divide do download draw drop dump edit emit empty enable encode encrypt ensure enumerate escape estimate evaluate exclude execute exit expand export extend extract fetch "
    "fill filter find fit fix flatten flip flush fold force format generate get give grant grep group guess handle hash hide identify ignore implement import include increment index infer initialize insert inspect install instantiate interpolate intersect invert invoke iterate join keep kill launch limit list "
    "listen load locate lock log look loop make map mark mask match measure merge mock modify monitor mount move multiply mute normalize notify obtain open order override pad paginate parse partition pass paste patch perform pick ping play plot pop populate post predict prepare prepend prevent print process "
    "produce prompt provide publish pull push put query quit quote raise randomize read receive record recursively redirect reduce refresh register reload remove rename render reorder repeat replace report request require reset reshape resize resolve restart restore restrict retrieve retry return reverse revert "
    "rotate round run sample save scale scan schedule scroll search select send separate serialize serve set setup show shuffle shut shutdown simulate skip sleep slice solve sort specify split squash stack start stop store stream strip submit subtract sum suppress swap switch synchronize tail take terminate test "
    "throw time toggle tokenize touch trace track train transfer transform translate transpose traverse trigger trim truncate try turn undo uninstall union unlock unpack unset unwrap unzip update upgrade upload use validate verify view visualize wait walk warn watch wrap write yield zip".split()
)


def words_of(name: str) -> list[str]:
    """`getHTTPResponse_code` as get, http, response, code."""
    return [w.lower() for w in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)]


def base(word: str) -> str:
    """The imperative of a verb in the third person: `Copies` as copy."""
    word = word.lower()
    for ending, bare in (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("s", "")):
        if word.endswith(ending) and word[: -len(ending)] + bare in VERBS:
            return word[: -len(ending)] + bare
    return word


def sentence_of(doc: str) -> str:
    """The first sentence without marks, or nothing where it says little."""
    text = re.split(r"\n\s*\n|\n\s*(?:@|:param|Args|Parameters|>>>|\.\. )", doc.strip())[0]
    text = re.sub(r":\w+:`~?([^`]*)`", r"\1", text)
    text = re.sub(r"\s+", " ", re.sub(r"[`*|]+", "", text)).strip()
    text = re.split(r"(?<=[a-z\d)\]'\"])[.!](?:\s|$)|:$|: (?=[A-Z])", text)[0].strip(" .:;-")
    if not 8 < len(text) < 200 or re.search(r"TODO|FIXME|XXX|HACK|noqa|pragma|type:|pylint|mypy|Copyright|[Dd]eprecated|https?:|^@|={3}|-{3}", text) or sum(c.isalpha() or c == " " for c in text) < 0.8 * len(text):
        return ""
    return text


def task(text: str) -> bool:
    """Whether the text says what to do, as in `Sort the rows by date`."""
    words = text.split()
    return bool(words) and base(words[0].strip(",")) in VERBS and words[0].lower() not in ("use", "try", "do", "time", "index", "test")


def imperative(text: str) -> str:
    """`Returns True if x is empty` as `check if x is empty`, `Returns the mean` as `get the mean`."""
    text = re.sub(r"^(?:Returns?|Gets?|Determines?|Tests?)?\s*(?:True|true|a boolean|bool)?\s*(?:if and only if|iff|if|whether|when)\b(?! not)", "check if", text, count=1)
    text = re.sub(r"^(?:Helper|Utility|Convenience|A|This|Simple)?\s*(?:function|method|helper|utility|wrapper)s? (?:(?:that|which|used|is|will) )*(?:to )?(?=[a-z])", "", text, flags=re.I)
    first, _, rest = text.partition(" ")
    return f"{base(first)} {rest}" if base(first) in VERBS else text


def keywords(text: str, language: str) -> str:
    """A search without small words: `python check if string empty`."""
    words = [w for w in re.findall(r"[A-Za-z][\w.+#-]*|\d+", imperative(text).lower()) if w not in STOP or w in KEPT]
    return " ".join(([language] if language else []) + words[:9])


def asked(text: str, language: str, chance: int) -> str:
    """The same thing as a question or a search; `chance` chooses the form."""
    plain, place = imperative(text), f" in {language}" if language else ""
    plain = plain[0].lower() + plain[1:] if plain[:2] != plain[:2].upper() else plain
    doing = plain.split()[0] in VERBS
    if plain.startswith("return "):
        plain = "get " + plain[7:] if chance % 3 else plain
    forms = [keywords(plain, language), keywords(plain, language), f"{plain}{place}", f"{language} {plain}".strip()]
    if doing:
        forms += [f"how to {plain}{place}", f"how do I {plain}?", f"{language} how to {plain}".strip(), f"how can I {plain}{place}?", f"code to {plain}" if language else f"command to {plain}"]
    else:
        forms += [f"{plain}{place}", f"function for {plain}" if language else f"command for {plain}"]
    return forms[(chance >> 4) % len(forms)]
