# SPDX-License-Identifier: BSL-1.0
# warnings.cpp under each compiler that is installed, with the headers as the user's own, not the system's.
set(all_of_gcc -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wold-style-cast)

# What is left out of clang's -Weverything. The same list is in docs/installing.md.
set(all_of_clang -Weverything
    -Wno-c++98-compat -Wno-c++98-compat-pedantic -Wno-c++20-compat # what older standards lack
    -Wno-ctad-maybe-unsupported     # std::lock_guard lock(mutex)
    -Wno-padded                     # layouts are chosen by hand
    -Wno-weak-vtables               # a header has no other unit to put a table in
    -Wno-exit-time-destructors -Wno-global-constructors # each thread's caches end with it
    -Wno-switch-enum -Wno-switch-default # a switch names each value or has a default
    -Wno-unsafe-buffer-usage        # a library of memory computes with addresses
    -Wno-cast-function-type-strict  # the managers of all kinds of block are in one table
    -Wno-missing-noreturn           # a lambda that always throws, where others return
    -Wno-nrvo                       # a function with two results returns a copy
    -Wno-thread-safety-negative     # each caller would have to say that it does not hold a lock
    -Wno-unknown-warning-option)    # of these, what is newer than the compiler

# Of these, a warning is an error. What another compiler warns of, newer or older, is only shown.
set(known_compilers "g++ 12" "g++ 14" "g++ 16" "clang++ 14" "clang++ 19" "clang++ 21")

# warnings_test(NAME COMPILER OPTION...): the unit under the compiler.
function(warnings_test name compiler)
    execute_process(COMMAND "${compiler}" -dumpversion OUTPUT_VARIABLE version)
    string(REGEX MATCH "^[0-9]+" version "${version}")
    string(REGEX REPLACE ".*/|-[0-9]+$" "" known "${compiler}")
    set(is_error "")
    if("${known} ${version}" IN_LIST known_compilers)
        set(is_error -Werror)
    endif()
    add_test(NAME headers.warnings_of_${name} COMMAND "${compiler}" ${ARGN} ${is_error}
        "-I${PROJECT_SOURCE_DIR}/include" "-I${CMAKE_CURRENT_BINARY_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}/warnings.cpp")
endfunction()

find_program(FREEHOLD_GXX g++)
mark_as_advanced(FREEHOLD_GXX)
if(FREEHOLD_GXX)
    # Some warnings come from the optimiser, which takes most of the time: once.
    warnings_test(gcc_in_20 "${FREEHOLD_GXX}" -std=c++20 -O1 -DFREEHOLD_HEADER_ONLY=0 -c -o gcc_in_20.o ${all_of_gcc})
    warnings_test(gcc_in_23 "${FREEHOLD_GXX}" -std=c++23 -fsyntax-only ${all_of_gcc})
else()
    freehold_test_left_out(gcc "g++ is not installed")
endif()

# Each clang and each library in both standards and both forms, the headers alone (1) and with the core (0), but not every
# combination: that takes twice as long.
foreach(combination IN ITEMS
    "clang++ libstdc++ 20 0" "clang++ libc++ 2b 1" "clang++-19 libstdc++ 2b 1" "clang++-19 libc++ 20 0")
    separate_arguments(combination)
    list(POP_BACK combination form)
    list(POP_FRONT combination clang library standard)
    find_program(FREEHOLD_FOUND_${clang} ${clang})
    mark_as_advanced(FREEHOLD_FOUND_${clang})
    if(NOT FREEHOLD_FOUND_${clang})
        continue()
    endif()
    execute_process(COMMAND "${FREEHOLD_FOUND_${clang}}" -stdlib=${library} -x c++ -E -include version /dev/null
        RESULT_VARIABLE lacks_library OUTPUT_QUIET ERROR_QUIET)
    if(NOT lacks_library)
        warnings_test(${clang}_with_${library}_in_${standard} "${FREEHOLD_FOUND_${clang}}" -std=c++${standard}
            -stdlib=${library} -DFREEHOLD_HEADER_ONLY=${form} -fsyntax-only ${all_of_clang})
    endif()
endforeach()
if(NOT FREEHOLD_FOUND_clang++)
    freehold_test_left_out(clang "clang++ is not installed")
endif()
