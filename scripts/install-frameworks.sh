#!/usr/bin/env bash
# The agent frameworks whose programs docs/frameworks.md shows, from PyPI, in folders of their own. Without them the tests of these programs say that they were
# skipped, and why. --all: CrewAI too, which takes 1.1 GB.
set -euo pipefail
cache="$(dirname "$0")/../node_modules/.cache"
mkdir -p "$cache"
install() { # FOLDER PACKAGES…
  local folder="$cache/$1"
  shift
  [ -x "$folder/bin/python" ] || python3 -m venv "$folder"
  "$folder/bin/pip" install --quiet --disable-pip-version-check "$@"
}
install frameworks langgraph langchain-mcp-adapters autogen-agentchat 'autogen-ext[mcp]'
if [ "${1:-}" = --all ]; then install frameworks-crewai 'crewai-tools[mcp]'; fi
