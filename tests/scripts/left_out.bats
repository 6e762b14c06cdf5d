# SPDX-License-Identifier: BSL-1.0
# What freehold_test_left_out says, with and without FREEHOLD_REQUIRE.
left_out() {
    FREEHOLD_REQUIRE=$1 run cmake -DFEATURE=s3 '-DREASON=no server' -P "$BATS_TEST_DIRNAME/../left_out.cmake"
}

@test "tests that are left out are skipped if nothing demands them" {
    for required in '' valgrind 'all -s3'; do
        left_out "$required"
        [ "$status" -eq 0 ]
        [[ $output == *"s3 is left out: no server"* ]]
    done
}

@test "tests that are left out fail if their feature is demanded" {
    for required in s3 'valgrind s3' all 'all -rust'; do
        left_out "$required"
        [ "$status" -ne 0 ]
        # ctest takes this sentence for a skip.
        [[ $output != *"is left out"* ]]
        [[ $output == *"FREEHOLD_REQUIRE demands s3"* ]]
    done
}
