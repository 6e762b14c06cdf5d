# SPDX-License-Identifier: BSL-1.0
# What freehold's own executables are compiled with; users of the library never see it.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")

add_library(freehold_warnings INTERFACE)
target_compile_options(freehold_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor)
# What another compiler warns of, newer or older than those of Debian 12, is to keep nobody from building.
set(compiler "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
if(FREEHOLD_WARNINGS_AS_ERRORS AND compiler MATCHES "^(GNU 12|Clang 14)\\.")
    target_compile_options(freehold_warnings INTERFACE -Werror)
endif()

if(FREEHOLD_SANITIZE)
    add_compile_options(-fsanitize=${FREEHOLD_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${FREEHOLD_SANITIZE})
    # The sanitizers' own code makes g++ take std::regex for uninitialised.
    target_compile_options(freehold_warnings INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endif()
