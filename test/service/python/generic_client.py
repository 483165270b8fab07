"""The functions of the service's guide for HTTP clients, with another address: those that its server never had included."""
import asyncio
import json
import sys

import httpx

BASE_URL = sys.argv[1]


async def store_memory(content: str, tags: list, agent_id: "str | None" = None) -> dict:
    headers = {"Content-Type": "application/json"}
    if agent_id:
        headers["X-Agent-ID"] = agent_id
    async with httpx.AsyncClient() as client:
        response = await client.post(
            f"{BASE_URL}/api/memories", json={"content": content, "tags": tags}, headers=headers
        )
        response.raise_for_status()
        return response.json()


async def search_memory(query: str, limit: int = 5, tags: "list | None" = None) -> list:
    payload = {"query": query, "limit": limit}
    if tags:
        payload["tags"] = tags
    async with httpx.AsyncClient() as client:
        response = await client.post(f"{BASE_URL}/api/memories/search", json=payload)
        response.raise_for_status()
        return response.json()["memories"]


async def store_incremental(content: str, conversation_id: str) -> dict:
    async with httpx.AsyncClient() as client:
        response = await client.post(
            f"{BASE_URL}/api/memories",
            json={"content": content, "tags": ["conversation"], "conversation_id": conversation_id},
        )
        response.raise_for_status()
        return response.json()


async def list_by_tag(tag: str, page: int = 1) -> list:
    async with httpx.AsyncClient() as client:
        response = await client.get(f"{BASE_URL}/api/memories", params={"tags": tag, "page": page, "page_size": 20})
        response.raise_for_status()
        return response.json()["memories"]


async def get_associations(content_hash: str) -> list:
    async with httpx.AsyncClient() as client:
        response = await client.get(f"{BASE_URL}/api/graph/associations/{content_hash}")
        response.raise_for_status()
        return response.json()["associations"]


async def subscribe_to_memory_events(count: int, seen: list, ready: asyncio.Event) -> None:
    async with httpx.AsyncClient() as client:
        async with client.stream("GET", f"{BASE_URL}/sse/events") as response:
            async for line in response.aiter_lines():
                if line.startswith("data:"):
                    event_data = json.loads(line[5:].strip())
                    event_type = event_data.get("event_type")
                    if event_type == "connection_established":
                        ready.set()
                    elif event_type == "memory_stored":
                        seen.append(f"New memory: {event_data['content_hash']}")
                    elif event_type == "memory_deleted":
                        seen.append(f"Deleted: {event_data['content_hash']}")
                    if len(seen) >= count:
                        return


async def main() -> None:
    seen: list = []
    ready = asyncio.Event()
    following = asyncio.create_task(subscribe_to_memory_events(3, seen, ready))
    await ready.wait()
    result = await store_memory(
        content="API rate limit is 100 req/min for the Acme service",
        tags=["api", "rate-limit", "acme"],
        agent_id="researcher",
    )
    first = result["memory"]["content_hash"]
    for mem in await search_memory(query="API rate limits", tags=["agent:researcher"]):
        print(mem["content"], mem["tags"])
    again = await store_incremental("API rate limit is 100 req/min for the Acme service!", "talk-1")
    second = again["memory"]["content_hash"]
    print(len(await list_by_tag("conversation")), len(await list_by_tag("acme")))
    print(await get_associations(first))
    async with httpx.AsyncClient() as client:
        await client.post(
            f"{BASE_URL}/api/graph/associations",
            json={"source_hash": first, "target_hash": second, "relationship_type": "supports"},
        )
        print([(edge["target"] == second, edge["relationship_type"]) for edge in await get_associations(first)])
        patched = await client.patch(f"{BASE_URL}/api/memories/{second}", json={"tags": ["patched"]})
        print(patched.json()["memory"]["tags"])
        print((await client.get(f"{BASE_URL}/api/stats")).json()["total_memories"])
        await client.delete(f"{BASE_URL}/api/memories/{second}")
        print((await client.get(f"{BASE_URL}/api/memories/{second}")).status_code)
    await asyncio.wait_for(following, 30)
    print(seen == [f"New memory: {first}", f"New memory: {second}", f"Deleted: {second}"])


asyncio.run(main())
