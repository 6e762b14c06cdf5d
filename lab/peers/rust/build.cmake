# SPDX-License-Identifier: BSL-1.0
# cmake -DBUILD=<cargo's folder> -DPEER=<executable to make> [-DCARGO=<cargo>] -P build.cmake
# Builds this peer; where that cannot be done, makes PEER a script that says why, in the peers' protocol.
cmake_minimum_required(VERSION 3.22)

set(cargo_homes "$ENV{CARGO_HOME}" "$ENV{HOME}/.cargo")
find_program(CARGO cargo HINTS ${cargo_homes} PATH_SUFFIXES bin)

set(reason)
if(NOT CARGO)
    set(reason "install Rust's cargo, and build the lab again (https://rustup.rs; Debian: cargo)")
else()
    # What is measured is built with the profile in Cargo.toml and nothing else. A registry that is out of reach is not
    # waited for long.
    unset(ENV{RUSTFLAGS})
    unset(ENV{CARGO_BUILD_TARGET})
    set(ENV{CARGO_NET_RETRY} 1)
    set(ENV{CARGO_HTTP_TIMEOUT} 10)
    execute_process(
        COMMAND "${CARGO}" build --release --locked --quiet --color never
            --manifest-path "${CMAKE_CURRENT_LIST_DIR}/Cargo.toml" --target-dir "${BUILD}"
        RESULT_VARIABLE result ERROR_VARIABLE said TIMEOUT 300)
    if(NOT result EQUAL 0)
        string(REGEX MATCH "error[^\n]*" error "${said}")
        if(NOT error)
            set(error "it ended with ${result}")
        endif()
        set(reason "cargo cannot build it (${error}): `cargo build --release --locked` in lab/peers/rust says why")
    endif()
endif()

get_filename_component(folder "${PEER}" DIRECTORY)
file(MAKE_DIRECTORY "${folder}")
if(NOT reason)
    file(COPY_FILE "${BUILD}/release/freehold-lab-rust" "${PEER}" ONLY_IF_DIFFERENT)
    return()
endif()

message(STATUS "Rust's competitors will be skipped: ${reason}")
set(cells)
foreach(competitor IN ITEMS Rc Arc triomphe::Arc)
    set(tests operations/copy operations/move construction/one "construction/1024 alive")
    if(NOT competitor STREQUAL "Rc")
        list(APPEND tests "threads/one object" "threads/an object each" threads/hand-over)
    endif()
    foreach(test IN LISTS tests)
        string(REGEX REPLACE "^(.*)/(.*)$" [["suite":"\1","test":"\2"]] names "${test}")
        list(APPEND cells "{${names},\"competitor\":\"${competitor}\",\"unit\":\"ns\",\"scale\":1,\"once\":false}")
    endforeach()
endforeach()
list(JOIN cells "," cells)
string(REGEX REPLACE "([\\\\\"])" "\\\\\\1" reason "${reason}")
set(head "{\"format\":\"freehold-peer\",\"version\":1,\"compiler\":\"\",\"flags\":\"\",\"standard_library\":\"\"")
file(WRITE "${PEER}" "#!/bin/sh
case \"$*\" in
'--process threaded') cat <<'END' ;;
${head},\"missing\":\"${reason}\",\"peers\":[],\"cells\":[${cells}]}
END
*) cat <<'END' ;;
${head},\"missing\":\"${reason}\",\"peers\":[],\"cells\":[]}
END
esac
exec cat >/dev/null
")
file(CHMOD "${PEER}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
