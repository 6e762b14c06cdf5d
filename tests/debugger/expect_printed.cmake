# SPDX-License-Identifier: BSL-1.0
# expect_printed(DEBUGGER BEFORE AFTER line...): fails unless `printed` has each line, a regular expression, between what
# BEFORE and AFTER match. Tells all that are missing, and then what the debugger printed and `said`.
function(expect_printed debugger before after)
    foreach(line IN LISTS ARGN)
        if(NOT "\n${printed}" MATCHES "${before}${line}${after}")
            message(SEND_ERROR "${debugger} did not print: ${line}")
            set(missed TRUE)
        endif()
    endforeach()
    if(missed)
        message(FATAL_ERROR "It printed:\n${printed}\n${said}")
    endif()
endfunction()
