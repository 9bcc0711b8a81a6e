# The Kokkos to build with: an installed one, otherwise from source (KokkosFromSource.cmake).
# Makes Kokkos::kokkos, and Kokkos_VERSION, Kokkos_DEVICES and Kokkos_OPTIONS as its package has them. Sets memstencil_cuda,
# memstencil_kokkos_origin (for people), and memstencil_kokkos_dir (of an installed one).

macro(memstencil_enable_cuda)
  include(CheckLanguage)
  check_language(CUDA)
  if(NOT CMAKE_CUDA_COMPILER)
    message(FATAL_ERROR "Kokkos with CUDA needs nvcc, and none is found: put it on PATH, or set CUDACXX or "
                        "-DCMAKE_CUDA_COMPILER (module load cuda; spack load cuda)")
  endif()
  enable_language(CUDA)
  if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 12.5)  # the first with cudaGetDriverEntryPointByVersion
    message(FATAL_ERROR "nvcc ${CMAKE_CUDA_COMPILER_VERSION}: CUDA 12.5 is needed, or newer: set CUDACXX or "
                        "-DCMAKE_CUDA_COMPILER")
  endif()
endmacro()

# Without this a Kokkos that was built with nvcc_wrapper sends every file that sees Kokkos through that compiler,
# plain host loops included. Our files that need CUDA are CUDA files (KokkosAsCuda.cmake).
set(Kokkos_LAUNCH_COMPILER OFF)

# First, so that Kokkos' package takes the toolkit of this compiler and not the one on PATH.
if(Kokkos_ENABLE_CUDA)
  memstencil_enable_cuda()
endif()

set(memstencil_kokkos_dir)
if(NOT FETCHCONTENT_SOURCE_DIR_KOKKOS)
  # A package that lacks files ends the configuration with CMake's own words, as Debian's Kokkos 5.2.2 does.
  message(STATUS "Looking for an installed Kokkos; -DCMAKE_DISABLE_FIND_PACKAGE_Kokkos=ON builds our own")
  # FindCUDAToolkit of CMake 3.25.1 (Debian 12), which Kokkos' package calls, ends with an error in a project that
  # names 3.25: it marks nvToolsExt as deprecated, which CUDA 13 no longer has.
  set(CMAKE_MINIMUM_REQUIRED_VERSION 3.24)
  # Not beside the folders on PATH: where bin/ of one build of this project stands there, another build would be made
  # with the first one's Kokkos, and change with it.
  find_package(Kokkos 4.7 CONFIG QUIET NO_SYSTEM_ENVIRONMENT_PATH)
  set(CMAKE_MINIMUM_REQUIRED_VERSION 3.25)
  string(REPLACE ":" ";" roots "$ENV{Kokkos_ROOT}")
  list(APPEND roots ${Kokkos_ROOT})
  set(below OFF)
  foreach(root ${roots})
    file(REAL_PATH "${root}" root)
    file(REAL_PATH "${Kokkos_DIR}" found)
    cmake_path(IS_PREFIX root "${found}" below)
    if(below)
      break()
    endif()
  endforeach()
  if(roots AND NOT CMAKE_DISABLE_FIND_PACKAGE_Kokkos AND NOT below)
    message(FATAL_ERROR "Kokkos_ROOT=${roots}: no Kokkos >= 4.7 is found there (found: ${Kokkos_DIR} "
                        "${Kokkos_CONSIDERED_VERSIONS})")
  endif()
endif()

