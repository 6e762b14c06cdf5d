# SPDX-License-Identifier: BSL-1.0
# The test that stands for what freehold_test_left_out(FEATURE REASON) leaves out. Scripts of tests include it, too.
cmake_minimum_required(VERSION 3.22)
separate_arguments(required UNIX_COMMAND "$ENV{FREEHOLD_REQUIRE}")
if(FEATURE IN_LIST required OR ("all" IN_LIST required AND NOT "-${FEATURE}" IN_LIST required))
    message(FATAL_ERROR "FREEHOLD_REQUIRE demands ${FEATURE}, which is not there: "
        "${REASON}")
endif()
message(STATUS "${FEATURE} is left out: ${REASON}")
