#!/usr/bin/env bash
# Writes a release into the folder $1: wheels and sdists of server and SDK, the npm package of the other SDK, SBOM, licence report and checksums. The same
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
# npm gives all files one time and one owner; compiled elsewhere, so that nothing of an earlier build is in it
package=$(mktemp -d)
trap 'rm -rf "$package"' EXIT
cp sdk/typescript/package.json sdk/typescript/README.md LICENSE "$package"
web/node_modules/typescript-7/bin/tsc -p sdk/typescript --outDir "$package/dist"
chmod -R u=rwX,go=rX "$package"
npm pack --silent --ignore-scripts --pack-destination "$out" "$package" > /dev/null
version=$("$python" -c 'import tomllib; print(tomllib.load(open("pyproject.toml", "rb"))["project"]["version"])')
"$python" -m scripts.shipping.sbom > "$out/handrail-$version.cdx.json"
"$python" -m scripts.shipping.licences > "$out/handrail-$version-licences.txt"
cd "$out"
sha256sum -- * > SHA256SUMS
