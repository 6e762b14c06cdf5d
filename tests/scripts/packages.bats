# SPDX-License-Identifier: BSL-1.0
# Packages are listed and asked for before they are installed.
# shellcheck disable=SC2154
load sandbox.bash

@test "without a terminal, the missing packages are listed and nothing is installed" {
    run scripts/test </dev/null
    [ "$status" -eq 2 ]
    [[ $output == *libgtest-dev* ]]
    [[ $output == *--yes* ]]
    [[ $output == *--no-install* ]]
    not_called apt-get
    not_called cmake
}

@test "--no-install ends with what is required, and how to install it" {
    install_for test
    rm "$bin/ninja"
    run scripts/test --no-install
    [ "$status" -eq 2 ]
    [[ $output == *"required packages are missing: ninja-build"* ]]
    [[ $output == *"apt-get install ninja-build"* ]]
    not_called apt-get
    not_called cmake
}

@test "--no-install goes on without what is optional, and says what is left out" {
    install_for test
    run scripts/test --no-install
    [ "$status" -eq 0 ]
    [[ $output == *"Left out without valgrind: freehold handles; tests under Valgrind"* ]]
    not_called apt-get
    called "ctest --preset release"
}

@test "--yes installs what is missing, and nothing that is there" {
    install_for test
    run scripts/test --yes
    [ "$status" -eq 0 ]
    called "apt-get install --yes .*valgrind"
    not_called "apt-get install --yes .*libgtest-dev"
}

@test "CI=true installs without a question" {
    CI=true run scripts/test
    [ "$status" -eq 0 ]
    called "apt-get install --yes .*libgtest-dev"
}

@test "--no-install has precedence over CI=true" {
    install_for test
    CI=true run scripts/test --no-install
    [ "$status" -eq 0 ]
    not_called apt-get
}

@test "nothing is asked if nothing is missing" {
    install_everything
    run scripts/test </dev/null
    [ "$status" -eq 0 ]
    [[ $output != *missing* ]]
    not_called apt-get
}

@test "on a terminal, yes installs everything" {
    on_a_terminal y scripts/test
    [ "$status" -eq 0 ]
    called "apt-get install --yes .*g++"
    called "apt-get install --yes .*valgrind"
}

@test "on a terminal, only the required packages can be chosen" {
    on_a_terminal r scripts/test
    [ "$status" -eq 0 ]
    called "apt-get install --yes .*libgtest-dev"
    not_called valgrind
    [[ $output == *"Left out without valgrind"* ]]
}

@test "on a terminal, no installs nothing" {
    on_a_terminal n scripts/test
    [ "$status" -eq 2 ]
    not_called apt-get
}

@test "on a terminal, no goes on if only optional packages are missing" {
    install_for test
    on_a_terminal n scripts/test
    [ "$status" -eq 0 ]
    not_called apt-get
}

@test "a system without apt-get is told Debian's names, and stops only without what is required" {
    printf 'ID=fedora\nVERSION_ID="40"\n' >"$FREEHOLD_OS_RELEASE"
    rm "$bin/apt-get"
    run scripts/test --yes
    [ "$status" -eq 2 ]
    [[ $output == *"no apt-get"*libgtest-dev* ]]
    not_called cmake
    install_for test
    for mode in --yes --no-install ''; do
        run scripts/test $mode </dev/null
        [ "$status" -eq 0 ]
        [[ $output == *"Left out without valgrind"* ]]
    done
}

@test "an unknown release with apt-get is asked which of the names it has" {
    printf 'ID=mint\nVERSION_ID="99"\n' >"$FREEHOLD_OS_RELEASE"
    printf '%s\n' clang-tidy-19 relacy-dev >"$SANDBOX/not_in_this_system"
    run scripts/test --yes
    [ "$status" -eq 0 ]
    [[ $output == *"asked which of the names"* ]]
    called "apt-get install --yes .*clang-tidy-18"
    called "apt-get install --yes .*valgrind"
    not_called "apt-get install --yes .*relacy-dev"
}

