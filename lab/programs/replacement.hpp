// SPDX-License-Identifier: BSL-1.0
// freehold's shared_ptr and its functions with the count REPLACEMENT_COUNT, under the names of std.
// A program can be compiled with local_count or biased_count without other changes.
#pragma once

#include <freehold/count/biased_count.hpp>
#include <freehold/handle/shared_ptr.hpp>

#include <utility>

namespace replacement {

using count = freehold::REPLACEMENT_COUNT;

template <class T>
using shared_ptr = freehold::shared_ptr<T, count>;
template <class T>
using weak_ptr = freehold::weak_ptr<T, count>;
template <class T>
using enable_shared_from_this = freehold::enable_shared_from_this<T, count>;
template <class T = void>
using owner_less = freehold::owner_less<T>;

using freehold::const_pointer_cast;
using freehold::dynamic_pointer_cast;
using freehold::get_deleter;
using freehold::reinterpret_pointer_cast;
using freehold::static_pointer_cast;

template <class T, class... Args>
shared_ptr<T> make_shared(Args&&... args) {
    return freehold::make_shared<T, count>(std::forward<Args>(args)...);
}

template <class T, class Allocator, class... Args>
shared_ptr<T> allocate_shared(const Allocator& allocator, Args&&... args) {
    return freehold::allocate_shared<T, count>(allocator, std::forward<Args>(args)...);
}

}  // namespace replacement
