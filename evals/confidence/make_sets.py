"""Makes evaluation sets out of public question sets, for `node evals/confidence.ts`.

usage: make_sets.py MIRROR OUT_FOLDER [LOCOMO.eval.json.gz [PAIRS.tsv.xz]]

MIRROR holds git directories as owner+name/repo. Sets that end in -p have a paragraph as an item, those in -s a sentence. An article is a conversation. With the
pairs of the embedder, two sets are also made that lie among 9,500 other texts (-filled).
"""

import gzip
import json
import lzma
import random
import re
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "models/train"))
from text import Snapshot  # noqa: E402

ENDS = re.compile(r"(?<=[.!?؟۔।])[\"”’»)\]]*\s+(?=\S)|(?<=[。！？])(?=[^」』”）。！？])|\n+")
NO_END = re.compile(r"(?:\b[A-ZА-Я]|\b(?:Mr|Mrs|Dr|St|vs|etc|No|ca|bzw|Jr|z\.B|np|ok|wg|r|w))\.$")
SHORTEST = 12
HAN_OR_KANA = re.compile(r"[\u3040-\u9fff]")
# One of these, so that a set of long papers stays as small as the others.
MOST_PAPERS = 40
LONGEST_SPAN = 40
LONGEST_FACT = 300
PICTURES = 50
FILLING = 9500
XQUAD = "google-deepmind/xquad"


def cut(text: str) -> list[tuple[int, int]]:
    """Where its sentences begin and end."""
    spans, at = [], 0
    for end in ENDS.finditer(text):
        sentence = text[at : end.start()]
        if (len(sentence.strip()) < SHORTEST and not HAN_OR_KANA.search(sentence)) or NO_END.search(sentence):
            continue
        spans.append((at, end.start()))
        at = end.end()
    spans.append((at, len(text)))
    return [(start, end) for start, end in spans if text[start:end].strip()]


def conversation(name: str) -> dict:
    return {"conv": name[:80], "names": [], "items": [], "questions": []}


def add_item(one: dict, text: str) -> int:
    one["items"].append({"id": str(len(one["items"])), "text": text.strip(), "s": 0})
    return len(one["items"]) - 1


def add_question(one: dict, text: str, gold: list[int]) -> None:
    one["questions"].append({"q": text.strip(), "gold": [str(each) for each in gold], "cat": "q"})


def place_of_answer(context: str, answer: dict) -> int:
    start, text = int(answer.get("answer_start", -1)), answer.get("text", "")
    return start if start >= 0 and context[start : start + len(text)] == text else context.find(text)


def group_rows(rows: list[dict]) -> list[dict]:
    """A question a row, as articles of paragraphs."""
    articles: dict[str, dict] = {}
    for row in rows:
        title = str(row.get("title") or row["context"][:40])
        paragraphs = articles.setdefault(title, {})
        answers = [{"text": t, "answer_start": at} for t, at in zip(row["answers"]["text"], row["answers"]["answer_start"])]
        paragraphs.setdefault(row["context"], {"context": row["context"], "qas": []})["qas"].append({"question": row["question"], "answers": answers})
    return [{"title": title, "paragraphs": list(paragraphs.values())} for title, paragraphs in articles.items()]


def read_articles(articles: list[dict], by_sentence: bool) -> list[dict]:
    """Questions and the places of their answers, in the form of SQuAD."""
    if "paragraphs" not in articles[0]:
        articles = group_rows(articles)
    made: dict[str, dict] = {}
    for number, article in enumerate(articles):
        title = str(article.get("title") or f"article {number}")
        one = made.setdefault(title, conversation(title))
        for paragraph in article["paragraphs"]:
            context = paragraph["context"]
            spans = cut(context) if by_sentence else [(0, len(context))]
            ids = [add_item(one, context[start:end]) for start, end in spans]
            for asked in paragraph["qas"]:
                if asked.get("is_impossible") or not asked.get("answers"):
                    continue
                at = place_of_answer(context, asked["answers"][0])
                gold = [each for each, (start, end) in zip(ids, spans) if start <= at < max(end, start + 1)]
                if gold and asked["question"].strip():
                    add_question(one, asked["question"], gold[:1])
    return list(made.values())


