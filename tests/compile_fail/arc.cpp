// SPDX-License-Identifier: BSL-1.0
#include <freehold/handle/arc.hpp>
#include <freehold/handle/shared_ptr.hpp>

#include <string>

using freehold::arc;
using freehold::make_arc;
using freehold::weak_arc;

struct plain {};
struct derived_from_plain : plain {};
struct base {
    virtual ~base() = default;
};
struct other_base {
    virtual ~other_base() = default;
};
struct derived : base, other_base {};

void use() {
    arc<derived> owner = make_arc<derived>();
    arc<base> first = owner;
    arc<const derived> constant = owner;
    arc<int[]> array = make_arc<int[]>(3);
    weak_arc<derived> weak = owner;
#ifdef from_a_plain_pointer  // error: no matching
    arc<int> adopted(new int);
#endif
#ifdef to_a_base_without_virtual_functions  // error: no viable|conversion from
    arc<plain> sliced = make_arc<derived_from_plain>();
#endif
#ifdef to_a_base_that_is_not_at_the_start  // error: no viable|conversion from
    arc<other_base> second = owner;
#endif
#ifdef to_a_derived_class  // error: no viable|conversion from
    arc<derived> back = first;
#endif
#ifdef to_one_that_may_write  // error: no viable|conversion from
    arc<derived> writable = constant;
#endif
#ifdef to_another_count  // error: no viable|conversion from
    arc<derived, freehold::local_count> local = owner;
#endif
#ifdef dereferenced_while_weak  // error: pointer
    static_cast<void>(weak->first);
#endif
#ifdef array_dereferenced  // error: operator\*|requires pointer operand
    *array = 1;
#endif
#ifdef object_indexed  // error: operator
    static_cast<void>(owner[0]);
#endif
#ifdef of_bounded_array  // error: the length of an array is not part of arc's type
    arc<int[3]> bounded;
#endif
#ifdef of_void  // error: arc owns objects
    arc<void> nothing;
#endif
#ifdef to_shared_ptr_of_another_type  // error: no viable|conversion from
    freehold::shared_ptr<std::string> text = owner;
#endif
#ifdef compared_with_an_unrelated_type  // error: no match|invalid operands
    static_cast<void>(owner == array);
#endif
}
