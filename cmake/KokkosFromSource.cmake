# Configures a Kokkos from source in .deps/, and builds it as the first step of our own build.
#
# Not add_subdirectory: Kokkos then compiles once for all build folders (openmp, sanitize and the
# user's own share it; with CUDA it is minutes), `rm -rf build` does not cost it, and its options and
# warnings stay out of our project. Not built at configure time either: a preset for another
# processor can then be configured here, and the build tool's own job control serves both.
include(PinnedKokkos)

# Kokkos wants the GPU's architecture by a name of its own: Kokkos_ARCH_HOPPER90 for nvcc's 90.
function(memstencil_kokkos_gpu_architecture result)
  set(names VOLTA70 VOLTA72 TURING75 AMPERE80 AMPERE86 AMPERE87 ADA89 HOPPER90 BLACKWELL100 BLACKWELL120)
  foreach(name ${names})
    if(Kokkos_ARCH_${name})  # the user's, which is passed on with the others
      set(${result} "" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  foreach(name ${names})
    if(name MATCHES "[A-Z]${CMAKE_CUDA_ARCHITECTURES}$")
      set(${result} -DKokkos_ARCH_${name}=ON PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "CMAKE_CUDA_ARCHITECTURES=${CMAKE_CUDA_ARCHITECTURES}: Kokkos builds for one architecture, "
                      "and knows no such one (valid: 70 72 75 80 86 87 89 90 100 120)")
endfunction()

# Every choice about Kokkos, as arguments for its configure run.
function(memstencil_kokkos_arguments result)
  set(arguments -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF -DCMAKE_CXX_STANDARD=20)
  set(passed CMAKE_CXX_COMPILER CMAKE_CXX_FLAGS CMAKE_CXX_EXTENSIONS CMAKE_TOOLCHAIN_FILE
             CMAKE_PREFIX_PATH)
  if(memstencil_cuda)
    memstencil_kokkos_gpu_architecture(architecture)
    list(APPEND arguments -DKokkos_ENABLE_COMPILE_AS_CMAKE_LANGUAGE=ON ${architecture})
    list(APPEND passed CMAKE_CUDA_COMPILER CMAKE_CUDA_HOST_COMPILER CMAKE_CUDA_FLAGS CUDAToolkit_ROOT)
  endif()
  if(NOT MEMSTENCIL_KOKKOS_SOURCE)
    # The trap of KokkosChecks.cmake; this release knows no other way around it.
    list(APPEND arguments -DKokkos_ENABLE_IMPL_MDSPAN=OFF -DKokkos_ENABLE_IMPL_VIEW_LEGACY=ON)
  endif()
  get_cmake_property(cached CACHE_VARIABLES)
  list(FILTER cached INCLUDE REGEX "^Kokkos_(ENABLE|ARCH)_")
  list(APPEND cached Kokkos_ENABLE_SERIAL Kokkos_ENABLE_OPENMP)
  list(REMOVE_DUPLICATES cached)
  list(SORT cached)
  foreach(variable ${passed} ${cached})
    # A backend that is switched off is one that is not named: the same Kokkos, the same folder.
    if(NOT "${${variable}}" STREQUAL "" AND (${variable} OR NOT variable MATCHES "ENABLE_(CUDA|OPENMP|THREADS|HPX)$"))
      string(REPLACE ";" "\\;" value "${${variable}}")
      list(APPEND arguments "-D${variable}=${value}")
    endif()
  endforeach()
  set(${result} "${arguments}" PARENT_SCOPE)
endfunction()

# The preset of a machine with another processor can be checked here, up to its compilation: Kokkos
# tries the compiler with that processor's flags, and is told that it would take them.
function(memstencil_foreign_processor result)
  if(NOT Kokkos_ARCH_ARMV9_GRACE OR CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
    return()
  endif()
  message(WARNING "this is configured for Grace, and the compiler makes code for ${CMAKE_SYSTEM_PROCESSOR}: it "
                  "can be configured here, and built on a Grace machine only")
  set(${result} ${${result}} -DCOMPILER_SUPPORTS_NEOVERSE_V2=ON -DCOMPILER_SUPPORTS_SVE_VECTOR_BITS=ON
      PARENT_SCOPE)
endfunction()

# Builds of the same Kokkos for different machines must not meet in one folder; "native" is another
# processor on each machine that shares the checkout, so the compiler is asked what it stands for.
function(memstencil_kokkos_folder source arguments result)
  set(key "${source};${arguments};${CMAKE_CXX_COMPILER_VERSION};${CMAKE_CUDA_COMPILER_VERSION}")
  if(Kokkos_ARCH_NATIVE)
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -march=native -Q --help=target
                    OUTPUT_VARIABLE native ERROR_VARIABLE native)
    string(APPEND key ";${native}")
  endif()
  string(SHA256 key "${key}")
  string(SUBSTRING ${key} 0 10 key)
  string(REPLACE ";" "-" backends "${kokkos_devices}")
  string(TOLOWER "build-${backends}-${key}" name)
  set(${result} ${PROJECT_SOURCE_DIR}/.deps/${name} PARENT_SCOPE)
endfunction()

# Sets `directory` to the folder of a configured Kokkos and `origin` to where its source is from.
function(memstencil_configure_kokkos directory origin)
  if(MEMSTENCIL_KOKKOS_SOURCE)
    set(source ${MEMSTENCIL_KOKKOS_SOURCE})
    if(NOT EXISTS ${source}/cmake/KokkosConfig.cmake.in)
      message(FATAL_ERROR "MEMSTENCIL_KOKKOS_SOURCE=${source} is not a Kokkos source folder")
    endif()
    set(${origin} "source in ${source}" PARENT_SCOPE)
  else()
    memstencil_pinned_kokkos(${PROJECT_SOURCE_DIR}/.deps source)
    set(${origin} "pinned source" PARENT_SCOPE)
  endif()
  memstencil_kokkos_arguments(arguments)
  memstencil_foreign_processor(arguments)
  memstencil_kokkos_folder(${source} "${arguments}" folder)
  set(${directory} ${folder} PARENT_SCOPE)
  file(LOCK ${folder}.lock GUARD FUNCTION TIMEOUT 600)
  if(EXISTS ${folder}/configured)
    return()
  endif()
  message(STATUS "Kokkos: configuring ${source} in ${folder}")
  file(REMOVE_RECURSE ${folder})
  execute_process(COMMAND ${CMAKE_COMMAND} -G ${CMAKE_GENERATOR} -S ${source} -B ${folder} ${arguments}
                  RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
  file(WRITE ${folder}/configure.log "${output}")
  if(failed)
    message(FATAL_ERROR "Kokkos could not be configured (${folder}/configure.log):\n${output}")
  endif()
  file(TOUCH ${folder}/configured)
endfunction()

# Makes everything that links Kokkos wait for its build.
function(memstencil_build_kokkos folder)
  set(libraries)
  foreach(target Kokkos::kokkoscore Kokkos::kokkoscontainers Kokkos::kokkosalgorithms Kokkos::kokkossimd)
    get_target_property(library ${target} IMPORTED_LOCATION_RELEASE)
    list(APPEND libraries ${library})
  endforeach()
  # The stamp, not the libraries: a library may be half written by a build that was killed.
  add_custom_command(
    OUTPUT ${folder}/built BYPRODUCTS ${libraries}
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${folder} -P ${PROJECT_SOURCE_DIR}/cmake/BuildKokkos.cmake
    COMMENT "Building Kokkos in ${folder}" USES_TERMINAL VERBATIM)
  add_custom_target(build_kokkos DEPENDS ${folder}/built)
  add_dependencies(Kokkos::kokkoscore build_kokkos)
endfunction()
