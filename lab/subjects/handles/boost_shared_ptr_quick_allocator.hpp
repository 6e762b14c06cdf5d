// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "subjects/boost.hpp"
#include "subjects/handle.hpp"

#include <cstddef>

namespace lab::handles {

#if LAB_HAS_BOOST
/// An allocator that takes count blocks from the pool that BOOST_SP_USE_QUICK_ALLOCATOR selects.
/// The macro itself would change boost::shared_ptr in every file of the lab.
template <class T>
struct boost_quick_allocator {
    using value_type = T;

    boost_quick_allocator() noexcept = default;
    template <class U>
    boost_quick_allocator(const boost_quick_allocator<U>&) noexcept {}

    T* allocate(std::size_t n) {
        return static_cast<T*>(boost::detail::quick_allocator<T>::alloc(n * sizeof(T)));
    }
    void deallocate(T* p, std::size_t n) noexcept {
        boost::detail::quick_allocator<T>::dealloc(p, n * sizeof(T));
    }

    friend bool operator==(const boost_quick_allocator&, const boost_quick_allocator&) noexcept {
        return true;
    }
};
#endif

struct boost_shared_ptr_quick_allocator : handle_subject {
    static constexpr identity is = {.name = "boost::shared_ptr, quick allocator",
                                    .family = family::boost,
                                    .order = 2,
                                    .folded = true,
                                    .from = &boost_headers};

#if LAB_HAS_BOOST
    template <class T>
    struct handle : boost::shared_ptr<T> {
        handle() noexcept = default;
        explicit handle(T* p)
            : boost::shared_ptr<T>(p, boost::checked_deleter<T>(), boost_quick_allocator<T>()) {}
    };
#endif
};

}  // namespace lab::handles
