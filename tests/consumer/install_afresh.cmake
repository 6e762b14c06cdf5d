# SPDX-License-Identifier: BSL-1.0
# Installs BUILD below PREFIX, where nothing of an earlier installation is left to be found.
file(REMOVE_RECURSE "${PREFIX}")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${PREFIX}" COMMAND_ERROR_IS_FATAL ANY)
