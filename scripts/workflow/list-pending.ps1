# List the holds that wait: list-pending.ps1 [--risk LEVEL] [--json]
$root = Split-Path -Parent (Split-Path -Parent $PSScriptRoot)
$folders = @((Join-Path $root ".venv/Scripts"), (Join-Path $root ".venv/bin"))
$env:PATH = ($folders + $env:PATH) -join [IO.Path]::PathSeparator
& handrail pending @args
exit $LASTEXITCODE
