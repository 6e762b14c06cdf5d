# SPDX-License-Identifier: BSL-1.0
# Writes the one header by AMALGAMATE, and compiles by COMPILER and runs every one of EXAMPLES whose headers are in it,
# each linked with a second unit that includes it too. The header is precompiled for the examples. FOLDER takes what is
# made.
file(REMOVE_RECURSE "${FOLDER}")
file(MAKE_DIRECTORY "${FOLDER}")
set(header "${FOLDER}/freehold-handles.hpp")
execute_process(COMMAND "${PYTHON}" "${AMALGAMATE}" -o "${header}" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${PYTHON}" "${AMALGAMATE}" --list OUTPUT_VARIABLE names COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "\n$" "" names "${names}")
string(REPLACE "\n" ";" names "${names}")
foreach(name IN LISTS names)
    file(WRITE "${FOLDER}/include/freehold/${name}" "#include \"${header}\"\n")
endforeach()
file(WRITE "${FOLDER}/unit.cpp" "#include \"${header}\"\nint other() { return *freehold::make_shared<int>(1); }\n")

set(options -std=c++20 -Wall -Wextra -Wpedantic -Wshadow -Werror "-I${FOLDER}/include")
execute_process(COMMAND "${COMPILER}" ${options} -c "${FOLDER}/unit.cpp" -o "${FOLDER}/unit.o" COMMAND_ERROR_IS_FATAL ANY)
# Without warnings, because one is about `#pragma once` in what is compiled.
execute_process(COMMAND "${COMPILER}" ${options} -w -pthread -x c++-header "${header}" -o "${header}.gch" COMMAND_ERROR_IS_FATAL ANY)
set(tried 0)
file(GLOB sources "${EXAMPLES}/*.cpp")
foreach(source IN LISTS sources)
    file(STRINGS "${source}" includes REGEX "^#include <freehold/")
    list(TRANSFORM includes REPLACE "^#include <freehold/([^>]+)>.*" "\\1")
    list(REMOVE_ITEM includes ${names})
    if(includes)
        continue()
    endif()
    math(EXPR tried "${tried} + 1")
    execute_process(COMMAND "${COMPILER}" ${options} -pthread -include "${header}" "${source}" "${FOLDER}/unit.o" -o "${FOLDER}/example"
        COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND "${FOLDER}/example" COMMAND_ERROR_IS_FATAL ANY)
endforeach()
if(tried EQUAL 0)
    message(FATAL_ERROR "None of the examples in ${EXAMPLES} has its headers in ${header}")
endif()
message(STATUS "${tried} examples compiled and ran with ${header}")
