# SPDX-License-Identifier: BSL-1.0
# The warnings of the project's own code and of the lab's: the target freehold_warnings.
add_library(freehold_warnings INTERFACE)
target_compile_options(freehold_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor)
# What another compiler warns of, newer or older than those of Debian 12, is to keep nobody from building.
set(compiler "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
if(FREEHOLD_WARNINGS_AS_ERRORS AND compiler MATCHES "^(GNU 12|Clang 14)\\.")
    target_compile_options(freehold_warnings INTERFACE -Werror)
endif()
