# Chooses the Kokkos to build with: an installed one, the source the user names, or the pinned source.
# Imports Kokkos::kokkos. Sets memstencil_kokkos_origin (for people) and memstencil_cuda (ON or OFF).
include(KokkosChecks)

# FindCUDAToolkit of CMake 3.25.1 (Debian 12), which Kokkos' package calls, notes for projects of 3.25 or newer
# that nvToolsExt is deprecated, and fails where there is none: CUDA 13 has none. Policies stay those of 3.25.
set(CMAKE_MINIMUM_REQUIRED_VERSION 3.24)

add_subdirectory(${PROJECT_SOURCE_DIR}/cmake/find_kokkos)
get_property(kokkos_dir GLOBAL PROPERTY memstencil_kokkos_dir)
if(kokkos_dir)
  get_property(kokkos_devices GLOBAL PROPERTY memstencil_kokkos_devices)
  set(memstencil_kokkos_origin "installed in ${kokkos_dir}")
  if(MEMSTENCIL_KOKKOS_SOURCE)
    message(WARNING "the installed Kokkos in ${kokkos_dir} is used, MEMSTENCIL_KOKKOS_SOURCE is not; "
                    "-DCMAKE_DISABLE_FIND_PACKAGE_Kokkos=ON passes over the installed one")
  endif()
else()
  # Kokkos' own default is Serial alone; who asks for nothing wants the machine's cores.
  if(NOT DEFINED Kokkos_ENABLE_OPENMP AND NOT Kokkos_ENABLE_THREADS AND NOT Kokkos_ENABLE_HPX)
    set(Kokkos_ENABLE_OPENMP ON)
  endif()
  if(NOT DEFINED Kokkos_ENABLE_SERIAL)
    set(Kokkos_ENABLE_SERIAL ON)
  endif()
  foreach(backend SERIAL OPENMP THREADS HPX CUDA HIP SYCL OPENMPTARGET OPENACC)
    if(Kokkos_ENABLE_${backend})
      list(APPEND kokkos_devices ${backend})
    endif()
  endforeach()
endif()

memstencil_refuse_devices("${kokkos_devices}")
set(memstencil_cuda OFF)
if("CUDA" IN_LIST kokkos_devices)
  set(memstencil_cuda ON)
  memstencil_enable_cuda()
endif()

if(NOT kokkos_dir)
  include(KokkosFromSource)
  memstencil_configure_kokkos(kokkos_dir memstencil_kokkos_origin)
endif()
set(CMAKE_DISABLE_FIND_PACKAGE_Kokkos OFF)  # shadows the user's, which was about the installed one
set(Kokkos_LAUNCH_COMPILER OFF)  # KokkosAsCuda.cmake says why
find_package(Kokkos 4.7 CONFIG REQUIRED QUIET PATHS ${kokkos_dir} NO_DEFAULT_PATH)
if(COMMAND memstencil_build_kokkos)
  unset(Kokkos_DIR CACHE)  # the next configure must not take our own build for an installed Kokkos
  memstencil_build_kokkos(${kokkos_dir})
endif()
if(memstencil_cuda)
  set(CMAKE_CUDA_ARCHITECTURES ${Kokkos_CUDA_ARCHITECTURES})  # ours must be what Kokkos was built for
  memstencil_refuse_mdspan_trap()
  if(NOT Kokkos_COMPILE_LANGUAGE STREQUAL "CUDA")
    include(KokkosAsCuda)
    memstencil_kokkos_as_cuda()
    set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)  # the one that such a Kokkos links
  endif()
endif()

# Where Kokkos is compiled as CUDA its processor flags reach CUDA files only; our plain C++ files
# hold host loops that need them as much.
get_target_property(kokkos_options Kokkos::kokkoscore INTERFACE_COMPILE_OPTIONS)
string(REGEX MATCHALL "-m(arch|cpu|tune|sve-vector-bits)=[-+.a-z0-9]+" processor_flags "${kokkos_options}")
target_compile_options(memstencil_options INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${processor_flags}>")
