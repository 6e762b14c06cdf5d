// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "competitors/boost_shared_ptr.hpp"

#if __has_include(<boost/smart_ptr/make_shared_object.hpp>)
#include <utility>

#include <boost/smart_ptr/make_shared_object.hpp>
#endif

namespace lab {

struct boost_make_shared : boost_shared_ptr {
    static constexpr const char* name = "boost::make_shared";

#if __has_include(<boost/smart_ptr/make_shared_object.hpp>)
    template <class T, class... Arguments>
    static boost::shared_ptr<T> make(Arguments&&... arguments) {
        return boost::make_shared<T>(std::forward<Arguments>(arguments)...);
    }
#endif
};

}  // namespace lab
