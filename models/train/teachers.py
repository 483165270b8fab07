"""A teacher: weights out of an ONNX file, and its forward pass in plain PyTorch.

usage: teachers.py pack MODEL.onnx OUT.xz      weights by name, 7 bits a number with one scale a row
       teachers.py check MODEL.onnx TOKENIZER.json PACKED.xz cls|mean   compares with onnxruntime
"""

import lzma
import pickle
import sys

import numpy as np


def pack(path: str, out: str) -> None:
    import onnx
    from onnx import numpy_helper

    model = onnx.load(path)
    init = {i.name: numpy_helper.to_array(i) for i in model.graph.initializer}
    users: dict[str, list] = {}
    for node in model.graph.node:
        for name in node.input:
            users.setdefault(name, []).append(node)
    named = {k: v for k, v in init.items() if k.split(".")[0] in ("embeddings", "encoder", "bert") and v.ndim and "position_ids" not in k}
    for node in model.graph.node:
        weight = next((i for i in node.input if i in init), None) if node.op_type == "MatMul" else None
        if weight is None:
            continue
        add = next(u for u in users[node.output[0]] if u.op_type == "Add")
        bias = next(i for i in add.input if i in init)
        named[bias.replace(".bias", ".weight")] = init[weight].T
    packed = {}
    for name, value in named.items():
        name, value = name.removeprefix("bert."), value.astype(np.float32)
        if name.startswith("pooler"):
            continue
        if "position_embeddings" in name:
            value = value[:160]
        if value.ndim == 2:
            scale = np.abs(value).max(1, keepdims=True) / 63 + 1e-12
            packed[name] = (np.round(value / scale).astype(np.int8), scale.astype(np.float16).astype(np.float32)[:, 0])
        else:
            packed[name] = value
    with lzma.open(out, "wb", preset=4) as file:
        file.write(pickle.dumps(packed))
    print(out, len(packed), sum(v[0].size if isinstance(v, tuple) else v.size for v in packed.values()))


