// SPDX-License-Identifier: BSL-1.0
// A user of freehold::s3: what it brings is enough to compile, to link and to be told what is
// wrong.
#include <freehold/line/s3_source.hpp>

#include <cstdio>
#include <stdexcept>
#include <string>

int main() {
    freehold::s3_options options;
    options.endpoint = "no-protocol.example";
    options.bucket = "bucket";
    options.credentials = freehold::s3_credentials{"KEY", "SECRET", ""};
    try {
        const freehold::s3_source source(options);
    } catch (const std::invalid_argument& error) {
        if (std::string(error.what()).find("no-protocol.example") == std::string::npos) {
            std::printf("an unclear message: %s\n", error.what());
            return 1;
        }
        options.endpoint = "http://localhost:1";
        const freehold::s3_source source(options);
        return source.statistics().requests == 0 ? 0 : 1;
    }
    std::puts("an endpoint without a protocol is taken");
    return 1;
}
