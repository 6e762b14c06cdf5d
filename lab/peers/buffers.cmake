# SPDX-License-Identifier: BSL-1.0
# The peers of `buffers`: an executable for each allocator that replaces malloc. Where one is not installed, an
# executable stands in that says so. The allocators were looked for by packets.cmake.

# lab_buffers_peer(competitor package)
function(lab_buffers_peer competitor package)
    set(target buffers-${competitor})
    if(${competitor}_INCLUDE_DIR AND ${competitor}_LIBRARY)
        lab_peer(${target} peers/buffers/${competitor}.cpp -O3 libstdc++)
        target_include_directories(${target} SYSTEM PRIVATE "${${competitor}_INCLUDE_DIR}")
        target_link_libraries(${target} PRIVATE "${${competitor}_LIBRARY}" ${CMAKE_DL_LIBS})
    else()
        lab_peer(${target} peers/buffers/absent.cpp -O3 libstdc++)
        set(reason "install ${competitor} (Debian: ${package}), and build the lab again")
        target_compile_definitions(${target} PRIVATE "BUFFERS_COMPETITOR=\"${competitor}\"" "PEER_MISSING=\"${reason}\"")
    endif()
endfunction()
lab_buffers_peer(mimalloc libmimalloc-dev)
lab_buffers_peer(jemalloc libjemalloc-dev)
lab_buffers_peer(tcmalloc libgoogle-perftools-dev)
