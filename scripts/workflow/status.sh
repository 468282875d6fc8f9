#!/usr/bin/env bash
# Say how a hold or a run stands: status.sh ID [--json]
set -euo pipefail
PATH="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/.venv/bin:$PATH"
exec handrail status "$@"
