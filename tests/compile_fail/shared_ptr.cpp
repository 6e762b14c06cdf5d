// SPDX-License-Identifier: BSL-1.0
#include <freehold/handle/shared_ptr.hpp>

#include <atomic>
#include <memory>

using freehold::make_shared;
using freehold::shared_ptr;
using freehold::weak_ptr;

struct base {
    virtual ~base() = default;
};
struct derived : base {};
struct unrelated {};
struct undefined;
class indelible {
    ~indelible() = default;
};
class indelible_in_rows {
    void operator delete[](void*);
};
struct almost_a_count {
    explicit almost_a_count(std::int64_t) noexcept {}
    void increment() noexcept {}
    bool decrement() noexcept { return true; }
};
undefined* find_undefined();
indelible* find_indelible();

void use() {
    shared_ptr<base> to_base(new base);
    shared_ptr<derived> to_derived(new derived);
    shared_ptr<const base> to_const(to_derived);
    shared_ptr<unrelated> to_unrelated(new unrelated);
    shared_ptr<void> erased(to_derived);
    shared_ptr<int[]> row(new int[2]);
    weak_ptr<base> weak(to_derived);
    shared_ptr<indelible> leaked(find_indelible(), [](indelible*) {});
    std::atomic<shared_ptr<base>> shared_place(to_base);
#ifdef derived_from_base
    // error: no matching function for call to 'shared_ptr<derived>::shared_ptr(shared_ptr<base>&)'
    shared_ptr<derived> copy(to_base);
#endif
#ifdef without_its_const
    // error: call to 'shared_ptr<base>::shared_ptr(shared_ptr<const base>&)'
    shared_ptr<base> copy(to_const);
#endif
#ifdef copied_from_an_unrelated_type
    // error: call to 'shared_ptr<base>::shared_ptr(shared_ptr<unrelated>&)'
    shared_ptr<base> copy(to_unrelated);
#endif
#ifdef copied_from_another_count
    // error: call to 'shared_ptr<base, local_count>::shared_ptr(shared_ptr<base>&)'
    freehold::local_shared_ptr<base> copy(to_base);
#endif
#ifdef counted_without_the_header_of_the_count
    // error: include the header of the handle's count, for example freehold/count/biased_count.hpp
    freehold::biased_shared_ptr<base> undeclared(new base);
#endif
#ifdef made_without_the_header_of_the_count
    // error: no matching function for call to 'make_shared<base, biased_count>()'
    auto undeclared = make_shared<base, freehold::biased_count>();
#endif
#ifdef counted_by_what_is_no_count
    // error: the count of a shared_ptr or arc must be a weakable_reference_count
    shared_ptr<base, almost_a_count> uncounted;
#endif
#ifdef implicitly_from_a_raw_pointer
    // error: conversion from 'base*' to non-scalar type 'shared_ptr<base>' requested
    shared_ptr<base> implicit = new base;
#endif
#ifdef assigned_from_a_raw_pointer
    // error: no match for 'operator=' (operand types are 'shared_ptr<base>' and 'base*')
    to_base = new base;
#endif
#ifdef implicitly_from_weak
    // error: conversion from 'weak_ptr<base, basic_atomic_count<standard_atomics> >' to non-scalar
    shared_ptr<base> implicit = weak;
#endif
#ifdef weak_dereferenced
    // error: no match for 'operator*' (operand type is 'weak_ptr<base, basic_atomic_count<standard
    static_cast<void>(*weak);
#endif
#ifdef weak_in_a_condition
    // error: could not convert 'weak' from 'weak_ptr<base, basic_atomic_count<standard_atomics> >'
    if (weak) return;
#endif
#ifdef acquired_while_undefined
    // error: invalid application of 'sizeof' to incomplete type 'undefined'
    shared_ptr<undefined> acquired(find_undefined());
#endif
#ifdef acquired_as_void
    // error: void cannot be deleted; give a deleter
    shared_ptr<void> acquired(static_cast<void*>(nullptr));
#endif
#ifdef with_a_private_destructor
    // error: no matching function for call to 'shared_ptr<indelible>::shared_ptr(indelible*)'
    shared_ptr<indelible> acquired(find_indelible());
#endif
#ifdef of_an_array_with_a_private_delete
    // error: call to 'shared_ptr<indelible_in_rows []>::shared_ptr(indelible_in_rows*)'
    shared_ptr<indelible_in_rows[]> acquired(static_cast<indelible_in_rows*>(nullptr));
#endif
#ifdef with_a_deleter_for_something_else
    // error: call to 'shared_ptr<base>::shared_ptr(base*, use()::<lambda(unrelated*)>)'
    shared_ptr<base> deleted(new base, [](unrelated*) {});
#endif
#ifdef from_an_array_to_an_object
    // error: no matching function for call to 'shared_ptr<int>::shared_ptr(shared_ptr<int []>&)'
    shared_ptr<int> first(row);
#endif
#ifdef from_a_row_of_derived_to_one_of_base
    // error: no matching function for call to 'shared_ptr<base []>::shared_ptr(derived*)'
    shared_ptr<base[]> rows(new derived[2]);
#endif
#ifdef array_dereferenced_as_object
    // error: no match for 'operator*' (operand type is 'shared_ptr<int []>')
    *row = 1;
#endif
#ifdef object_indexed_as_array
    // error: no match for 'operator[]' (operand types are 'shared_ptr<base>' and 'int')
    to_base[0];
#endif
#ifdef void_dereferenced
    // error: no match for 'operator*' (operand type is 'shared_ptr<void>')
    *erased;
#endif
#ifdef from_an_lvalue_unique_ptr
    // error: call to 'shared_ptr<base>::shared_ptr(std::unique_ptr<base>&)'
    std::unique_ptr<base> sole;
    shared_ptr<base> stolen(sole);
#endif
#ifdef cast_without_relation
    // error: invalid 'static_cast' from type 'shared_ptr<base>::element_type*' {aka 'base*'} to ty
    freehold::static_pointer_cast<unrelated>(to_base);
#endif
#ifdef cast_from_another_count
    // error: call to 'static_pointer_cast<base, base, local_count>(shared_ptr<base>&)'
    freehold::static_pointer_cast<base, base, freehold::local_count>(to_base);
#endif
#ifdef compared_with_an_unrelated_type
    // error: no match for 'operator==' (operand types are 'shared_ptr<base>' and 'shared_ptr<unrel
    static_cast<void>(to_base == to_unrelated);
#endif
#ifdef made_from_wrong_arguments
    // error: no matching function for call to 'derived::derived(int, int)'
    static_cast<void>(make_shared<derived>(1, 2));
#endif
#ifdef array_of_known_bound_with_a_length
    // error: no matching function for call to 'make_shared<int [2]>(int, int)'
    static_cast<void>(make_shared<int[2]>(2, 3));
#endif
#ifdef atomic_of_a_count_for_one_thread
    // error: an atomic handle is for several threads, which this handle's count is not; count with
    std::atomic<freehold::local_shared_ptr<base>> place;
#endif
#ifdef atomic_copied
    // error: use of deleted function 'std::atomic<shared_ptr<base> >::atomic(const std::atomic<sha
    std::atomic<shared_ptr<base>> copy(shared_place);
#endif
#ifdef told_to_share_without_bias
    // error: no matching function for call to 'shared_ptr<base>::share()'
    to_base.share();
#endif
}
