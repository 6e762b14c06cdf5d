# SPDX-License-Identifier: BSL-1.0
# shellcheck shell=bash
# Sourced after common.sh and versitygw.sh. The packages that the scripts need: which are missing, and their
# installation if the user agrees.

# One row for each thing that is needed:
#     how it is found | its package in Debian 12 | purposes that require it | purposes that it is optional for | its use
# It is found by command:NAME, by header:PATH (the compiler finds it), or by a function below, which gets the package.
# A purpose is `test`, `platforms`, `bare` (scripts/test --bare), `report`, `install` (scripts/install), `full`
# (scripts/report --full), or a suite that is named to scripts/report. versitygw is no package: it is built, with Go from
# a package.
packages="
command:g++                     | g++                     | test report install |                      | compiler
command:cmake                   | cmake                   | test report install |                      | build
command:ninja                   | ninja-build             | test report install |                      | build
header:gtest/gtest.h            | libgtest-dev            | test report         |                      | tests
header:gmock/gmock.h            | libgmock-dev            | test report         |                      | tests
header:benchmark/benchmark.h    | libbenchmark-dev        | report              | test                 | program and lab
header:fmt/format.h             | libfmt-dev              | report install      | test                 | program and lab
header:CLI/CLI.hpp              | libcli11-dev            | report install      | test                 | program and lab
header:nlohmann/json.hpp        | nlohmann-json3-dev      | report install      | test                 | program and lab
header:boost/version.hpp        | libboost-dev            | report install      | test                 | program and lab
command:git                     | git                     | bare                | test report          | tests of programs; the commit's name in the report
command:debootstrap             | debootstrap             | bare                |                      | the bare root
command:pkg-config              | pkg-config              |                     | test report install  | search for libbabeltrace2 and DPDK
command:clang++                 | clang                   |                     | test report          | figures and tests with a second compiler
has_libcxx                      | libc++-dev              |                     | test report          | figures and tests with libc++
has_libcxx                      | libc++abi-dev           |                     | test report          | figures and tests with libc++
header:curl/curl.h              | libcurl4-openssl-dev    |                     | test report          | component freehold::s3
command:objdump                 | binutils                |                     | test report          | suite zeroing
command:aarch64-linux-gnu-g++   | g++-aarch64-linux-gnu   |                     | platforms            | tests on AArch64
command:riscv64-linux-gnu-g++   | g++-riscv64-linux-gnu   |                     | platforms            | tests on RISC-V
command:qemu-aarch64            | qemu-user               |                     | platforms            | tests on AArch64 and RISC-V
is_installed                    | googletest              |                     | platforms            | tests on AArch64 and RISC-V
header:loki/SmartPtr.h          | libloki-dev             |                     | report               | figures of Loki
header:gc.h                     | libgc-dev               |                     | report               | figures of the Boehm collector
header:mimalloc.h               | libmimalloc-dev         |                     | report               | figures of mimalloc
header:jemalloc/jemalloc.h      | libjemalloc-dev         |                     | report               | figures of jemalloc
header:gperftools/tcmalloc.h    | libgoogle-perftools-dev |                     | report               | figures of TCMalloc
header:tbb/scalable_allocator.h | libtbb-dev              |                     | report               | figures of oneTBB
header:foonathan_memory/foonathan/memory/config_impl.hpp | libfoonathan-memory-dev |                     | report               | figures of foonathan/memory
has_node                        | nodejs                  |                     | test                 | tests of the page's script
command:npm                     | npm                     |                     | test                 | tests of the page's script
usable_browser                  | chromium                |                     | test                 | tests of the page in a browser
is_installed                    | clang-tidy-19           |                     | test install         | freehold check
is_installed                    | libclang-19-dev         |                     | test install         | freehold check
is_installed                    | llvm-19-dev             |                     | test install         | freehold check
command:clang-format-15         | clang-format-15         |                     | test                 | check of the format
command:valgrind                | valgrind                |                     | test install         | freehold handles; tests under Valgrind
header:valgrind/memcheck.h      | valgrind                |                     | test install         | freehold handles; tests under Valgrind
header:elfutils/libdwfl.h       | libdw-dev               |                     | test install         | freehold handles, freehold owners
header:relacy/relacy.hpp        | relacy-dev              |                     | test                 | tests in a model checker
has_fuzzer                      | libclang-rt-dev         |                     | test                 | fuzzing (preset clang)
command:bats                    | bats                    |                     | test                 | tests of the scripts
command:shellcheck              | shellcheck              |                     | test                 | check of the scripts
command:heaptrack               | heaptrack               |                     | test                 | tests on recordings of heaptrack
command:zstd                    | zstd                    |                     | test                 | tests on compressed recordings
command:python3                 | python3                 |                     | test programs compile | suites programs and compile; tests with Python
command:doxygen                 | doxygen                 |                     | test                 | test of the API reference
command:groff                   | groff-base              |                     | test                 | check of the manual page
command:fish                    | fish                    |                     | test                 | test of the completion for fish
command:gdb                     | gdb                     |                     | test                 | tests of the printers for gdb
command:sqlite3                 | sqlite3                 |                     | test                 | tests that record sqlite3
command:lttng                   | lttng-tools             |                     | test full install    | freehold record
header:lttng/tracepoint.h       | liblttng-ust-dev        |                     | test full install    | freehold record
header:babeltrace2/babeltrace.h | libbabeltrace2-dev      |                     | test full install    | freehold advise on recordings of LTTng
has_versitygw                   | versitygw               |                     | test full cold_scan  | a real S3 server, built with Go
command:cargo                   | cargo                   |                     | full operations construction atomics | figures of Rust
header:urcu/urcu-memb.h         | liburcu-dev             |                     | full atomics         | figures of liburcu
header:cds/gc/hp.h              | libcds-dev              |                     | full atomics         | figures of libcds
header:dpdk/rte_config.h        | libdpdk-dev             |                     | full packets zeroing | figures of DPDK (170 MB)
"

