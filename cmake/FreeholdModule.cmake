# SPDX-License-Identifier: BSL-1.0
# freehold::module, with which a program writes `import freehold;`, where CMake, its generator and the compiler have
# modules. docs/modules.md describes it.
set(missing_for_module)
if(FREEHOLD_BUILD_MODULE)
    if(CMAKE_VERSION VERSION_LESS 3.28)
        list(APPEND missing_for_module "CMake 3.28")
    endif()
    if(NOT CMAKE_GENERATOR MATCHES "^Ninja")
        list(APPEND missing_for_module "the generator Ninja (ninja-build, -G Ninja)")
    endif()
    # g++ 15 ends with an internal error.
    if(NOT (CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 16) AND
       NOT (CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 19))
        list(APPEND missing_for_module "g++ 16 or clang++ 19")
    elseif(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND NOT CMAKE_CXX_COMPILER_CLANG_SCAN_DEPS)
        list(APPEND missing_for_module "clang-scan-deps (clang-tools)")
    endif()
    freehold_decide(FREEHOLD_BUILD_MODULE "the module" ${missing_for_module})
endif()
if(NOT FREEHOLD_BUILD_MODULE)
    return()
endif()

add_library(freehold_module STATIC)
add_library(freehold::module ALIAS freehold_module)
target_sources(freehold_module PUBLIC FILE_SET freehold_modules TYPE CXX_MODULES
    BASE_DIRS "${PROJECT_SOURCE_DIR}/src" FILES "${PROJECT_SOURCE_DIR}/src/freehold.cppm")
set_target_properties(freehold_module PROPERTIES
    EXPORT_NAME module CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
target_link_libraries(freehold_module PUBLIC freehold)

if(FREEHOLD_INSTALL)
    install(TARGETS freehold_module EXPORT freehold-module-targets
        FILE_SET freehold_modules DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/freehold/module")
    install(EXPORT freehold-module-targets NAMESPACE freehold:: DESTINATION "${package_folder}"
        CXX_MODULES_DIRECTORY modules)
endif()
