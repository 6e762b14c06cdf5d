# SPDX-License-Identifier: BSL-1.0
# Rust's owners. Whether cargo can build the process, and whether it is up to date, is found out at every build.
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
