# SPDX-License-Identifier: BSL-1.0
# The library, its installation and its package files.
#
#   freehold::freehold      the headers and the compiled core, static, or shared with BUILD_SHARED_LIBS
#   freehold::header_only   the headers alone, which then define the core themselves
#   freehold::s3            what s3_source takes, where libcurl is; comes with freehold::freehold
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
find_package(Threads REQUIRED)

add_library(freehold_header_only INTERFACE)
add_library(freehold::header_only ALIAS freehold_header_only)
set_target_properties(freehold_header_only PROPERTIES EXPORT_NAME header_only)
target_compile_definitions(freehold_header_only INTERFACE FREEHOLD_HEADER_ONLY=1)

add_library(freehold "${PROJECT_SOURCE_DIR}/src/freehold.cpp")
add_library(freehold::freehold ALIAS freehold)
target_compile_definitions(freehold PUBLIC FREEHOLD_HEADER_ONLY=0
    $<$<BOOL:${FREEHOLD_CHECKED}>:FREEHOLD_CHECKED> $<$<BOOL:${FREEHOLD_VALGRIND}>:FREEHOLD_VALGRIND>)
# Position-independent where it is static, too: shared libraries link it.
set_target_properties(freehold PROPERTIES
    POSITION_INDEPENDENT_CODE ON
    CXX_EXTENSIONS OFF
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
    VERSION "${PROJECT_VERSION}"
    SOVERSION "${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}")
if(TARGET freehold_warnings)
    target_link_libraries(freehold PRIVATE $<BUILD_INTERFACE:freehold_warnings>)
endif()

function(freehold_usage target scope)
    target_compile_features(${target} ${scope} cxx_std_20)
    target_link_libraries(${target} ${scope} Threads::Threads)
    target_include_directories(${target} ${scope}
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endfunction()
freehold_usage(freehold PUBLIC)
freehold_usage(freehold_header_only INTERFACE)

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

install(TARGETS freehold freehold_header_only EXPORT freehold-targets)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/freehold" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
    FILES_MATCHING PATTERN "*.hpp")
install(EXPORT freehold-targets NAMESPACE freehold::
    DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/freehold")
configure_package_config_file("${PROJECT_SOURCE_DIR}/packaging/freehold-config.cmake.in"
    "${PROJECT_BINARY_DIR}/freehold-config.cmake"
    INSTALL_DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/freehold")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/freehold-config-version.cmake"
    COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/freehold-config.cmake" "${PROJECT_BINARY_DIR}/freehold-config-version.cmake"
    DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/freehold")
