# SPDX-License-Identifier: BSL-1.0
# cmake -DBUILD=<cargo's folder> -DPEER=<executable to make> [-DCARGO=<cargo>] -P build.cmake
# Builds this peer; where that cannot be done, makes PEER a script that says why, in the peers' protocol.
cmake_minimum_required(VERSION 3.22)

include("${CMAKE_CURRENT_LIST_DIR}/../cargo.cmake")
cargo_build(reason rust "${BUILD}")

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
