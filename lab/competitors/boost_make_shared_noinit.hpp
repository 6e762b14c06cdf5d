// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "competitors/boost_shared_ptr.hpp"

#if __has_include(<boost/smart_ptr/make_shared_object.hpp>)
#include <utility>

#include <boost/smart_ptr/make_shared_object.hpp>
#endif

namespace lab {

struct boost_make_shared_noinit : boost_shared_ptr {
    static constexpr const char* name = "boost::make_shared_noinit";

#if __has_include(<boost/smart_ptr/make_shared_object.hpp>)
    /// It takes no arguments: what a T is to be is assigned.
    template <class T, class... Arguments>
    static boost::shared_ptr<T> make(Arguments&&... arguments) {
        boost::shared_ptr<T> made = boost::make_shared_noinit<T>();
        if constexpr (sizeof...(arguments) != 0) *made = T(std::forward<Arguments>(arguments)...);
        return made;
    }
#endif
};

}  // namespace lab
