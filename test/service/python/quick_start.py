"""The Agent Quick Start of mcp-memory-service and its client calls, with another address. Run with the address of a server."""
import asyncio
import sys

import httpx

BASE_URL = sys.argv[1]


async def main() -> None:
    async with httpx.AsyncClient() as client:
        # Store: auto-tag with the X-Agent-ID header
        await client.post(
            f"{BASE_URL}/api/memories",
            json={"content": "API rate limit is 100 req/min", "tags": ["api", "limits"]},
            headers={"X-Agent-ID": "researcher"},
        )
        # Search: scope to a specific agent
        results = await client.post(
            f"{BASE_URL}/api/memories/search",
            json={"query": "API rate limits", "tags": ["agent:researcher"]},
        )
        print(results.json()["memories"][0]["content"])
        stored = await client.post(
            f"{BASE_URL}/api/memories",
            json={"content": "Deployed v2", "tags": ["msg:cluster"], "conversation_id": "run-42"},
        )
        print(stored.json()["success"])
        found = await client.post(f"{BASE_URL}/api/search", json={"query": "rate limits", "n_results": 3})
        print(found.json()["results"][0]["memory"]["tags"])
        by_tag = await client.post(f"{BASE_URL}/api/search/by-tag", json={"tags": ["msg:cluster"]})
        print(by_tag.json()["total_found"])
        by_time = await client.post(f"{BASE_URL}/api/search/by-time", json={"query": "last week"})
        print(by_time.status_code)
        print((await client.get(f"{BASE_URL}/api/health")).json()["status"])


asyncio.run(main())
