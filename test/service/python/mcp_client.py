"""A client of the Python SDK, as programs of mcp-memory-service use it: over stdio, Streamable HTTP and SSE."""
import asyncio
import json
import sys

from mcp import ClientSession
from mcp.client.sse import sse_client
from mcp.client.stdio import StdioServerParameters, stdio_client

try:
    from mcp.client.streamable_http import streamablehttp_client as streamable_http
except ImportError:
    from mcp.client.streamable_http import streamable_http_client as streamable_http


async def use(session: ClientSession, name: str) -> None:
    await session.initialize()
    tools = {tool.name for tool in (await session.list_tools()).tools}
    assert {"memory_store", "memory_search", "memory_graph", "mistake_note_add"} <= tools, tools
    stored = await session.call_tool(
        "memory_store", {"content": f"Written by Python over {name}", "metadata": {"tags": "python", "type": "note"}}
    )
    assert stored.content[0].text.startswith("Memory stored successfully (hash: "), stored
    found = await session.call_tool("memory_search", {"query": "written by Python", "tags": ["python"]})
    assert f"over {name}" in found.content[0].text, found
    listed = await session.call_tool("memory_list", {"tags": ["python"]})
    assert json.loads(listed.content[0].text)["total"] >= 1
    health = await session.call_tool("memory_health", {})
    assert json.loads(health.content[0].text.split("\n", 1)[1])["validation"]["status"] == "healthy"
    print(name)


async def main() -> None:
    node, program, database, url = sys.argv[1:5]
    arguments = [program, "mcp", "--tools", "service", "--db", database]
    async with stdio_client(StdioServerParameters(command=node, args=arguments)) as (read, write, *_):
        async with ClientSession(read, write) as session:
            await use(session, "stdio")
    async with streamable_http(f"{url}/mcp?tools=service") as (read, write, *_):
        async with ClientSession(read, write) as session:
            await use(session, "streamable-http")
    async with sse_client(f"{url}/sse") as (read, write, *_):
        async with ClientSession(read, write) as session:
            await use(session, "sse")


asyncio.run(main())
