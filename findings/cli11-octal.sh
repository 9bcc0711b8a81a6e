#!/usr/bin/env bash
# CLI11 reads an integer with a leading zero as octal: --sweeps 010 are 8, where a floating-point option reads 10.
#
# Integers are read as C++ writes them: 0x10 is 16 in all versions, from 2.4 on 1_000 and 1'000 are 1000, and 0b11 is 3.
# Counts out of a script that pads them (seq -w 8 10) are so refused at 08 and 09 and change their value at 010.
# Versions: CLI11 2.1.2 (Debian 12), 2.4.1 (Debian 13). Seen on 2026-11-27.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >read.cpp <<'CODE'
#include <CLI/CLI.hpp>
#include <iostream>
int main(int count, char** words) {
  CLI::App app;
  long sweeps = -1;
  double seconds = -1;
  app.add_option("--sweeps", sweeps);
  app.add_option("--seconds", seconds);
  CLI11_PARSE(app, count, words);
  std::cout << sweeps << " " << seconds << "\n";
}
CODE
while read -r package sha256 padded separated; do
  curl -fsS "${MEMSTENCIL_MIRROR:-http://deb.debian.org/debian}/pool/main/c/cli11/$package" -o package.deb
  sha256sum --quiet -c <<<"$sha256  package.deb"
  rm -rf package && dpkg -x package.deb package
  g++ -std=c++17 -Ipackage/usr/include -o read read.cpp
  grep -h '#define CLI11_VERSION ' package/usr/include/CLI/Version.hpp
  for words in "--sweeps 010 --seconds 010" "--sweeps 1_000" "--sweeps 08"; do
    # shellcheck disable=SC2086
    echo "  $words: $(./read $words 2>&1 | head -n 1)"
  done
  # shellcheck disable=SC2053
  [[ $(./read --sweeps 010 --seconds 010) == "$padded 10" && $(./read --sweeps 1_000 2>&1) == $separated &&
    $(./read --sweeps 08 2>&1) == Could* ]] || { echo "this has changed"; exit 1; }
done <<'PACKAGES'
libcli11-dev_2.1.2+ds-1_all.deb f1f6ee9ec053e0e0bcec47345e241b6a8ee006321248b4329e9ce88d2b4b64a8 8 Could*
libcli11-dev_2.4.1+ds-2_all.deb 3b44d5a1edc75b413b2dddfa81bcf7dac05dae8dae502e7d818d9c2b03392023 8 1000 -1
PACKAGES
echo "as described"
