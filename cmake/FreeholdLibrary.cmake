# SPDX-License-Identifier: BSL-1.0
# The library, its installation and its package files.
#
#   freehold::freehold      the headers and the compiled core, static, or shared with BUILD_SHARED_LIBS
#   freehold::header_only   the headers alone, which then define the core themselves; without the caches
#   freehold::buffer        buffer_cache and its policies, compiled as the core is
#   freehold::line          line_cache, its sources and its disk tier
#   freehold::s3            s3_source, where libcurl is
#   freehold::arrow         arrow_file, arrow_filesystem and arrow_source, where Apache Arrow is
#
# Each of the last four comes with what it builds on.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
include(CheckCXXSourceCompiles)
find_package(Threads REQUIRED)

# g++ before 14 calls libatomic for atomic bytes on RISC-V.
check_cxx_source_compiles("#include <atomic>
    int main(int, char** words) { std::atomic<bool> said{words != nullptr}; return said.exchange(true) ? 0 : 1; }"
    FREEHOLD_BYTES_ARE_ATOMIC)
set(atomic_library "")
if(NOT FREEHOLD_BYTES_ARE_ATOMIC)
    set(atomic_library atomic)
    set(pc_libraries "-latomic")
endif()

add_library(freehold_header_only INTERFACE)
add_library(freehold::header_only ALIAS freehold_header_only)
set_target_properties(freehold_header_only PROPERTIES EXPORT_NAME header_only)
target_compile_definitions(freehold_header_only INTERFACE FREEHOLD_HEADER_ONLY=1)

# freehold_compiled(TARGET): how what is compiled once is built. Position-independent where it is static, too: shared
# libraries link it.
function(freehold_compiled target)
    set_target_properties(${target} PROPERTIES
        POSITION_INDEPENDENT_CODE ON
        CXX_EXTENSIONS OFF
        CXX_VISIBILITY_PRESET hidden
        VISIBILITY_INLINES_HIDDEN ON
        VERSION "${PROJECT_VERSION}"
        SOVERSION "${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}")
    if(TARGET freehold_warnings)
        target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:freehold_warnings>)
    endif()
endfunction()

