# SPDX-License-Identifier: BSL-1.0
# The peers of `zeroing` and `buffers`: for each suite an executable for each allocator that replaces malloc. Where one
# is not installed, an executable stands in that says so. The allocators were looked for by packets.cmake.

# lab_replaced_malloc_peers(suite [source...]): the sources join those of each allocator that is there or not.
function(lab_replaced_malloc_peers suite)
    foreach(competitor package IN ZIP_LISTS replaced_mallocs replaced_malloc_packages)
        set(target ${suite}-${competitor})
        if(${competitor}_INCLUDE_DIR AND ${competitor}_LIBRARY)
            lab_peer(${target} peers/${suite}/${competitor}.cpp -O3 libstdc++)
            target_include_directories(${target} SYSTEM PRIVATE "${${competitor}_INCLUDE_DIR}")
            target_link_libraries(${target} PRIVATE "${${competitor}_LIBRARY}" ${CMAKE_DL_LIBS})
        else()
            lab_peer(${target} peers/${suite}/absent.cpp -O3 libstdc++)
            set(reason "install ${competitor} (Debian: ${package}), and build the lab again")
            target_compile_definitions(${target} PRIVATE
                "PEER_COMPETITOR=\"${competitor}\"" "PEER_MISSING=\"${reason}\"")
        endif()
        if(ARGN)
            target_sources(${target} PRIVATE ${ARGN})
        endif()
    endforeach()
endfunction()
set(replaced_mallocs mimalloc jemalloc tcmalloc)
set(replaced_malloc_packages libmimalloc-dev libjemalloc-dev libgoogle-perftools-dev)
lab_replaced_malloc_peers(zeroing suites/child.cpp suites/zeroing/fillers.cpp)
lab_replaced_malloc_peers(buffers)
