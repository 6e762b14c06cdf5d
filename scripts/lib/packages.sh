# SPDX-License-Identifier: BSL-1.0
# shellcheck shell=bash
# Sourced after common.sh and versitygw.sh. The packages that the scripts need: which are missing, and their
# installation if the user agrees.

# One row for each thing that is needed:
#     how it is found | Debian's package | purposes that require it | purposes that it is optional for | its use
# It is found by command:NAME, by header:PATH (the compiler finds it), or by a function below, which gets the package. A purpose is `test`,
# `platforms`, `report`, `check` (scripts/install-check), `full` (scripts/report --full), or a suite that is named to scripts/report.
# versitygw is no package: it is built, with Go from a package.
packages="
command:g++                       | g++                     | test report check |               | compiler
command:cmake                     | cmake                   | test report check |               | build
command:ninja                     | ninja-build             | test report check |               | build
header:gtest/gtest.h              | libgtest-dev            | test report |                     | tests
header:gmock/gmock.h              | libgmock-dev            | test report |                     | tests
header:benchmark/benchmark.h      | libbenchmark-dev        | report      | test                | program and lab
header:fmt/format.h               | libfmt-dev              | report check | test               | program and lab
header:CLI/CLI.hpp                | libcli11-dev            | report check | test               | program and lab
header:nlohmann/json.hpp          | nlohmann-json3-dev      | report check | test               | program and lab
header:boost/version.hpp          | libboost-dev            | report      | test                | program and lab
command:git                       | git                     |             | report              | the commit's name in the report
command:pkg-config                | pkg-config              |             | test report         | search for libbabeltrace2 and DPDK
command:clang++                   | clang                   |             | test report         | figures and tests with a second compiler
has_libcxx                        | libc++-dev              |             | test report         | figures and tests with libc++
has_libcxx                        | libc++abi-dev           |             | test report         | figures and tests with libc++
header:curl/curl.h                | libcurl4-openssl-dev    |             | test report         | component freehold::s3
command:objdump                   | binutils                |             | test report         | suite zeroing
command:aarch64-linux-gnu-g++     | g++-aarch64-linux-gnu   |             | platforms           | tests on AArch64
command:riscv64-linux-gnu-g++     | g++-riscv64-linux-gnu   |             | platforms           | tests on RISC-V
command:qemu-aarch64              | qemu-user               |             | platforms           | tests on AArch64 and RISC-V
is_installed                      | googletest              |             | platforms           | tests on AArch64 and RISC-V
header:loki/SmartPtr.h            | libloki-dev             |             | report              | figures of Loki
header:gc.h                       | libgc-dev               |             | report              | figures of the Boehm collector
header:mimalloc.h                 | libmimalloc-dev         |             | report              | figures of mimalloc
header:jemalloc/jemalloc.h        | libjemalloc-dev         |             | report              | figures of jemalloc
header:gperftools/tcmalloc.h      | libgoogle-perftools-dev |             | report              | figures of TCMalloc
header:tbb/scalable_allocator.h   | libtbb-dev              |             | report              | figures of oneTBB
header:foonathan_memory/foonathan/memory/config_impl.hpp | libfoonathan-memory-dev | | report    | figures of foonathan/memory
has_node                          | nodejs                  |             | test                | tests of the page's script
command:npm                       | npm                     |             | test                | tests of the page's script
usable_browser                    | chromium                |             | test                | tests of the page in a browser
is_installed                      | clang-tidy-19           | check       | test                | tests of freehold check
is_installed                      | libclang-19-dev         | check       | test                | tests of freehold check
is_installed                      | llvm-19-dev             | check       | test                | tests of freehold check
command:clang-format-15           | clang-format-15         |             | test                | check of the format
command:valgrind                  | valgrind                |             | test                | tests under Valgrind
header:valgrind/memcheck.h        | valgrind                |             | test                | tests under Valgrind
header:elfutils/libdwfl.h         | libdw-dev               |             | test                | freehold handles
header:relacy/relacy.hpp          | relacy-dev              |             | test                | tests in a model checker
has_fuzzer                        | libclang-rt-14-dev      |             | test                | fuzzing (preset clang)
command:bats                      | bats                    |             | test                | tests of the scripts
command:shellcheck                | shellcheck              |             | test                | check of the scripts
command:heaptrack                 | heaptrack               |             | test                | tests on recordings of heaptrack
command:zstd                      | zstd                    |             | test                | tests on compressed recordings
command:python3                   | python3                 |             | test programs compile | suites programs and compile; tests with Python
command:doxygen                   | doxygen                 |             | test                | test of the API reference
command:groff                     | groff-base              |             | test                | check of the manual page
command:fish                      | fish                    |             | test                | test of the completion for fish
command:gdb                       | gdb                     |             | test                | tests of the printers for gdb
command:sqlite3                   | sqlite3                 |             | test                | tests that record sqlite3
command:lttng                     | lttng-tools             |             | test full           | freehold record
header:lttng/tracepoint.h         | liblttng-ust-dev        |             | test full           | freehold record
header:babeltrace2/babeltrace.h   | libbabeltrace2-dev      |             | test full           | freehold advise on recordings of LTTng
has_versitygw                     | versitygw               |             | test full cold_scan | a real S3 server, built with Go
command:cargo                     | cargo                   |             | full operations construction atomics | figures of Rust
header:urcu/urcu-memb.h           | liburcu-dev             |             | full atomics        | figures of liburcu
header:cds/gc/hp.h                | libcds-dev              |             | full atomics        | figures of libcds
header:dpdk/rte_config.h          | libdpdk-dev             |             | full packets zeroing | figures of DPDK (170 MB)
"

