# SPDX-License-Identifier: BSL-1.0
# shellcheck shell=bash
# Sourced by every script here: strict mode, the repository's root as working directory, and two ways of speaking.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

script_name=scripts/$(basename "$0")

# The comment at the script's head, as its help.
explain() {
    sed -n '3,/^[^#]/s/^# //p' "$script_name"
}

say() {
    printf '\n== %s\n' "$*"
}

# die STATUS LINE...: says what is wrong and what to do, and ends with STATUS.
die() {
    local status=$1
    shift
    printf '%s: %s\n' "$script_name" "$1" >&2
    shift
    (($# == 0)) || printf '    %s\n' "$@" >&2
    exit "$status"
}

# The first of the named commands that is there, or nothing.
first_command() {
    local name
    for name in "$@"; do
        if command -v "$name"; then
            return
        fi
    done
}
