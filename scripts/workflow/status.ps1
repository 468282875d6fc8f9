# Say how a hold or a run stands: status.ps1 ID [--json]
$root = Split-Path -Parent (Split-Path -Parent $PSScriptRoot)
$folders = @((Join-Path $root ".venv/Scripts"), (Join-Path $root ".venv/bin"))
$env:PATH = ($folders + $env:PATH) -join [IO.Path]::PathSeparator
& handrail status @args
exit $LASTEXITCODE
