"""An agent of mcp-memory-service with nothing but the standard library: JSON-RPC over stdio, its settings in the environment."""
import json
import subprocess
import sys


class Agent:
    def __init__(self, command: list):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.last = 0

    def send(self, message: dict) -> None:
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def ask(self, method: str, params: dict) -> dict:
        self.last += 1
        self.send({"id": self.last, "method": method, "params": params})
        while True:
            answer = json.loads(self.process.stdout.readline())
            if answer.get("id") == self.last:
                return answer["result"]

    def call(self, name: str, **arguments) -> str:
        return self.ask("tools/call", {"name": name, "arguments": arguments})["content"][0]["text"]

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait(timeout=30)


agent = Agent(sys.argv[1:])
client = {"protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": {"name": "python", "version": "1"}}
print(agent.ask("initialize", client)["protocolVersion"])
agent.send({"method": "notifications/initialized"})
print(len(agent.ask("tools/list", {})["tools"]))
print(agent.call("memory_store", content="Deploys are on Fridays", metadata={"tags": "ops,deploy", "type": "decision"}))
print(agent.call("memory_search", query="when do we deploy", limit=1).splitlines()[0])
print(json.loads(agent.call("memory_list", tags=["ops"]))["memories"][0]["memory_type"])
print(agent.call("delete_by_tag", tag="ops").splitlines()[0])
agent.close()
