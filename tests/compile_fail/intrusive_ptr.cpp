// SPDX-License-Identifier: BSL-1.0
#include <freehold/handle/intrusive_ptr.hpp>

using freehold::intrusive_base;
using freehold::intrusive_ptr;

struct uncounted {};
struct half_counted {};
void intrusive_ptr_add_ref(half_counted*);

struct base : intrusive_base<base> {};
struct derived_without_virtual_destructor : base {};
struct polymorphic : intrusive_base<polymorphic> {
    virtual ~polymorphic() = default;
};
struct derived : polymorphic {};
struct unrelated : intrusive_base<unrelated> {};

void use() {
    intrusive_ptr<base> to_base(new base);
    intrusive_ptr<polymorphic> to_polymorphic(new derived);
    intrusive_ptr<derived> to_derived(new derived);
    intrusive_ptr<unrelated> to_unrelated(new unrelated);
    to_polymorphic = to_derived;
#ifdef to_what_has_no_count  // error: intrusive_ptr_add_ref.T.. and intrusive_ptr_release.T.. must
    intrusive_ptr<uncounted> owner(new uncounted);
#endif
#ifdef to_what_cannot_be_released  // error: intrusive_ptr_add_ref.T.. and intrusive_ptr_release.T..
                                   // must exist
    intrusive_ptr<half_counted> owner(new half_counted);
#endif
#ifdef deleted_through_a_base_without_virtual_destructor  // error: deleted without a virtual
    intrusive_ptr<derived_without_virtual_destructor> owner(new derived_without_virtual_destructor);
#endif
#ifdef copied_from_an_unrelated_type  // error: no matching
    intrusive_ptr<base> copy(to_unrelated);
#endif
#ifdef derived_from_base  // error: no matching
    intrusive_ptr<derived> copy(to_polymorphic);
#endif
#ifdef compared_with_an_unrelated_type  // error: no match for|invalid operands
    static_cast<void>(to_base == to_unrelated);
#endif
#ifdef of_an_array  // error: give it no array type
    intrusive_ptr<base[]> array;
#endif
#ifdef counted_by_what_is_no_count  // error: must be a reference_count
    struct miscounted : intrusive_base<miscounted, int> {};
    miscounted object;
#endif
#ifdef destroyed_as_its_base  // error: protected|no matching
    intrusive_base<base>* counted = to_base.get();
    delete counted;
#endif
}
