// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "subjects/handle.hpp"

#include <memory>
#include <utility>

namespace lab::handles {

/// libstdc++'s internal handle with the counts of a single thread, which std::shared_ptr chooses
/// when the program is not linked with threads.
struct std_shared_ptr_single : handle_subject {
#ifdef __GLIBCXX__
    static constexpr identity is = {.name = "std::__shared_ptr, single",
                                    .family = family::standard,
                                    .order = 9,
                                    .folded = true};

    template <class T>
    using handle = std::__shared_ptr<T, __gnu_cxx::_S_single>;

    template <class T>
    using weak = std::__weak_ptr<T, __gnu_cxx::_S_single>;

    template <class T, class... Arguments>
    static handle<T> make(Arguments&&... arguments) {
        return std::__make_shared<T, __gnu_cxx::_S_single>(std::forward<Arguments>(arguments)...);
    }
#else
    static constexpr identity is = {.name = "std::__shared_ptr, single",
                                    .family = family::standard,
                                    .order = 9,
                                    .folded = true,
                                    .missing = "only libstdc++ has it"};
#endif
};

}  // namespace lab::handles
