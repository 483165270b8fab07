"""What the examples use of httpx, over the standard library: for machines where httpx is not installed."""
import asyncio
import json as _json
import urllib.error
import urllib.parse
import urllib.request
from contextlib import asynccontextmanager


class HTTPStatusError(Exception):
    pass


class Response:
    def __init__(self, status_code: int, body: bytes):
        self.status_code = status_code
        self.content = body

    @property
    def text(self) -> str:
        return self.content.decode()

    def json(self):
        return _json.loads(self.content)

    def raise_for_status(self) -> "Response":
        if self.status_code >= 400:
            raise HTTPStatusError(f"{self.status_code}: {self.text}")
        return self


def _open(method: str, url: str, json=None, headers=None, params=None, timeout=30):
    address = url if not params else f"{url}?{urllib.parse.urlencode(params, doseq=True)}"
    data = None if json is None else _json.dumps(json).encode()
    sent = {**({"Content-Type": "application/json"} if data is not None else {}), **(headers or {})}
    return urllib.request.urlopen(urllib.request.Request(address, data=data, headers=sent, method=method), timeout=timeout)


def request(method: str, url: str, **options) -> Response:
    try:
        with _open(method, url, **options) as answer:
            return Response(answer.status, answer.read())
    except urllib.error.HTTPError as error:
        return Response(error.code, error.read())


class _Stream:
    def __init__(self, answer):
        self._answer = answer
        self.status_code = answer.status

    async def aiter_lines(self):
        while line := await asyncio.to_thread(self._answer.readline):
            yield line.decode().rstrip("\n")


class AsyncClient:
    def __init__(self, base_url: str = "", headers=None, timeout=30):
        self._base_url = base_url
        self._headers = headers or {}

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        return None

    async def _send(self, method: str, url: str, headers=None, **options) -> Response:
        merged = {**self._headers, **(headers or {})}
        return await asyncio.to_thread(request, method, f"{self._base_url}{url}", headers=merged, **options)

    async def get(self, url: str, **options) -> Response:
        return await self._send("GET", url, **options)

    async def post(self, url: str, **options) -> Response:
        return await self._send("POST", url, **options)

    async def put(self, url: str, **options) -> Response:
        return await self._send("PUT", url, **options)

    async def patch(self, url: str, **options) -> Response:
        return await self._send("PATCH", url, **options)

    async def delete(self, url: str, **options) -> Response:
        return await self._send("DELETE", url, **options)

    @asynccontextmanager
    async def stream(self, method: str, url: str, headers=None):
        merged = {**self._headers, **(headers or {})}
        answer = await asyncio.to_thread(_open, method, f"{self._base_url}{url}", headers=merged)
        try:
            yield _Stream(answer)
        finally:
            answer.close()
