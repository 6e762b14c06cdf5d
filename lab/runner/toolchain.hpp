// SPDX-License-Identifier: BSL-1.0
// The compiler and the standard library of the including file.
#pragma once

#include <string>

namespace lab {

inline std::string compiler() {
#if defined(__clang__)
    return "clang++ " + std::to_string(__clang_major__) + "." + std::to_string(__clang_minor__) +
           "." + std::to_string(__clang_patchlevel__);
#else
    return std::string("g++ ") + __VERSION__;
#endif
}

#if defined(_LIBCPP_VERSION)
inline constexpr const char* standard_library_name = "libc++";

/// libc++'s version numbers have five digits up to release 15, and six digits after it.
inline std::string standard_library_version() {
    constexpr int major_unit = _LIBCPP_VERSION < 100000 ? 1000 : 10000;
    constexpr int minor_unit = 100;
    return std::to_string(_LIBCPP_VERSION / major_unit) + "." +
           std::to_string(_LIBCPP_VERSION % major_unit / minor_unit) + "." +
           std::to_string(_LIBCPP_VERSION % minor_unit);
}
#elif defined(__GLIBCXX__)
inline constexpr const char* standard_library_name = "libstdc++";

inline std::string standard_library_version() {
    return std::to_string(_GLIBCXX_RELEASE) + " (" + std::to_string(__GLIBCXX__) + ")";
}
#else
inline constexpr const char* standard_library_name = "unknown";

inline std::string standard_library_version() {
    return "version unknown";
}
#endif

inline std::string standard_library() {
    return std::string(standard_library_name) + " " + standard_library_version();
}

}  // namespace lab
