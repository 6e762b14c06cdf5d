# SPDX-License-Identifier: BSL-1.0
# Installs the program of BUILD below PREFIX, and renames PREFIX to MOVED.
file(REMOVE_RECURSE "${PREFIX}" "${MOVED}")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --component program --prefix "${PREFIX}"
    COMMAND_ERROR_IS_FATAL ANY)
file(RENAME "${PREFIX}" "${MOVED}")
