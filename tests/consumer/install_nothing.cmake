# SPDX-License-Identifier: BSL-1.0
# Installs BUILD below PREFIX, and fails if there is anything then.
file(REMOVE_RECURSE "${PREFIX}")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${PREFIX}" COMMAND_ERROR_IS_FATAL ANY)
file(GLOB_RECURSE installed LIST_DIRECTORIES FALSE "${PREFIX}/*")
if(installed)
    message(FATAL_ERROR "a project that uses freehold's sources installs ${installed}")
endif()
