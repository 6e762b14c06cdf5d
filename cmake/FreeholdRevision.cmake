# SPDX-License-Identifier: BSL-1.0
# cmake -DSOURCE=... -DOUTPUT=... -P FreeholdRevision.cmake
# Writes OUTPUT, the source of support/revision.hpp, with the version and the commit of freehold's sources in SOURCE; the
# commit is "unknown" outside a git work tree. Leaves the file untouched if it says the same already.
set(parts)
foreach(part IN ITEMS MAJOR MINOR PATCH)
    file(STRINGS "${SOURCE}/include/freehold/version.hpp" line REGEX "^#define FREEHOLD_VERSION_${part} [0-9]+$")
    if(NOT line MATCHES "([0-9]+)$")
        message(FATAL_ERROR "${SOURCE}/include/freehold/version.hpp defines no FREEHOLD_VERSION_${part}: give it a number")
    endif()
    list(APPEND parts "${CMAKE_MATCH_1}")
endforeach()
list(JOIN parts "." version)

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

file(CONFIGURE OUTPUT "${OUTPUT}" @ONLY CONTENT [[// SPDX-License-Identifier: BSL-1.0
#include "support/revision.hpp"

const char* const support::version = "@version@";
const char* const support::commit = "@commit@";
]])
