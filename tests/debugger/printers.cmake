# SPDX-License-Identifier: BSL-1.0
# Runs PROGRAM in GDB up to stop_here, and compares what the PRINTERS make of its variables.
include("${CMAKE_CURRENT_LIST_DIR}/expect_printed.cmake")
execute_process(COMMAND "${GDB}" -nx -q -batch -iex "set auto-load off" -iex "set max-value-size unlimited" -ex "source ${PRINTERS}" -ex "break stop_here" -ex run
    -ex up -ex "info locals" "${PROGRAM}" OUTPUT_VARIABLE printed ERROR_VARIABLE said)

set(expected
    "shared = shared_ptr to 0x[0-9a-f]+, 2 owners, 1 weak reference = {pointee = 42}"
    "second = shared_ptr to 0x[0-9a-f]+, 2 owners, 1 weak reference = {pointee = 42}"
    "weak = weak_ptr to 0x[0-9a-f]+, 2 owners, 1 weak reference = {pointee = 42}"
    "gone = weak_ptr to 0x[0-9a-f]+, no owners, gone"
    "empty = shared_ptr, null"
    "local = shared_ptr to 0x[0-9a-f]+, 1 owner = {pointee = 5}"
    "biased = shared_ptr to 0x[0-9a-f]+, 1 owner(, made by thread [0-9]+)? = {pointee = 6}"
    "sharded = shared_ptr to 0x[0-9a-f]+, 1 owner, 1 weak reference = {pointee = 12}"
    "one = arc to 0x[0-9a-f]+, 1 owner, 1 weak reference = {pointee = 11}"
    "one_weak = weak_arc to 0x[0-9a-f]+, 1 owner, 1 weak reference = {pointee = 11}"
    "derived = arc to 0x[0-9a-f]+, 1 owner = {pointee = [^\n]*sides = 4}}"
    "many = arc to 0x[0-9a-f]+, 1 owner = {pointee = 0}"
    "picture = intrusive_ptr to 0x[0-9a-f]+, 1 owner = {pointee = [^\n]*width = 3}}"
    "counted = counted_ptr to 0x[0-9a-f]+, 1 owner = {pointee = 8}"
    "linked = linked_ptr to 0x[0-9a-f]+ = {pointee = 9}"
    "ring = cyclic_ptr to 0x[0-9a-f]+, 1 owner = {pointee = {next = cyclic_ptr, null, value = 7}}"
    "dumb = dumb_ptr to 0x[0-9a-f]+ = {pointee = [^\n]*sides = 4}}"
    "pool = pool \"packets\" of 0 blocks of 64 bytes, 0 free in the depot, at most 0 in use or cached"
    "buffers = buffer_cache \"packets\", at most [1-9][0-9]* bytes idle of 1048576 allowed, 1 thread cache"
    "lines = line_cache of 8 lines of 1048576 bytes, memory for 0, 0 in use")
expect_printed(gdb "\n" "\n" ${expected})
