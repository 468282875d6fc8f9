#!/usr/bin/env bash
# Reject a hold, or the pending hold of a run: reject.sh ID [--reason TEXT] [--yes] [--remote]
set -euo pipefail
# shellcheck source=scripts/workflow/words.sh
source "$(dirname "${BASH_SOURCE[0]}")/words.sh"
exec handrail reject "${words[@]}"
