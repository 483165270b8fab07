"""Trains the static embedder on one GPU: teachers' vectors of all texts, then a table of token vectors that keeps their similarities.

usage: train.py CONFIG.json
The configuration names the files; see config.json. Prints the retrieval figures of every variant it is asked to train and writes their tables to $OUT.
"""

import json
import lzma
import math
import multiprocessing
import os
import sys
import time

os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # matrix products in a fixed order

import numpy as np
import torch
import torch.nn.functional as F

from evaluate import evaluate_sets
from teachers import Teacher
from tokenizer import Tokenizer, clean

START = time.time()
CUDA = "cuda" if torch.cuda.is_available() else "cpu"
torch.backends.cuda.matmul.allow_tf32 = True
torch.use_deterministic_algorithms(True, warn_only=True)
REPEAT = {"dialog-qa": 6, "qa": 3, "dialog": 2, "asked": 2}
BGE_QUERY = "Represent this sentence for searching relevant passages: "
LIMIT = 112  # tokens a teacher reads of one text
CODE = ("codeq", "codeqa", "shell")  # kinds whose passages are code: they make batches of their own
TEACHER_WEIGHT = {"bge": 1.0, "e5": 2.0, "mini": 0.5}  # evens out how widely each teacher spreads its similarities


def say(*words) -> None:
    print(f"[{time.time() - START:5.0f}s]", *words, flush=True)


def read_pairs(paths: list[str], most: int) -> list[tuple[str, str, str]]:
    rows = []
    for path in paths:
        with lzma.open(path, "rt", encoding="utf8") as file:
            for number, line in enumerate(file):
                cells = line.rstrip("\n").split("\t")
                if len(cells) >= 3 and cells[0] and cells[1]:
                    rows.append((cells[0], cells[1], cells[2]))
                if most and number + 1 >= most:
                    break
    return rows


class Ragged:
    """Lists of token ids laid end to end."""

    def __init__(self, flat: np.ndarray, counts: np.ndarray):
        self.flat, self.counts = flat, counts
        self.start = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)

    def take(self, rows: np.ndarray) -> "Ragged":
        counts = self.counts[rows]
        offset = np.cumsum(counts) - counts
        at = np.arange(counts.sum()) - np.repeat(offset, counts) + np.repeat(self.start[rows], counts)
        return Ragged(self.flat[at], counts)


class Texts:
    """The same on the device."""

    def __init__(self, lists: Ragged):
        self.flat = torch.tensor(lists.flat, device=CUDA)
        self.start = torch.tensor(lists.start, device=CUDA)

    def pick(self, rows):
        """Tokens of these rows, the offset of each row among them, and the row number of each token."""
        count = self.start[rows + 1] - self.start[rows]
        offset = torch.cumsum(count, 0) - count
        owner = torch.repeat_interleave(torch.arange(len(rows), device=CUDA), count)
        at = torch.arange(len(owner), device=CUDA) - offset[owner] + self.start[rows][owner]
        return self.flat[at].long(), offset, owner


_job: dict = {}


