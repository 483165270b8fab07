"""Statements in the first person → questions about them, by rule. No data set's questions are used."""

import random
import re

IRREGULAR = dict(
    went="go", bought="buy", saw="see", got="get", made="make", took="take", met="meet", had="have", found="find", gave="give", told="tell", came="come",
    ate="eat", drank="drink", wrote="write", read="read", began="begin", felt="feel", lost="lose", won="win", left="leave", ran="run",
    built="build", sold="sell", spent="spend", taught="teach", thought="think", heard="hear", grew="grow", drove="drive", flew="fly", broke="break",
    chose="choose", did="do", kept="keep", knew="know", said="say", sent="send", slept="sleep", spoke="speak", stood="stand", swam="swim", threw="throw",
    understood="understand", woke="wake", wore="wear", caught="catch", brought="bring", held="hold", put="put", set="set", paid="pay", sang="sing",
    learned="learn", learnt="learn", hurt="hurt", fell="fall", forgot="forget", adopted="adopt", moved="move", used="use", lived="live", loved="love",
)  # fmt: skip
PRESENT = set(
    "like love enjoy hate prefer need want work live study play have own collect speak drink eat watch read write teach run drive believe hope think feel know "
    "remember miss use train volunteer plan dream wish keep grow cook bake paint draw sing dance travel support follow attend make take go".split()
)
PERSON = {"i": "{s}", "me": "{o}", "my": "{p}", "mine": "{p}", "myself": "{o}self", "we": "they", "our": "their", "us": "them", "i'm": "{s} is", "i've": "{s} has"}
SUBJECTS = [("", "", ""), ("", "", ""), ("I", "me", "my"), ("she", "her", "her"), ("he", "him", "his"), ("they", "them", "their"), ("the user", "the user", "the user's")]
EMPTY = set("what when where does ever have been that this they them their user want with your make take know think feel sure glad like love".split())
LEAD = re.compile(r"^(?:(?:and|but|so|well|yes|yeah|yep|no|oh|actually|also|thanks|thank you|sure|hi|hello|hey|wow|lol|true|haha|okay|ok|you know)[,.!]?\s+)+", re.I)


def base_of(verb: str) -> str | None:
    if verb in IRREGULAR:
        return IRREGULAR[verb]
    if not verb.endswith("ed") or len(verb) < 5:
        return None
    stem = verb[:-2]
    if stem.endswith("i"):
        return stem[:-1] + "y"
    if len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] not in "lsz":
        return stem[:-1]
    if re.search(r"(?:[aeiou][cgsvz]|[^aeiou]l|[aeiou]t(?<=at)|ur|as|iv|uc|ng|dg|us|ov|id|ik|ak|op(?<=hop)|in(?<=bin))$", stem) and not stem.endswith(("ss", "ow")):
        return stem + "e"
    return stem


def turned(text: str, who: tuple[str, str, str]) -> str:
    subject, obj, own = who
    out = []
    for word in text.split():
        swap = PERSON.get(word.lower().strip(",.!"))
        out.append(swap.format(s=subject, o=obj, p=own) if swap is not None else word)
    return " ".join(out)


def does(who: tuple[str, str, str]) -> str:
    return "do" if who[0] in ("I", "they") else "does"


