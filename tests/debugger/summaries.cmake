# SPDX-License-Identifier: BSL-1.0
# Runs PROGRAM in LLDB up to stop_here, and compares what the SUMMARIES make of its variables.
include("${CMAKE_CURRENT_LIST_DIR}/expect_printed.cmake")
if(MODULES)
    set(ENV{PYTHONPATH} "${MODULES}")
endif()
execute_process(COMMAND "${LLDB}" --no-lldbinit --batch -o "command script import ${SUMMARIES}" -o "breakpoint set -n stop_here"
    -o run -o up -o "frame variable" "${PROGRAM}" OUTPUT_VARIABLE printed ERROR_VARIABLE said)

# Behind the type's name, and in front of what the pointee has.
set(expected
    "shared = shared_ptr to 0x[0-9a-f]+, 2 owners, 1 weak reference {\n  pointee = 42"
    "weak = weak_ptr to 0x[0-9a-f]+, 2 owners, 1 weak reference {\n  pointee = 42"
    "gone = weak_ptr to 0x[0-9a-f]+, no owners, gone\n"
    "empty = shared_ptr, null\n"
    "local = shared_ptr to 0x[0-9a-f]+, 1 owner {\n  pointee = 5"
    "biased = shared_ptr to 0x[0-9a-f]+, 1 owner {\n  pointee = 6"
    "sharded = shared_ptr to 0x[0-9a-f]+, 1 owner, 1 weak reference {\n  pointee = 12"
    "one = arc to 0x[0-9a-f]+, 1 owner, 1 weak reference {\n  pointee = 11"
    "one_weak = weak_arc to 0x[0-9a-f]+, 1 owner, 1 weak reference {\n  pointee = 11"
    "derived = arc to 0x[0-9a-f]+, 1 owner {\n  pointee = [^\n]*sides = 4"
    "many = arc to 0x[0-9a-f]+, 1 owner {\n  pointee = 0"
    "picture = intrusive_ptr to 0x[0-9a-f]+, 1 owner {\n  pointee = {"
    "counted = counted_ptr to 0x[0-9a-f]+, 1 owner {\n  pointee = 8"
    "linked = linked_ptr to 0x[0-9a-f]+ {\n  pointee = 9"
    "ring = cyclic_ptr to 0x[0-9a-f]+, 1 owner {\n  pointee = {\n    next = cyclic_ptr, null"
    "dumb = dumb_ptr to 0x[0-9a-f]+ {\n  pointee = [^\n]*sides = 4"
    "pool = pool \"packets\" of 0 blocks of 64 bytes, 0 free in the depot, at most 0 in use or cached\n"
    "buffers = buffer_cache \"packets\", at most [1-9][0-9]* bytes idle of 1048576 allowed, 1 thread cache\n"
    "lines = line_cache of 8 lines of 1048576 bytes, memory for 0, 0 in use\n")
expect_printed(lldb "\\) " "" ${expected})
