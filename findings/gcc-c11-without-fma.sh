#!/usr/bin/env bash
# gcc -std=c11 uses no fused multiply-add; -std=gnu11 does, and so does g++ with any -std.
#
# `y[i] = a * x[i] + y[i]` at -O3 -march=haswell has vfmadd with -std=gnu11, and as C++ with -std=c++20. With -std=c11 it
# has a product and a sum, also at -march=native, and rounds twice. CMake's CMAKE_C_EXTENSIONS OFF, usual "for portable
# code", chooses -std=c11: twice the instructions, and results that differ between C and C++ of the same file. The manual
# has half a sentence on it, at -ffp-contract, which is "off" in the modes of the C standard alone.
# Versions: GCC 12.2.0 (Debian 12). Seen on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -o APT::Sandbox::User=root -qq download {cpp,g++}-12=12.2.0-14+deb12u1 libisl23 libmpc3 libmpfr6 libgmp10
for package in ./*.deb; do dpkg-deb -x "$package" root; done
export LD_LIBRARY_PATH=$folder/root/usr/lib/x86_64-linux-gnu
cat >saxpy.c <<'C'
void saxpy(int n, float a, const float* __restrict x, float* __restrict y) {
  for (int i = 0; i < n; i++) y[i] = a * x[i] + y[i];
}
C
for case in cc1:c11:no cc1:c17:no cc1:gnu11:yes cc1plus:c++20:yes cc1plus:gnu++20:yes; do
  IFS=: read -r compiler standard expected <<<"$case"
  "root/usr/lib/gcc/x86_64-linux-gnu/12/$compiler" -quiet -O3 -march=haswell "-std=$standard" saxpy.c -o out.s
  grep -q vfmadd out.s && fused=yes || fused=no
  echo "-std=$standard: fused multiply-add: $fused"
  [[ $fused == "$expected" ]] || { echo "this has changed"; exit 1; }
done
echo "as described"
