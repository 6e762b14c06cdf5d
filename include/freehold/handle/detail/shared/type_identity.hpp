// SPDX-License-Identifier: BSL-1.0
// What it is: the identity of a type at run time, also with -fno-rtti. With -fno-rtti it is the
// address of a variable. Shared libraries that hide their symbols do not share that variable.
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

// It is not inlined, because it is rarely called and compares names.
[[nodiscard, gnu::noinline, gnu::cold]] inline bool is_same_type(const type_identity& a,
                                                                 const type_identity& b) noexcept {
    return a == b;
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
