# Makes a Kokkos that was built with nvcc_wrapper (Spack's and most modules' are) usable from CUDA files.
#
# Its flags are meant for a C++ compiler that is nvcc in disguise, and Kokkos' launcher would send every
# file of a target that links Kokkos there, plain host loops included. Our files that need CUDA are
# CUDA files already, so the flags are moved to that language and the launcher stays off.
function(memstencil_kokkos_as_cuda)
  if(Kokkos_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "Kokkos in ${kokkos_dir} was built with Clang's CUDA, whose code nvcc's cannot be linked "
                        "with: use one built with nvcc or nvcc_wrapper "
                        "(-DCMAKE_DISABLE_FIND_PACKAGE_Kokkos=ON takes our pinned source)")
  endif()
  foreach(property INTERFACE_COMPILE_OPTIONS INTERFACE_COMPILE_DEFINITIONS)
    get_target_property(value Kokkos::kokkoscore ${property})
    string(REPLACE "COMPILE_LANGUAGE:CXX" "COMPILE_LANGUAGE:CUDA" value "${value}")
    string(REGEX REPLACE ";?-arch=sm_[0-9]+" "" value "${value}")  # CMAKE_CUDA_ARCHITECTURES says it
    set_target_properties(Kokkos::kokkoscore PROPERTIES ${property} "${value}")
  endforeach()
  set_target_properties(Kokkos::kokkoscore PROPERTIES INTERFACE_LINK_OPTIONS "")
  if("OPENMP" IN_LIST Kokkos_DEVICES)
    target_compile_options(Kokkos::kokkoscore INTERFACE "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-fopenmp>")
  endif()
endfunction()
