# Approve a hold, or the pending hold of a run: approve.ps1 -WorkflowId ID [-Justification TEXT] [--yes] [-Remote]
$given = $args
. (Join-Path $PSScriptRoot "words.ps1")
& handrail approve @words
exit $LASTEXITCODE
