# Chooses the Kokkos to build with: an installed one, the source the user names, or the pinned source.
# Makes Kokkos::kokkos, and Kokkos_VERSION, Kokkos_DEVICES and Kokkos_OPTIONS as its package has them.
# Sets memstencil_kokkos_origin (for people) and memstencil_cuda (ON or OFF).

# A Kokkos built with nvcc_wrapper would send every file that sees Kokkos through its launcher to that compiler,
# plain host loops included. Our files that need CUDA are CUDA files (KokkosAsCuda.cmake).
set(Kokkos_LAUNCH_COMPILER OFF)

add_subdirectory(${PROJECT_SOURCE_DIR}/cmake/find_kokkos)
get_property(memstencil_kokkos_dir GLOBAL PROPERTY memstencil_kokkos_dir)
if(memstencil_kokkos_dir)
  get_property(memstencil_backends GLOBAL PROPERTY memstencil_kokkos_devices)
  set(memstencil_kokkos_origin "installed in ${memstencil_kokkos_dir}")
  if(MEMSTENCIL_KOKKOS_SOURCE)
    message(WARNING "the installed Kokkos in ${memstencil_kokkos_dir} is used, MEMSTENCIL_KOKKOS_SOURCE is not; "
                    "-DCMAKE_DISABLE_FIND_PACKAGE_Kokkos=ON passes over the installed one")
  endif()
else()
  # Kokkos' own default is Serial alone; who asks for nothing wants the machine's cores.
  set(Kokkos_ENABLE_SERIAL ON CACHE BOOL "Kokkos on one core")
  if(NOT Kokkos_ENABLE_THREADS AND NOT Kokkos_ENABLE_HPX)
    set(Kokkos_ENABLE_OPENMP ON CACHE BOOL "Kokkos on all cores")
  endif()
  foreach(backend SERIAL OPENMP THREADS HPX CUDA HIP SYCL OPENMPTARGET OPENACC)
    if(Kokkos_ENABLE_${backend})
      list(APPEND memstencil_backends ${backend})
    endif()
  endforeach()
endif()

# memory_spaces/ serves CUDA and hosts: kernels that run elsewhere would get memory that they cannot reach.
set(memstencil_cuda OFF)
foreach(backend ${memstencil_backends})
  if(backend STREQUAL "CUDA")
    set(memstencil_cuda ON)
  elseif(NOT backend MATCHES "^(SERIAL|OPENMP|THREADS|HPX)$")
    message(FATAL_ERROR "Kokkos' ${backend} backend is not served by memory_spaces/ yet: use a Kokkos with "
                        "CUDA or with host backends only (-DKokkos_ROOT=DIR chooses another)")
  endif()
endforeach()
if(memstencil_cuda)
  include(CheckLanguage)
  check_language(CUDA)
  if(NOT CMAKE_CUDA_COMPILER)
    message(FATAL_ERROR "Kokkos with CUDA needs nvcc, and none is found: put it on PATH, or set CUDACXX or "
                        "-DCMAKE_CUDA_COMPILER (module load cuda; spack load cuda)")
  endif()
  enable_language(CUDA)
endif()

if(memstencil_kokkos_dir)
  find_package(Kokkos CONFIG REQUIRED QUIET PATHS ${memstencil_kokkos_dir} NO_DEFAULT_PATH)
  unset(Kokkos_DIR CACHE)
  if(memstencil_cuda)
    include(KokkosAsCuda)
  endif()
else()
  include(KokkosFromSource)
  memstencil_kokkos_from_source()
  include(${memstencil_kokkos_build}/KokkosConfigCommon.cmake)
endif()

foreach(option IMPL_CUDA_UNIFIED_MEMORY CUDA_UVM)
  if(option IN_LIST Kokkos_OPTIONS)
    message(FATAL_ERROR "Kokkos ${Kokkos_VERSION}, ${memstencil_kokkos_origin}, was built with "
                        "Kokkos_ENABLE_${option}=ON: what it allocates on the device is managed memory, and "
                        "results of device memory would be mislabelled. Use one built with "
                        "Kokkos_ENABLE_${option}=OFF (-DKokkos_ROOT=DIR chooses another, "
                        "-DCMAKE_DISABLE_FIND_PACKAGE_Kokkos=ON takes our pinned source)")
  endif()
endforeach()
if(memstencil_cuda)
  set(CMAKE_CUDA_ARCHITECTURES ${Kokkos_CUDA_ARCHITECTURES})  # ours must be what Kokkos was built for
  include(KokkosMdspan)
endif()

# Where Kokkos is compiled as CUDA its processor flags reach CUDA files only. Without them our plain C++ files,
# which hold host loops, would be compiled for the oldest x86-64, and CPU results would be too low.
get_target_property(kokkos_options Kokkos::kokkoscore INTERFACE_COMPILE_OPTIONS)
string(REGEX MATCHALL "-m(arch|cpu|tune|sve-vector-bits)=[-+.a-z0-9]+" processor_flags "${kokkos_options}")
target_compile_options(memstencil_options INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${processor_flags}>")