class Teacher:
    """Unit vectors (numpy float16) of token id lists."""

    def __init__(self, path: str, tokenizer: str, pooling: str, device: str):
        import torch
        from tokenizers import Tokenizer

        raw = pickle.loads(lzma.open(path).read())
        self.torch, self.device, self.pooling = torch, device, pooling
        self.half = torch.bfloat16 if device == "cuda" else torch.float32
        self.weights = {k: torch.tensor(v[0].astype(np.float32) * v[1][:, None] if isinstance(v, tuple) else v, device=device) for k, v in raw.items()}
        self.layers = 1 + max(int(k.split(".")[2]) for k in self.weights if k.startswith("encoder"))
        self.width = self.weights["embeddings.word_embeddings.weight"].shape[1]
        self.heads = self.width // (64 if self.width == 512 else 32)
        self.tokenizer = Tokenizer.from_file(tokenizer)
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.cast = {k: v.to(self.half) for k, v in self.weights.items()}

    def ids(self, texts: list[str]) -> list[list[int]]:
        return [e.ids for e in self.tokenizer.encode_batch(texts)]

    def forward(self, ids, mask):
        torch, F, w = self.torch, self.torch.nn.functional, self.cast
        rows, length = ids.shape

        def linear(x, name):
            return F.linear(x, w[name + ".weight"], w[name + ".bias"])

        def norm(x, name):
            return F.layer_norm(x, (self.width,), w[name + ".weight"], w[name + ".bias"], 1e-12)

        x = w["embeddings.word_embeddings.weight"][ids] + w["embeddings.position_embeddings.weight"][:length] + w["embeddings.token_type_embeddings.weight"][0]
        x = norm(x, "embeddings.LayerNorm")
        for layer in range(self.layers):
            p = f"encoder.layer.{layer}."
            q, k, v = (linear(x, p + "attention.self." + n).view(rows, length, self.heads, -1).transpose(1, 2) for n in ("query", "key", "value"))
            a = F.scaled_dot_product_attention(q, k, v, attn_mask=mask[:, None, None, :])
            x = norm(linear(a.transpose(1, 2).reshape(rows, length, self.width), p + "attention.output.dense") + x, p + "attention.output.LayerNorm")
            x = norm(linear(F.gelu(linear(x, p + "intermediate.dense")), p + "output.dense") + x, p + "output.LayerNorm")
        x = x.float()
        out = x[:, 0] if self.pooling == "cls" else (x * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True)
        return F.normalize(out, dim=1)

    def encode(self, texts: list[str]):
        ids = [e.ids for e in self.tokenizer.encode_batch(texts, add_special_tokens=False)]
        return self.encode_ids(np.array([i for x in ids for i in x], np.int32), np.array([len(x) for x in ids], np.int64), "")

    def encode_ids(self, flat: np.ndarray, counts: np.ndarray, before: str, tokens: int = 262144):
        """Half-precision unit vectors of token lists laid end to end, in batches of about `tokens` tokens, shortest texts first. `before` is a prefix such as "query: "."""
        torch = self.torch
        first, last = self.tokenizer.token_to_id("[CLS]"), self.tokenizer.token_to_id("[SEP]")
        head = np.array([first, *self.tokenizer.encode(before, add_special_tokens=False).ids], np.int32)
        starts = np.concatenate([[0], np.cumsum(counts)])
        flat_there, starts_there, counts_there = (torch.tensor(x, device=self.device) for x in (flat, starts[:-1], counts))
        order = np.argsort(counts, kind="stable")
        out = torch.zeros(len(counts), self.width, dtype=torch.float16, device=self.device)
        head_there = torch.tensor(head, device=self.device, dtype=torch.long)
        at = 0
        with torch.no_grad():
            while at < len(order):
                guess = max(1, tokens // (int(counts[order[at]]) + len(head) + 1))
                longest = int(counts[order[min(len(order), at + guess) - 1]])
                picked = torch.tensor(order[at : at + max(1, tokens // (longest + len(head) + 1))], device=self.device)
                at += len(picked)
                longest = int(counts_there[picked].max())
                place = torch.arange(longest + 1, device=self.device)[None]
                count = counts_there[picked][:, None]
                body = flat_there[torch.clamp(starts_there[picked][:, None] + place, max=len(flat) - 1)].long()
                body = torch.where(place < count, body, torch.where(place == count, last, 0))
                batch = torch.cat([head_there.expand(len(picked), -1), body], 1)
                mask = torch.cat([torch.ones(len(picked), len(head), dtype=torch.bool, device=self.device), place <= count], 1)
                out[picked] = self.forward(batch, mask).half()
        return out


def check(model: str, tokenizer: str, packed: str, pooling: str) -> None:
    import onnxruntime

    texts = ["Where did I go last summer?", "We chose SQLite because it needs no server.", "connection refused on port 5432", "The cat sat on the mat and looked at me for a long while before it left.", "我妹妹住在北京", "数据库连接被拒绝怎么办？"]
    teacher = Teacher(packed, tokenizer, pooling, "cpu")
    session = onnxruntime.InferenceSession(model)
    mine = teacher.encode(texts).float().numpy()
    for text, ids, own in zip(texts, teacher.ids(texts), mine):
        feed = {"input_ids": np.array([ids]), "attention_mask": np.ones((1, len(ids)), np.int64), "token_type_ids": np.zeros((1, len(ids)), np.int64)}
        state = session.run(None, {i.name: feed[i.name] for i in session.get_inputs()})[0]
        vector = state[0, 0] if state.ndim == 3 and pooling == "cls" else state[0].mean(0) if state.ndim == 3 else state[0]
        print(f"{float(vector @ own / np.linalg.norm(vector) / np.linalg.norm(own)):.4f} {text[:50]}")


if __name__ == "__main__":
    {"pack": pack, "check": check}[sys.argv[1]](*sys.argv[2:])
