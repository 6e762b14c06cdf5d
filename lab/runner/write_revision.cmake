# SPDX-License-Identifier: BSL-1.0
# Writes OUTPUT with the library's version and commit, as SOURCE_DIR states them.
file(STRINGS "${SOURCE_DIR}/CMakeLists.txt" project_line REGEX "^project\\(freehold VERSION ")
string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" version "${project_line}")
if(NOT version)
    message(FATAL_ERROR "${SOURCE_DIR}/CMakeLists.txt states no `project(freehold VERSION x.y.z ...)`")
endif()
execute_process(COMMAND git describe --always --dirty --exclude=*
    WORKING_DIRECTORY "${SOURCE_DIR}" OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
file(CONFIGURE OUTPUT "${OUTPUT}" @ONLY CONTENT [[
#pragma once
inline constexpr char freehold_version[] = "@version@";
inline constexpr char freehold_commit[] = "@commit@";
]])
