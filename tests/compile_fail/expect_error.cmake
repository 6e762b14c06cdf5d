# SPDX-License-Identifier: BSL-1.0
# Runs the command `compile` with the macro `case` defined; it must fail and say what `expected` matches.
execute_process(COMMAND ${compile} "-D${case}" RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(status EQUAL 0)
    message(FATAL_ERROR "${case} compiled, and must not")
endif()
if(NOT output MATCHES "error: [^\n]*(${expected})")
    message(FATAL_ERROR "${case} failed, but not with 'error: ... ${expected}'. The compiler said:\n${output}")
endif()
