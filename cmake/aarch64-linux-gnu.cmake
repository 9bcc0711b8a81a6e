# Toolchain: programs for Arm's 64-bit Linux, made on another processor with Debian's cross
# compiler; qemu runs them.
#
# .ci/grace unpacks the libraries of Debian's arm64 into .deps/aarch64; MEMSTENCIL_SYSROOT names
# another folder.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CUDA_HOST_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES MEMSTENCIL_SYSROOT)
if(NOT MEMSTENCIL_SYSROOT)
  get_filename_component(MEMSTENCIL_SYSROOT ${CMAKE_CURRENT_LIST_DIR}/../.deps/aarch64 REALPATH)
endif()
set(CMAKE_SYSROOT ${MEMSTENCIL_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# Grace is a Neoverse V2. g++ 12.2, which Debian 12 has, does not know that name: the N2 has the
# same vectors, and is the nearest that it knows.
set(grace neoverse-v2)
execute_process(COMMAND ${CMAKE_CXX_COMPILER} -mcpu=${grace} -E -x c++ /dev/null
                RESULT_VARIABLE unknown OUTPUT_QUIET ERROR_QUIET)
if(unknown)
  set(grace neoverse-n2)
endif()
foreach(language C CXX)
  set(CMAKE_${language}_FLAGS_INIT "-mcpu=${grace} -msve-vector-bits=128")
endforeach()

# nvcc does not know CMAKE_SYSROOT, and looks for the headers of a toolkit for Arm, which are the
# same as those here. The libraries come from PyPI's nvidia-cuda-runtime for aarch64.
set(CMAKE_CUDA_FLAGS_INIT
    "-Xcompiler=-mcpu=${grace},-msve-vector-bits=128,--sysroot=${CMAKE_SYSROOT}")
set(CMAKE_EXE_LINKER_FLAGS_INIT --sysroot=${CMAKE_SYSROOT})
find_program(CMAKE_CUDA_COMPILER nvcc HINTS ENV CUDA_HOME /usr/local/cuda PATH_SUFFIXES bin)
if(CMAKE_CUDA_COMPILER)
  get_filename_component(toolkit ${CMAKE_CUDA_COMPILER}/../.. REALPATH)
  foreach(headers include include/cccl)
    string(APPEND CMAKE_CUDA_FLAGS_INIT " -isystem ${toolkit}/${headers}")
  endforeach()
endif()

# Vectors of 128 bits, as Grace has; without that, qemu's have 512. QEMU_PAGESIZE=65536 in the
# environment gives Grace's pages.
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -cpu max,sve-max-vq=1 -L ${CMAKE_SYSROOT})

# The compiler wrappers that CMake asks are those of the machine that builds.
set(libraries ${CMAKE_SYSROOT}/usr/lib/aarch64-linux-gnu)
if(EXISTS ${libraries}/openmpi)
  set(MPI_C_COMPILER_INCLUDE_DIRS ${libraries}/openmpi/include CACHE STRING "")
  set(MPI_C_LIB_NAMES mpi CACHE STRING "")
  set(MPI_mpi_LIBRARY ${libraries}/openmpi/lib/libmpi.so CACHE FILEPATH "")
endif()
if(EXISTS ${libraries}/hdf5/openmpi)
  set(HDF5_C_COMPILER_EXECUTABLE false CACHE FILEPATH "")
  set(HDF5_C_INCLUDE_DIR ${libraries}/hdf5/openmpi/include CACHE PATH "")
  set(HDF5_hdf5_LIBRARY_RELEASE ${libraries}/hdf5/openmpi/libhdf5.so CACHE FILEPATH "")
endif()
