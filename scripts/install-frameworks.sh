#!/usr/bin/env bash
# The agent frameworks whose programs docs/frameworks.md shows, from PyPI, in a folder of their own. Without them the tests of these programs say that they were skipped, and why.
set -euo pipefail
folder="$(dirname "$0")/../node_modules/.cache/frameworks"
[ -x "$folder/bin/python" ] || python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check "$@" langgraph langchain-mcp-adapters autogen-agentchat 'autogen-ext[mcp]'
