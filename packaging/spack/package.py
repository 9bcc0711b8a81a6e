# memstencil as a package of Spack. From the checkout, with this folder's recipe in a repository of
# yours (docs/building.md): spack dev-build memstencil@0.1.0 +cuda cuda_arch=90
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
    depends_on("gmake", type="build")

    depends_on("kokkos@4.7: +serial +openmp")
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
    depends_on("zlib@1.2.9:", when="+hdf5")
    depends_on("nccl@2.10:", when="+nccl")
    depends_on("py-h5py", type="run", when="+plots")
    depends_on("py-matplotlib", type="run", when="+plots")

    conflicts("%gcc@:10")

    def cmake_args(self):
        def required(name):
            value = "ON" if f"+{name}" in self.spec else "OFF"
            return self.define(f"MEMSTENCIL_{name.upper()}", value)

        return [
            *map(required, ("mpi", "hdf5", "nccl")),
            self.define("BUILD_TESTING", self.run_tests),
            self.define("FETCHCONTENT_FULLY_DISCONNECTED", True),
        ]
