# SPDX-License-Identifier: BSL-1.0
# Compiles, links and runs `source` with what pkg-config says of `package`, installed below `prefix`.
cmake_path(APPEND prefix "${libdir}" pkgconfig OUTPUT_VARIABLE folder)
set(ENV{PKG_CONFIG_PATH} "${folder}")
execute_process(COMMAND "${pkg_config}" --cflags --libs "${package}" OUTPUT_VARIABLE flags
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(flags UNIX_COMMAND "${flags}")
execute_process(COMMAND "${compiler}" -std=c++20 "${source}" -o "${program}" ${flags} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${program}" COMMAND_ERROR_IS_FATAL ANY)
