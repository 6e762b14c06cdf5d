# SPDX-License-Identifier: BSL-1.0
# cmake -DGIT=... -DSOURCE=... -DHEADER=... -P commit.cmake
# Writes HEADER with the commit of SOURCE, "unknown" outside a git work tree; leaves it untouched if it is the same.
set(commit "unknown")
if(GIT AND EXISTS "${SOURCE}/.git")
    execute_process(COMMAND "${GIT}" describe --always --dirty --abbrev=12 "--exclude=*"
        WORKING_DIRECTORY "${SOURCE}" OUTPUT_VARIABLE answer OUTPUT_STRIP_TRAILING_WHITESPACE
        RESULT_VARIABLE status ERROR_QUIET)
    if(status EQUAL 0)
        set(commit "${answer}")
    endif()
endif()
file(CONFIGURE OUTPUT "${HEADER}" CONTENT [[// SPDX-License-Identifier: BSL-1.0
#pragma once
#define FREEHOLD_COMMIT "@commit@"
]] @ONLY)
