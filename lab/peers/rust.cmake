# SPDX-License-Identifier: BSL-1.0
# The Rust peer. Whether it can be built, and whether it is up to date, is found out at every build.
add_custom_target(lab_rust_peer ALL
    COMMAND "${CMAKE_COMMAND}" "-DBUILD=${CMAKE_CURRENT_BINARY_DIR}/rust"
        "-DPEER=${CMAKE_CURRENT_BINARY_DIR}/peers/rust" -P "${CMAKE_CURRENT_SOURCE_DIR}/peers/rust/build.cmake"
    BYPRODUCTS "${CMAKE_CURRENT_BINARY_DIR}/peers/rust"
    USES_TERMINAL # one cargo at a time
    COMMENT "Building the Rust peer" VERBATIM)
