# What a user may choose, with its defaults, and how our own code is compiled.
if(PROJECT_IS_TOP_LEVEL)
  include(CTest)           # BUILD_TESTING
else()
  set(BUILD_TESTING OFF)   # a parent project's tests are its own; its cache stays as it is
endif()
include(GNUInstallDirs)
# cmake --install DIR --component programs|library: what names no component is of the library, Kokkos included.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME library)

option(MEMSTENCIL_MPI "Several ranks" ON)
option(MEMSTENCIL_HDF5 "Files of results" ON)
set(MEMSTENCIL_NCCL AUTO CACHE STRING "NCCL: AUTO (used when found), ON (required) or OFF (--halo nccl is refused)")
option(MEMSTENCIL_PYPI "If GitHub is not reached: Kokkos out of a Python package" ON)
option(MEMSTENCIL_WERROR "Warnings are errors" OFF)
option(MEMSTENCIL_SANITIZE "AddressSanitizer and UndefinedBehaviorSanitizer, any finding is fatal" OFF)
option(MEMSTENCIL_LEAKS "With MEMSTENCIL_SANITIZE: programs that start MPI are searched for leaks, too: slow" ON)
option(MEMSTENCIL_FUZZ "The fuzz target of tests/fuzz with libFuzzer and both sanitizers: needs Clang" OFF)

foreach(option MEMSTENCIL_NCCL)
  set_property(CACHE ${option} PROPERTY STRINGS AUTO ON OFF)
  if(NOT ${option} MATCHES "^(AUTO|ON|OFF)$")
    message(FATAL_ERROR "${option}=${${option}}: valid are AUTO, ON and OFF")
  endif()
endforeach()

set(CMAKE_CXX_EXTENSIONS OFF)  # C++20 is asked for as a feature below
# Hopper, the GPU of both machines that this project compares.
if(NOT CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 90)  # as nvcc numbers it; Kokkos_ARCH_... wins
endif()
set(CMAKE_CUDA_RUNTIME_LIBRARY Static)

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)  # MPI and HDF5 of modules and Spack stand outside the system's folders

# Refused here, and not by the first of many errors. Nobody has built this project with nvc++.
if((CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 11)
   OR (CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 16)
   OR CMAKE_CXX_COMPILER_ID STREQUAL "NVHPC")
  message(FATAL_ERROR "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}: g++ 11 or Clang 16 is needed, or newer: "
                      "set CXX")
endif()

# How our own code is compiled; not our dependencies' code.
# No contraction on the host: a host result is the original program's to the bit.
set(host_flags -ffp-contract=off -fopenmp-simd)
set(host_warnings -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12
   AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  list(APPEND host_warnings -Wno-restrict)  # false for "text" + std::string: GCC bug 105651
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # Of functions that templates use which only a build for a GPU makes code of.
  list(APPEND host_warnings -Wno-unneeded-internal-declaration)
endif()
set(cuda_flags)
# -Wpedantic stays with the host compiler: what nvcc hands it is full of GNU line markers.
set(cxx_warnings ${host_warnings} -Wpedantic)
if(MEMSTENCIL_WERROR)
  list(APPEND host_flags -Werror)
  list(APPEND cuda_flags "SHELL:-Werror all-warnings")
endif()
string(REPLACE ";" "," cuda_host_flags "${host_flags};${host_warnings}")

add_library(memstencil_options INTERFACE)
# Not CMAKE_CXX_STANDARD: CUDA files would inherit it, and CMake 3.25 does not know nvcc's C++20.
target_compile_features(memstencil_options INTERFACE cxx_std_20)
target_include_directories(memstencil_options INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
# No library that nothing is used of: above all not the CUDA driver (memory_spaces/cuda_driver.cpp).
target_link_options(memstencil_options INTERFACE LINKER:--as-needed)
target_compile_options(memstencil_options INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:${host_flags};${cxx_warnings}>"
  "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${cuda_host_flags};${cuda_flags}>")
# fmt 9 leaves constexpr out for nvcc, and is then no C++20; and nvcc's front end refuses its check of formats at
# compile time inside lambdas of templates. A build for the host makes that check.
target_compile_definitions(memstencil_options INTERFACE
  "$<$<COMPILE_LANGUAGE:CUDA>:FMT_USE_CONSTEXPR=1;FMT_CONSTEVAL=>")
if(MEMSTENCIL_SANITIZE)
  set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # With -O3 -g the header libraries take minutes a file. The kernels and their tests have most of the loops.
  set(kernels ${PROJECT_SOURCE_DIR}/kernels ${PROJECT_SOURCE_DIR}/tests/kernels)
  # GCC's flow analysis does not see through the sanitizers' checks, and warns of std::regex and others.
  set(sanitizer_warnings $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_compile_options(memstencil_options INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:${sanitizers};$<IF:$<IN_LIST:$<TARGET_PROPERTY:SOURCE_DIR>,${kernels}>,-O1,-O0>;-g1;${sanitizer_warnings}>")
  target_link_options(memstencil_options INTERFACE ${sanitizers})
endif()
if(MEMSTENCIL_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "MEMSTENCIL_FUZZ=ON needs Clang with its run-time libraries (Debian: clang-16 libclang-rt-16-dev; "
                        "-DCMAKE_CXX_COMPILER=clang++-16 -DCMAKE_C_COMPILER=clang-16)")
  endif()
  set(fuzz_sanitizers -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all)
  target_compile_options(memstencil_options INTERFACE ${fuzz_sanitizers} -O1 -g1)
  target_link_options(memstencil_options INTERFACE ${fuzz_sanitizers})
endif()
