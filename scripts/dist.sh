#!/usr/bin/env bash
# Writes a release into the folder $1: wheels and sdists of server and SDK, SBOM, licence report and checksums. The same
# sources, lock files and tools give the same bytes, wherever and whenever it runs.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$(realpath -m "$1")
uv=${UV:-.tools/bin/uv}
python=${PYTHON_OF_DIST:-.venv/bin/python}

rm -rf "$out"
mkdir -p "$out"
for project in . sdk/python; do
  "$uv" build --quiet --no-build-logs --out-dir "$out" "$project"
done
rm -f "$out/.gitignore"
version=$("$python" -c 'import tomllib; print(tomllib.load(open("pyproject.toml", "rb"))["project"]["version"])')
"$python" -m scripts.shipping.sbom > "$out/handrail-$version.cdx.json"
"$python" -m scripts.shipping.licences > "$out/handrail-$version-licences.txt"
cd "$out"
sha256sum -- * > SHA256SUMS
