// SPDX-License-Identifier: BSL-1.0
// The cure that C++23 has for strings. The rest is compiled as C++20.
#include "probes/hidden_zeroing/lines.hpp"
#include "probes/hidden_zeroing/register.hpp"

#include <cstddef>
#include <string>

#if defined(__cpp_lib_string_resize_and_overwrite)
#define IF_OVERWRITTEN CONSTRUCT
#else
#define IF_OVERWRITTEN MISSING
#endif

[[maybe_unused]] static std::size_t write_nothing(char*, std::size_t size) {
    return size;
}

IF_OVERWRITTEN("cures", string_overwritten,
               CODE(std::string x; x.resize_and_overwrite(n, write_nothing)), x.data(), "C++23");
