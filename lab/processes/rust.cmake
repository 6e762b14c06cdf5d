# SPDX-License-Identifier: BSL-1.0
# Rust's owners. Every build finds out whether cargo can build the process, and whether the process is up to date.
set(lab_rust_reason "")
if(NOT FREEHOLD_LAB_SCOPE STREQUAL full)
    set(lab_rust_reason "${only_in_full}")
endif()
add_custom_target(lab_rust_process ALL
    COMMAND "${CMAKE_COMMAND}" "-DBUILD=${CMAKE_CURRENT_BINARY_DIR}/rust" "-DREASON=${lab_rust_reason}"
        "-DPROCESS=${processes_folder}/rust" -P "${CMAKE_CURRENT_SOURCE_DIR}/processes/rust/build.cmake"
    BYPRODUCTS "${processes_folder}/rust"
    USES_TERMINAL # one cargo at a time
    COMMENT "Building the Rust process" VERBATIM)
