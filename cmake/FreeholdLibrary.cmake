# SPDX-License-Identifier: BSL-1.0
# The header-only library, its installation and its package files.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
find_package(Threads REQUIRED)

add_library(freehold INTERFACE)
add_library(freehold::freehold ALIAS freehold)
target_compile_features(freehold INTERFACE cxx_std_20)
target_link_libraries(freehold INTERFACE Threads::Threads)
target_include_directories(freehold INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)

install(TARGETS freehold EXPORT freehold-targets)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/freehold" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
    FILES_MATCHING PATTERN "*.hpp")
install(EXPORT freehold-targets NAMESPACE freehold::
    DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/freehold")
configure_package_config_file("${PROJECT_SOURCE_DIR}/packaging/freehold-config.cmake.in"
    "${PROJECT_BINARY_DIR}/freehold-config.cmake"
    INSTALL_DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/freehold")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/freehold-config-version.cmake"
    COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES "${PROJECT_BINARY_DIR}/freehold-config.cmake" "${PROJECT_BINARY_DIR}/freehold-config-version.cmake"
    DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/freehold")
