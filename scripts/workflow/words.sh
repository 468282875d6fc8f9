# shellcheck shell=bash
# Sourced by the scripts here: puts handrail on the path, and what they are called with into `words`.
# --remote uses the server at HANDRAIL_REMOTE_URL. Options are also taken as PowerShell spells them.
PATH="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/.venv/bin:$PATH"
words=()
while (($#)); do
  case "$1" in
    --remote | -Remote) export HANDRAIL_URL="${HANDRAIL_REMOTE_URL:?is not set: the address that --remote uses}" ;;
    --workflow-id | -WorkflowId) words+=("${2:?is missing}") && shift ;;
    -Justification | -Reason) words+=(--reason "${2-}") && shift ;;
    *) words+=("$1") ;;
  esac
  shift
done
