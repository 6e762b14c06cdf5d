# SPDX-License-Identifier: BSL-1.0
# shellcheck disable=SC2154
load sandbox.bash

@test "the program with all commands is built, and installed with what they take" {
    run scripts/install --yes --prefix "$SANDBOX/prefix"
    [ "$status" -eq 0 ]
    for package in clang-tidy-19 libclang-19-dev valgrind libdw-dev lttng-tools; do grep -qx $package "$SANDBOX/installed"; done
    called "cmake --build build/install --target all freehold_check_plugins"
    called "cmake --install build/install --component program --prefix $SANDBOX/prefix"
    [[ $output == *"$SANDBOX/prefix/bin/freehold"* ]]
}

@test "a command whose packages are missing is left out, and the summary says which package brings it" {
    install_for install
    run scripts/install --no-install --prefix "$SANDBOX/prefix"
    [ "$status" -eq 0 ]
    [[ $output == *"Installed"*"Left out without clang-tidy-19: freehold check"* ]]
}

@test "the former name installs, too" {
    run scripts/install-check --yes --prefix "$SANDBOX/prefix"
    [ "$status" -eq 0 ]
    called "cmake --install build/install"
}

@test "a build that fails installs nothing" {
    touch "$SANDBOX/fails_to_build"
    run scripts/install --yes
    [ "$status" -eq 1 ]
    not_called "cmake --install"
}

@test "a relative prefix and an unknown option are refused" {
    run scripts/install --prefix here
    [ "$status" -eq 2 ]
    [[ $output == *"absolute path"* ]]
    run scripts/install --fast
    [ "$status" -eq 2 ]
    [[ $output == *"no option '--fast'"* ]]
}
