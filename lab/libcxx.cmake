# SPDX-License-Identifier: BSL-1.0
# LAB_COMPILES_WITH_LIBCXX: whether this compiler can use libc++; and what it then needs: `libcxx_options` and
# `libcxx_libraries`.
include(CheckCXXSourceCompiles)

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
# Tests again until libc++ is found, because it may be installed later.
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