# The releases whose packages are known, and where they differ from Debian 12's names; `-`: there is none. Debian's testing
# is listed as unstable. A system with apt-get that is not listed is asked which of these names it has. Chrome comes from
# Google: Ubuntu's own Chromium is a snap.
releases="debian:12 debian:13 debian:unstable ubuntu:22.04 ubuntu:24.04 ubuntu:26.04"
renamed="
debian:13       | clang-format-15 | -
debian:unstable | clang-format-15 | -
debian:unstable | libloki-dev     | -
ubuntu:22.04    | clang-tidy-19   | clang-tidy-15
ubuntu:22.04    | libclang-19-dev | libclang-15-dev
ubuntu:22.04    | llvm-19-dev     | llvm-15-dev
ubuntu:22.04    | libclang-rt-dev | clang
ubuntu:22.04    | chromium        | google-chrome-stable
ubuntu:24.04    | clang-tidy-19   | clang-tidy-18
ubuntu:24.04    | libclang-19-dev | libclang-18-dev
ubuntu:24.04    | llvm-19-dev     | llvm-18-dev
ubuntu:24.04    | chromium        | google-chrome-stable
ubuntu:26.04    | chromium        | google-chrome-stable
ubuntu:26.04    | clang-format-15 | -
ubuntu:26.04    | libloki-dev     | -
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
    local why_not
    purposes_needed=("$@")
    find_missing "$@"
    if [[ $install_mode != no ]] && ((${#missing_required[@]} + ${#missing_optional[@]} != 0)); then
        if why_not=$(why_nothing_can_be_installed); then
            printf '%s: packages are missing, and %s\n' "$script_name" "$why_not" >&2
            how_to_install "${missing_required[@]}" "${missing_optional[@]}" >&2
        elif [[ $install_mode == yes ]]; then
            install_missing all
        else
            ask_and_install
        fi
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
        package=${name_here[$package]:-$package}
        if [[ $package == - ]]; then
            continue
        elif shares_a_word "$required_for" "$*"; then
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

# One of `releases`, or `apt` for another system with apt-get, or nothing. FREEHOLD_OS_RELEASE names another file than
# /etc/os-release, for tests.
find_system() {
    local os_release=${FREEHOLD_OS_RELEASE:-/etc/os-release}
    (
        if [[ -r $os_release ]]; then
            # shellcheck source=/dev/null
            . "$os_release"
        fi
        release=${ID:-}:${VERSION_ID:-}
        [[ $release != debian: ]] || release=debian:unstable
        if shares_a_word "$release" "$releases"; then
            echo "$release"
        elif command -v apt-get >/dev/null; then
            echo apt
        fi
    )
}
system=$(find_system)

# The package of this system for one of Debian 12's, where the names differ.
declare -A name_here=()
read_names() {
    local release package name
    while IFS='| ' read -r release package name; do
        [[ -z $release || $release != "$system" ]] || name_here[$package]=$name
    done <<<"$renamed"
}
read_names

# Asks apt which of the known names an unknown release has.
ask_apt_for_names() {
    local known probe package release name candidate
    known=$'\n'$(apt-cache pkgnames)$'\n'
    while IFS='|' read -r probe package _; do
        package=${package// /}
        [[ -n $probe && $package != versitygw ]] || continue
        name_here[$package]=-
        while IFS='| ' read -r release name candidate; do
            [[ $name == "$package" ]] || candidate=
            if [[ -n $candidate && $known == *$'\n'$candidate$'\n'* ]]; then name_here[$package]=$candidate; fi
        done <<<"$renamed"
        [[ $known != *$'\n'$package$'\n'* ]] || unset "name_here[$package]"
    done <<<"$packages"
    echo "The packages of this system are not known here. It was asked which of the names of Debian and Ubuntu it has."
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
        printf 'To install them%s %s\n' "$(command_to_install)" "${names/versitygw/golang-go}"
    else
        printf 'Please install them by the package manager of this system. Their names in Debian are: %s\n' "$names"
    fi
}

command_to_install() {
    if ((EUID == 0)); then
        echo ": apt-get install"
    elif command -v sudo >/dev/null; then
        echo ": sudo apt-get install"
    else
        echo ", call as root: apt-get install"
    fi
}

# Prints why, or is false if packages can be installed.
why_nothing_can_be_installed() {
    if [[ -z $system ]]; then
        echo "this system has no apt-get to install them with."
    elif ((EUID != 0)) && ! command -v sudo >/dev/null; then
        echo "you are not root, and there is no sudo to install them with."
    else
        return 1
    fi
}

ask_and_install() {
    local answer choices='[y]es, [n]o'
    list_missing >&2
    if [[ ! -t 0 ]]; then
        die 2 "nothing was installed, because there is no terminal for the question. Call it again" \
            "with --yes to install them, or with --no-install to go on without the optional ones." \
            "$(how_to_install "${missing_required[@]}" "${missing_optional[@]}")"
    fi
    if ((${#missing_required[@]} != 0 && ${#missing_optional[@]} != 0)); then
        choices='[y]es, only the [r]equired ones, [n]o'
    fi
    read -r -p "Install them with apt-get? $choices: " answer || answer=n
    case $answer in
        [yY]*) install_missing all ;;
        [rR]*) install_missing required ;;
        *) ;;
    esac
}

# install_missing all|required: what apt-get refuses is missing afterwards. An optional package that this system does not
# have, or not beside the others, is left out.
install_missing() {
    local as_root=() package wanted=() with_versitygw=false
    ((EUID == 0)) || as_root=(sudo)
    if [[ -n $(dpkg --audit 2>/dev/null) ]]; then
        say "An installation of packages was interrupted; dpkg and apt-get finish it first"
        "${as_root[@]}" dpkg --configure -a >/dev/null || "${as_root[@]}" apt-get install --fix-broken --yes -qq || true
    fi
    "${as_root[@]}" apt-get update -qq ||
        echo "apt-get could not update its lists: see its message above. This goes on with the old ones." >&2
    if [[ $system == apt ]]; then
        ask_apt_for_names
        find_missing "${purposes_needed[@]}"
    fi
    [[ $1 == all ]] || missing_optional=()

    # Packages may conflict only with optional ones: those are added one by one if they do not go together.
    for package in "${missing_optional[@]}"; do
        if [[ $package != versitygw ]]; then
            wanted+=("$package")
        else
            with_versitygw=true
            command -v go >/dev/null || wanted+=(golang-go)
            [[ -d /etc/ssl/certs ]] || wanted+=(ca-certificates)
        fi
    done
    if ! can_install "${missing_required[@]}" "${wanted[@]}"; then
        local optional=("${wanted[@]}")
        wanted=()
        for package in "${optional[@]}"; do
            if can_install "${missing_required[@]}" "${wanted[@]}" "$package"; then
                wanted+=("$package")
            else
                echo "This system has no $package, or it conflicts with the other packages."
            fi
        done
    fi
    if ! apt_get_install "${missing_required[@]}" "${wanted[@]}"; then
        [[ -z ${FREEHOLD_REQUIRE:-} ]] ||
            die 2 "the packages could not be installed, and FREEHOLD_REQUIRE demands them; see the message of apt-get above."
        say "Not all packages could be installed: see the message of apt-get above. Trying the required ones alone"
        apt_get_install "${missing_required[@]}" || true
    fi
    if $with_versitygw && command -v go >/dev/null; then
        build_versitygw || true
    fi
}

# apt_get_install PACKAGE..., with the command in as_root.
apt_get_install() {
    (($# != 0)) || return 0
    say "Installing $*"
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends -qq \
        -o DPkg::Lock::Timeout=300 "$@" >/dev/null
}

can_install() {
    (($# == 0)) || apt-get install --simulate --no-remove --no-install-recommends -qq "$@" >/dev/null 2>&1
}
