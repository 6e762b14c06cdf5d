# SPDX-License-Identifier: BSL-1.0
# cmake -DSOURCE=... -DHEADER=... -P FreeholdRevision.cmake
# Writes HEADER with the version and the commit of freehold's sources in SOURCE; the commit is "unknown" outside a git
# work tree. Leaves the header untouched if it says the same already.
file(STRINGS "${SOURCE}/CMakeLists.txt" project_line REGEX "^project\\(freehold VERSION ")
if(NOT project_line MATCHES "VERSION ([0-9]+\\.[0-9]+\\.[0-9]+)")
    message(FATAL_ERROR "${SOURCE}/CMakeLists.txt states no `project(freehold VERSION x.y.z ...)`: give it one")
endif()
set(version "${CMAKE_MATCH_1}")

set(commit "unknown")
find_package(Git QUIET)
if(GIT_FOUND AND EXISTS "${SOURCE}/.git")
    execute_process(COMMAND "${GIT_EXECUTABLE}" describe --always --dirty --abbrev=12 "--exclude=*"
        WORKING_DIRECTORY "${SOURCE}" OUTPUT_VARIABLE answer OUTPUT_STRIP_TRAILING_WHITESPACE
        RESULT_VARIABLE status ERROR_QUIET)
    if(status EQUAL 0)
        set(commit "${answer}")
    endif()
endif()

file(CONFIGURE OUTPUT "${HEADER}" @ONLY CONTENT [[// SPDX-License-Identifier: BSL-1.0
#pragma once
inline constexpr char freehold_version[] = "@version@";
inline constexpr char freehold_commit[] = "@commit@";
]])