def read_qed(lines: str, by_sentence: bool) -> list[dict]:
    made: dict[str, dict] = {}
    places: dict[str, int] = {}
    for row in map(json.loads, lines.splitlines()):
        picked = row["annotation"].get("selected_sentence")
        if not picked:
            continue
        text, starts = row["paragraph_text"], row["sentence_starts"]
        one = made.setdefault(row["title_text"], conversation(row["title_text"]))
        if text not in places:
            places[text] = len(one["items"])
            for start, end in zip(starts, [*starts[1:], len(text)]) if by_sentence else [(0, len(text))]:
                add_item(one, text[start:end])
        sentence = max(i for i, start in enumerate(starts) if start <= picked["start"])
        add_question(one, row["question_text"], [places[text] + (sentence if by_sentence else 0)])
    return list(made.values())


def read_sitcom(data: list[dict]) -> list[dict]:
    made = []
    for article in data:
        for scene in article["paragraphs"]:
            one = conversation(article["title"])
            for line in scene["utterances:"]:
                add_item(one, f"{', '.join(line['speakers'])}: {line['utterance']}")
            for asked in scene["qas"]:
                add_question(one, asked["question"], sorted({each["utterance_id"] for each in asked["answers"]}))
            made.append(one)
    return made


def read_meetings(lines: str, name: str) -> list[dict]:
    made = []
    for number, meeting in enumerate(map(json.loads, lines.splitlines())):
        one = conversation(f"{name}-{number}")
        for turn in meeting["meeting_transcripts"]:
            add_item(one, f"{turn['speaker']}: {turn['content']}")
        for asked in meeting["specific_query_list"]:
            gold = [i for start, end in asked["relevant_text_span"] for i in range(int(start), int(end) + 1) if i < len(one["items"])]
            if 0 < len(gold) <= LONGEST_SPAN:
                add_question(one, asked["query"], gold)
        made.append(one)
    return made


def read_support_channel(dialogues: list[dict]) -> list[dict]:
    made = []
    for number, dialogue in enumerate(dialogues):
        one, ends, length = conversation(f"dialogue {number}"), [], 0
        for turn in dialogue["edus"]:
            text = f"{turn['speaker']}: {turn['text']}"
            add_item(one, text)
            length += len(text) + 1
            ends.append(length)
        for asked in dialogue["qas"]:
            if asked["is_impossible"] or not asked["answers"]:
                continue
            gold = [i for i, end in enumerate(ends) if asked["answers"][0]["answer_start"] < end]
            if gold:
                add_question(one, asked["question"], gold[:1])
        made.append(one)
    return made


