# SPDX-License-Identifier: BSL-1.0
# cmake -DBUILD=<cargo's folder> -DPROCESS=<executable to make> [-DREASON=<why not>] [-DCARGO=<cargo>] -P build.cmake
# Builds this process. If that is impossible, it makes PROCESS a script that reports the reason in the protocol of
# external processes.
cmake_minimum_required(VERSION 3.22)

set(reason "${REASON}")
if(NOT reason)
    include("${CMAKE_CURRENT_LIST_DIR}/../cargo.cmake")
    cargo_build(reason rust "${BUILD}")
endif()

get_filename_component(folder "${PROCESS}" DIRECTORY)
file(MAKE_DIRECTORY "${folder}")
if(NOT reason)
    file(COPY_FILE "${BUILD}/release/freehold-lab-rust" "${PROCESS}" ONLY_IF_DIFFERENT)
    return()
endif()

message(STATUS "Rust's subjects will be skipped: ${reason}")
string(REGEX REPLACE "([\\\\\"])" "\\\\\\1" reason "${reason}")
file(READ "${CMAKE_CURRENT_LIST_DIR}/subjects.json" subjects)
string(REGEX REPLACE "\"name\"" "\"missing\":\"${reason}\",\"name\"" subjects "${subjects}")
string(REPLACE "\n" "" subjects "${subjects}")
set(cells)
set(pointers arcswap.load arcswap.load_full rwlock_of_arc)
foreach(subject IN ITEMS rc arc triomphe.arc ${pointers})
    set(cases operations/copy operations/move construction/one construction/1024_alive)
    if(subject IN_LIST pointers)
        set(cases atomics/store)
    elseif(NOT subject STREQUAL "rc")
        list(APPEND cases threads/hand_over threads/pass_copies)
    endif()
    foreach(one IN LISTS cases)
        string(REGEX REPLACE "^(.*)/(.*)$" [["suite":"\1","case":"\2"]] names "${one}")
        list(APPEND cells "{${names},\"subject\":\"${subject}\",\"scale\":1}")
    endforeach()
endforeach()
list(JOIN cells "," cells)
set(head "{\"format\":\"freehold-process\",\"version\":2,\"compiler\":\"\",\"flags\":\"\",\"standard_library\":\"\"")
file(WRITE "${PROCESS}" "#!/bin/sh
case \"$*\" in
'--process threaded') cat <<'END' ;;
${head},\"subjects\":${subjects},\"cells\":[${cells}]}
END
*) cat <<'END' ;;
${head},\"subjects\":${subjects},\"cells\":[]}
END
esac
exec cat >/dev/null
")
file(CHMOD "${PROCESS}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
