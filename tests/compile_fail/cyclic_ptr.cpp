// SPDX-License-Identifier: BSL-1.0
#include <freehold/handle/cyclic_ptr.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

using freehold::cyclic_ptr;
using freehold::make_cyclic;
using freehold::weak_cyclic_ptr;

struct base {
    virtual ~base() = default;
};
struct derived : base {};
struct unrelated {};

struct seen {
    std::vector<cyclic_ptr<seen>> edges;
    std::string name;
    std::function<void()>* not_owned;
};
class with_private_members {
public:
    ~with_private_members() {}

private:
    cyclic_ptr<seen> hidden_;
};
struct with_unseen_member {
    with_private_members member;
};
struct with_unseen_elements {
    std::vector<with_private_members> members;
};
struct with_unseen_owner {
    std::shared_ptr<seen> member;
};
struct with_base : seen {
    int more;
};
struct with_many_members {
    std::string a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q;
};

void use() {
    cyclic_ptr<base> to_base = make_cyclic<derived>();
    cyclic_ptr<derived> to_derived = make_cyclic<derived>();
    cyclic_ptr<const base> to_const = to_base;
    cyclic_ptr<unrelated> to_unrelated = make_cyclic<unrelated>();
    weak_cyclic_ptr<base> weak = to_derived;
    make_cyclic<seen>()->edges.push_back(make_cyclic<seen>());
#ifdef of_an_array
    // error: cyclic_ptr owns single objects: give it no array type
    cyclic_ptr<int[]> array;
#endif
#ifdef derived_from_base
    // error: no matching function for call to 'cyclic_ptr<derived>::cyclic_ptr(cyclic_ptr<base>&)'
    cyclic_ptr<derived> copy(to_base);
#endif
#ifdef without_its_const
    // error: call to 'cyclic_ptr<base>::cyclic_ptr(cyclic_ptr<const base>&)'
    cyclic_ptr<base> copy(to_const);
#endif
#ifdef copied_from_an_unrelated_type
    // error: call to 'cyclic_ptr<base>::cyclic_ptr(cyclic_ptr<unrelated>&)'
    cyclic_ptr<base> copy(to_unrelated);
#endif
#ifdef implicitly_from_a_raw_pointer
    // error: conversion from 'unrelated*' to non-scalar type 'cyclic_ptr<unrelated>' requested
    cyclic_ptr<unrelated> implicit = new unrelated;
#endif
#ifdef followed_through_a_weak_pointer
    // error: base operand of '->' has non-pointer type 'weak_cyclic_ptr<base>'
    weak->~base();
#endif
#ifdef weak_derived_from_base
    // error: call to 'weak_cyclic_ptr<derived>::weak_cyclic_ptr(weak_cyclic_ptr<base>&)'
    weak_cyclic_ptr<derived> copy(weak);
#endif
#ifdef with_a_member_that_cannot_be_seen_into
    // error: freehold: cannot see whether this member owns a cyclic_ptr; give the class that holds
    static_cast<void>(make_cyclic<with_unseen_member>());
#endif
#ifdef with_elements_that_cannot_be_seen_into
    // error: freehold: cannot see whether this member owns a cyclic_ptr; give the class that holds
    static_cast<void>(make_cyclic<with_unseen_elements>());
#endif
#ifdef with_shared_ownership_of_objects_with_edges
    // error: freehold: cannot see whether this member owns a cyclic_ptr; give the class that holds
    static_cast<void>(make_cyclic<with_unseen_owner>());
#endif
#ifdef of_an_aggregate_with_a_base
    // error: freehold: cannot see the edges of an aggregate with a base class; give it a `trace`
    static_cast<void>(make_cyclic<with_base>());
#endif
#ifdef of_an_aggregate_with_too_many_members
    // error: freehold: an aggregate of more than 16 members needs a `trace`
    static_cast<void>(make_cyclic<with_many_members>());
#endif
}
