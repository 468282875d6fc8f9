#!/usr/bin/env bash
# Approve a hold, or the pending hold of a run: approve.sh ID [--reason TEXT] [--yes] [--remote]
set -euo pipefail
# shellcheck source=scripts/workflow/words.sh
source "$(dirname "${BASH_SOURCE[0]}")/words.sh"
exec handrail approve "${words[@]}"
