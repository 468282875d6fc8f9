# Sourced by the scripts here: puts handrail on the path, and what they were $given into $words.
# -Remote uses the server at HANDRAIL_REMOTE_URL. Options are also taken as the command line spells them.
$root = Split-Path -Parent (Split-Path -Parent $PSScriptRoot)
$folders = @((Join-Path $root ".venv/Scripts"), (Join-Path $root ".venv/bin"))
$env:PATH = ($folders + $env:PATH) -join [IO.Path]::PathSeparator
$words = @()
for ($i = 0; $i -lt $given.Count; $i++) {
  if ($given[$i] -in "-Remote", "--remote") {
    if (-not $env:HANDRAIL_REMOTE_URL) { throw "HANDRAIL_REMOTE_URL is not set: the address that -Remote uses" }
    $env:HANDRAIL_URL = $env:HANDRAIL_REMOTE_URL
  }
  elseif ($given[$i] -in "-WorkflowId", "--workflow-id") { $i++; $words += $given[$i] }
  elseif ($given[$i] -in "-Justification", "-Reason") { $i++; $words += @("--reason", $given[$i]) }
  else { $words += $given[$i] }
}
