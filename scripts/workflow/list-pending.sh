#!/usr/bin/env bash
# List the holds that wait: list-pending.sh [--risk LEVEL] [--json]
set -euo pipefail
PATH="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/.venv/bin:$PATH"
exec handrail pending "$@"
