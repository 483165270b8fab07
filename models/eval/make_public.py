"""Writes retrieval sets out of public question sets that the training never sees (their other parts may be in it; MODEL_CARD.md says which).

usage: make_public.py MIRROR OUT_FOLDER
"""

import gzip
import json
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "train"))
from text import Snapshot, sentences  # noqa: E402


def write(folder: str, name: str, items: list[str], questions: list[tuple[str, int, str]]) -> None:
    content = {"conv": name, "names": [], "items": [{"id": str(i), "text": t, "s": 0} for i, t in enumerate(items)], "questions": [{"q": q, "gold": [str(g)], "cat": c} for q, g, c in questions]}
    with gzip.open(f"{folder}/{name}.json.gz", "wt", encoding="utf8") as file:
        json.dump([content], file, ensure_ascii=False)


def squad(files, language: str, most: int) -> tuple[list[str], list[tuple[str, int, str]]]:
    """Sentences as items, each question's gold the sentence with its answer."""
    items, questions = [], []
    for _, text in files:
        for article in json.loads(text)["data"]:
            for paragraph in article["paragraphs"]:
                context, at, spans = paragraph["context"], 0, []
                for sentence in sentences(context):
                    start = context.index(sentence, at)
                    at = start + len(sentence)
                    spans.append((start, at, len(items)))
                    items.append(sentence)
                for qa in paragraph["qas"]:
                    gold = [i for s, e, i in spans if s <= qa["answers"][0]["answer_start"] < e]
                    if gold:
                        questions.append((qa["question"], gold[0], language))
    random.Random(0).shuffle(questions)
    return items, questions[:most]


def main(mirror: str, folder: str) -> None:
    write(folder, "cmrc", *squad(Snapshot(mirror, "ymcui/cmrc2018").files(r"^squad-style-data/cmrc2018_trial\.json$"), "zh", 1000))
    items, questions = [], []
    for _, text in Snapshot(mirror, "google-research-datasets/QED").files(r"qed-dev"):
        for line in text.splitlines():
            row = json.loads(line)
            bounds = [*row["sentence_starts"], len(row["paragraph_text"])]
            picked = row["annotation"].get("selected_sentence")
            if not picked:
                continue
            for start, end in zip(bounds, bounds[1:]):
                if start <= picked["start"] < end:
                    questions.append((row["question_text"], len(items), "en"))
                items.append(row["paragraph_text"][start:end])
    write(folder, "qed", items, questions[:1200])
    texts = {p: json.loads(t)["data"] for p, t in Snapshot(mirror, "google-deepmind/xquad").files(r"^xquad\.(en|es|de)\.json$")}
    items, questions = [], []
    for number, article in enumerate(texts["xquad.en.json"]):
        for at, paragraph in enumerate(article["paragraphs"]):
            for language in ("de", "es"):
                questions += [(qa["question"], len(items), language) for qa in texts[f"xquad.{language}.json"][number]["paragraphs"][at]["qas"]]
            items.append(paragraph["context"])
    random.Random(0).shuffle(questions)
    write(folder, "xquad", items, questions[:1200])


if __name__ == "__main__":
    main(*sys.argv[1:3])
