#!/bin/sh
# A found Kokkos that would give wrong or no results is refused at configure time, with what to do instead.
# Usage: refused_kokkos_test.sh CMAKE SOURCE FOLDER. The Kokkos is a package without libraries: they are not reached.
set -eu
cmake=$1 source=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder/kokkos"
cat >"$folder/kokkos/KokkosConfigVersion.cmake" <<'PACKAGE'
set(PACKAGE_VERSION 4.7.1)
set(PACKAGE_VERSION_COMPATIBLE TRUE)
PACKAGE

# refused BACKENDS OPTIONS WORDS...: configures with a Kokkos of these, and looks for the words in what is said.
refused() {
  printf 'set(Kokkos_DEVICES %s)\nset(Kokkos_OPTIONS "%s")\n' "$1" "$2" >"$folder/kokkos/KokkosConfig.cmake"
  shift 2
  if "$cmake" --fresh -S "$source" -B "$folder/build" -DKokkos_ROOT="$folder/kokkos" >"$folder/log" 2>&1; then
    echo "configured with a Kokkos that must be refused"
    exit 1
  fi
  for words in "$@"; do
    tr -s ' \n' ' ' <"$folder/log" | grep -qF -e "$words" || { echo "no '$words' in:"; cat "$folder/log"; exit 1; }
  done
}

# Device allocations that are managed memory.
refused SERIAL 'CUDA_LAMBDA;IMPL_CUDA_UNIFIED_MEMORY' 'Kokkos 4.7.1' 'Kokkos_ENABLE_IMPL_CUDA_UNIFIED_MEMORY=ON' \
  'would be mislabelled' 'Kokkos_ENABLE_IMPL_CUDA_UNIFIED_MEMORY=OFF' '-DCMAKE_DISABLE_FIND_PACKAGE_Kokkos=ON'
refused SERIAL CUDA_UVM 'Kokkos_ENABLE_CUDA_UVM=ON'
# A GPU that memory_spaces/ does not serve.
refused 'SERIAL;HIP' '' "Kokkos' HIP backend is not served" '-DKokkos_ROOT=DIR chooses another'
