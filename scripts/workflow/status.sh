#!/usr/bin/env bash
# Say how a hold or a run stands: status.sh ID [--json] [--remote]
set -euo pipefail
# shellcheck source=scripts/workflow/words.sh
source "$(dirname "${BASH_SOURCE[0]}")/words.sh"
exec handrail status "${words[@]}"
