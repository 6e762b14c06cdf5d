# SPDX-License-Identifier: BSL-1.0
# shellcheck shell=bash
# Every script sources this file first: strict mode, the repository's root as working directory, messages.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

script_name=scripts/$(basename "$0")

# For each build, also one that another build starts: more compilers at once only take each other's caches.
CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}
export CMAKE_BUILD_PARALLEL_LEVEL

# A warning stops the builds of the CI, and nobody else's.
# shellcheck disable=SC2034  # for the scripts that configure a build
warnings_as_errors=-DFREEHOLD_WARNINGS_AS_ERRORS=${CI:-OFF}

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

[[ -d ${TMPDIR:-/tmp} && -w ${TMPDIR:-/tmp} ]] ||
    die 2 "this user cannot write to ${TMPDIR:-/tmp}, the folder for temporary files." \
        "Set TMPDIR to a folder that exists and that you may write to."

# prepare_build FOLDER GIGABYTES: FOLDER can be built in: it belongs to this checkout and to this user, and so much space
# is free. Otherwise the script ends with status 2. What was built for a checkout at another place is removed.
prepare_build() {
    local folder=$1 gigabytes=$2 free built_for=
    if ! mkdir -p "$folder" 2>/dev/null || [[ ! -w $folder || ! -w . ]]; then
        die 2 "this user cannot write to $PWD/$folder." \
            "Clone the repository to a folder of your own, or remove the build folder of another user."
    fi
    if [[ -e $folder/CMakeCache.txt ]]; then
        built_for=$(sed -n 's/^CMAKE_HOME_DIRECTORY:[^=]*=//p' "$folder/CMakeCache.txt")
        if [[ ! $built_for -ef . ]]; then
            say "$folder was built for $built_for: it is built anew"
            rm -rf "$folder"
            mkdir -p "$folder"
        fi
        return
    fi
    free=$(df --output=avail --block-size=G "$folder" | tr -dc '0-9')
    ((free >= gigabytes)) || die 2 "$PWD/$folder takes up to $gigabytes GB, and $free GB are free on its disk." \
        "Make room, and call this again."
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
