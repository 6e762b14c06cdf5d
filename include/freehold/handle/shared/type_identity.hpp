// SPDX-License-Identifier: BSL-1.0
// What tells one type from another while the program runs, with -fno-rtti too: there, types are
// told apart by the address of a variable, which shared libraries that hide their symbols do not
// share.
#pragma once

#include <freehold/config.hpp>

#if defined(__cpp_rtti)
#include <typeinfo>
#endif

namespace freehold::inline FREEHOLD_ABI::detail {

#if defined(__cpp_rtti)
using type_identity = std::type_info;

template <class T>
[[nodiscard]] const type_identity& identity_of() noexcept {
    return typeid(T);
}
#else
class type_identity {
public:
    constexpr type_identity() noexcept = default;
    type_identity(const type_identity&) = delete;
    type_identity& operator=(const type_identity&) = delete;
    [[nodiscard]] bool operator==(const type_identity& other) const noexcept {
        return this == &other;
    }
};

template <class T>
inline constinit const type_identity identity_variable{};

template <class T>
[[nodiscard]] const type_identity& identity_of() noexcept {
    return identity_variable<T>;
}
#endif

}  // namespace freehold::inline FREEHOLD_ABI::detail
