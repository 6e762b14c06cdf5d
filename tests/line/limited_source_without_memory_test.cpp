// SPDX-License-Identifier: BSL-1.0
// Every allocation of a limited_source fails once, with reads that wait and with reads that do not.
#include <freehold/line/limited_source.hpp>

#include "line/sources_without_memory.hpp"

#include <chrono>
#include <memory>
#include <string_view>

#include <gtest/gtest.h>

namespace freehold::tests::limited_source_without_memory_test {
namespace {

class source_of_100_bytes {
public:
    void fetch(line_read& read) noexcept {
        static_cast<void>(read.begin({100, ""}));
        static_cast<void>(read.arrived(read.room().size()));
        read.finish();
    }
    void start(line_read& read) noexcept { fetch(read); }
    [[nodiscard]] object_info describe(std::string_view) { return {100, ""}; }
};
using limited = limited_source<source_of_100_bytes>;

TEST(limited_sources_out_of_memory, fail_a_read_that_waits) {
    source_of_100_bytes source;
    const auto make = [&] {
        limited_source_options options;
        options.requests_per_second = 1'000;
        options.burst = std::chrono::milliseconds(0);
        auto made = std::make_unique<limited>(source, options);
        static_cast<void>(made->describe("present"));
        return made;
    };
    EXPECT_GE(fetch_without_memory(make, "present"), 2);
}

TEST(limited_sources_out_of_memory, fail_a_started_read) {
    source_of_100_bytes source;
    for (int k = 1;; ++k) {
        limited all(source, {});
        bool failed = false;
        {
            frugal_read read("present");
            fail_allocation(k);
            all.start(read);
            failed = has_failed();
            fail_allocation(0);
            EXPECT_EQ(read.lacked_memory(), failed) << "allocation " << k;
        }
        EXPECT_EQ(all.statistics().in_flight, 0u);
        if (!failed) {
            EXPECT_GE(k, 2);
            break;
        }
    }
}

}  // namespace
}  // namespace freehold::tests::limited_source_without_memory_test
