// SPDX-License-Identifier: BSL-1.0
#include "peers/packets/malloc_source.hpp"

#include <cstddef>
#include <string>

#include <jemalloc/jemalloc.h>

int main(int argc, char** argv) {
    return lab::host(argc, argv, [](lab::process_kind) {
        const char* version = "unknown";
        std::size_t size = sizeof version;
        mallctl("version", &version, &size, nullptr, 0);
        const std::string text = version;  // such as 5.3.0-0-g54eaed1d8b56
        return lab::packets::malloc_peer("jemalloc", text.substr(0, text.find('-')));
    });
}
