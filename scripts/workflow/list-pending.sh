#!/usr/bin/env bash
# List the holds that wait: list-pending.sh [--risk LEVEL] [--json] [--remote]
set -euo pipefail
# shellcheck source=scripts/workflow/words.sh
source "$(dirname "${BASH_SOURCE[0]}")/words.sh"
exec handrail pending "${words[@]}"
