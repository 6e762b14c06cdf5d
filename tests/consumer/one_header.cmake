# SPDX-License-Identifier: BSL-1.0
# Writes the one header by AMALGAMATE, and compiles by COMPILER and runs every one of EXAMPLES whose headers are in it,
# linked with a second unit that includes it too. The header is precompiled for both units. FOLDER takes what is made.
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

# The examples become one unit, because most of what the compiler does for each is the same. The main of each becomes a
# function, and the names in two examples must differ.
set(tried 0)
set(calls)
set(examples "${FOLDER}/examples.cpp")
file(GLOB sources "${EXAMPLES}/*.cpp")
foreach(source IN LISTS sources)
    file(STRINGS "${source}" includes REGEX "^#include <freehold/")
    list(TRANSFORM includes REPLACE "^#include <freehold/([^>]+)>.*" "\\1")
    list(REMOVE_ITEM includes ${names})
    if(includes)
        continue()
    endif()
    math(EXPR tried "${tried} + 1")
    get_filename_component(name "${source}" NAME_WE)
    file(READ "${source}" text)
    string(REPLACE "\nint main() {" "\nvoid run_${name}() {" text "${text}")
    file(APPEND "${examples}" "#line 1 \"${source}\"\n${text}")
    string(APPEND calls "    run_${name}();\n")
endforeach()
if(tried EQUAL 0)
    message(FATAL_ERROR "None of the examples in ${EXAMPLES} has its headers in ${header}")
endif()
file(APPEND "${examples}"
    "#line 1 \"${examples}\"\nint other();\nint main() {\n${calls}    return other() == 1 ? 0 : 1;\n}\n")

set(options -std=c++20 -Wall -Wextra -Wpedantic -Wshadow -Werror -pthread "-I${FOLDER}/include" "-I${EXAMPLES}")
# It is included there, because there is a warning about `#pragma once` in what is compiled.
set(precompiled "${FOLDER}/precompiled.hpp")
file(WRITE "${precompiled}" "#include \"${header}\"\n")
execute_process(COMMAND "${COMPILER}" ${options} -x c++-header "${precompiled}" -o "${precompiled}.gch"
    COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${COMPILER}" ${options} -include "${precompiled}" "${examples}" "${FOLDER}/unit.cpp"
    -o "${FOLDER}/examples" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${FOLDER}/examples" COMMAND_ERROR_IS_FATAL ANY)
message(STATUS "${tried} examples compiled and ran with ${header}")
