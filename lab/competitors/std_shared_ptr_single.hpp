// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "competitors/competitor.hpp"

#include <memory>
#include <utility>

namespace lab {

/// libstdc++'s own handle with the counts of a single thread, which std::shared_ptr chooses when
/// the program is not linked with threads. Not for users, by its underscores, but there.
struct std_shared_ptr_single : competitor {
    static constexpr const char* name = "std::__shared_ptr, single";

#ifdef __GLIBCXX__
    template <class T>
    using handle = std::__shared_ptr<T, __gnu_cxx::_S_single>;

    template <class T>
    using weak = std::__weak_ptr<T, __gnu_cxx::_S_single>;

    template <class T, class... Arguments>
    static handle<T> make(Arguments&&... arguments) {
        return std::__make_shared<T, __gnu_cxx::_S_single>(std::forward<Arguments>(arguments)...);
    }
#else
    static constexpr const char* missing = "only libstdc++ has it";
#endif
};

}  // namespace lab