# What is done about missing packages: ask, yes or no.
install_mode=ask
[[ ${CI:-} != true ]] || install_mode=yes

# package_option OPTION: takes one of the two options that the scripts share; false if it is another one.
package_option() {
    case $1 in
        -y | --yes) install_mode=yes ;;
        --no-install) install_mode=no ;;
        *) return 1 ;;
    esac
}

# need PURPOSE...: looks for the packages of these purposes, and installs the missing ones if the user agrees. Ends the
# script with status 2 if a required one is missing afterwards, or if it cannot ask.
need() {
    find_missing "$@"
    if ((${#missing_required[@]} + ${#missing_optional[@]} != 0)); then
        case $install_mode in
            no) ;;
            yes) install_missing "${missing_required[@]}" "${missing_optional[@]}" ;;
            ask) ask_and_install ;;
        esac
        find_missing "$@"
    fi
    ((${#missing_required[@]} == 0)) || die 2 "required packages are missing: ${missing_required[*]}" \
        "$(how_to_install "${missing_required[@]}")"
    list_left_out
}

# has PURPOSE: whether everything that this purpose requires is there.
has() {
    find_missing "$1"
    ((${#missing_required[@]} == 0))
}

# Sets missing_required and missing_optional to the missing packages, each once, and use_of[PACKAGE].
find_missing() {
    local probe package required_for optional_for use found_headers
    missing_required=() missing_optional=()
    declare -gA use_of=()
    found_headers=$(find_headers)
    while IFS='|' read -r probe package required_for optional_for use; do
        [[ -n $probe ]] || continue
        probe=${probe%% *}
        package=${package// /}
        [[ $system != ubuntu:* ]] || package=$(package_here "$package")
        if shares_a_word "$required_for" "$*"; then
            [[ " ${missing_required[*]} " == *" $package "* ]] || is_there "$probe" "$package" ||
                missing_required+=("$package")
        elif shares_a_word "$optional_for" "$*"; then
            [[ " ${missing_optional[*]} " == *" $package "* ]] || is_there "$probe" "$package" ||
                missing_optional+=("$package")
        fi
        use_of[$package]=${use# }
    done <<<"$packages"
}

shares_a_word() {
    local word
    for word in $1; do
        [[ " $2 " != *" $word "* ]] || return 0
    done
    return 1
}

# is_there PROBE PACKAGE. Without a compiler, a header is where dpkg says that its package is.
is_there() {
    case $1 in
        command:*) command -v "${1#command:}" >/dev/null ;;
        header:*)
            if command -v g++ >/dev/null; then
                [[ $found_headers == *"\"${1#header:}\""* ]]
            else
                is_installed "$2"
            fi
            ;;
        *) "$1" "$2" >/dev/null ;;
    esac
}

# Prints, in quotes, the headers of the table that the compiler finds, wherever they came from.
find_headers() {
    command -v g++ >/dev/null || return 0
    sed -n 's|^header:\([^ ]*\).*|#if __has_include(<\1>)\n"\1"\n#endif|p' <<<"$packages" |
        g++ -std=c++20 -x c++ -E -P - 2>/dev/null || true
}

is_installed() {
    [[ $(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

# The name and version of this system if its packages' names are known here, else nothing. FREEHOLD_OS_RELEASE names
# another file than /etc/os-release, for tests.
known_system() {
    local os_release=${FREEHOLD_OS_RELEASE:-/etc/os-release}
    [[ -r $os_release ]] || return 0
    (
        # shellcheck source=/dev/null
        . "$os_release"
        case ${ID:-}:${VERSION_ID:-} in
            debian:12 | ubuntu:22.04 | ubuntu:24.04) echo "$ID:$VERSION_ID" ;;
        esac
    )
}
system=$(known_system)

# The package of this Ubuntu for one of Debian 12's. Ubuntu's own Chromium is a snap.
package_here() {
    case $system:$1 in
        ubuntu:24.04:libclang-rt-14-dev) echo libclang-rt-18-dev ;;
        ubuntu:22.04:libclang-rt-14-dev) echo clang ;;
        ubuntu:22.04:clang-tidy-19 | ubuntu:22.04:libclang-19-dev | ubuntu:22.04:llvm-19-dev) echo "${1/19/15}" ;;
        ubuntu:24.04:clang-tidy-19 | ubuntu:24.04:libclang-19-dev | ubuntu:24.04:llvm-19-dev) echo "${1/19/18}" ;;
        ubuntu:*:chromium) echo google-chrome-stable ;;
        *) echo "$1" ;;
    esac
}

# The probes of the table that are functions.
has_libcxx() {
    clang++ -stdlib=libc++ -x c++ -E -include __config /dev/null 2>/dev/null
}

# The page's script takes Node.js 18; Ubuntu 22.04 has 12.
has_node() {
    local version
    version=$(node --version 2>/dev/null) && version=${version#v} && ((${version%%.*} >= 18))
}

has_fuzzer() {
    command -v clang++ && compgen -G "$(clang++ -print-resource-dir)/lib/*/libclang_rt.fuzzer*"
}

# Prints the first browser that starts and is no snap: a snap cannot read what the tests write below /tmp.
usable_browser() {
    local name version
    for name in ${CHROMIUM:+"$CHROMIUM"} chromium chromium-browser google-chrome google-chrome-stable; do
        if version=$("$name" --version 2>/dev/null) && [[ $version != *snap* ]]; then
            printf '%s\n' "$name"
            return
        fi
    done
    return 1
}

list_missing() {
    local package
    printf '%s: these packages are missing.\n' "$script_name"
    if ((${#missing_required[@]} != 0)); then
        printf '  Required:\n'
        for package in "${missing_required[@]}"; do
            printf '    %-24s %s\n' "$package" "${use_of[$package]}"
        done
    fi
    if ((${#missing_optional[@]} != 0)); then
        printf '  Optional; without one of them, its use is left out:\n'
        for package in "${missing_optional[@]}"; do
            printf '    %-24s %s\n' "$package" "${use_of[$package]}"
        done
    fi
}

list_left_out() {
    local package
    for package in "${missing_optional[@]}"; do
        printf 'Left out without %s: %s\n' "$package" "${use_of[$package]}"
    done
}

how_to_install() {
    local names=$*
    if [[ -n $system ]]; then
        printf 'To install them: %sapt-get install %s\n' "$( ((EUID == 0)) || echo 'sudo ')" \
            "${names/versitygw/golang-go}"
    else
        printf 'Please install them by the package manager of this system. Their names in Debian are: %s\n' "$names"
    fi
}

ask_and_install() {
    local answer choices='[y]es, [n]o' all=("${missing_required[@]}" "${missing_optional[@]}")
    list_missing >&2
    if [[ ! -t 0 ]]; then
        die 2 "nothing was installed, because there is no terminal for the question. Call it again" \
            "with --yes to install them, or with --no-install to go on without the optional ones." \
            "$(how_to_install "${all[@]}")"
    fi
    if [[ -z $system ]]; then
        how_to_install "${all[@]}" >&2
        ((${#missing_required[@]} == 0)) || return 0
        read -r -p "Go on without them? [y]es, [n]o: " answer || answer=n
        [[ $answer == [yY]* ]] || exit 2
        return
    fi
    if ((${#missing_required[@]} != 0 && ${#missing_optional[@]} != 0)); then
        choices='[y]es, only the [r]equired ones, [n]o'
    fi
    read -r -p "Install them with apt-get? $choices: " answer || answer=n
    case $answer in
        [yY]*) install_missing "${all[@]}" ;;
        [rR]*) install_missing "${missing_required[@]}" ;;
        *) ;;
    esac
}

# install_missing PACKAGE...: required ones must be installable; an optional one that this system does not have, or not
# beside the others, is left out.
install_missing() {
    local as_root=() package others=() with_versitygw=false
    (($# != 0)) || return 0
    [[ -n $system ]] || die 2 "knows the packages of Debian 12, Ubuntu 22.04 and Ubuntu 24.04 only." \
        "$(how_to_install "$@")" "Then call this again with --no-install."
    if ((EUID != 0)); then
        command -v sudo >/dev/null || die 2 "there is no sudo to install packages with." \
            "As root: apt-get install $*" "Or call this with --no-install, to go on without the optional ones."
        as_root=(sudo)
    fi

    for package in "$@"; do
        if [[ $package == versitygw ]]; then
            with_versitygw=true
            command -v go >/dev/null || others+=(golang-go)
            [[ -d /etc/ssl/certs ]] || others+=(ca-certificates)
        else
            others+=("$package")
        fi
    done
    ((${#others[@]} == 0)) || install_packages "${others[@]}"
    if $with_versitygw && command -v go >/dev/null; then
        build_versitygw || true
    fi
}

# install_packages PACKAGE..., with the command in as_root.
install_packages() {
    local package wanted=()
    "${as_root[@]}" apt-get update -qq || die 2 "apt-get could not update its lists; see its message above." \
        "With --no-install, this goes on without the optional packages."
    if can_install "$@"; then
        wanted=("$@")
    else
        for package in "$@"; do
            if [[ " ${missing_required[*]} " == *" $package "* ]] || can_install "${wanted[@]}" "$package"; then
                wanted+=("$package")
            else
                echo "This system has no $package, or it conflicts with the other packages."
            fi
        done
    fi
    ((${#wanted[@]} != 0)) || return 0
    say "Installing ${wanted[*]}"
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install --yes --no-install-recommends -qq "${wanted[@]}" >/dev/null ||
        die 2 "the packages could not be installed; see the message of apt-get above."
}

can_install() {
    apt-get install --simulate --no-remove --no-install-recommends -qq "$@" >/dev/null 2>&1
}
