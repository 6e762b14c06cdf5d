// SPDX-License-Identifier: BSL-1.0
#include <cstring>
#include <memory>

std::unique_ptr<char[]> copy(const char* from, std::size_t size) {
    auto bytes = std::make_unique<char[]>(size);
    std::memcpy(bytes.get(), from, size);
    return bytes;
}
