# SPDX-License-Identifier: BSL-1.0
# shellcheck shell=bash
# Sourced after common.sh and versitygw.sh. What has to be installed, and how to tell what is missing: a tool is there
# when its command is, wherever it came from; a library when its package is.

# command:package
tools_to_build=(g++:g++ clang++:clang cmake:cmake ninja:ninja-build git:git objdump:binutils node:nodejs npm:npm
    pkg-config:pkg-config)
tools_to_test=(clang-format-15:clang-format-15 valgrind:valgrind lttng:lttng-tools heaptrack:heaptrack zstd:zstd
    python3:python3 sqlite3:sqlite3)
libraries=(libgtest-dev libgmock-dev libbenchmark-dev libfmt-dev libcli11-dev nlohmann-json3-dev
    libboost-dev libloki-dev libgc-dev libc++-dev libc++abi-dev ca-certificates relacy-dev
    libcurl4-openssl-dev libbabeltrace2-dev)
libraries_to_test=(liblttng-ust-dev)
# Libraries that are only measured: 13 MB, and DPDK's 170. A system that does not have one, or not beside the others,
# goes without, and the report says so.
measured_libraries=(libmimalloc-dev libjemalloc-dev libgoogle-perftools-dev libtbb-dev libfoonathan-memory-dev
    libdpdk-dev)

how_to_get_node="Install a newer one (from https://nodejs.org, or the snap 'node') and call this again."

browsers=(chromium chromium-browser google-chrome google-chrome-stable)

# The first of them that starts, and is no snap, as all of Ubuntu's own are: those cannot read what tests write below
# /tmp.
usable_browser() {
    local name version
    for name in "${browsers[@]}"; do
        if version=$("$name" --version 2>/dev/null) && [[ $version != *snap* ]]; then
            printf '%s\n' "$name"
            return
        fi
    done
}

# Whether s3_source is built here, which takes libcurl 7.87; asked once the libraries are installed.
has_libcurl_for_s3() {
    pkg-config --atleast-version=7.87 libcurl
}

# install_missing build | test: everything that building, or building and testing, needs. Leaves in CHROMIUM the browser
# that the tests drive.
install_missing() {
    local tools=("${tools_to_build[@]}")
    if [[ $1 == test ]]; then
        tools+=("${tools_to_test[@]}")
        libraries+=("${libraries_to_test[@]}")
        # What clang's fuzzer is linked with, and clang only recommends; Ubuntu 22.04's comes with the compiler.
        case $(known_system) in
            '' | debian:12) libraries+=(libclang-rt-14-dev) ;;
            ubuntu:24.04) libraries+=(libclang-rt-18-dev) ;;
        esac
    fi
    # Ubuntu 22.04 has libcurl 7.81.
    [[ $(known_system) == ubuntu:22.04 ]] || has_versitygw || tools+=(go:golang-go)
    if [[ -n ${CHROMIUM:-} ]]; then
        command -v "$CHROMIUM" >/dev/null || die 2 "CHROMIUM names '$CHROMIUM', which is not a command." \
            "Set it to the path of a Chromium or Chrome, or unset it."
    elif [[ $1 == test ]]; then
        CHROMIUM=$(usable_browser)
    fi

    case $(known_system) in
        '') ask_another_system_for "${tools[@]#*:}" "${libraries[@]}" "${measured_libraries[@]}" ;;
        ubuntu:22.04)
            command -v node >/dev/null || die 2 "Ubuntu 22.04 has Node.js 12 only, and the report's page takes 18." \
                "$how_to_get_node" ;;&
        ubuntu:*) [[ $1 == build ]] || choose_browser ;;&  # before anything is installed
        debian:*) [[ $1 == build || -n $CHROMIUM ]] || tools+=(chromium:chromium) ;;&
        *) install_packages "${tools[@]}" ;;
    esac

    check_node
    [[ $1 == build ]] || choose_browser
}

# The name and version of this system if its packages' names are known here, else nothing.
known_system() {
    [[ -r /etc/os-release ]] || return 0
    (
        # shellcheck source=/dev/null
        . /etc/os-release
        case ${ID:-}:${VERSION_ID:-} in
            debian:12 | ubuntu:22.04 | ubuntu:24.04) echo "$ID:$VERSION_ID" ;;
        esac
    )
}

# install_packages command:package...: those whose command is missing, and the missing libraries.
install_packages() {
    local missing=() measured=() pair package as_root=()
    for pair in "$@"; do
        command -v "${pair%%:*}" >/dev/null || missing+=("${pair#*:}")
    done
    for package in "${libraries[@]}"; do
        is_installed "$package" || missing+=("$package")
    done
    for package in "${measured_libraries[@]}"; do
        is_installed "$package" || measured+=("$package")
    done
    ((${#missing[@]} + ${#measured[@]} != 0)) || return 0

    if ((EUID != 0)); then
        if command -v sudo >/dev/null; then
            as_root=(sudo)
        elif ((${#missing[@]} != 0)); then
            die 2 "packages are missing, and there is no sudo to install them." \
                "As root: apt-get install ${missing[*]} ${measured[*]}"
        else
            say "Not installed, and not measured: ${measured[*]} (as root: apt-get install ${measured[*]})"
            return
        fi
    fi
    "${as_root[@]}" apt-get update -qq
    for package in "${measured[@]}"; do
        # On Ubuntu 22.04, for one, libgoogle-perftools-dev wants a libunwind-dev that libc++-dev does not tolerate.
        if apt-get install --simulate --no-remove --no-install-recommends -qq "${missing[@]}" "$package" \
            >/dev/null 2>&1; then
            missing+=("$package")
        else
            say "This system does not let $package be installed: what comes in it is not measured"
        fi
    done
    ((${#missing[@]} != 0)) || return 0
    say "Installing what is missing${as_root[0]:+ (with sudo)}: ${missing[*]}"
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install --yes --no-install-recommends -qq "${missing[@]}" >/dev/null ||
        die 2 "the packages could not be installed; what apt-get said of it stands above."
}

is_installed() {
    [[ $(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

ask_another_system_for() {
    [[ ${FREEHOLD_PACKAGES:-} != installed ]] || return 0
    die 2 "knows the packages of Debian 12, Ubuntu 22.04 and Ubuntu 24.04 only. Please install (Debian's names):" \
        "$*" "and, for the tests, a Chromium or Chrome;" \
        "then call this again with FREEHOLD_PACKAGES=installed in the environment."
}

# esbuild, which bundles the report's page, asks for Node.js 18.
check_node() {
    local version
    version=$(node --version)
    version=${version#v}
    ((${version%%.*} >= 18)) || die 2 "the report's page takes Node.js 18 or newer; this is $version." "$how_to_get_node"
}

choose_browser() {
    CHROMIUM=${CHROMIUM:-$(usable_browser)}
    [[ -n $CHROMIUM ]] || die 2 "no Chromium or Chrome for the report's tests; looked for ${browsers[*]}, none a snap." \
        "Snaps cannot read what the tests write. Install one (on Ubuntu: Google's package google-chrome-stable)," \
        "or set CHROMIUM to the path of one, and call this again."
    export CHROMIUM
}
