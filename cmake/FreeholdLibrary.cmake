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

# s3_source, where libcurl is.
find_package(CURL 7.87 QUIET)
if(CURL_FOUND)
    add_library(freehold_s3 INTERFACE)
    add_library(freehold::s3 ALIAS freehold_s3)
    set_target_properties(freehold_s3 PROPERTIES EXPORT_NAME s3)
    target_link_libraries(freehold_s3 INTERFACE freehold CURL::libcurl)
    install(TARGETS freehold_s3 EXPORT freehold-s3-targets)
    install(EXPORT freehold-s3-targets NAMESPACE freehold::
        DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/freehold")
else()
    message(STATUS "No freehold::s3: it takes libcurl 7.87 or newer with its headers (libcurl4-openssl-dev)")
endif()

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
