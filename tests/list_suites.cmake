# SPDX-License-Identifier: BSL-1.0
# Asks the GoogleTest executable EXECUTABLE for its suites, and writes OUTPUT: a test of ctest for each of them, called
# NAME.SUITE, run in FOLDER with LABELS, by EMULATOR if it is for another machine, without the tests LEFT_OUT, and ended
# after TIMEOUT seconds, if there is one. One process runs a whole suite: one for each test would double the time.
cmake_minimum_required(VERSION 3.22)
execute_process(COMMAND ${EMULATOR} "${EXECUTABLE}" --gtest_list_tests WORKING_DIRECTORY "${FOLDER}"
    OUTPUT_VARIABLE listed RESULT_VARIABLE status TIMEOUT 120)
if(NOT status EQUAL 0)
    message(FATAL_ERROR "${EXECUTABLE} --gtest_list_tests ended with '${status}' and said:\n${listed}")
endif()

set(left_out "")
if(LEFT_OUT)
    set(left_out "-${LEFT_OUT}")
endif()
set(limit "")
if(TIMEOUT)
    set(limit " TIMEOUT ${TIMEOUT}")
endif()
set(emulator "")
foreach(word IN LISTS EMULATOR)
    string(APPEND emulator "[==[${word}]==] ")
endforeach()

# A suite begins a line; its tests are indented.
string(REGEX MATCHALL "(^|\n)[^ \n]+\\." lines "${listed}")
set(tests "")
foreach(line IN LISTS lines)
    string(REGEX REPLACE "^\n?(.*)\\.$" "\\1" suite "${line}")
    string(APPEND tests "add_test([==[${NAME}.${suite}]==] ${emulator}[==[${EXECUTABLE}]==] [==[--gtest_filter=${suite}.*${left_out}]==])\n"
        "set_tests_properties([==[${NAME}.${suite}]==] PROPERTIES WORKING_DIRECTORY [==[${FOLDER}]==] "
        "LABELS [==[${LABELS}]==]${limit})\n")
endforeach()
if(tests STREQUAL "")
    message(FATAL_ERROR "${EXECUTABLE} has no tests")
endif()
file(WRITE "${OUTPUT}" "${tests}")
