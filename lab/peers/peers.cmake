# SPDX-License-Identifier: BSL-1.0
# The peers: executables in `peers/` beside freehold-lab, which starts and drives them (../README.md).
include(CheckCXXSourceCompiles)

# Where this compiler can be told to use libc++: how, or why not.
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    set(libcxx_options -stdlib=libc++)
    set(libcxx_libraries -stdlib=libc++)
else()
    file(GLOB llvm_libcxx_folders /usr/lib/llvm-*/include)
    list(SORT llvm_libcxx_folders COMPARE NATURAL ORDER DESCENDING)
    find_path(LIBCXX_INCLUDE_DIR __config HINTS /usr/include ${llvm_libcxx_folders} PATH_SUFFIXES c++/v1
        NO_DEFAULT_PATH)
    set(libcxx_options -nostdinc++ "-isystem${LIBCXX_INCLUDE_DIR}")
    set(libcxx_libraries -nodefaultlibs -lc++ -lc++abi -lm -lc -lgcc_s -lgcc)
endif()
# Asked anew until it is there: it may be installed later.
if(NOT LAB_COMPILES_WITH_LIBCXX)
    unset(LAB_COMPILES_WITH_LIBCXX CACHE)
endif()
string(JOIN " " CMAKE_REQUIRED_FLAGS ${libcxx_options} -std=c++20)
set(CMAKE_REQUIRED_LINK_OPTIONS ${libcxx_libraries})
set(CMAKE_REQUIRED_LIBRARIES ${libcxx_libraries})
check_cxx_source_compiles([[
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#ifndef _LIBCPP_VERSION
#error "another standard library"
#endif
int main() {
    std::thread([value = std::make_shared<std::string>("libc++")] { std::cout << *value; }).join();
}
]] LAB_COMPILES_WITH_LIBCXX)
unset(CMAKE_REQUIRED_FLAGS)
unset(CMAKE_REQUIRED_LINK_OPTIONS)
unset(CMAKE_REQUIRED_LIBRARIES)

# lab_peer(target source optimisation library [option...]): one executable, all of it compiled with the same options.
function(lab_peer target source optimisation library)
    add_executable(${target} ${source} peers/host.cpp runner/process.cpp)
    target_link_libraries(${target} PRIVATE lab_own_options)
    target_compile_options(${target} PRIVATE ${optimisation} ${ARGN})
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/peers")
    string(JOIN " " flags ${optimisation} ${ARGN})
    if(library STREQUAL "libc++" AND LAB_COMPILES_WITH_LIBCXX)
        target_compile_options(${target} PRIVATE ${libcxx_options})
        target_link_options(${target} PRIVATE ${libcxx_libraries})
        target_link_libraries(${target} PRIVATE ${libcxx_libraries})
        string(APPEND flags " -stdlib=libc++")
    elseif(library STREQUAL "libc++")
        set(no_libcxx "install libc++ (Debian: libc++-dev libc++abi-dev) and build the lab again")
        target_compile_definitions(${target} PRIVATE "PEER_MISSING=\"${no_libcxx}\"")
    endif()
    target_compile_definitions(${target} PRIVATE "PEER_FLAGS=\"${flags} -DNDEBUG -std=c++20\"")
endfunction()

# The seed's program.
foreach(library IN ITEMS libstdc++ libc++)
    foreach(optimisation IN ITEMS -O0 -O3)
        lab_peer("seed${optimisation}-${library}" peers/seed.cpp ${optimisation} ${library})
        target_compile_definitions("seed${optimisation}-${library}" PRIVATE
            "SEED_TEST=\"seed ${optimisation} ${library}\"")
    endforeach()
endforeach()

lab_peer(standard-library-libc++ peers/standard_library.cpp -O3 libc++)

include(peers/packets.cmake)
include(peers/replaced_malloc.cmake)