# Separate objects: a program that links the static library gets only those that it uses.
file(GLOB core_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/*.cpp")
add_library(freehold ${core_files})
add_library(freehold::freehold ALIAS freehold)
target_compile_definitions(freehold PUBLIC FREEHOLD_HEADER_ONLY=0
    $<$<BOOL:${FREEHOLD_CHECKED}>:FREEHOLD_CHECKED> $<$<BOOL:${FREEHOLD_VALGRIND}>:FREEHOLD_VALGRIND>)
function(freehold_usage target scope)
    target_compile_features(${target} ${scope} cxx_std_20)
    target_link_libraries(${target} ${scope} Threads::Threads ${atomic_library})
    target_include_directories(${target} ${scope}
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endfunction()
freehold_compiled(freehold)
freehold_usage(freehold PUBLIC)
freehold_usage(freehold_header_only INTERFACE)

# freehold_part(NAME FOLDER... [LINK target...]): a library of its own, freehold::NAME, of these folders of src/.
function(freehold_part name)
    cmake_parse_arguments(arg "" "" "LINK" ${ARGN})
    list(TRANSFORM arg_UNPARSED_ARGUMENTS REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/src/\\1/*.cpp")
    file(GLOB files CONFIGURE_DEPENDS ${arg_UNPARSED_ARGUMENTS})
    if(WIN32)
        list(FILTER files EXCLUDE REGEX "/file_source\\.cpp$")
    endif()
    add_library(freehold_${name} ${files})
    add_library(freehold::${name} ALIAS freehold_${name})
    set_target_properties(freehold_${name} PROPERTIES EXPORT_NAME ${name})
    freehold_compiled(freehold_${name})
    # Nobody replaces its functions. Without the option, g++ inlines no visible function in another one.
    target_compile_options(freehold_${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition>)
    # A project that has the sources in it does not wait for what it does not link.
    if(NOT FREEHOLD_INSTALL)
        set_target_properties(freehold_${name} PROPERTIES EXCLUDE_FROM_ALL ON)
    endif()
    target_include_directories(freehold_${name} PRIVATE "${PROJECT_SOURCE_DIR}/src")
    target_link_libraries(freehold_${name} PUBLIC ${arg_LINK})
endfunction()

freehold_part(buffer buffer LINK freehold)
set(disk line/disk)
if(WIN32)
    set(disk)
endif()
freehold_part(line line ${disk} LINK freehold)

# s3_source, where libcurl is.
find_package(CURL 7.68 QUIET)
if(CURL_FOUND AND UNIX)
    freehold_part(s3 line/s3 LINK freehold_line)
    target_link_libraries(freehold_s3 PRIVATE CURL::libcurl)
else()
    message(STATUS "No freehold::s3: it takes POSIX, and libcurl 7.68 or newer with its headers (libcurl4-openssl-dev)")
endif()

# arrow_file, where Apache Arrow is.
if(FREEHOLD_ARROW)
    include(FreeholdArrow)
endif()
if(TARGET freehold::arrow_library)
    freehold_part(arrow line/arrow LINK freehold_line freehold::arrow_library)
else()
    message(STATUS "No freehold::arrow: it takes Apache Arrow, a package of CMake or the wheel pyarrow (FREEHOLD_PYARROW)")
endif()

if(NOT FREEHOLD_INSTALL)
    return()
endif()

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/freehold")
install(TARGETS freehold freehold_header_only freehold_buffer freehold_line EXPORT freehold-targets)
install(EXPORT freehold-targets NAMESPACE freehold:: DESTINATION "${package_folder}")
foreach(component IN ITEMS s3 arrow)
    if(TARGET freehold_${component})
        install(TARGETS freehold_${component} EXPORT freehold-${component}-targets)
        install(EXPORT freehold-${component}-targets NAMESPACE freehold:: DESTINATION "${package_folder}")
    endif()
endforeach()
if(TARGET freehold_arrow)
    install(FILES "${PROJECT_SOURCE_DIR}/cmake/FreeholdArrow.cmake" DESTINATION "${package_folder}")
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/freehold" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
    FILES_MATCHING PATTERN "*.hpp")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")

# gdb loads printers by itself for a shared library, from the folder below `auto-load` that has the library's path.
set(printers "${PROJECT_SOURCE_DIR}/packaging/gdb/freehold_gdb.py")
install(FILES "${printers}" "${PROJECT_SOURCE_DIR}/packaging/lldb/freehold_lldb.py"
    "${PROJECT_SOURCE_DIR}/packaging/freehold.natvis"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/freehold")
if(BUILD_SHARED_LIBS)
    install(FILES "${printers}" DESTINATION "${CMAKE_INSTALL_DATADIR}/gdb/auto-load${CMAKE_INSTALL_FULL_LIBDIR}"
        RENAME "libfreehold.so.${PROJECT_VERSION}-gdb.py")
endif()

configure_package_config_file("${PROJECT_SOURCE_DIR}/packaging/freehold-config.cmake.in"
    "${PROJECT_BINARY_DIR}/freehold-config.cmake" INSTALL_DESTINATION "${package_folder}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/freehold-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/freehold-config.cmake" "${PROJECT_BINARY_DIR}/freehold-config-version.cmake"
    DESTINATION "${package_folder}")

# Relative to themselves, unless the folders are absolute, so that an installed tree may be moved.
set(pkgconfig_folder "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
foreach(folder IN ITEMS LIBDIR INCLUDEDIR)
    set(pc_${folder} "${CMAKE_INSTALL_${folder}}")
    if(NOT IS_ABSOLUTE "${pc_${folder}}" AND NOT IS_ABSOLUTE "${pkgconfig_folder}")
        file(RELATIVE_PATH pc_${folder} "/${pkgconfig_folder}" "/${CMAKE_INSTALL_${folder}}")
        set(pc_${folder} "\${pcfiledir}/${pc_${folder}}")
    elseif(NOT IS_ABSOLUTE "${pc_${folder}}")
        set(pc_${folder} "${CMAKE_INSTALL_PREFIX}/${pc_${folder}}")
    endif()
endforeach()
set(pc_definitions "-DFREEHOLD_HEADER_ONLY=0")
foreach(option IN ITEMS CHECKED VALGRIND)
    if(FREEHOLD_${option})
        string(APPEND pc_definitions " -DFREEHOLD_${option}")
    endif()
endforeach()
set(packages freehold freehold-header-only freehold-buffer freehold-line)
if(TARGET freehold_s3)
    list(APPEND packages freehold-s3)
    # A shared library brings its libcurl along.
    set(pc_curl "Requires: freehold-line, libcurl >= 7.68")
    if(BUILD_SHARED_LIBS)
        set(pc_curl "Requires: freehold-line\nRequires.private: libcurl >= 7.68")
    endif()
endif()
foreach(package IN LISTS packages)
    configure_file("${PROJECT_SOURCE_DIR}/packaging/${package}.pc.in" "${PROJECT_BINARY_DIR}/${package}.pc" @ONLY)
    install(FILES "${PROJECT_BINARY_DIR}/${package}.pc" DESTINATION "${pkgconfig_folder}")
endforeach()
