// SPDX-License-Identifier: BSL-1.0
#include "count/unloaded_library.hpp"

#include <freehold/count/sharded_count.hpp>
#include <freehold/handle/anchor.hpp>

namespace freehold::tests {
namespace {

void copy_and_release(const owner_across_libraries& owner, int times) {
    for (int i = 0; i != times; ++i) const owner_across_libraries copy = owner;
}
void share_out(const owner_across_libraries& owner) {
    detail::counts_owned_by(owner)->share_out();
}
void use_an_object_of_its_own(int times) {
    const anchor kept(make_shared<int, sharded_count>(1));
    copy_and_release(kept.get(), times);
}

constexpr unloaded_library functions{&copy_and_release, &share_out, &use_an_object_of_its_own};

}  // namespace

extern "C" [[gnu::visibility("default")]] const unloaded_library* functions_of_unloaded_library() {
    return &functions;
}

}  // namespace freehold::tests
