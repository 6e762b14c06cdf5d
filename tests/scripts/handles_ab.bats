# SPDX-License-Identifier: BSL-1.0
# shellcheck disable=SC2016,SC2154
load sandbox.bash
REAL_PATH=$PATH

# A repository with two revisions, and compilers whose programs print what is in the folders' headers: `times` has a line
# ROW NANOSECONDS for each row. A line with more figures has one for each place of the code.
in_a_repository_with_handles() {
    export PATH=$PATH:$REAL_PATH
    mkdir -p include lab/suites/containers
    echo '{"cases": [{"key": "erase_front", "what": "The first is erased."}, {"key": "copy", "what": "A vector is copied."}]}' >lab/suites/containers/suite.json
    for compiler in g++ clang++; do
        stub "$compiler" '
            for word in "$@"; do
                [[ $word != -I*include ]] || headers=${word#-I}
                [[ $word != *.o ]] || compiled=$word
                [[ $last != -o ]] || output=$word
                last=$word
            done
            if [[ $* == --version ]]; then
                echo "stub 1.0"
            elif [[ $* == *" -c "* ]]; then
                [[ ! -e $headers/error ]] || { echo "rows.cpp: error: it does not compile" >&2; exit 1; }
                cp "$headers/times" "$output"
            else
                {
                    echo "#!$BASH"
                    echo "skipped=\${0%.*}; place=\$((\${skipped##*.} / 16))"
                    echo "if [[ \$1 == --rows ]]; then sed \"s/ .*/: suite containers/\" \$0.times; exit; fi"
                    echo "while read -r row times; do times=(\$times); echo \$row \${times[place % \${#times[@]}]}; done <\$0.times"
                } >"$output"
                cp "$compiled" "$output.times"
                chmod +x "$output"
            fi'
    done
    times 'shared_ptr.erase_front 10' 'std.erase_front 10' 'arc.copy 5'
    commits
}

commits() {
    git init -q .
    git config user.email nobody@example.org
    git config user.name nobody
    git add include
    git commit -qm base
}

times() {
    printf '%s\n' "$@" >include/times
}

# The temporary folder is empty again.
leaves_nothing() {
    [ -z "$(ls -A "$BATS_TEST_TMPDIR/tmp")" ]
}

compares() {
    mkdir -p "$BATS_TEST_TMPDIR/tmp"
    TMPDIR=$BATS_TEST_TMPDIR/tmp run scripts/handles-ab "$@"
}

@test "equal times end with status 0" {
    in_a_repository_with_handles
    compares HEAD
    [ "$status" -eq 0 ]
    [[ $output == *"Slower than the base: 0"* ]]
    leaves_nothing
}

@test "a slower row is told, with status 2" {
    in_a_repository_with_handles
    times 'shared_ptr.erase_front 12' 'std.erase_front 10' 'arc.copy 4'
    compares HEAD
    [ "$status" -eq 2 ]
    [[ $output == *"Slower than the base: 4"*"12.00 ns   1.20 [1.20, 1.20] of    10.00, 1.20 of std's 10.00  shared_ptr.erase_front, clang++, one thread"* ]]
    [[ $output == *"Faster than the base: 4"*"arc.copy"* ]]
    [[ $output == *"Slower than std: 4"*"shared_ptr.erase_front"* ]]
}

@test "a row is not slower by less than std's row moved" {
    in_a_repository_with_handles
    times 'shared_ptr.erase_front 12' 'std.erase_front 12.5' 'arc.copy 5'
    compares HEAD
    [ "$status" -eq 0 ]
    [[ $output == *"Not called slower, because std's row"*": 4"*"shared_ptr.erase_front"* ]]
}

@test "a row is not slower if it is so at some places only" {
    in_a_repository_with_handles
    times 'shared_ptr.erase_front 10 14' 'std.erase_front 10' 'arc.copy 5'
    compares HEAD
    [ "$status" -eq 0 ]
}

@test "two revisions are compared without the working tree" {
    in_a_repository_with_handles
    times 'arc.copy 9'
    git commit -qam slower
    touch include/error
    compares HEAD~ HEAD --compilers g++
    [ "$status" -eq 2 ]
    [[ $output == *"Slower than the base: 2"* ]]
}

@test "the table has the figures and what the rows do" {
    in_a_repository_with_handles
    times 'shared_ptr.erase_front 12' 'std.erase_front 10' 'arc.copy 5' 'arc.erase_front 8'
    compares HEAD --table table.md
    [ "$status" -eq 2 ]
    grep -F '| erase_front: The first is erased. | 12.00 (1.20, 1.20) | 12.00 (1.20, 1.20) |' table.md
    grep -F '| 8.00 (new, 0.80) |' table.md
    grep -xF '`shared_ptr.erase_front` 1.20.' table.md
}

@test "--release compares the version with the one before and keeps its table" {
    in_a_repository_with_handles
    mkdir docs
    printf '## [Unreleased] 0.1.0\n' >CHANGELOG.md
    git add CHANGELOG.md
    git commit -qm 0.1.0
    times 'arc.copy 4' 'std.copy 8' 'std.erase_front 10'
    printf '## [Unreleased] 0.2.0\n\n## 0.1.0\n' >CHANGELOG.md
    git commit -qam 0.2.0
    begun=$(git rev-parse --short HEAD)
    printf '## [Unreleased] 0.2.0\n- More.\n\n## 0.1.0\n' >CHANGELOG.md
    git commit -qam more
    compares --release --compilers g++
    [ "$status" -eq 0 ]
    grep -F "# The handles' times: 0.2.0 against 0.1.0 ($begun^) and std" docs/handle_times/0.2.0.md
    grep -F '| copy: A vector is copied. | 4.00 (0.80, 0.50) |' docs/handle_times/0.2.0.md
    git tag v0.1.0 HEAD
    compares --release --compilers g++
    grep -F '| copy: A vector is copied. | 4.00 (1.00, 0.50) |' docs/handle_times/0.2.0.md
}

@test "an error says what to do, measures nothing, and leaves nothing" {
    in_a_repository_with_handles
    echo '## 0.1.0' >CHANGELOG.md
    for wrong in "" "--nonsense" "nosuch" "HEAD --rounds 0" "HEAD --rounds many" "HEAD --compilers nosuch" "HEAD --compilers ," \
        "HEAD --milliseconds nan" "HEAD --table no/such.md" "HEAD --table ." "HEAD --release" --release; do
        # shellcheck disable=SC2086
        compares $wrong
        echo "$wrong: $status $output"
        [ "$status" -eq 1 ]
        [[ $output == "handles-ab: "* && $output != *Traceback* ]]
        leaves_nothing
    done
    touch include/error
    compares HEAD
    [ "$status" -eq 1 ]
    [[ $output == *"does not compile the rows with the headers of the working tree"*"it does not compile"* ]]
    leaves_nothing
}

@test "a program that crashes is told" {
    in_a_repository_with_handles
    sed -i 's/echo "while read/echo "kill -9 \\$\\$; while read/' "$bin/g++"
    compares HEAD --compilers g++
    [ "$status" -eq 1 ]
    [[ $output == *"this failed"* ]]
    leaves_nothing
}

@test "--help tells the exit status" {
    in_a_repository_with_handles
    compares --help
    [ "$status" -eq 0 ]
    [[ $output == *"Exit status"* ]]
}

@test "the rows compile and run" {
    export PATH=$REAL_PATH
    mkdir -p lab/suites/common
    cp -r "$BATS_TEST_DIRNAME/../../include" .
    cp -r "$BATS_TEST_DIRNAME"/../../lab/handles_ab lab
    cp -r "$BATS_TEST_DIRNAME"/../../lab/suites/containers lab/suites
    cp "$BATS_TEST_DIRNAME/../../lab/suites/common/barrier.hpp" lab/suites/common
    commits
    compares HEAD --compilers "${CXX:-c++}" --flags=-O0 --rounds 1 --milliseconds 0.001 --table table.md
    echo "$output"
    [ "$status" -ne 1 ]
    [[ $output == *"Slower than std"* ]]
    grep -F '| sort: A vector is sorted by the pointees' table.md
    leaves_nothing
}
