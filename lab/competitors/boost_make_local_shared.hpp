// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "competitors/boost_local_shared_ptr.hpp"

#if __has_include(<boost/smart_ptr/make_local_shared.hpp>)
#include <utility>

#include <boost/smart_ptr/make_local_shared.hpp>
#endif

namespace lab {

struct boost_make_local_shared : boost_local_shared_ptr {
    static constexpr const char* name = "boost::make_local_shared";

#if __has_include(<boost/smart_ptr/make_local_shared.hpp>)
    template <class T, class... Arguments>
    static boost::local_shared_ptr<T> make(Arguments&&... arguments) {
        return boost::make_local_shared<T>(std::forward<Arguments>(arguments)...);
    }
#endif
};

}  // namespace lab
