// SPDX-License-Identifier: BSL-1.0
// No function of a handle looks a name up in the namespaces of the element, in which it could find
// another function, and in which a template argument of the element need not be complete. Functions
// that look names up there by design, for enable_shared_from_this and trace, are not called here.
#include <freehold/count/biased_count.hpp>
#include <freehold/handle/arc.hpp>
#include <freehold/handle/dumb_ptr.hpp>
#include <freehold/handle/linked_ptr.hpp>
#include <freehold/handle/shared_ptr.hpp>

#include <memory>
#include <utility>

#include <gtest/gtest.h>

namespace freehold::argument_dependent_lookup_test {
namespace {

struct incomplete;
template <class T>
struct holder {
    T held;
};
template <class T>
struct of_holder {
    int value = 0;
};
// A function that looks for a name in the namespaces of its argument instantiates the holder.
using element = of_holder<holder<incomplete>>;

// Its functions are members, whose names are not looked up so, and it applies no operator such as
// !.
struct every_operation {
    template <class Handle>
    static bool is(const Handle& handle) {
        return static_cast<bool>(handle);
    }
    template <class Handle>
    static bool on(Handle made) {
        Handle copy = made;
        Handle moved = std::move(copy);
        copy = moved;
        moved = std::move(copy);
        copy = made;
        copy.swap(moved);
        moved = nullptr;
        copy.reset();
        return is(made) && !is(moved) && !is(copy);
    }
    template <class Weak, class Handle>
    static bool on_weak(Handle made) {
        Weak weak = made;
        Weak copy = weak;
        weak = made;
        weak = std::move(copy);
        made.reset();
        return !is(weak.lock());
    }
};

TEST(a_shared_array, looks_no_name_up_in_the_namespaces_of_its_elements) {
    const std::allocator<element> allocator;
    EXPECT_TRUE(every_operation::on(freehold::make_shared<element[]>(3)));
    EXPECT_TRUE(every_operation::on(freehold::make_shared<element[]>(3, element())));
    EXPECT_TRUE(every_operation::on(freehold::make_shared<element[3]>()));
    EXPECT_TRUE(every_operation::on(freehold::make_shared<element[3]>(element())));
    EXPECT_TRUE(every_operation::on(freehold::make_shared<element[][2]>(3)));
    EXPECT_TRUE(every_operation::on(freehold::make_shared<element[], biased_count>(3)));
    EXPECT_TRUE(every_operation::on(freehold::make_shared_for_overwrite<element[]>(3)));
    EXPECT_TRUE(every_operation::on(freehold::allocate_shared<element[]>(allocator, 3)));
    EXPECT_TRUE(every_operation::on(freehold::allocate_shared<element[]>(allocator, 3, element())));
    EXPECT_TRUE(every_operation::on(freehold::allocate_shared<element[3]>(allocator)));
    EXPECT_TRUE(
        every_operation::on(freehold::allocate_shared_for_overwrite<element[]>(allocator, 3)));
    EXPECT_TRUE(every_operation::on(shared_ptr<element[]>(new element[3])));
    EXPECT_TRUE(every_operation::on_weak<weak_ptr<element[]>>(freehold::make_shared<element[]>(3)));
}

TEST(an_arc, looks_no_name_up_in_the_namespaces_of_its_pointee) {
    const std::allocator<element> allocator;
    EXPECT_TRUE(every_operation::on(freehold::make_arc<element>()));
    EXPECT_TRUE(every_operation::on(freehold::make_arc<element, biased_count>()));
    EXPECT_TRUE(every_operation::on(freehold::make_arc<element[]>(3)));
    EXPECT_TRUE(every_operation::on(freehold::make_arc<element[]>(3, element())));
    EXPECT_TRUE(every_operation::on(freehold::allocate_arc<element>(allocator)));
    EXPECT_TRUE(every_operation::on(freehold::allocate_arc<element[]>(allocator, 3)));
    EXPECT_TRUE(every_operation::on_weak<weak_arc<element>>(freehold::make_arc<element>()));
}

TEST(other_handles, look_no_name_up_in_the_namespaces_of_their_pointees) {
    EXPECT_TRUE(every_operation::on(linked_ptr<element>(new element)));
    element one;
    EXPECT_TRUE(every_operation::on(dumb_ptr<element>(std::addressof(one))));
}

}  // namespace
}  // namespace freehold::argument_dependent_lookup_test
