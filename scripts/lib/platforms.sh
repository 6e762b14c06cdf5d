# SPDX-License-Identifier: BSL-1.0
# shellcheck shell=bash
# Sourced after common.sh. The platforms that the library is compiled for besides this one: all public headers with an
# instance of each template, and the examples, which are run where there is a way to.

# What is over Arrow, which no platform below has.
over_arrow="arrow_file arrow_filesystem arrow_source arrow_scan"

# name | compiler with what it links, `zig TARGET` for that of the ziglang package | what runs its programs, `-` for nothing | what it lacks
platforms="
linux-aarch64        | aarch64-linux-gnu-g++   | qemu-aarch64 -L /usr/aarch64-linux-gnu | s3_source
linux-riscv64        | riscv64-linux-gnu-g++ -latomic | qemu-riscv64 -L /usr/riscv64-linux-gnu | s3_source
linux-musl-x86_64    | zig x86_64-linux-musl   | env                                    | s3_source
linux-musl-aarch64   | zig aarch64-linux-musl  | qemu-aarch64                           | s3_source
macos-aarch64        | zig aarch64-macos       | -                                      | s3_source
macos-x86_64         | zig x86_64-macos        | -                                      | s3_source
freebsd-x86_64       | zig x86_64-freebsd      | -                                      | s3_source
windows-x86_64       | zig x86_64-windows-gnu  | wine                                   | s3_source file_source disk_tier cached_scan
"
platforms_folder=build/platforms
platform_flags=(-std=c++20 -O1 -Wall -Wextra -Werror -Iinclude)

# compile_for_platforms: ends the script with status 1 at the first platform that fails; tells what was left out.
compile_for_platforms() {
    local name compiler runner lacks
    platform_results=()
    while IFS='|' read -r name compiler runner lacks; do
        name=${name// /}
        [[ -n $name ]] || continue
        read -ra compiler <<<"$compiler"
        read -ra runner <<<"$runner"
        if ! platform_compiler "${compiler[@]}"; then
            platform_results+=("$name: left out, for ${compiler[0]/#zig/the PyPI package ziglang} is not installed")
            continue
        fi
        say "$name: compile the headers, the library and the examples"
        compile_headers_for "$name" "$lacks"
        compile_library_for "$name" "$lacks"
        compile_examples_for "$name" "$lacks" "${runner[@]}"
    done <<<"$platforms"
    say "Platforms"
    printf '%s\n' "${platform_results[@]}"
}

# Sets compile_command and compile_libraries.
platform_compiler() {
    compile_libraries=()
    if [[ $1 == zig ]]; then
        compile_command=(python3 -m ziglang c++ -target "$2")
        python3 -m ziglang version >/dev/null 2>&1
    else
        compile_command=("$1")
        compile_libraries=("${@:2}")
        command -v "$1" >/dev/null
    fi
}

# is_lacking WORDS PATH: whether the file's name is one of the words, which are separated by spaces.
is_lacking() {
    [[ " $1 $over_arrow " == *" $(basename "${2%.*}") "* ]]
}

compile_headers_for() {
    local folder=$platforms_folder/$1 header
    mkdir -p "$folder"
    for header in include/freehold/*.hpp include/freehold/*/*.hpp; do
        is_lacking "$2" "$header" || printf '#include <%s>\n' "${header#include/}"
    done >"$folder/all_headers.hpp"
    "${compile_command[@]}" "${platform_flags[@]}" -DFREEHOLD_HEADER_ONLY=0 "-I$folder" -c tests/headers/warnings.cpp -o "$folder/headers.o" ||
        die 1 "the headers do not compile for $1."
}

# Sets library_objects: the core and the caches.
compile_library_for() {
    local folder=$platforms_folder/$1 source object
    library_objects=()
    for source in src/*.cpp src/buffer/*.cpp src/line/*.cpp src/line/disk/*.cpp; do
        if is_lacking "$2" "$source" || [[ $source == */disk/* && $2 == *disk_tier* ]]; then continue; fi
        object=${source#src/}
        object=$folder/${object//\//_}.o
        "${compile_command[@]}" "${platform_flags[@]}" -Isrc -DFREEHOLD_HEADER_ONLY=0 -c "$source" -o "$object" ||
            die 1 "$source does not compile for $1."
        library_objects+=("$object")
    done
}

# compile_examples_for NAME LACKS RUNNER...: by the headers alone, or with the library for those that take the caches.
compile_examples_for() {
    local folder=$platforms_folder/$1 lacks=$2 compiled=0 run=0 source program linked
    shift 2
    for source in examples/*.cpp; do
        ! is_lacking "$lacks" "$source" || continue
        program=$folder/$(basename "${source%.cpp}").exe
        linked=()
        if grep -qE '<freehold/(buffer|line)/' "$source"; then linked=(-DFREEHOLD_HEADER_ONLY=0 "${library_objects[@]}"); fi
        "${compile_command[@]}" "${platform_flags[@]}" "$source" "${linked[@]}" -o "$program" "${compile_libraries[@]}" ||
            die 1 "$source does not compile for ${folder##*/}."
        compiled=$((compiled + 1))
        command -v "$1" >/dev/null || continue
        "$@" "$program" >"$program.log" 2>&1 || die 1 "$program fails. Its output is in $program.log"
        run=$((run + 1))
    done
    platform_results+=("${folder##*/}: headers and $compiled examples compiled, $run run")
}

# emulated_presets: prints the presets whose compiler and emulator are here.
emulated_presets() {
    local processor
    for processor in aarch64 riscv64; do
        if [[ -n $(first_command "$processor-linux-gnu-g++") && -n $(first_command "qemu-$processor") &&
            -d /usr/src/googletest ]]; then
            echo "$processor"
        fi
    done
}
