# memstencil as a package of Spack 1.x; docs/building.md has the commands.
from spack_repo.builtin.build_systems.cmake import CMakePackage
from spack_repo.builtin.build_systems.cuda import CudaPackage

from spack.package import *


class Memstencil(CMakePackage, CudaPackage):
    """Where should arrays live on a GPU machine, and where does the time go? A Himeno solver,
    matrix transposes and probes of the memory system, for any memory space, on one rank or many."""

    license("BSD-3-Clause")

    version("0.1.0")  # no archive is published: dev-build takes the folder in which it is called

    variant("mpi", default=True, description="Several ranks")
    variant("hdf5", default=True, description="Files of results")
    variant("nccl", default=False, when="+mpi+cuda", description="Messages from GPU to GPU")
    variant("plots", default=True, description="Plots of memcompare")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")

    depends_on("kokkos@4.7: +serial +openmp")
    depends_on("kokkos ~cuda", when="~cuda")
    # Spack builds no Kokkos for CUDA with g++ without it; cmake/KokkosAsCuda.cmake serves it.
    depends_on("kokkos +cuda +wrapper", when="+cuda")
    depends_on("kokkos +cuda_lambda", when="+cuda ^kokkos@:4")
    for arch in CudaPackage.cuda_arch_values:
        depends_on(f"kokkos +cuda cuda_arch={arch}", when=f"+cuda cuda_arch={arch}")
    depends_on("cli11@2.1.2:")
    depends_on("tomlplusplus@3.3.0:")
    depends_on("fmt@9.1.0:")
    depends_on("nlohmann-json@3.11.2:")
    depends_on("googletest@1.12.1:", type="test")
    depends_on("mpi@3:", when="+mpi")
    depends_on("hdf5@1.10.2: ~mpi", when="+hdf5~mpi")
    depends_on("hdf5@1.10.2: +mpi", when="+hdf5+mpi")
    depends_on("zlib-api", when="+hdf5")
    depends_on("nccl@2.10:", when="+nccl")
    depends_on("py-h5py", type="run", when="+plots")
    depends_on("py-matplotlib", type="run", when="+plots")

    conflicts("%gcc@:10")
    conflicts("%clang@:15")
    conflicts("cuda_arch=none", when="+cuda", msg="name the GPU: cuda_arch=90")

    def cmake_args(self):
        return [
            self.define_from_variant("MEMSTENCIL_MPI", "mpi"),
            self.define_from_variant("MEMSTENCIL_HDF5", "hdf5"),
            self.define("MEMSTENCIL_NCCL", "+nccl" in self.spec),
            self.define("BUILD_TESTING", self.run_tests),
            self.define("CMAKE_UNITY_BUILD", True),  # as the presets have it: half the time
            # What is not a dependency here is not downloaded behind Spack's back.
            self.define("FETCHCONTENT_FULLY_DISCONNECTED", True),
        ]
