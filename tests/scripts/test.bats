# SPDX-License-Identifier: BSL-1.0
# shellcheck disable=SC2154
load sandbox.bash

@test "tests one configuration, and ends with the closing lines of ctest" {
    install_everything
    run scripts/test
    [ "$status" -eq 0 ]
    called "cmake --preset release"
    called "cmake --build --preset release"
    not_called "preset asan"
    [[ ${lines[-2]} == "100% tests passed, 0 tests failed out of 2" ]]
    [[ ${lines[-1]} == "Total Test time"* ]]
}

@test "--all tests every preset" {
    install_everything
    run scripts/test --all
    [ "$status" -eq 0 ]
    for preset in release asan tsan clang minimal lab; do called "ctest --preset $preset"; done
}

@test "presets can be named" {
    install_everything
    run scripts/test tsan clang
    [ "$status" -eq 0 ]
    called "ctest --preset tsan"
    called "ctest --preset clang"
    not_called "preset release"
}

@test "--platforms tells which compilers are missing, and tests nothing without them" {
    install_for test
    run scripts/test --platforms --no-install
    [ "$status" -eq 0 ]
    [[ $output == *"linux-aarch64: left out, for aarch64-linux-gnu-g++ is not installed"* ]]
    [[ $output == *"windows-x86_64: left out, for the PyPI package ziglang is not installed"* ]]
    not_called cmake
}

@test "an unknown preset or option is refused before anything is looked for" {
    run scripts/test no_such_preset
    [ "$status" -eq 2 ]
    [[ $output == *"no preset 'no_such_preset'. The presets are: release"* ]]
    run scripts/test --no-such-option
    [ "$status" -eq 2 ]
    [[ $output == *"no option '--no-such-option'"* ]]
    not_called apt-get
    not_called cmake
}

@test "--help lists options and presets, and does nothing" {
    run scripts/test --help
    [ "$status" -eq 0 ]
    for word in --all --yes --no-install --help FREEHOLD_REQUIRE release asan tsan clang lab; do
        [[ $output == *"$word"* ]]
    done
    [ ! -s "$SANDBOX/calls" ]
}

@test "without the program's packages, the library alone is tested" {
    install_for test
    run scripts/test --no-install
    [ "$status" -eq 0 ]
    called "cmake --preset release -DFREEHOLD_BUILD_PROGRAM=OFF -DFREEHOLD_BUILD_LAB=OFF"
}

@test "a build that fails ends it with status 1, and with the command that repeats it" {
    install_everything
    touch "$SANDBOX/fails_to_build"
    run scripts/test
    [ "$status" -eq 1 ]
    [[ $output == *"cmake --build --preset release"* ]]
    not_called ctest
}

@test "a test that fails ends it with status 1, and with the command that repeats it" {
    install_everything
    touch "$SANDBOX/fails_to_pass"
    run scripts/test release asan
    [ "$status" -eq 1 ]
    [[ $output == *"ctest --preset release --rerun-failed"* ]]
    not_called "preset asan"
}

@test "what was skipped is listed before the closing lines" {
    install_everything
    stub ctest 'echo "s3: not here" >>"$FREEHOLD_SKIPPED"; echo "100% tests passed, 0 tests failed out of 2"'
    run scripts/test
    [ "$status" -eq 0 ]
    [[ $output == *"1 s3: not here"*"100% tests passed"* ]]
}

@test "a build folder that cannot be written, was moved, or has no room is told in one line" {
    install_everything
    touch build
    run scripts/test
    [ "$status" -eq 2 ]
    [[ $output == *"cannot write to"*build/release* ]]
    rm build
    stub df 'printf "Avail\n 1G\n"'
    run scripts/test
    [ "$status" -eq 2 ]
    [[ $output == *"1 GB are free"* ]]
    mkdir -p build/release
    printf 'CMAKE_HOME_DIRECTORY:INTERNAL=/elsewhere\n' >build/release/CMakeCache.txt
    run scripts/test
    [ "$status" -eq 0 ]
    [[ $output == *"was built for /elsewhere"* ]]
    [ ! -e build/release/CMakeCache.txt ]
}

@test "a TMPDIR that does not exist is refused before anything is done" {
    install_everything
    TMPDIR=$PWD/absent run scripts/test
    [ "$status" -eq 2 ]
    [[ $output == *"cannot write to $PWD/absent"*"Set TMPDIR"* ]]
    [ ! -e build ]
}

@test "a bare root that cannot be made has a status of its own" {
    install_everything
    stub unshare 'exit 1'
    run scripts/test --bare 13
    [ "$status" -eq 3 ]
    not_called ctest
    run scripts/test --bare 11
    [ "$status" -eq 2 ]
    [[ $output == *"The releases are: 12 13 unstable"* ]]
}

@test "the README's command runs in a bare root, and its logs come back" {
    ((EUID == 0)) || skip "only root makes bare roots"
    install_everything
    git() { mkdir -p "${@: -1}/build/release"; echo "100% tests passed, 0 tests failed" >"${@: -1}/build/release/last-test.log"; }
    stub git "$(declare -f git); git \"\$@\""
    stub timeout 'mkdir -p "$7/etc/apt/apt.conf.d" "$7/etc/dpkg/dpkg.cfg.d" "$7/etc/ssl/certs" "$7/root"'
    stub unshare 'echo "unshare $*" >>"$SANDBOX/calls"'
    run scripts/test --bare 13 --yes
    [ "$status" -eq 0 ]
    called "scripts/test --yes"
    [[ ${lines[-1]} == "100% tests passed, 0 tests failed" ]]
    [ ! -e build/bare-13/root ]
}
