# List the holds that wait: list-pending.ps1 [--risk LEVEL] [--json] [-Remote]
$given = $args
. (Join-Path $PSScriptRoot "words.ps1")
& handrail pending @words
exit $LASTEXITCODE
