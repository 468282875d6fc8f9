# Reject a hold, or the pending hold of a run: reject.ps1 ID [--reason TEXT] [--yes]
$root = Split-Path -Parent (Split-Path -Parent $PSScriptRoot)
$folders = @((Join-Path $root ".venv/Scripts"), (Join-Path $root ".venv/bin"))
$env:PATH = ($folders + $env:PATH) -join [IO.Path]::PathSeparator
& handrail reject @args
exit $LASTEXITCODE
