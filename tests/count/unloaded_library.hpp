// SPDX-License-Identifier: BSL-1.0
// What unloaded_library_test.cpp calls in a library that it unloads.
#pragma once

#include <freehold/handle/shared_ptr.hpp>

namespace freehold::tests {

using owner_across_libraries = shared_ptr<int, sharded_count>;

struct unloaded_library {
    void (*copy_and_release)(const owner_across_libraries& owner, int times);
    void (*share_out)(const owner_across_libraries& owner);
    // Makes an object, shares it out, copies it, gathers it and destroys it.
    void (*use_an_object_of_its_own)(int times);
};
using unloaded_library_function = const unloaded_library* (*)();

}  // namespace freehold::tests
