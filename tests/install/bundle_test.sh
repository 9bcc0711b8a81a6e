#!/bin/bash
# A bundle configures on a machine without a network and without the libraries, and a damaged one is refused, as is the
# making of one where a library lacks its sources.
# Usage: bundle_test.sh CMAKE SOURCE BUILD FOLDER. Skipped (77) where a namespace without a network is not allowed.
set -eu
cmake=$1 source=$2 build=$3 folder=$4
unshare -rn true 2>/dev/null || exit 77
git -C "$source" rev-parse HEAD >/dev/null 2>&1 || exit 77
rm -rf "$folder"
mkdir -p "$folder"
"$cmake" --build "$build" --target bundle >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
mv "$build/memstencil-$(<"$source/VERSION")-bundle.tar.gz" "$folder/bundle.tar.gz"
if "$cmake" -DSOURCE="$source" -DVERSION=1 -DSTAGE="$folder/stage" -DARCHIVE="$folder/without-sources.tar.gz" \
    "-DLIBRARIES=GTest|gtest|$folder/no-sources|/usr/include|gtest/gtest.h" -P "$source/cmake/Bundle.cmake" \
    >"$folder/log" 2>&1 || ! grep -qF "GTest is installed without its sources" "$folder/log"; then
  cat "$folder/log"
  exit 1
fi
tar xzf "$folder/bundle.tar.gz" -C "$folder"
cd "$folder"/memstencil-*/

arguments=(-DFETCHCONTENT_FULLY_DISCONNECTED=ON -DMEMSTENCIL_MPI=OFF -DMEMSTENCIL_HDF5=OFF)
for library in CLI11 tomlplusplus fmt nlohmann_json GTest Kokkos; do
  arguments+=("-DCMAKE_DISABLE_FIND_PACKAGE_$library=ON")
done
if ! unshare -rn "$cmake" -S . -B build "${arguments[@]}" >log 2>&1; then
  cat log
  exit 1
fi
for library in CLI11 tomlplusplus fmt nlohmann_json GTest; do
  grep -qF "$library in .deps/, from the bundle" log || { echo "$library is not from the bundle:"; cat log; exit 1; }
done
rm -r build
"$cmake" -DSOURCE="$PWD" -DTEMPLATE=cmake/version.hpp.in -DHEADER="$PWD/version.hpp" -P cmake/WriteVersion.cmake
grep -qF "$(git -C "$source" describe --always --abbrev=12 --match 'v[0-9]*')" version.hpp ||
  { echo "the bundle's programs would not know their revision:"; cat version.hpp; exit 1; }

echo >>.deps/fmt/include/fmt/format.h
if ./quickstart himeno >log 2>&1; then
  echo "quickstart built from a damaged bundle"
  exit 1
fi
grep -qF "this bundle is damaged" log || { cat log; exit 1; }