def read_captions(files: list[str]) -> list[dict]:
    """Several people say what one picture shows: the first says what is stored, another makes the remark."""
    columns = [file.rstrip("\n").split("\n") for file in files]
    made: dict[int, dict] = {}
    for number, (stored, *others) in enumerate(zip(*columns)):
        one = made.setdefault(number // PICTURES, conversation(f"pictures {number // PICTURES}"))
        at = add_item(one, stored)
        add_question(one, others[number % len(others)].rstrip(" ."), [at])
    return list(made.values())


def read_facts_of_talk(dialogues: list[dict]) -> list[dict]:
    """What is said in a chat, and the facts that it was said from."""
    made = []
    for number, dialogue in enumerate(dialogues):
        one, places = conversation(f"{dialogue.get('name', 'chat')} {number}"), {}
        for turn in dialogue["messages"]:
            gold = []
            for fact in turn.get("attrs", []):
                text = f"{fact['name']} {fact['attrname']}：{fact['attrvalue']}"[:LONGEST_FACT]
                if text not in places:
                    places[text] = add_item(one, text)
                gold.append(places[text])
            if gold:
                add_question(one, turn["message"], gold)
        made.append(one)
    return made


def read_reviews(logs: list[list[dict]], labels: list[dict], known: dict) -> list[dict]:
    """What a traveller says last, and the sentences of reviews of one house that bear on it."""
    made: dict[tuple, dict] = {}
    places: dict[tuple, int] = {}
    for log, label in zip(logs, labels):
        of = {(each["domain"], str(each["entity_id"])) for each in label.get("knowledge", [])}
        if not label["target"] or len(of) != 1:
            continue
        (house,) = of
        if house not in made:
            made[house] = conversation(f"{house[0]} {house[1]}")
            about = known[house[0]][house[1]]
            for review, each in about["reviews"].items():
                for at, sentence in each["sentences"].items():
                    places[(*house, "review", review, at)] = add_item(made[house], sentence)
            for faq, each in about.get("faqs", {}).items():
                places[(*house, "faq", faq, None)] = add_item(made[house], f"{each['question']} {each['answer']}")
        ids = [(*house, each["doc_type"], str(each["doc_id"]), str(each["sent_id"]) if "sent_id" in each else None) for each in label["knowledge"]]
        add_question(made[house], log[-1]["text"], [places[each] for each in ids if each in places])
    return list(made.values())


def read_project_notes(people: list[dict]) -> list[dict]:
    """What somebody says to an assistant in the middle of a project, and the notes on it that the next answer was made from."""
    made = []
    for person in people:
        one, places = conversation(person["_metadata"]["person_name"]), {}
        turns = [turn for talk in person["dialogues"] for turn in talk["dialogue_turns"]]
        noted = [note for talk in person["dialogues"] for note in talk["extracted_memory"]]
        texts = [note["content"] for note in noted + [note for turn in turns for note in turn.get("memory_used") or []]]
        for text in dict.fromkeys(text for text in texts if isinstance(text, str)):
            places[text] = add_item(one, text)
        for turn, answer in zip(turns, turns[1:]):
            used = [note["content"] for note in answer.get("memory_used") or []]
            if turn.get("is_query") and used and all(isinstance(text, str) for text in used):
                add_question(one, turn["content"], sorted({places[text] for text in used}))
        made.append(one)
    return made


def read_chats(chats: list[dict]) -> list[dict]:
    """Two people write to each other for three weeks; what is asked afterwards names its turns."""
    made = []
    for number, chat in enumerate(chats):
        one, places = conversation(f"{chat['name']['speaker_1']} and {chat['name']['speaker_2']} {number}"), {}
        one["names"] = list(chat["name"].values())
        sessions = (key for key in chat if re.fullmatch(r"session_\d+", key))
        for session in sorted(sessions, key=lambda key: int(key.split("_")[1])):
            for turn in chat[session]:
                if turn.get("clean_text", "").strip():
                    places[turn["dia_id"]] = add_item(one, f"{turn['speaker']}: {turn['clean_text']}")
        for asked in chat["qa"]:
            add_question(one, asked["question"], [places[each] for each in asked["evidence"] if each in places])
        one["questions"] = [question for question in one["questions"] if question["gold"]]
        made.append(one)
    return made


def words_of(text: str) -> list[str]:
    return re.findall(r"[^\W_][\w'’.-]*[^\W_]|[^\W_]", text)


def ask_by_words(conversations: list[dict]) -> list[dict]:
    """The same questions as people type them into a box: their two to four rarest words, in their order."""
    counts = Counter(word.lower() for one in conversations for question in one["questions"] for word in set(words_of(question["q"])))
    chance = random.Random(11)
    def shorten(question: dict) -> dict:
        words = list(dict.fromkeys(words_of(question["q"])))
        rare = set(sorted(words, key=lambda word: (counts[word.lower()], -len(word)))[: chance.choice((2, 3, 3, 4))])
        return {**question, "q": " ".join(word.lower() if chance.random() < 0.5 else word for word in words if word in rare)}
    return [{**one, "questions": [shorten(question) for question in one["questions"]]} for one in conversations]


def ask_by_names(conversations: list[dict]) -> list[dict]:
    """A name or a number that is in few items, and nothing else; every item that holds it is right."""
    holding: dict[str, list[tuple[int, str]]] = {}
    for at, one in enumerate(conversations):
        for item in one["items"]:
            text = re.sub(r"^[^:]{1,40}: ", "", item["text"])
            words = words_of(text)
            for word in {word for word in words[1:] if (word[:1].isupper() or word[:1].isdigit()) and len(word) > 2}:
                holding.setdefault(word, []).append((at, item["id"]))
    made = [{**one, "questions": []} for one in conversations]
    for word, places in sorted(holding.items()):
        if len(places) <= 4 and len({at for at, _ in places}) == 1:
            made[places[0][0]]["questions"].append({"q": word, "gold": [place for _, place in places], "cat": "q"})
    return made


def call_by_roles(one: dict) -> dict:
    """The same chat between `user`, who asks, and `assistant`."""
    own, other = one["names"][:2]
    text = lambda item: re.sub(f"^{other}: ", "assistant: ", re.sub(f"^{own}: ", "user: ", item))  # noqa: E731
    asked = lambda question: re.sub(rf"\b{own}\b", "I", re.sub(rf"\b{own}['’]s\b", "my", question))  # noqa: E731
    items = [{**item, "text": text(item["text"])} for item in one["items"]]
    questions = [{**question, "q": asked(question["q"])} for question in one["questions"] if other not in question["q"]]
    return {**one, "names": ["user", "assistant"], "items": items, "questions": questions}


def read_filling(path: str) -> list[str]:
    texts = {}
    with lzma.open(path, "rt", encoding="utf8") as file:
        for line in file:
            _, passage, kind = line.rstrip("\n").split("\t")[:3]
            if kind in ("docs", "fiction", "dialog-qa", "qa") and 60 < len(passage) < 500:
                texts[passage] = True
    texts = list(texts)
    random.Random(7).shuffle(texts)
    return texts


def main(mirror: str, folder: str, locomo: str | None = None, pairs: str | None = None) -> None:
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)

    def write(name: str, conversations: list[dict]) -> None:
        known: dict[str, int] = {}
        kept = [one for one in conversations if one["items"] and one["questions"] or one["conv"] == "filling"]
        for one in kept:
            times = known[one["conv"]] = known.get(one["conv"], 0) + 1
            if times > 1:
                one["conv"] += f" {times}"
        with gzip.open(out / f"{name}.json.gz", "wt", encoding="utf8") as file:
            json.dump(kept, file, ensure_ascii=False)
        print(name, len(kept), "conversations", sum(len(one["items"]) for one in kept), "items", sum(len(one["questions"]) for one in kept), "questions")

    def read(repository: str, pattern: str, most: int | None = None) -> list[str]:
        return [text for _, text in Snapshot(mirror, repository).files(pattern)[:most]]

    def packed(repository: str, path: str) -> str:
        return gzip.decompress(Snapshot(mirror, repository)._git("show", f"HEAD:{path}")).decode()

    def both(name: str, articles: list[dict], kinds: str = "ps") -> None:
        for kind in kinds:
            write(f"{name}-{kind}", read_articles(articles, by_sentence=kind == "s"))

    def articles_of(texts: list[str]) -> list[dict]:
        return [article for text in texts for article in json.loads(text)["data"]]

    for language in "en de ru zh vi hi th ar el es ro tr".split():
        both(f"xquad-{language}", articles_of(read(XQUAD, rf"^xquad\.{language}\.json$")))
    both("jaquad-dev", articles_of(read("SkelterLabsInc/JaQuAD", r"^data/dev/.*json$", 2)))
    both("jaquad-train", articles_of(read("SkelterLabsInc/JaQuAD", r"^data/train/.*json$", 3)))
    for part in ("test", "train"):
        both(f"arcd-{part}", articles_of(read("husseinmozannar/SOQAL", rf"^data/arcd-{part}\.json$")), "s")
    both("hebrew", articles_of(read("omrikeren/ParaShoot", r"^data/dev\.json$")))
    both("persian", articles_of(read("sajjjadayobi/PersianQA", r"^dataset/pqa_test\.json$")))
    both("drcd", articles_of(read("DRCKnowledgeTeam/DRCD", r"^DRCD_test\.json$")))
    both("faquad", articles_of(read("liafacom/faquad", r"^data/dataset\.json$")))
    both("poquad", articles_of(read("ipipan/poquad", r"^data\.json$")))
    both("cmrc", articles_of(read("ymcui/cmrc2018", r"^squad-style-data/cmrc2018_trial\.json$")))
    both("tquad", articles_of(read("TQuad/turkish-nlp-qa-dataset", r"^dev-v0\.1\.json$")))
    both("squadit", json.loads(packed("crux82/squad-it", "SQuAD_it-test.json.gz"))["data"])
    both("covid", articles_of(read("deepset-ai/COVID-QA", r"200423_covidQA\.json$"))[:MOST_PAPERS], "s")
    for kind in "ps":
        write(f"qed-{kind}", read_qed(read("google-research-datasets/QED", r"^qed-dev\.jsonlines$")[0], by_sentence=kind == "s"))
    for part in ("dev", "tst"):
        write(f"friendsqa-{part}", read_sitcom(articles_of(read("emorynlp/FriendsQA", rf"^dat/friendsqa_{part}\.json$"))))
    for part in ("val", "test"):
        write(f"qmsum-{part}", read_meetings(read("Yale-LILY/QMSum", rf"^data/ALL/jsonl/{part}\.jsonl$")[0], part))
    dialogues = json.loads(read("HIT-SCIR/Molweni", r"^MRC\(withDiscourse\)/test\.json$")[0])["data"]["dialogues"]
    write("molweni", read_support_channel(dialogues))
    for language, part in (("en", "val"), ("de", "test_2016")):
        write(f"remarks-captions-{language}", read_captions([packed("multi30k/dataset", f"data/task2/raw/{part}.{at}.{language}.gz") for at in range(1, 6)]))
    for topic in ("film", "music", "travel"):
        write(f"remarks-kdconv-{topic}", read_facts_of_talk(json.loads(read("thu-coai/KdConv", rf"^data/{topic}/dev\.json$")[0])))
    reviews = "alexa/dstc11-track5"
    logs, labels, known = (json.loads(read(reviews, rf"^data/{name}\.json$")[0]) for name in ("val/logs", "val/labels", "knowledge"))
    write("remarks-reviews", read_reviews(logs, labels, known))
    write("realtalk", read_chats([json.loads(text) for text in read("danny911kr/REALTALK", r"^data/Chat_.*json$")]))
    people = [json.loads(text) for text in read("zhiyuan5986/RealMemBench", r"^dataset/.*_dialogues_256k\.json$")]
    for part in (0, 1):
        write(f"remarks-notes-{('even', 'odd')[part]}", read_project_notes(people[part::2]))
    if locomo is not None:
        chats = json.loads(gzip.open(locomo).read())
        write("locomo-even", chats[::2])
        write("locomo-odd", chats[1::2])
        write("locomo-user", [call_by_roles(one) for one in chats[1::2]])
    if pairs is not None:
        texts = read_filling(pairs)
        for at, name in enumerate(("xquad-en-s", "qed-s")):
            filling = conversation("filling")
            for text in texts[at * FILLING : (at + 1) * FILLING]:
                add_item(filling, text)
            others = json.loads(gzip.open(out / f"{name}.json.gz").read())[:300]
            write(f"{name}-filled", [filling, *others])
    for name in "xquad-en-s xquad-de-s xquad-es-s qed-s squadit-s friendsqa-dev friendsqa-tst locomo-odd locomo-even qmsum-val".split():
        if (out / f"{name}.json.gz").exists():
            asked = json.loads(gzip.open(out / f"{name}.json.gz").read())
            write(f"words-{name}", ask_by_words(asked))
            write(f"names-{name}", ask_by_names(asked))


if __name__ == "__main__":
    main(*sys.argv[1:])
