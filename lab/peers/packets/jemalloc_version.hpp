// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <string>

#include <jemalloc/jemalloc.h>

namespace lab::packets {

inline std::string jemalloc_version() {
    const char* version = "unknown";
    std::size_t size = sizeof version;
    mallctl("version", &version, &size, nullptr, 0);
    const std::string text = version;  // such as 5.3.0-0-g54eaed1d8b56
    return text.substr(0, text.find('-'));
}

}  // namespace lab::packets
