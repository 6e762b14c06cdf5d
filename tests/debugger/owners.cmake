# SPDX-License-Identifier: BSL-1.0
# Runs PROGRAM in GDB until it has built its objects, and asks the command of the PRINTERS who keeps what alive: in the
# process, in a core of it, without either, and without the program FREEHOLD.
include("${CMAKE_CURRENT_LIST_DIR}/expect_printed.cmake")
set(core "${FOLDER}/debugged_owners.core")
function(in_gdb output freehold)
    execute_process(COMMAND "${CMAKE_COMMAND}" -E env "FREEHOLD=${freehold}" "${GDB}" -nx -q -batch -iex
        "set auto-load off" -ex "source ${PRINTERS}" ${ARGN} "${PROGRAM}" OUTPUT_VARIABLE printed ERROR_VARIABLE said)
    set(printed "${printed}${said}" PARENT_SCOPE)
endfunction()

in_gdb(printed "${FREEHOLD}" -ex "break puts" -ex run -ex "freehold-owners --top 1" -ex "generate-core-file ${core}")
expect_printed(gdb "" "" "5,750 objects are owned by shared handles, 4,200 leaked, 0 lost" "tree::children -> child::parent -> tree")
in_gdb(printed "${FREEHOLD}" -ex "core ${core}" -ex "freehold-owners --who session" -ex "freehold-owners --who nobody")
file(REMOVE "${core}")
expect_printed(gdb "" "" "4,200 leaked" "Holders of 200 objects" "nobody: no object of this type is alive")
in_gdb(printed "${FREEHOLD}" -ex "freehold-owners")
expect_printed(gdb "" "" "There is no core and no process")
in_gdb(printed "/no/such/freehold" -ex "break puts" -ex run -ex "freehold-owners")
expect_printed(gdb "" "" "name it by the environment variable FREEHOLD")
