#!/usr/bin/env bash
# ccache gives an object of other options where nvcc's options are in NVCC_APPEND_FLAGS or NVCC_PREPEND_FLAGS.
#
# nvcc takes these two variables as part of its command line: that is how one builds for another GPU, or with a macro or
# without contraction (-fmad=false), where the build cannot be edited. ccache hashes the command line and some variables of
# other compilers, and these two not: the object of the first build comes back, for whatever options, and a comparison of
# the two builds compares a build with itself. sccache 0.16.0 compiles anew.
# Versions: ccache 4.7.5 (Debian 12), nvcc 13.5.37; ccache 4.11.2 and 4.14.2, nvcc 13.0.88 do the same. Seen on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for package in ccache=4.8+really4.7.5-1 libhiredis0.14; do
  apt-get -o APT::Sandbox::User=root -qq download "$package"
done
for file in ./*.deb; do
  dpkg-deb -x "$file" root
done
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check nvidia-cuda-nvcc==13.5.37 nvidia-cuda-crt==13.5.37 \
  nvidia-nvvm==13.5.37 nvidia-cuda-runtime==13.5.37
bin=$(echo "$folder"/python/lib/python3*/site-packages/nvidia/cu13/bin)
export PATH=$bin:/usr/bin:/bin CCACHE_DIR=$folder/cache
ccache() { LD_LIBRARY_PATH=$(echo root/usr/lib/*-linux-gnu) root/usr/bin/ccache "$@"; }
ccache --version | head -n 1
nvcc --version | grep release
cat >tile.cu <<'CODE'
#ifndef TILE
#define TILE 16
#endif
#define TEXT(x) #x
#define TEXT_OF(x) TEXT(x)
const char* tile() { return "tile " TEXT_OF(TILE); }
CODE
look() { grep -ao 'tile [0-9]*' tile.o; }
ccache nvcc -c tile.cu -o tile.o
echo "in the object: $(look)"
for variable in NVCC_APPEND_FLAGS NVCC_PREPEND_FLAGS; do
  env "$variable=-DTILE=32" nvcc -c tile.cu -o tile.o
  plain=$(look)
  (export "$variable=-DTILE=32" && ccache nvcc -c tile.cu -o tile.o)
  cached=$(look)
  echo "$variable=-DTILE=32: in the object of nvcc: $plain; of ccache: $cached"
  [[ $plain == "tile 32" && $cached == "tile 16" ]] || { echo "this has changed"; exit 1; }
done
ccache nvcc -DTILE=32 -c tile.cu -o tile.o
echo "the option on the command line: in the object of ccache: $(look)"
[[ $(look) == "tile 32" ]] || { echo "this has changed"; exit 1; }
echo "as described"
