# Reject a hold, or the pending hold of a run: reject.ps1 -WorkflowId ID [-Reason TEXT] [--yes] [-Remote]
$given = $args
. (Join-Path $PSScriptRoot "words.ps1")
& handrail reject @words
exit $LASTEXITCODE
