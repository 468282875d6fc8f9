#!/bin/sh
# Installs programs that no package index has: `scripts/system-packages.sh PROGRAM:PACKAGE …`, Debian's names.
# Where it may not (no root, no apt) it says what to type; what needs the program says so again when it is used.
set -u

missing=""
for pair in "$@"; do
  command -v "${pair%%:*}" >/dev/null 2>&1 || missing="$missing ${pair#*:}"
done
[ -n "$missing" ] || exit 0

# shellcheck disable=SC2086 # a list of packages
install() {
  DEBIAN_FRONTEND=noninteractive apt-get install -o DPkg::Lock::Timeout=300 --yes --quiet --no-install-recommends $missing >/dev/null 2>&1
}

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  echo "installing$missing"
  install || { apt-get update --quiet >/dev/null 2>&1 && install; } && exit 0
fi
echo "not installed:$missing. On Debian, as root: apt install$missing" >&2
