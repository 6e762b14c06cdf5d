# SPDX-License-Identifier: BSL-1.0
. "$BATS_TEST_DIRNAME/../../scripts/lib/progress.sh"

# Prints the "finished total" of each line of progress.
counts() {
    show_progress What | sed -E 's/^What: step ([0-9]+) of ([0-9]+),.*/\1 \2/'
}

@test "a build's own steps are shown for each tenth" {
    run counts <<<'@1 20 0.1@ one
@2 20 0.2@ two
not a step
@3 20 0.3@ three
@20 20 1.4@ twenty'
    [ "$output" = "1 20
2 20
20 20" ]
}

@test "the steps of each lab are added to the build's own" {
    run counts <<<'@4 10 0.5@ own
[lab 1/20] first
[lab 20/20] first
@5 10 0.6@ own, shown late
[lab 0/2] second
[lab 8/8] second
@10 10 9.5@ own'
    [ "$output" = "4 10
5 30
24 30
25 32
33 38
38 38" ]
}
