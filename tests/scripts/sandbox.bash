# SPDX-License-Identifier: BSL-1.0
# shellcheck shell=bash
# A copy of the scripts in a temporary folder, and a PATH with stubs in place of what they would install, build and run.
# `installed` there lists the packages that are installed; `calls` what the stubs were called with.

setup() {
    repository=${BATS_TEST_TMPDIR:?bats 1.4 sets it}/repository
    bin=$BATS_TEST_TMPDIR/bin
    mkdir -p "$repository" "$bin"
    cp -r "$BATS_TEST_DIRNAME/../../scripts" "$BATS_TEST_DIRNAME/../../CMakePresets.json" "$repository"
    export SANDBOX=$BATS_TEST_TMPDIR
    touch "$SANDBOX/installed" "$SANDBOX/calls" "$SANDBOX/not_in_this_system"
    sed -n 's/^\([a-z_]*:\{0,1\}[^ |]*\) *| *\([^ ]*\).*/\1 \2/p' "$repository/scripts/lib/packages.sh" >"$SANDBOX/table"

    local tools
    mapfile -t tools < <(type -P bash cat cp cut date df dirname basename expand env find grep head mkdir mktemp mv rm sed sort \
        tail tee touch true uname uniq wc chmod nproc id tr awk sleep ls)
    ln -s -t "$bin" "${tools[@]}"
    stub dpkg-query 'grep -qx "${@: -1}" "$SANDBOX/installed" && printf installed'
    stub sudo 'exec "$@"'
    stub apt-get '
        echo "apt-get $*" >>"$SANDBOX/calls"
        packages=()
        for word in "$@"; do [[ $word == -* || $word == install || $word == update ]] || packages+=("$word"); done
        for package in "${packages[@]}"; do
            if grep -qx "$package" "$SANDBOX/not_in_this_system"; then echo "no $package" >&2; exit 100; fi
        done
        [[ $* != *--simulate* ]] || exit 0
        if [[ -e $SANDBOX/fails_to_install && $* == *" $(<"$SANDBOX/fails_to_install")"* ]]; then exit 100; fi
        provide "${packages[@]}"'
    # apt knows every package of the table, and those that a release renames, but for those in `not_in_this_system`.
    stub apt-cache '
        mapfile -t missing <"$SANDBOX/not_in_this_system"
        while read -r package; do
            [[ " ${missing[*]} " == *" $package "* ]] || echo "$package"
        done < <(sed -n "s/.* //p" "$SANDBOX/table"; echo clang-tidy-18)'
    stub dpkg 'echo "dpkg $*" >>"$SANDBOX/calls"; [[ $1 != --audit ]] || cat "$SANDBOX/interrupted" 2>/dev/null'
    # provide PACKAGE...: they are installed from now on, with their commands.
    stub provide '
        printf "%s\n" "$@" >>"$SANDBOX/installed"
        while read -r probe package; do
            command=${probe#command:}
            [[ $probe == command:* && " $* " == *" $package "* && ! -e $SANDBOX/bin/$command ]] || continue
            stub=$SANDBOX/stubs/$command
            [[ -e $stub ]] || stub=$SANDBOX/stubs/any
            cp "$stub" "$SANDBOX/bin/$command"
        done <"$SANDBOX/table"'
    mkdir "$SANDBOX/stubs"
    in_folder=stubs
    stub any 'echo "$(basename "$0") $*" >>"$SANDBOX/calls"'
    # The compiler finds the headers of the installed packages.
    stub g++ '
        asked=$(cat)
        mapfile -t installed <"$SANDBOX/installed"
        while read -r probe package; do
            header="\"${probe#header:}\""
            [[ $asked != *"$header"* || " ${installed[*]} " != *" $package "* ]] || echo "$header"
        done <"$SANDBOX/table"'
    stub cmake '
        echo "cmake $*" >>"$SANDBOX/calls"
        [[ $1 != --preset ]] || mkdir -p "build/$2"
        [[ ! -e $SANDBOX/fails_to_build || $1 != --build ]]'
    unset in_folder
    stub ctest '
        echo "ctest $*" >>"$SANDBOX/calls"
        if [[ -e $SANDBOX/fails_to_pass ]]; then
            printf "50%% tests passed, 1 tests failed out of 2\n\nTotal Test time (real) = 0.01 sec\n"
            exit 8
        fi
        printf "Test one\n100%% tests passed, 0 tests failed out of 2\n\nTotal Test time (real) = 0.01 sec\n"'

    printf 'ID=debian\nVERSION_ID="12"\n' >"$SANDBOX/os-release"
    export FREEHOLD_OS_RELEASE=$SANDBOX/os-release
    unset CI CHROMIUM FREEHOLD_REQUIRE FREEHOLD_VERSITYGW FREEHOLD_SKIPPED
    export HOME=$SANDBOX/home
    export PATH=$bin
    cd "$repository" || return 1
}

# stub NAME CODE: a command in the sandbox.
stub() {
    # Never through a link to a command of this machine.
    rm -f "$SANDBOX/${in_folder:-bin}/$1"
    printf '#!%s\n%s\n' "$(type -P bash)" "$2" >"$SANDBOX/${in_folder:-bin}/$1"
    chmod +x "$SANDBOX/${in_folder:-bin}/$1"
}

# install_for PURPOSE: everything that the table requires for it is installed.
install_for() {
    local packages
    mapfile -t packages < <(sed -n "s/^[a-z_]*:\{0,1\}[^ |]* *| *\([^ ]*\) *| *[a-z ]*\<$1\>[a-z ]*|.*/\1/p" \
        scripts/lib/packages.sh)
    provide "${packages[@]}"
}

install_everything() {
    local packages
    mapfile -t packages < <(sed -n 's/.* //; /^versitygw$/!p' "$SANDBOX/table")
    provide "${packages[@]}"
    stub node 'echo v20.1.0'
    stub chromium 'echo Chromium 120'
    stub clang++ '[[ $1 != -print-resource-dir ]] || echo "$SANDBOX/clang"'
    mkdir -p "$SANDBOX/clang/lib/linux"
    touch "$SANDBOX/clang/lib/linux/libclang_rt.fuzzer-x86_64.a"
    stub versitygw ''
    export FREEHOLD_VERSITYGW=$bin/versitygw
}

called() {
    grep -q -e "$1" "$SANDBOX/calls"
}

# Bats takes no notice of a command that begins with `!`.
not_called() {
    if called "$1"; then
        echo "was called: $1" >&2
        return 1
    fi
}

# on_a_terminal ANSWER COMMAND...: runs it with a terminal on which ANSWER is typed.
on_a_terminal() {
    local answer=$1
    shift
    run "$REAL_SCRIPT" -qec "$*" /dev/null <<<"$answer"
}
REAL_SCRIPT=$(type -P script)
