// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>

namespace lab::packets {

/// What mi_version() says, in words: 209 is 2.0.9, and 30302 is 3.3.2.
inline std::string mimalloc_version(int number) {
    const int unit = number < 10000 ? 10 : 100;
    return std::to_string(number / (unit * unit)) + "." + std::to_string(number / unit % unit) +
           "." + std::to_string(number % unit);
}

}  // namespace lab::packets
