# Say how a hold or a run stands: status.ps1 -WorkflowId ID [--json] [-Remote]
$given = $args
. (Join-Path $PSScriptRoot "words.ps1")
& handrail status @words
exit $LASTEXITCODE
