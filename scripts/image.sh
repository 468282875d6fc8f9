#!/usr/bin/env bash
# Builds the image as $1 (default handrail:VERSION) with `docker`. BASE names another base image, PLATFORM another machine:
# PLATFORM=linux/arm64 scripts/image.sh
set -euo pipefail
cd "$(dirname "$0")/.."
python=.venv/bin/python
version=$("$python" -c 'import tomllib; print(tomllib.load(open("pyproject.toml", "rb"))["project"]["version"])')
name=${1:-handrail:$version}
platform=${PLATFORM:-linux/$(uname -m | sed 's/x86_64/amd64/; s/aarch64/arm64/')}
case $platform in
  linux/amd64) machine=x86_64 ;;
  linux/arm64) machine=aarch64 ;;
  *) echo "PLATFORM must be linux/amd64 or linux/arm64, not $platform" >&2; exit 1 ;;
esac

context=$(mktemp -d)
trap 'rm -rf "$context"' EXIT
scripts/dist.sh "$context/dist"
"$python" -m scripts.shipping.pins "$machine" > "$context/pins.txt"
# wheels of Debian 12's Python, whatever Python this machine has; kept until the lock file changes
wheels=.tools/wheels-$machine-$(sha256sum "$context/pins.txt" | cut -c -16)
[ -d "$wheels" ] || .tools/bin/pip download --quiet --disable-pip-version-check --no-deps --require-hashes --only-binary=:all: \
  --python-version 3.11 --implementation cp --abi cp311 --abi abi3 --abi none \
  --platform "manylinux_2_34_$machine" --platform "manylinux_2_28_$machine" --platform "manylinux_2_27_$machine" \
  --platform "manylinux_2_26_$machine" --platform "manylinux_2_24_$machine" --platform "manylinux_2_17_$machine" \
  --platform "manylinux2014_$machine" --platform "manylinux_2_12_$machine" --platform "manylinux2010_$machine" \
  --platform "manylinux_2_5_$machine" --platform "manylinux1_$machine" --platform any \
  --dest "$context/wheels" --requirement "$context/pins.txt"
if [ ! -d "$wheels" ]; then
  rm -rf .tools/wheels-"$machine"-*
  cp -r "$context/wheels" "$wheels"
fi
mkdir -p "$context/wheels"
cp "$wheels"/*.whl "$context"/dist/*.whl "$context/wheels/"
# that there are wheels for a machine can be shown without a docker for it
if [ -n "${ONLY_WHEELS:-}" ]; then ls "$context/wheels"; exit; fi
cp deploy/image/Dockerfile "$context/"
docker build --platform "$platform" --network host ${BASE:+--build-arg "BASE=$BASE"} --tag "$name" "$context"