def questions(statement: str, rng: random.Random) -> list[str]:
    """Questions which the statement answers; an empty list where no rule fits."""
    text = LEAD.sub("", statement.strip()).rstrip(".! ")
    if "?" in text or not 3 <= len(text.split()) <= 40:
        return []
    who = rng.choice(SUBJECTS)
    s, _, own = who
    main, _, reason = re.sub(r"\s+", " ", text).partition(" because ")
    main = re.split(r"[.!;,] |, (?:but|and|so) ", main)[0]
    words = main.split()
    if len(words) < 3 or len(words) > 18:
        return []
    out: list[str] = []
    first, second = words[0].lower(), words[1].lower().strip(",")
    if first in ("i", "we") and second in ("just", "recently", "finally", "also", "really", "actually", "always", "usually", "still", "even"):
        words = [words[0], *words[2:]]
        second = words[1].lower() if len(words) > 1 else ""
    rest = turned(" ".join(words[2:]), who)
    if len(rest.split()) < 1:
        return []
    if first in ("i", "we") and base_of(second):
        base = base_of(second)
        out += [f"When did {s} {base} {rest}?", f"Did {s} ever {base} {rest}?", f"What did {s} {base}?"]
        if base in ("go", "move", "travel", "visit", "live", "work", "study"):
            out.append(f"Where did {s} {base}?")
        if reason:
            out += [f"Why did {s} {base} {rest}?"] * 2
        place = re.search(r" (?:in|at|from|to) ((?:the |a )?\w+(?: \w+)?)$", rest)
        if place:
            out.append(f"Where did {s} {base} {rest[: place.start()]}?")
    elif first in ("i", "we") and second in PRESENT:
        aux = does(who)
        out += [f"What {aux} {s} {second}?", f"{aux.capitalize()} {s} {second} {rest}?"]
        if second in ("like", "love", "enjoy", "prefer"):
            out += [f"What are {own} favorite things?", f"What is {own} favorite?", f"What {aux} {s} like to do?", f"What are {own} hobbies and interests?"]
        if second in ("work", "live", "study", "teach", "volunteer"):
            out.append(f"Where {aux} {s} {second}?")
        if second == "work":
            out += [f"What is {own} job?", f"What {aux} {s} do for a living?"]
        if second in ("have", "own"):
            out += [f"How many {rest.split()[-1]} {aux} {s} have?", f"What kind of {rest.split()[-1]} {aux} {s} have?"]
        if second in ("plan", "want", "hope", "dream", "wish"):
            out += [f"What are {own} plans?", f"What {aux} {s} want to do?", f"What are {own} goals?"]
        if reason:
            out += [f"Why {aux} {s} {second} {rest}?"] * 2
    elif first == "i'm" or (first == "i" and second == "am"):
        rest = turned(" ".join(words[1 if first == "i'm" else 2 :]), who)
        lead = (rest.split() or [""])[0]
        out.append(f"Am I {rest}?" if s == "I" else f"Is {s} {rest}?")
        if lead.endswith("ing"):
            out.append(f"What is {s} doing?")
        if rest.startswith(("a ", "an ")):
            out += [f"What does {s} do?", f"What is {own} profession?"]
        if rest.startswith(("going to", "planning")):
            out += [f"What is {s} planning?", f"What are {own} plans?"]
        if rest.startswith("from"):
            out += [f"Where is {s} from?"]
    elif first == "my" and re.search(r"\b(is|are|was|were|has|have|loves|likes|works|lives)\b", main):
        noun, verb, value = re.match(r"my (.+?) (is|are|was|were|has|have|loves|likes|works|lives)\b ?(.*)", main, re.I).groups() if re.match(r"my (.+?) (is|are|was|were|has|have|loves|likes|works|lives)\b", main, re.I) else ("", "", "")
        if noun and len(noun.split()) <= 5:
            noun = turned(noun, who)
            out += {
                "is": [f"What is {own} {noun}?", f"Who is {own} {noun}?", f"Tell me about {own} {noun}"],
                "are": [f"What are {own} {noun}?", f"Who are {own} {noun}?"],
            }.get(verb.lower(), [f"What about {own} {noun}?", f"What do we know about {own} {noun}?"])
    elif first in ("i've", "we've") and second == "been":
        out += [f"How long has {s} been {rest}?", f"What has {s} been doing?", f"Has {s} been {rest}?"]
    elif first in ("we", "it", "this", "the") and reason:
        out += [f"Why {turned(main, who)}?", f"What is the reason that {turned(main, who)}?"]
    out = [re.sub(r"\s+", " ", q).replace(" ?", "?").strip() for q in out]
    out = [q for q in out if set(re.findall(r"\w{4,}", q.lower())) - EMPTY]
    rng.shuffle(out)
    return out[:2]
