#!/bin/sh
# In a container on Debian or Ubuntu, as root: packages, build and programs in /usr/local, from /src. build.sh PRESET
set -eu
apt-get -q update
DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends \
  ca-certificates cmake g++ git libcli11-dev libfmt-dev libhdf5-openmpi-dev libopenmpi-dev libtomlplusplus-dev make \
  nlohmann-json3-dev openmpi-bin python3-h5py python3-matplotlib python3-pip zlib1g-dev
# Not for this machine's processor alone: a container moves.
cmake -S /src -B /build --preset "$1" -DKokkos_ARCH_NATIVE=OFF -DBUILD_TESTING=OFF -DCMAKE_INSTALL_PREFIX=/usr/local
cmake --build /build --target programs --parallel "${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}"
cmake --install /build --component programs
rm -rf /build /var/lib/apt/lists/*
