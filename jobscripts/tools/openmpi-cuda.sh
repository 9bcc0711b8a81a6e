#!/usr/bin/env bash
# Builds an Open MPI that takes pointers to GPU memory, for machines whose own one does not: see
# docs/clusters.md, "MPI between GPUs".
set -euo pipefail

usage() {
  cat <<'USAGE'
usage: jobscripts/tools/openmpi-cuda.sh SOURCE PREFIX [CONFIGURE ARGUMENT...]

SOURCE   a release of Open MPI: its archive, or the folder where it is unpacked
PREFIX   where to install; a new or an empty folder
Arguments for Open MPI's configure come last and win over those given here: --with-ucx=/usr

CUDA_HOME names the CUDA toolkit (default: /usr/local/cuda), JOBS the compilers at once
(default: one a core). It takes about 9 minutes of one core. Nothing needs root or a GPU.
USAGE
}

say() { printf 'openmpi-cuda: %s\n' "$*" >&2; }

refuse() {
  say "$*"
  if [[ -n ${build:-} ]]; then rm -rf "$build"; fi
  exit 2
}

case ${1:-} in
  '' | -h | --help)
    usage
    exit 0
    ;;
esac
(($# >= 2)) || refuse "PREFIX is missing: see --help"
source=$1 prefix=$2
shift 2
cuda=${CUDA_HOME:-/usr/local/cuda}
jobs=${JOBS:-$(env -u OMP_NUM_THREADS nproc)}

[[ -e $source ]] || refuse "there is no $source"
[[ -e $cuda/include/cuda.h ]] || refuse "no include/cuda.h in $cuda: set CUDA_HOME"
cuda=$(cd "$cuda" && pwd)
if [[ -d $prefix && -n $(ls -A "$prefix") ]]; then refuse "$prefix is not empty"; fi

build=$(mktemp -d "${TMPDIR:-/tmp}/openmpi-cuda-XXXXXX")
log=$build/log
: >"$log"
trap 'say "failed; the end of $log:"; tail -n 20 "$log" >&2' ERR

# Unpacked beside what is built, so that a release's own folder stays as it is.
if [[ -d $source ]]; then
  source=$(cd "$source" && pwd)
else
  mkdir "$build/source"
  tar xf "$source" --strip-components=1 -C "$build/source" 2>"$log" ||
    refuse "$source cannot be unpacked: $(head -n 1 "$log")"
  source=$build/source
fi
[[ -x $source/configure ]] || refuse "$source has no configure: take a release, not a checkout"
mkdir -p "$prefix" "$build/build"
prefix=$(cd "$prefix" && pwd)
cd "$build/build"

# Shared memory and TCP, which every machine has. What is not there is left out: a library found by
# chance, on a login node, may be missing where the programs run.
say "configuring (log: $log)"
"$source/configure" --prefix="$prefix" --with-cuda="$cuda" --without-ucx --without-ofi \
  --without-verbs --disable-mpi-fortran --disable-oshmem "$@" >"$log" 2>&1
say "building with $jobs compilers at once"
make -j"$jobs" >>"$log" 2>&1
make install-strip >>"$log" 2>&1

says=$("$prefix/bin/ompi_info" --parsable --all | grep mpi_built_with_cuda_support:value)
if [[ $says != *:true ]]; then
  say "built, but without CUDA: see $log"
  exit 1
fi
rm -r "$build"
say "$prefix takes pointers to GPU memory. To use it:"
say "  export PATH=$prefix/bin:\$PATH LD_LIBRARY_PATH=$prefix/lib"
