# What was given on the command line and would be passed over in silence is refused here, before project().

# The build type, in any case of letters; Release unless another is given. A parent project's own is its business.
if(NOT DEFINED PROJECT_NAME AND NOT DEFINED CMAKE_BUILD_TYPE AND NOT DEFINED ENV{CMAKE_BUILD_TYPE})
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel")
endif()
set(given "${CMAKE_BUILD_TYPE}")
if(NOT DEFINED CMAKE_BUILD_TYPE)
  set(given "$ENV{CMAKE_BUILD_TYPE}")
endif()
string(TOLOWER "${given}" lower)
set(known OFF)
foreach(type Debug Release RelWithDebInfo MinSizeRel)
  string(TOLOWER ${type} each)
  if(lower STREQUAL each)
    set(CMAKE_BUILD_TYPE ${type})  # one spelling in all records
    set(known ON)
  endif()
endforeach()
if(NOT known)
  if(NOT DEFINED PROJECT_NAME AND NOT lower MATCHES "^(none)?$")
    message(FATAL_ERROR "CMAKE_BUILD_TYPE=${given}: valid are Debug, Release, RelWithDebInfo and MinSizeRel (None and an "
                        "empty type leave optimisation to CMAKE_CXX_FLAGS)")
  endif()
  message(STATUS "CMAKE_BUILD_TYPE='${given}': optimisation is left to CMAKE_CXX_FLAGS")
endif()

# A root that is named is where a library is taken from; that it is not there must not mean another one.
foreach(library Kokkos CLI11 tomlplusplus fmt nlohmann_json GTest MPI HDF5 ZLIB NCCL CUDAToolkit)
  set(roots "${library}_ROOT=$ENV{${library}_ROOT}")
  string(REPLACE ":" ";${library}_ROOT=" roots "${roots}")
  foreach(each ROOT DIR)
    foreach(folder ${${library}_${each}})
      list(APPEND roots "${library}_${each}=${folder}")
    endforeach()
  endforeach()
  foreach(root ${roots})
    string(REGEX REPLACE "^[^=]*=" "" folder "${root}")
    if(folder AND NOT IS_DIRECTORY "${folder}")
      message(FATAL_ERROR "${root}: there is no such folder")
    endif()
  endforeach()
endforeach()

# For the host's compilers kernels/portable.hpp refuses the like; nvcc leaves no macro.
foreach(flags "${CMAKE_CUDA_FLAGS}" "${CMAKE_CUDA_FLAGS_RELEASE}" "${CMAKE_CUDA_FLAGS_RELWITHDEBINFO}" "$ENV{CUDAFLAGS}")
  if(flags MATCHES "use_fast_math|ftz[= ]true|prec-(div|sqrt)[= ]false")
    message(FATAL_ERROR "CUDA flags '${flags}': ${CMAKE_MATCH_0} changes what kernels compute, and results would not be "
                        "the original program's")
  endif()
endforeach()
