#!/usr/bin/env bash
# Approve a hold, or the pending hold of a run: approve.sh ID [--reason TEXT] [--yes]
set -euo pipefail
PATH="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/.venv/bin:$PATH"
exec handrail approve "$@"