if(Kokkos_FOUND)
  set(memstencil_kokkos_dir ${Kokkos_DIR})
  set(memstencil_kokkos_origin "installed in ${Kokkos_DIR}")
  # The cache has what the user set (a preset, -D); the package sets plain variables of the same names.
  foreach(backend SERIAL OPENMP THREADS CUDA)
    set(asked $CACHE{Kokkos_ENABLE_${backend}})
    if(asked AND NOT backend IN_LIST Kokkos_DEVICES)
      set(differs "lacks ${backend}, which this build asks for")
    elseif(DEFINED CACHE{Kokkos_ENABLE_${backend}} AND NOT asked AND backend IN_LIST Kokkos_DEVICES)
      set(differs "has ${backend}, which this build switches off")
    endif()
    if(differs)
      message(FATAL_ERROR "Kokkos ${Kokkos_VERSION} in ${Kokkos_DIR} ${differs} (Kokkos_ENABLE_${backend}): "
                          "-DKokkos_ROOT=DIR chooses another, -DCMAKE_DISABLE_FIND_PACKAGE_Kokkos=ON builds our own")
    endif()
  endforeach()
else()
  include(KokkosFromSource)
  memstencil_kokkos_from_source()
  include(${memstencil_kokkos_build}/KokkosConfigCommon.cmake)
endif()

# memory_spaces/ serves CUDA and hosts: kernels that run elsewhere would get memory that they cannot reach.
set(memstencil_cuda OFF)
foreach(backend ${Kokkos_DEVICES})
  if(backend STREQUAL "CUDA")
    set(memstencil_cuda ON)
  elseif(NOT backend MATCHES "^(SERIAL|OPENMP|THREADS|HPX)$")
    message(FATAL_ERROR "Kokkos' ${backend} backend is not served by memory_spaces/ yet: use a Kokkos with "
                        "CUDA or with host backends only (-DKokkos_ROOT=DIR chooses another)")
  endif()
endforeach()
foreach(option IMPL_CUDA_UNIFIED_MEMORY CUDA_UVM)
  if(option IN_LIST Kokkos_OPTIONS)
    message(FATAL_ERROR "Kokkos ${Kokkos_VERSION}, ${memstencil_kokkos_origin}, was built with "
                        "Kokkos_ENABLE_${option}=ON: what it allocates on the device is managed memory, and "
                        "results of device memory would be mislabelled. Use one built with "
                        "Kokkos_ENABLE_${option}=OFF (-DKokkos_ROOT=DIR chooses another, "
                        "-DCMAKE_DISABLE_FIND_PACKAGE_Kokkos=ON builds our own)")
  endif()
endforeach()

if(memstencil_cuda)
  if(NOT CMAKE_CUDA_COMPILER_LOADED)
    memstencil_enable_cuda()
  endif()
  if(memstencil_kokkos_dir)
    include(KokkosAsCuda)
  endif()
  set(CMAKE_CUDA_ARCHITECTURES ${Kokkos_CUDA_ARCHITECTURES})  # ours must be what Kokkos was built for
  # nvcc 12.9 and newer lays [[no_unique_address]] members out differently on host and device: Views on the mdspan of
  # these releases compute nothing, without a message.
  if(CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 12.9 AND Kokkos_VERSION VERSION_LESS 4.7.2
     AND "IMPL_MDSPAN" IN_LIST Kokkos_OPTIONS)
    message(FATAL_ERROR "Kokkos ${Kokkos_VERSION}, ${memstencil_kokkos_origin}, builds its Views on an mdspan with which "
                        "kernels silently compute nothing under nvcc ${CMAKE_CUDA_COMPILER_VERSION}. Use Kokkos 4.7.02 "
                        "or newer, one built with Kokkos_ENABLE_IMPL_MDSPAN=OFF, or CUDA 12.8 "
                        "(-DCMAKE_DISABLE_FIND_PACKAGE_Kokkos=ON builds our own)")
  endif()
endif()

# Where Kokkos is compiled as CUDA its processor flags reach CUDA files only. Without them our plain C++ files,
# which hold host loops, would be compiled for the oldest x86-64, and CPU results would be too low.
get_target_property(kokkos_options Kokkos::kokkoscore INTERFACE_COMPILE_OPTIONS)
string(REGEX MATCHALL "-m(arch|cpu|tune|sve-vector-bits)=[-+.a-z0-9]+" processor_flags "${kokkos_options}")
target_compile_options(memstencil_options INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${processor_flags}>")
