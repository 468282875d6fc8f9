#!/usr/bin/env bash
# Reject a hold, or the pending hold of a run: reject.sh ID [--reason TEXT] [--yes]
set -euo pipefail
PATH="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/.venv/bin:$PATH"
exec handrail reject "$@"