@test "the names of each known release" {
    expect() {
        printf 'ID=%s\nVERSION_ID="%s"\n' "$1" "$2" >"$FREEHOLD_OS_RELEASE"
        run scripts/test </dev/null
        [ "$status" -eq 2 ]
        [[ $output == *" $3 "* ]]
        [[ -z $4 || $output != *" $4 "* ]]
    }
    expect debian 12 clang-format-15 ''
    expect debian 13 clang-tidy-19 clang-format-15
    expect ubuntu 22.04 clang-tidy-15 clang-tidy-19
    expect ubuntu 24.04 clang-tidy-18 chromium
    expect ubuntu 26.04 clang-tidy-19 clang-format-15
    printf 'ID=debian\n' >"$FREEHOLD_OS_RELEASE"
    run scripts/report </dev/null
    [[ $output == *" libgc-dev "* && $output != *libloki-dev* ]]
}

@test "an optional package that the system does not have is left out" {
    install_for test
    echo relacy-dev >"$SANDBOX/not_in_this_system"
    run scripts/test --yes
    [ "$status" -eq 0 ]
    called "apt-get install --yes .*valgrind"
    not_called "apt-get install --yes .*relacy-dev"
    [[ $output == *"Left out without relacy-dev"* ]]
}

@test "a required package that the system does not have ends the script" {
    echo libgtest-dev >"$SANDBOX/not_in_this_system"
    run scripts/test --yes
    [ "$status" -eq 2 ]
    [[ $output == *"required packages are missing:"*" libgtest-dev"* ]]
    not_called ctest
}

@test "an optional package whose installation fails keeps no required one from being installed" {
    echo valgrind >"$SANDBOX/fails_to_install"
    run scripts/test --yes
    [ "$status" -eq 0 ]
    [[ $output == *"Trying the required ones alone"* ]]
    [[ $output == *"Left out without valgrind"* ]]
}

@test "an installation that fails is an error where FREEHOLD_REQUIRE demands the features" {
    echo valgrind >"$SANDBOX/fails_to_install"
    FREEHOLD_REQUIRE=all run scripts/test --yes
    [ "$status" -eq 2 ]
    [[ $output == *"could not be installed"* ]]
    not_called ctest
}

@test "without a network, what is there is enough if nothing required is missing" {
    install_for test
    stub apt-get 'exit 100'
    run scripts/test --yes
    [ "$status" -eq 0 ]
    [[ $output == *"could not update its lists"* ]]
    called "ctest --preset release"
}

@test "an installation that was interrupted is finished first" {
    echo "half-configured: valgrind" >"$SANDBOX/interrupted"
    run scripts/test --yes
    [ "$status" -eq 0 ]
    called "dpkg --configure -a"
}

@test "a header that comes from no package is found all the same" {
    install_for test
    grep -vx libgtest-dev "$SANDBOX/installed" >"$SANDBOX/fewer"
    mv "$SANDBOX/fewer" "$SANDBOX/installed"
    stub g++ 'sed -n "/^\"/p"'
    run scripts/test --no-install
    [ "$status" -eq 0 ]
}

@test "without root and sudo, it says what to call as root, and goes on without what is optional" {
    sed -i 's/EUID/1000/' scripts/lib/packages.sh
    rm "$bin/sudo"
    run scripts/test --yes
    [ "$status" -eq 2 ]
    [[ $output == *"there is no sudo"*"apt-get install"* ]]
    install_for test
    run scripts/test --yes
    [ "$status" -eq 0 ]
    not_called "apt-get install"
}

@test "versitygw is built only after the answer" {
    install_everything
    unset FREEHOLD_VERSITYGW
    stub go 'echo "go $*" >>"$SANDBOX/calls"; [[ $1 != env ]] || echo go1.24; [[ $1 != install ]] || cp "$SANDBOX/bin/true" "$GOBIN/versitygw"'
    run scripts/test </dev/null
    [ "$status" -eq 2 ]
    not_called "go install"
    run scripts/test --no-install
    [ "$status" -eq 0 ]
    not_called "go install"
    run scripts/test --yes
    [ "$status" -eq 0 ]
    called "go install"
    [ -x "$HOME"/.cache/freehold/versitygw-* ]
}
