#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# completion_test.bash COMPLETION: what bash offers after the words of a command line.
set -euo pipefail
# shellcheck source=/dev/null
. "$1"
cd "$(mktemp -d)"
trap 'rm -r "$PWD"' EXIT
touch results.json

# expect OFFERED WORD...: the last word is the one that is completed.
expect() {
    local expected=$1
    shift
    COMP_WORDS=(freehold "$@") COMP_CWORD=$#
    _freehold
    [[ "${COMPREPLY[*]}" == "$expected" ]] && return
    printf 'freehold %s: offers "%s", not "%s"\n' "$*" "${COMPREPLY[*]}" "$expected" >&2
    exit 1
}

expect "measure" mea
expect "--version" --v
expect "zeroing" measure zer
expect "--quick" measure --q
expect "zeroing" report --suite zer
expect "results.json" report res
expect "results.json" report results.json -o res
expect "results.json" compare results.json ""
expect "" advise --max-idle ""
expect "" nothing ""
