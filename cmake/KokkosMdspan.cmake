# Refuses a Kokkos whose Views silently compute nothing with this nvcc.
#
# nvcc 12.9 and newer lays [[no_unique_address]] members out differently on host and device, so that
# Views built on mdspan compute nothing, without a message. mdspan's pull requests 434 and 435 (in
# Kokkos 4.7.02 and 5.0.0) avoid the attribute. The header itself is asked, not a table of versions:
# distributions backport.
if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 12.9)
  return()
endif()
set(probe ${PROJECT_BINARY_DIR}/kokkos_mdspan_probe.cu)
file(WRITE ${probe} [[
#include <Kokkos_Macros.hpp>
#if defined(KOKKOS_ENABLE_IMPL_MDSPAN) || KOKKOS_VERSION >= 50000
#include <mdspan/mdspan.hpp>
#if defined(MDSPAN_IMPL_USE_ATTRIBUTE_NO_UNIQUE_ADDRESS) && !defined(MDSPAN_IMPL_USE_FAKE_ATTRIBUTE_NO_UNIQUE_ADDRESS)
#error memstencil: this Kokkos has the mdspan trap
#endif
#endif
]])
get_target_property(includes Kokkos::kokkoscore INTERFACE_INCLUDE_DIRECTORIES)
string(REGEX REPLACE "[$]<(BUILD|INSTALL)_INTERFACE:|>" "" includes "${includes}")  # as Kokkos' own build has them
list(TRANSFORM includes PREPEND -I)
execute_process(COMMAND ${CMAKE_CUDA_COMPILER} -std=c++20 -extended-lambda -E ${includes} ${probe}
                RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE output)
if(failed AND output MATCHES "this Kokkos has the mdspan trap")
  message(FATAL_ERROR "Kokkos ${Kokkos_VERSION}, ${memstencil_kokkos_origin}, builds its Views on an mdspan with "
                      "[[no_unique_address]], which nvcc ${CMAKE_CUDA_COMPILER_VERSION} lays out differently on "
                      "host and device: kernels would silently compute nothing. Use Kokkos 4.7.02 or newer, one "
                      "built with Kokkos_ENABLE_IMPL_MDSPAN=OFF, or CUDA 12.8 "
                      "(-DCMAKE_DISABLE_FIND_PACKAGE_Kokkos=ON takes our pinned source)")
elseif(failed)
  message(FATAL_ERROR "the check of Kokkos' mdspan failed:\n${output}")
endif()
