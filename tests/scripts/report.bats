# SPDX-License-Identifier: BSL-1.0
# shellcheck disable=SC2154
load sandbox.bash

# A program that measures by writing its arguments, into the file that it is told to write.
in_a_repository_with_suites() {
    install_everything
    for suite in operations cold_scan packets; do
        mkdir -p "lab/suites/$suite"
        echo '{}' >"lab/suites/$suite/suite.json"
    done
    echo '{"first": true}' >lab/suites/operations/suite.json
    mkdir -p build/release
    in_folder=repository/build/release stub freehold '
        echo "freehold $*" >>"$SANDBOX/calls"
        while (($# != 0)); do
            [[ $1 != -o ]] || output=$2
            [[ $1 != --page ]] || page=$2
            command=${command:-$1}
            shift
        done
        if [[ $command == measure ]]; then
            [[ ! -e $SANDBOX/fails_to_measure ]] || exit 1
            echo measured >>"$output"
            [[ -z ${page:-} ]] || echo page >"$page"
        fi'
}

results() {
    find results -name '20*.json'
}

@test "a first page comes before the rest is built" {
    in_a_repository_with_suites
    run scripts/report
    [ "$status" -eq 0 ]
    [[ $output == *"A first page is at file://$repository/report.html"*"Building the rest"* ]]
    calls=$(<"$SANDBOX/calls")
    [[ $calls == *"--target freehold_executable freehold_lab_first"*"measure --quick --lab build/release/lab/g++/freehold-lab-first --page report.html -o build/"*"--target freehold_executable freehold_lab"*"freehold measure operations -o"*"freehold measure --page report.html -o"*"freehold report results/20"* ]]
    called "FREEHOLD_LAB_SCOPE=default"
    [ -e report.html ]
    [ "$(results | wc -l)" -eq 1 ]
    [ ! -e results/unfinished.json ]
}

@test "--full builds and measures everything" {
    in_a_repository_with_suites
    run scripts/report --full --filter 'a b'
    [ "$status" -eq 0 ]
    called "FREEHOLD_LAB_SCOPE=full"
    called "freehold measure --full operations --filter a b -o"
    called "freehold measure --full --page report.html --filter a b -o"
}

@test "a named suite is added to the latest results" {
    in_a_repository_with_suites
    mkdir results
    echo older >results/2026-01-01T00-00-00.json
    echo latest >results/2026-01-02T00-00-00.json
    run scripts/report cold_scan
    [ "$status" -eq 0 ]
    called "FREEHOLD_LAB_SCOPE=full"
    called "freehold measure cold_scan --page report.html -o"
    not_called freehold-lab-first
    added=$(results | sort | tail -n 1)
    [ "$(<"$added")" = $'latest\nmeasured' ]
    [ "$(<results/2026-01-02T00-00-00.json)" = latest ]
}

@test "the suites of programs are measured by name, and build no lab" {
    in_a_repository_with_suites
    mkdir -p lab/programs
    echo '{}' >lab/programs/suite.json
    run scripts/report programs
    [ "$status" -eq 0 ]
    called "freehold measure programs --lab lab/programs/freehold-lab-programs --page report.html -o"
    not_called freehold_lab
    run scripts/report packets programs
    [ "$status" -eq 0 ]
    called "freehold measure packets --page report.html -o"
}

@test "a run that ended early is continued" {
    in_a_repository_with_suites
    mkdir results
    echo begun >results/unfinished.json
    touch "$SANDBOX/fails_to_measure"
    run scripts/report
    [ "$status" -eq 1 ]
    [[ $output == *"results/unfinished.json"* ]]
    [ "$(<results/unfinished.json)" = begun ]
    rm "$SANDBOX/fails_to_measure"
    run scripts/report
    [ "$status" -eq 0 ]
    [ "$(<"$(results)")" = $'begun\nmeasured\nmeasured' ]  # the central suites, and all
}

@test "a build that fails ends it with its error, and measures nothing" {
    in_a_repository_with_suites
    stub cmake 'mkdir -p build/release; [[ $1 == --preset ]] || { echo "@1 2 0.1@ one"; echo "FAILED: two.o"; echo "two.cpp:1: error"; exit 1; }'
    run scripts/report
    [ "$status" -eq 1 ]
    [[ $output == *"two.cpp:1: error"*"build/release/build.log"*"the build failed"* ]]
    not_called "freehold measure"
}

@test "the progress of a build tells the time that is left" {
    in_a_repository_with_suites
    stub cmake 'mkdir -p build/release; echo "@1 4 10.0@ one"; echo "noise"; echo "@2 4 20.5@ two"'
    run scripts/report
    [[ $output == *"First page: step 1 of 4, about 30 s left"*"First page: step 2 of 4, about 20 s left"* ]]
    [[ $output != *noise* ]]
}

@test "an unknown suite or option is refused before anything is looked for" {
    in_a_repository_with_suites
    run scripts/report no_such_suite
    [ "$status" -eq 2 ]
    [[ $output == *"no suite 'no_such_suite'. The suites are: cold_scan operations packets"* ]]
    run scripts/report --no-such-option
    [ "$status" -eq 2 ]
    run scripts/report --quick --full
    [ "$status" -eq 2 ]
    run scripts/report --filter
    [ "$status" -eq 2 ]
    not_called cmake
}

@test "packages of its own are asked for only with the suite that takes them" {
    in_a_repository_with_suites
    grep -vx libdpdk-dev "$SANDBOX/installed" >"$SANDBOX/fewer"
    mv "$SANDBOX/fewer" "$SANDBOX/installed"
    run scripts/report </dev/null
    [ "$status" -eq 0 ]
    run scripts/report packets </dev/null
    [ "$status" -eq 2 ]
    [[ $output == *libdpdk-dev* ]]
    run scripts/report --full </dev/null
    [ "$status" -eq 2 ]
}

@test "--help lists options and suites, and does nothing" {
    in_a_repository_with_suites
    run scripts/report --help
    [ "$status" -eq 0 ]
    for word in --quick --full --filter --yes --no-install --help cold_scan; do [[ $output == *"$word"* ]]; done
    [ ! -s "$SANDBOX/calls" ]
}
