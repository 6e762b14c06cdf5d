# SPDX-License-Identifier: BSL-1.0
# cargo_build(result folder target_folder [option...]): builds the package in lab/processes/<folder>. Sets `result` to
# the reason why it cannot be built, or to nothing.
#
# The build uses only the profile in the package's Cargo.toml. It does not wait long for a registry that is out of
# reach.
set(cargo_homes "$ENV{CARGO_HOME}" "$ENV{HOME}/.cargo")
find_program(CARGO cargo HINTS ${cargo_homes} PATH_SUFFIXES bin)

set(processes_source_folder "${CMAKE_CURRENT_LIST_DIR}")

function(cargo_build result folder target_folder)
    set(${result} "" PARENT_SCOPE)
    if(NOT CARGO)
        set(${result} "install Rust's cargo, and build the lab again (https://rustup.rs; Debian: cargo)" PARENT_SCOPE)
        return()
    endif()
    execute_process(
        COMMAND "${CMAKE_COMMAND}" -E env --unset=RUSTFLAGS --unset=CARGO_BUILD_TARGET CARGO_NET_RETRY=1
            CARGO_HTTP_TIMEOUT=10 "${CARGO}" build --release --locked --quiet --color never ${ARGN}
            --manifest-path "${processes_source_folder}/${folder}/Cargo.toml" --target-dir "${target_folder}"
        RESULT_VARIABLE ended ERROR_VARIABLE said TIMEOUT 300)
    if(NOT ended EQUAL 0)
        string(REGEX MATCH "error[^\n]*" error "${said}")
        if(NOT error)
            set(error "it ended with ${ended}")
        endif()
        list(JOIN ARGN " " options)
        string(STRIP "cargo build --release --locked ${options}" command)
        set(${result} "cargo cannot build it (${error}): `${command}` in lab/processes/${folder} says why" PARENT_SCOPE)
    endif()
endfunction()
