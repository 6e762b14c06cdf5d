# SPDX-License-Identifier: BSL-1.0
# shellcheck disable=SC2154
load sandbox.bash

@test "what freehold check takes is installed, built, and installed in its place" {
    run scripts/install-check --yes --prefix "$SANDBOX/prefix"
    [ "$status" -eq 0 ]
    grep -qx clang-tidy-19 "$SANDBOX/installed"
    grep -qx libclang-19-dev "$SANDBOX/installed"
    called "--target freehold_executable freehold_command_pages freehold_check_plugins"
    called "cmake --install build/check --component program --prefix $SANDBOX/prefix"
    [[ $output == *"$SANDBOX/prefix/bin/freehold check"* ]]
}

@test "another version of clang on Ubuntu" {
    printf 'ID=ubuntu\nVERSION_ID="24.04"\n' >"$SANDBOX/os-release"
    run scripts/install-check --yes
    [ "$status" -eq 0 ]
    grep -qx clang-tidy-18 "$SANDBOX/installed"
}

@test "without clang's development files it ends, and names the packages" {
    run scripts/install-check --no-install
    [ "$status" -eq 2 ]
    [[ $output == *"apt-get install"*clang-tidy-19*libclang-19-dev* ]]
}

@test "a build that fails installs nothing" {
    touch "$SANDBOX/fails_to_build"
    run scripts/install-check --yes
    [ "$status" -eq 1 ]
    not_called "cmake --install"
}

@test "a relative prefix and an unknown option are refused" {
    run scripts/install-check --prefix here
    [ "$status" -eq 2 ]
    [[ $output == *"absolute path"* ]]
    run scripts/install-check --fast
    [ "$status" -eq 2 ]
    [[ $output == *"no option '--fast'"* ]]
}
