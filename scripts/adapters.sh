#!/bin/sh
# Installs the real coding agents for `make adapters`, each from its own package: nothing of them is part of Handrail.
set -eu
folder=$1
claude=$folder/claude/claude_agent_sdk/_bundled/claude
if [ ! -x "$claude" ]; then
  echo "installing Claude Code"
  .tools/bin/uv pip install --quiet --python .venv/bin/python --no-deps --target "$folder/claude" claude-agent-sdk==0.2.182
  chmod +x "$claude"
fi
if [ ! -x "$folder/codex/node_modules/.bin/codex" ]; then
  echo "installing Codex"
  npm install --silent --no-fund --no-audit --prefix "$folder/codex" @openai/codex@0.166.0
fi
