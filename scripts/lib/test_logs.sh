# SPDX-License-Identifier: BSL-1.0
# shellcheck shell=bash
# Sourced after common.sh. What the tests of a preset left in its build folder: skipped.log, written by tests/skip.hpp,
# and last-test.log, the output of ctest.

# list_skipped PRESET...: what was skipped, each reason once, with the number of tests.
list_skipped() {
    local preset
    for preset in "$@"; do
        [[ -s build/$preset/skipped.log ]] || continue
        printf '\n%s skipped:\n' "$preset"
        sort "build/$preset/skipped.log" | uniq -c
    done
}

# closing_lines PRESET...: the last lines of ctest.
closing_lines() {
    local preset
    for preset in "$@"; do
        printf '\n%s:\n' "$preset"
        sed -n '/ tests passed, /,$p' "build/$preset/last-test.log"
    done
}