def _tokens_of(part: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    ids = _job["encode"](_job["texts"][part[0] : part[1]])
    return np.array([i for x in ids for i in x], np.int32), np.array([len(x) for x in ids], np.int64)


def tokens_of(texts: list[str], encode) -> Ragged:
    """Token ids of many texts, on all processors (the children inherit texts and tokenizer by fork)."""
    _job.update(texts=texts, encode=encode)
    parts = [(i, min(len(texts), i + 10000)) for i in range(0, len(texts), 10000)]
    with multiprocessing.get_context("fork").Pool(min(16, os.cpu_count())) as pool:
        done = pool.map(_tokens_of, parts, chunksize=1)
    return Ragged(np.concatenate([d[0] for d in done]), np.concatenate([d[1] for d in done]))


def student_encoder(vocabulary: str):
    loaded = json.load(open(vocabulary, encoding="utf8"))
    tokenizer = Tokenizer(loaded["pieces"], [tuple(p) for p in loaded["pairs"]])
    return tokenizer, lambda texts: [tokenizer.ids(clean(t)) for t in texts]


def teacher_encoder(path: str):
    from tokenizers import Tokenizer as Fast

    fast = Fast.from_file(path)
    fast.no_padding()
    fast.no_truncation()
    return lambda texts: [e.ids[:LIMIT] for e in fast.encode_batch_fast([t[:700] for t in texts], add_special_tokens=False)]


def english_targets(folder: str, queries: Ragged, passages: Ragged):
    """Concatenated teacher vectors, scaled so that a dot product is the weighted sum of similarities."""
    out = []
    for name, pooling, before_query, before_passage in [("bge", "cls", BGE_QUERY, ""), ("e5", "mean", "query: ", "passage: "), ("mini", "mean", "", "")]:
        teacher = Teacher(f"{folder}/{name}.xz", f"{folder}/{name}.json", pooling, CUDA)
        scale = TEACHER_WEIGHT[name] ** 0.5
        out.append((teacher.encode_ids(queries.flat, queries.counts, before_query).mul_(scale), teacher.encode_ids(passages.flat, passages.counts, before_passage).mul_(scale)))
        say("teacher", name)
    return torch.cat([q for q, _ in out], 1), torch.cat([d for _, d in out], 1)


def clusters(vectors, count: int):
    """Rough k-means on a random projection: batches of one cluster hold the hard negatives."""
    generator = torch.Generator(device=CUDA).manual_seed(0)
    project = torch.randn(vectors.shape[1], 96, generator=generator, device=CUDA) / 10
    small = torch.cat([F.normalize(part.float() @ project, dim=1) for part in vectors.split(200000)])
    centre = small[torch.randint(len(small), (count,), generator=generator, device=CUDA)]
    some = small[torch.randint(len(small), (min(len(small), 300000),), generator=generator, device=CUDA)]
    for _ in range(8):
        mine = (some @ centre.T).argmax(1)
        total = torch.zeros_like(centre).index_add_(0, mine, some)
        centre = torch.where(total.norm(dim=1, keepdim=True) > 0, F.normalize(total, dim=1), centre)
    return torch.cat([(part @ centre.T).argmax(1) for part in small.split(200000)])


def quantised(table, bits: int):
    """Whole-number table and the scale of each row. Four bits: a step of 0.36 of the row's root mean square, which loses least on a bell curve."""
    top = 2 ** (bits - 1) - 1
    scale = table.pow(2).mean(1, keepdim=True).sqrt() * 0.36 if bits == 4 else table.abs().amax(1, keepdim=True) / top
    scale = (scale + 1e-8).half().float()
    return torch.clamp(torch.round(table / scale), -top, top), scale


def straight_through(table, bits: int):
    whole, scale = quantised(table.detach(), bits)
    return table + (whole * scale - table).detach()


class Student:
    def __init__(self, table, variant: dict, pieces: int):
        self.table = torch.nn.Parameter(table.clone())
        self.variant, self.pieces, self.bits = variant, pieces, 0
        self.extra = [torch.nn.Parameter(torch.zeros(len(table), 1, device=CUDA))] if variant.get("asymmetric") else []
        self.gate = torch.nn.Parameter(torch.tensor([0.0, 0.0], device=CUDA)) if variant.get("attend") else None

    def weights(self):
        return straight_through(self.table, self.bits) if self.bits else self.table

    def pool(self, texts: Texts, rows, query: bool, drop: float = 0.0, table=None):
        ids, offset, owner = texts.pick(rows)
        table = self.weights() if table is None else table
        keep = torch.ones(len(ids), device=CUDA)
        if not self.variant.get("pairs", True):
            keep = keep * (ids < self.pieces)
        if drop:
            keep = keep * (torch.rand(len(ids), device=CUDA) >= drop)
        if query and self.extra:
            keep = keep * torch.exp(self.extra[0][ids, 0])
        total = F.embedding_bag(ids, table, offset, mode="sum", per_sample_weights=keep)
        if self.gate is not None:
            rows_ = table[ids]
            fit = (rows_ * F.normalize(total, dim=1)[owner]).sum(1) / (rows_.norm(dim=1) + 1e-6)
            again = keep * torch.exp(self.gate[0] * 4 * fit)
            total = torch.zeros_like(total).index_add_(0, owner, rows_ * again[:, None])
        return F.normalize(total + 1e-9, dim=1)


def first_table(tokenizer: Tokenizer, english: np.ndarray, folder: str, dim: int):
    """English pieces begin at their teachers' vectors (the main components), the rest near nothing."""
    generator = torch.Generator(device=CUDA).manual_seed(1)
    table = torch.randn(len(tokenizer.pieces) + len(tokenizer.pairs), dim, generator=generator, device=CUDA) * 0.01
    picked = np.flatnonzero(english)
    ids = teacher_encoder(f"{folder}/bge.json")([tokenizer.pieces[i].removeprefix("##") for i in picked])
    lists = Ragged(np.array([i for x in ids for i in x], np.int32), np.array([len(x) for x in ids], np.int64))
    vectors = english_targets(folder, lists.take(np.arange(1)), lists)[1].float()
    vectors = vectors - vectors.mean(0)
    torch.manual_seed(2)
    u, s, _ = torch.pca_lowrank(vectors, dim, center=False, niter=4)
    table[torch.tensor(picked, device=CUDA)] = F.normalize(u * s, dim=1) * 0.5
    return table


def train(name: str, table, data: dict, variant: dict, pieces: int) -> Student:
    torch.manual_seed(variant.get("seed", 0))
    rng = np.random.default_rng(variant.get("seed", 0))
    student = Student(table, variant, pieces)
    size, epochs, top_rate = variant.get("batch", 8192), variant["epochs"], variant.get("rate", 0.02)
    parameters = [{"params": [student.table], "lr": top_rate, "top": top_rate}]
    for extra in [*student.extra, *([student.gate] if student.gate is not None else [])]:
        parameters.append({"params": [extra], "lr": top_rate / 4, "top": top_rate / 4})
    optimiser = torch.optim.Adam(parameters, betas=(0.9, 0.99))
    shares = {}
    for part, d in data.items():
        names, at = np.unique(d["kinds"], return_inverse=True)
        shares[part] = np.array([variant.get("repeat", REPEAT).get(n, 1.0) for n in names])[at]
    plans = {part: int(share.sum()) // size for part, share in shares.items()}
    steps, step, began, shown = epochs * sum(plans.values()), 0, time.time(), 0.0
    for epoch in range(epochs):
        batches = []
        for part, d in data.items():
            rows = np.repeat(np.arange(len(shares[part])), np.floor(shares[part] + rng.random(len(shares[part]))).astype(np.int64))
            rng.shuffle(rows)
            grouped = variant.get("grouped", 0.5) > 0 and epoch % 2 == 1
            if grouped:
                rank = rng.permutation(d["clusters"].max() + 1)
                rows = rows[np.argsort(rank[d["clusters"][rows]], kind="stable")]
                at = rng.integers(0, size)
                rows = np.roll(rows, at)
            batches += [(part, rows[i : i + size], grouped) for i in range(0, len(rows) - size + 1, size)]
        rng.shuffle(batches)
        for part, rows, grouped in batches:
            step += 1
            progress = step / steps
            for group in optimiser.param_groups:
                group["lr"] = group["top"] * min(1, progress / 0.08) * 0.5 * (1 + math.cos(math.pi * progress))
            student.bits = variant.get("bits", 0) if progress > 0.6 else 0
            d, picked = data[part], torch.tensor(rows, device=CUDA)
            weights = student.weights()
            q = student.pool(d["q"], picked, True, variant.get("drop", 0.0), weights)
            p = student.pool(d["d"], picked, False, variant.get("drop", 0.0), weights)
            with torch.no_grad():
                heat, teacher_heat = 0.05, d["heat"] * variant.get("heat", 1.0)
                scores = q @ p.T / heat
                columns = slice(*variant.get("columns", (0, None))) if part != "zh" else slice(None)
                asked = d["tq"][picked, columns].float()
                if part == "code" and "code_weights" in variant:
                    asked = asked * torch.tensor(variant["code_weights"], device=CUDA).repeat_interleave(asked.shape[1] // 3)
                    teacher_heat = variant["code_heat"]
                goal = asked @ d["td"][picked, columns].float().T / teacher_heat
                mine_rows, mine_columns = scores.softmax(1), scores.softmax(0)
                strong = variant.get("distil", 4.0)
                gradient = strong * (mine_rows + mine_columns - goal.softmax(1) - goal.softmax(0))
                contrast = variant.get("contrast", 1.0) * (0.0 if grouped else 1.0)
                if contrast:
                    gradient += contrast * (mine_rows + mine_columns)
                    gradient.diagonal().sub_(2 * contrast)
                gradient /= size * heat
                grad_q, grad_p = gradient @ p, gradient.T @ q
            optimiser.zero_grad(set_to_none=True)
            torch.autograd.backward([q, p], [grad_q, grad_p])
            optimiser.step()
        if variant.get("seconds") and time.time() - began > variant["seconds"]:
            say(name, "stopped by the clock after epoch", epoch + 1)
            break
    say(f"{name}: {step} of {steps} steps, {time.time() - began:.0f} s")
    return student


def embedder_of(student: Student, tokenizer: Tokenizer, bits: int):
    whole, scale = quantised(student.table.detach(), bits) if bits else (student.table.detach(), 1.0)
    table = whole * scale

    def embed(texts: list[str], query: bool, names: tuple[str, ...]) -> np.ndarray:
        ids = [tokenizer.ids(clean(t, names)) or [0] for t in texts]
        lists = Ragged(np.array([i for x in ids for i in x], np.int32), np.array([len(x) for x in ids], np.int64))
        with torch.no_grad():
            return student.pool(Texts(lists), torch.arange(len(ids), device=CUDA), query, 0.0, table).cpu().numpy()

    return embed


def save(student: Student, name: str, bits: int) -> None:
    out = os.environ.get("OUT", ".")
    whole, scale = quantised(student.table.detach(), bits)
    whole = whole.to(torch.int8).cpu().numpy()
    if bits == 4:
        whole = ((whole[:, 0::2] + 8) | ((whole[:, 1::2] + 8) << 4)).astype(np.uint8)
    extra = [e.detach().cpu().half().numpy() for e in student.extra]
    gate = student.gate.detach().cpu().numpy() if student.gate is not None else np.zeros(0)
    np.savez(f"{out}/{name}.npz", table=whole, scale=scale.cpu().half().numpy()[:, 0], extra=np.array(extra), gate=gate)


def unpacked(path: str):
    """A table saved by an earlier run."""
    loaded = np.load(path)
    packed = loaded["table"]
    table = np.empty((packed.shape[0], packed.shape[1] * 2), np.float32)
    table[:, 0::2], table[:, 1::2] = (packed & 15).astype(np.float32) - 8, (packed >> 4).astype(np.float32) - 8
    return torch.tensor(table * loaded["scale"].astype(np.float32)[:, None], device=CUDA)


def main() -> None:
    config = json.load(open(sys.argv[1]))
    tokenizer, _ = student_encoder(config["vocabulary"])
    sets = config["sets"]
    cache = config.get("cache")
    if cache and os.path.exists(cache):
        state = torch.load(cache, weights_only=False)
        say("loaded", cache)
    else:
        state = prepare(config)
        if cache:
            torch.save(state, cache)
            say("saved", cache)
    data, table, pieces = state["data"], state["table"], state["pieces"]
    for variant in config["variants"]:
        if time.time() - START > config.get("begin_before", 1e9):
            say("no time left for", variant["name"])
            continue
        student = train(variant["name"], table, data, variant, pieces)
        for bits in variant.get("show", [0]):
            for line in evaluate_sets(sets, embedder_of(student, tokenizer, bits)):
                print(f"{variant['name']:22s} {bits or 'float':>5} {line}", flush=True)
        if variant.get("save"):
            save(student, variant["name"], variant.get("bits") or 8)
    say("done")


def prepare(config: dict) -> dict:
    tokenizer, encode = student_encoder(config["vocabulary"])
    folder = config["teachers"]
    rows = read_pairs(config["pairs"], config.get("most", 0))
    kinds = np.array([r[2] for r in rows])
    foreign = np.char.startswith(kinds, "x-")
    say(len(rows), "pairs")
    q_ids, d_ids = tokens_of([r[0] for r in rows], encode), tokens_of([r[1] for r in rows], encode)
    some = (q_ids.counts > 0) & (d_ids.counts > 0)
    main_rows, zh_rows = np.flatnonzero(some & (kinds != "zh")), np.flatnonzero(some & (kinds == "zh"))
    say(len(main_rows), "+", len(zh_rows), "pairs with tokens;", round(float(d_ids.counts.mean()), 1), "tokens a passage")
    encode = teacher_encoder(f"{folder}/bge.json")
    queries = tokens_of([rows[i][1] if foreign[i] else rows[i][0] for i in main_rows], encode)
    passages = tokens_of([rows[i][1] for i in main_rows], encode)
    encode = teacher_encoder(f"{folder}/zh.json")
    zh_queries, zh_passages = (tokens_of([rows[i][side] for i in zh_rows], encode) for side in (0, 1))
    say("teacher tokens", len(queries.flat) + len(passages.flat), len(zh_queries.flat) + len(zh_passages.flat))
    tq, td = english_targets(folder, queries, passages)
    data, is_code = {}, np.isin(kinds[main_rows], CODE)
    for part, own in (("main", np.flatnonzero(~is_code)), ("code", np.flatnonzero(is_code))):
        if len(own):
            picked, at = main_rows[own], torch.tensor(own, device=CUDA)
            near = clusters(td[at], 1024).cpu().numpy()
            data[part] = dict(q=Texts(q_ids.take(picked)), d=Texts(d_ids.take(picked)), tq=tq[at], td=td[at], heat=config.get("heat", 0.036), clusters=near, kinds=kinds[picked])
    say("clusters")
    teacher = Teacher(f"{folder}/zh.xz", f"{folder}/zh.json", "cls", CUDA)
    tq, td = (teacher.encode_ids(x.flat, x.counts, "") for x in (zh_queries, zh_passages))
    data["zh"] = dict(q=Texts(q_ids.take(zh_rows)), d=Texts(d_ids.take(zh_rows)), tq=tq, td=td, heat=config.get("heat_zh", 0.02), clusters=clusters(td, 128).cpu().numpy(), kinds=kinds[zh_rows])
    say("Chinese teacher")
    size = len(tokenizer.pieces)

    def seen(lists: Ragged) -> np.ndarray:
        return np.bincount(lists.flat[lists.flat < size], minlength=size)

    abroad = np.flatnonzero(foreign | (kinds == "zh"))
    english = seen(q_ids.take(np.flatnonzero(~foreign & (kinds != "zh")))) + seen(d_ids.take(main_rows)) >= seen(q_ids.take(abroad))
    if config.get("start"):
        table = unpacked(config["start"])
    else:
        table = first_table(tokenizer, english, folder, config.get("dim", 256))
        say(int(english.sum()), "pieces begin at the teachers")
    return dict(data=data, table=table, pieces=size)


if __name__ == "__main__":
    main()
