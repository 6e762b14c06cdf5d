// SPDX-License-Identifier: BSL-1.0
// Two versions of the library in one process, each inside a shared library that hides its symbols.
#include "abi/library.hpp"

#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include <dlfcn.h>
#include <gtest/gtest.h>

namespace two_versions_test {
namespace {

const abi_library* load(const char* path, int flags) {
    void* const library = dlopen(path, RTLD_NOW | flags);
    if (library == nullptr) {
        ADD_FAILURE() << dlerror();
        return nullptr;
    }
    const auto offered =
        reinterpret_cast<abi_library_function>(dlsym(library, "abi_library_offered"));
    return offered != nullptr ? offered() : nullptr;
}

// Enough that each thread exchanges magazines with the others.
void use(const abi_library& library, std::vector<void*>& left) {
    std::vector<void*> handles;
    for (int i = 0; i < 3000; ++i) {
        handles.push_back(library.make(i));
        handles.push_back(library.copy(handles.back()));
    }
    for (int i = 0; i < 3000; ++i) {
        EXPECT_EQ(library.read(handles[2 * i]), i);
        EXPECT_EQ(library.pass_through_caches(i), i);
        library.release(handles[2 * i]);
        left.push_back(handles[2 * i + 1]);
    }
}

using pair = std::tuple<const char*, const char*, int>;
class two_versions : public testing::TestWithParam<pair> {};

TEST_P(two_versions, work_in_one_process) {
    const auto [first_path, second_path, flags] = GetParam();
    const abi_library* const first = load(first_path, flags);
    const abi_library* const second = load(second_path, flags);
    ASSERT_NE(first, nullptr);
    ASSERT_NE(second, nullptr);
    ASSERT_NE(first->abi_version, second->abi_version);

    std::vector<void*> of_first;
    std::vector<void*> of_second;
    std::thread([&] {
        use(*first, of_first);
        use(*second, of_second);
    }).join();
    use(*second, of_second);
    use(*first, of_first);
    // Released by another thread than the one that made them, by the library that made them.
    for (void* const each : of_second) second->release(each);
    for (void* const each : of_first) first->release(each);
    EXPECT_EQ(first->alive(), 0);
    EXPECT_EQ(second->alive(), 0);
}

INSTANTIATE_TEST_SUITE_P(as_headers, two_versions,
                         testing::Values(pair{THIS_HEADERS, OTHER_HEADERS, RTLD_GLOBAL},
                                         pair{THIS_HEADERS, OTHER_HEADERS, RTLD_LOCAL}));
INSTANTIATE_TEST_SUITE_P(with_cores, two_versions,
                         testing::Values(pair{THIS_CORE, OTHER_CORE, RTLD_GLOBAL},
                                         pair{THIS_CORE, OTHER_CORE, RTLD_LOCAL}));
INSTANTIATE_TEST_SUITE_P(headers_beside_core, two_versions,
                         testing::Values(pair{THIS_HEADERS, OTHER_CORE, RTLD_GLOBAL},
                                         pair{THIS_CORE, OTHER_HEADERS, RTLD_GLOBAL}));

}  // namespace
}  // namespace two_versions_test
