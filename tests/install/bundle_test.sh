#!/bin/bash
# A bundle configures on a machine without a network and without the libraries, and knows its revision.
# Usage: bundle_test.sh CMAKE SOURCE BUILD FOLDER. Skipped (77) where a namespace without a network is not allowed, and
# in a build with an installed Kokkos, which has no source to bundle.
set -eu
cmake=$1 source=$2 build=$3 folder=$4
unshare -rn true 2>/dev/null || exit 77
git -C "$source" rev-parse HEAD >/dev/null 2>&1 || exit 77
[[ -d $build/kokkos ]] || exit 77
rm -rf "$folder"
mkdir -p "$folder"
"$cmake" --build "$build" --target bundle >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
tar xzf "$build/memstencil-$(<"$source/VERSION")-bundle.tar.gz" -C "$folder"
cd "$folder"/memstencil-*/

arguments=(-DFETCHCONTENT_FULLY_DISCONNECTED=ON -DMEMSTENCIL_MPI=OFF -DMEMSTENCIL_HDF5=OFF)
for library in CLI11 tomlplusplus fmt nlohmann_json GTest Kokkos; do
  arguments+=("-DCMAKE_DISABLE_FIND_PACKAGE_$library=ON")
done
unshare -rn "$cmake" -G "Unix Makefiles" -S . -B build "${arguments[@]}" >log 2>&1 || { cat log; exit 1; }
for library in CLI11 tomlplusplus fmt nlohmann_json GTest; do
  grep -qF "$PWD/.deps/$library" log || { echo "$library is not from the bundle:"; cat log; exit 1; }
done
# A shell can read every command of the build, though the folder's name has blanks and parentheses.
make -nk --no-print-directory -C build all >commands 2>/dev/null || true  # it stops at files that nothing has made
sh -n commands
"$cmake" -DSOURCE="$PWD" -DTEMPLATE=cmake/version.hpp.in -DHEADER="$PWD/version.hpp" -P cmake/WriteVersion.cmake
grep -qF "$(git -C "$source" describe --always --abbrev=12 --match 'v[0-9]*')" version.hpp ||
  { echo "the bundle's programs would not know their revision:"; cat version.hpp; exit 1; }
