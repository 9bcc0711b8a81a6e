# Makes a Kokkos that was built with nvcc_wrapper (Spack's and most modules' are) usable from CUDA files; does
# nothing for one that was compiled as CUDA. Included by our build and by the installed package.
if(Kokkos_COMPILE_LANGUAGE STREQUAL "CUDA")
  return()
endif()
if(Kokkos_CXX_COMPILER_ID MATCHES "Clang")
  message(FATAL_ERROR "this Kokkos was built with Clang's CUDA, whose code nvcc's cannot be linked with: use one "
                      "built with nvcc or nvcc_wrapper (-DCMAKE_DISABLE_FIND_PACKAGE_Kokkos=ON takes our pinned "
                      "source)")
endif()
# Its flags are meant for a C++ compiler that is nvcc in disguise: g++ refuses -extended-lambda, and a CUDA file
# without it does not compile. So they move from C++ to CUDA. -arch goes: nvcc refuses it beside the same from
# CMAKE_CUDA_ARCHITECTURES, and g++ refuses to link with it.
foreach(property INTERFACE_COMPILE_OPTIONS INTERFACE_COMPILE_DEFINITIONS INTERFACE_LINK_OPTIONS)
  get_target_property(value Kokkos::kokkoscore ${property})
  string(REPLACE "COMPILE_LANGUAGE:CXX" "COMPILE_LANGUAGE:CUDA" value "${value}")
  string(REGEX REPLACE ";?-arch=sm_[0-9]+" "" value "${value}")
  set_target_properties(Kokkos::kokkoscore PROPERTIES ${property} "${value}")
endforeach()
if("OPENMP" IN_LIST Kokkos_DEVICES)
  # OpenMP's own target has the flag for C++ only; without it Kokkos' header ends a CUDA file with an error.
  target_compile_options(Kokkos::kokkoscore INTERFACE "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-fopenmp>")
endif()
# Such a Kokkos links the shared runtime; two runtimes in one program do not know each other's kernels.
set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)
