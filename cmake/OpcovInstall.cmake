# Install rules and the interface of opcov::opcov, for the build tree and an installed tree alike.
include(CMakePackageConfigHelpers)
include(OpcovPython)

if(NOT TARGET opcov)
  return()
endif()
if(NOT TARGET opcov::opcov)
  add_library(opcov::opcov ALIAS opcov)
endif()

target_include_directories(opcov INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                           $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
# A program that is recorded through OPCOV=1 alone names no symbol of libopcov: --as-needed, a default of some
# distributions, would drop the library. The option carries the file itself, so its place on the line does not matter.
target_link_options(opcov INTERFACE "LINKER:--push-state,--no-as-needed,$<TARGET_FILE:$<TARGET_NAME:opcov>>,--pop-state")
# Hooks go in once per process and never out, so the library must never be unloaded. What is linked in statically
# stays inside, and so do the inline functions of others' headers.
target_link_options(opcov PRIVATE LINKER:-z,nodelete LINKER:--exclude-libs,ALL
                                  LINKER:--version-script=${PROJECT_SOURCE_DIR}/cmake/opcov.map)
set_property(TARGET opcov APPEND PROPERTY LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/opcov.map)

if(SKBUILD)
  # A wheel holds no symbolic links, and torch is its neighbour in site-packages.
  set_target_properties(opcov PROPERTIES INSTALL_RPATH "$ORIGIN/../../torch/lib")
  install(TARGETS opcov LIBRARY DESTINATION opcov/lib)
  install(FILES ${OPCOV_BUILD_INFO} DESTINATION opcov)
  if(TARGET opcov_cli)
    set_target_properties(opcov_replay PROPERTIES INSTALL_RPATH "$ORIGIN/../../torch/lib")
    install(TARGETS opcov_cli opcov_replay RUNTIME DESTINATION opcov/bin)
  endif()
  return()
endif()

set_target_properties(opcov PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
                                       INSTALL_RPATH "${OPCOV_TORCH_DIR}/lib")
install(TARGETS opcov EXPORT opcovTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/opcov DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET opcov_cli)
  set_target_properties(opcov_replay PROPERTIES INSTALL_RPATH "${OPCOV_TORCH_DIR}/lib")
  install(TARGETS opcov_cli opcov_replay RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

set(_opcov_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/opcov)
install(EXPORT opcovTargets NAMESPACE opcov:: DESTINATION ${_opcov_package_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/opcovConfig.cmake.in
                              ${CMAKE_BINARY_DIR}/opcovConfig.cmake INSTALL_DESTINATION ${_opcov_package_dir})
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(${CMAKE_BINARY_DIR}/opcovConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/opcovConfig.cmake ${CMAKE_BINARY_DIR}/opcovConfigVersion.cmake
        DESTINATION ${_opcov_package_dir})
