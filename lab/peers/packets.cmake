# SPDX-License-Identifier: BSL-1.0
# The peers of `packets`: an executable for each allocator that replaces malloc or needs a start of its own. Where one
# is not installed, an executable stands in that says so.
find_package(PkgConfig QUIET)

function(lab_absent_packets_peer target competitor bulk reason)
    message(STATUS "${competitor} will be skipped: ${reason}")
    string(REGEX REPLACE "([\\\\\"])" "\\\\\\1" reason "${reason}")
    lab_peer(${target} peers/packets/absent.cpp -O3 libstdc++)
    target_compile_definitions(${target} PRIVATE "PACKETS_COMPETITOR=\"${competitor}\"" PACKETS_BULK=${bulk}
        "PEER_MISSING=\"${reason}\"")
endfunction()

# lab_malloc_peer(competitor header library package): what is linked with the library has its malloc.
function(lab_malloc_peer competitor header library package)
    set(target packets-${competitor})
    find_path(${competitor}_INCLUDE_DIR ${header})
    find_library(${competitor}_LIBRARY ${library})
    if(NOT (${competitor}_INCLUDE_DIR AND ${competitor}_LIBRARY))
        lab_absent_packets_peer(${target} ${competitor} false
            "install ${competitor} (Debian: ${package}), and build the lab again")
        return()
    endif()
    lab_peer(${target} peers/packets/${competitor}.cpp -O3 libstdc++)
    target_include_directories(${target} SYSTEM PRIVATE "${${competitor}_INCLUDE_DIR}")
    target_link_libraries(${target} PRIVATE "${${competitor}_LIBRARY}" ${CMAKE_DL_LIBS})
endfunction()
lab_malloc_peer(mimalloc mimalloc.h mimalloc libmimalloc-dev)
lab_malloc_peer(jemalloc jemalloc/jemalloc.h jemalloc libjemalloc-dev)
lab_malloc_peer(tcmalloc gperftools/tcmalloc.h tcmalloc_minimal libgoogle-perftools-dev)

# Allocators from crates.io, by the package in packets/crates. Cargo is asked anew whenever the lab is configured.
include(peers/cargo.cmake)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS peers/packets/crates/Cargo.toml
    peers/packets/crates/Cargo.lock peers/packets/crates/src/lib.rs)

# lab_crate_peer(competitor feature crate): `crate` is what the package's feature takes in.
function(lab_crate_peer competitor feature crate)
    set(target packets-${feature})
    set(folder "${CMAKE_CURRENT_BINARY_DIR}/crates/${feature}")
    message(STATUS "Building ${competitor} with cargo")
    cargo_build(reason packets/crates "${folder}" --features ${feature})
    if(reason)
        lab_absent_packets_peer(${target} "${competitor}" false "${reason}")
        return()
    endif()
    lab_peer(${target} peers/packets/${feature}.cpp -O3 libstdc++)
    target_link_libraries(${target} PRIVATE "${folder}/release/libfreehold_lab_allocators.a" ${CMAKE_DL_LIBS})
    file(STRINGS peers/packets/crates/Cargo.toml version REGEX "^${crate} ")
    string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" version "${version}")
    string(TOUPPER ${feature} name)
    target_compile_definitions(${target} PRIVATE ${name}_VERSION="${version}")
endfunction()
lab_crate_peer("mimalloc 3" mimalloc_3 libmimalloc-sys)
lab_crate_peer(snmalloc snmalloc snmalloc-sys)

# DPDK, with the flags that it asks for. Its handlers are loaded by it as it starts.
if(PKG_CONFIG_FOUND)
    pkg_check_modules(DPDK QUIET libdpdk)
endif()
# lab_rte_mempool_peer(handler ops)
function(lab_rte_mempool_peer handler ops)
    set(target packets-rte_mempool-${handler})
    if(NOT DPDK_FOUND)
        lab_absent_packets_peer(${target} "rte_mempool, ${handler}" true
            "install DPDK and pkg-config (Debian: libdpdk-dev pkg-config), and build the lab again")
        return()
    endif()
    lab_peer(${target} peers/packets/rte_mempool.cpp -O3 libstdc++ ${DPDK_CFLAGS_OTHER})
    target_include_directories(${target} SYSTEM PRIVATE ${DPDK_INCLUDE_DIRS})
    target_compile_definitions(${target} PRIVATE RTE_MEMPOOL_HANDLER="${handler}" RTE_MEMPOOL_OPS="${ops}")
    target_link_libraries(${target} PRIVATE ${DPDK_LDFLAGS})
endfunction()
lab_rte_mempool_peer(ring ring_mp_mc)
lab_rte_mempool_peer(stack stack)
lab_rte_mempool_peer(lf_stack lf_stack)
