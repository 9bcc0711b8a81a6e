#!/usr/bin/env bash
# ccache gives nvcc's old object where only the host's branch of `#ifdef __CUDA_ARCH__` was edited.
#
# A cache of a compiler must not change what is compiled. ccache looks a changed source up by what `nvcc -E` makes of it, and
# that is the device's pass alone, with __CUDA_ARCH__ defined: what stands behind #else is not in it. The edit is counted as
# a hit, and the program runs the old host code. An edit of the device's branch is seen. With CCACHE_DEPEND=1 and -MD it is
# compiled anew.
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

cat >name.cu <<'CODE'
__host__ __device__ const char* name() {
#ifdef __CUDA_ARCH__
  return "device, first";
#else
  return "host, first";
#endif
}
__global__ void kernel(const char** to) { *to = name(); }
const char* of_the_host() { return name(); }
CODE
look() { grep -ao 'host, [a-z]*' name.o; }
ccache nvcc -c name.cu -o name.o
echo "in the object: $(look)"
sed -i 's/host, first/host, second/' name.cu
ccache nvcc -c name.cu -o name.o
cached=$(look)
hits=$(ccache --print-stats | grep preprocessed_cache_hit)
nvcc -c name.cu -o name.o
plain=$(look)
sed -i 's/device, first/device, second/' name.cu
ccache nvcc -c name.cu -o name.o
both=$(look)
echo "the host's text edited: in the object of ccache: $cached; of nvcc: $plain ($hits)"
echo "the device's edited, too: in the object of ccache: $both"
[[ $cached == "host, first" && $plain == "host, second" && $both == "host, second" ]] || { echo "this has changed"; exit 1; }
echo "as described"
