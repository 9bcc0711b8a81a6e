# The installed CMake package: find_package(memstencil) gives memstencil::memory_spaces and memstencil::kernels.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/memstencil)
# How the libraries were linked (their PRIVATE options) is exported with them; nothing of it compiles a user's code.
set_target_properties(memstencil_options PROPERTIES EXPORT_NAME options)
install(TARGETS memstencil_options EXPORT memstencil)
install(EXPORT memstencil NAMESPACE memstencil:: FILE memstencilTargets.cmake DESTINATION ${package_folder})

# The Kokkos that the libraries were compiled with, and no other: the installed one, or ours, installed beside.
set(kokkos_folder ${memstencil_kokkos_dir})
if(NOT kokkos_folder)
  set(kokkos_folder "\${PACKAGE_PREFIX_DIR}/${CMAKE_INSTALL_LIBDIR}/memstencil/cmake/Kokkos")
  install(FILES ${memstencil_kokkos_source}/LICENSE RENAME LICENSE.kokkos DESTINATION ${CMAKE_INSTALL_DOCDIR})
endif()
foreach(component programs library)
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT ${component})
endforeach()
configure_package_config_file(cmake/memstencilConfig.cmake.in memstencilConfig.cmake
                              INSTALL_DESTINATION ${package_folder} NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(memstencilConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/memstencilConfig.cmake ${PROJECT_BINARY_DIR}/memstencilConfigVersion.cmake
              cmake/KokkosAsCuda.cmake DESTINATION ${package_folder})
