# SPDX-License-Identifier: BSL-1.0
# shellcheck shell=bash
# Every script sources this file first: strict mode, the repository's root as working directory, messages.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

script_name=scripts/$(basename "$0")

# For each build, also one that another build starts: more compilers at once only take each other's caches.
CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}
export CMAKE_BUILD_PARALLEL_LEVEL

# Prints the comment at the script's head: its help.
explain() {
    sed -n '3,/^[^#]/s/^# \{0,1\}//p' "$script_name"
}

say() {
    printf '\n== %s\n' "$*"
}

# die STATUS LINE...: prints what is wrong and what to do, and ends with STATUS.
die() {
    local status=$1
    shift
    printf '%s: %s\n' "$script_name" "$1" >&2
    shift
    (($# == 0)) || printf '    %s\n' "$@" >&2
    exit "$status"
}

# Prints the path of the first named command that exists, or nothing.
first_command() {
    local name
    for name in "$@"; do
        if command -v "$name"; then
            return
        fi
    done
}

# join SEPARATOR WORD...
join() {
    local separator=$1 joined=${2:-}
    shift
    while shift && (($# != 0)); do
        joined+=$separator$1
    done
    printf '%s\n' "$joined"
}
