// SPDX-License-Identifier: BSL-1.0
// Every allocation of a read fails once. Each read ends, once, and the source works as before.
#pragma once

#include <freehold/line/line_source.hpp>

#include "handle/failing_new.hpp"

#include <array>
#include <cstddef>
#include <exception>
#include <new>
#include <span>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace freehold::tests {

// Allocates nothing after its construction, so that only the source's allocations fail.
class frugal_read final : public line_read {
public:
    explicit frugal_read(std::string object) : line_read(std::move(object), 0, 100, "") {}
    ~frugal_read() { EXPECT_EQ(ends_, 1); }

    bool begin(const object_info&) noexcept override { return true; }
    std::span<std::byte> room() noexcept override { return std::span(bytes_).subspan(got_); }
    bool arrived(std::size_t bytes) noexcept override {
        got_ += bytes;
        return true;
    }
    bool wanted() const noexcept override { return true; }
    void finish() noexcept override { ++ends_; }
    void fail(std::exception_ptr why) noexcept override {
        ++ends_;
        failure_ = std::move(why);
    }

    bool finished() const { return ends_ == 1 && !failure_; }
    // Whether it failed with std::bad_alloc.
    bool lacked_memory() const {
        try {
            if (failure_) std::rethrow_exception(failure_);
        } catch (const std::bad_alloc&) {
            return true;
        } catch (const std::exception&) {
        }
        return false;
    }

private:
    std::array<std::byte, 100> bytes_{};
    std::size_t got_ = 0;
    int ends_ = 0;
    std::exception_ptr failure_;
};

// `make_source` returns a source with an object `present` and without one called `absent`. Returns
// the number of allocations.
template <class MakeSource>
int fetch_without_memory(MakeSource make_source, const std::string& object) {
    for (int k = 1;; ++k) {
        const auto source = make_source();
        bool failed = false;
        {
            frugal_read read(object);
            fail_allocation(k);
            source->fetch(read);
            failed = has_failed();
            fail_allocation(0);
            EXPECT_EQ(read.lacked_memory(), failed) << "allocation " << k;
        }
        frugal_read again("present");
        source->fetch(again);
        EXPECT_TRUE(again.finished()) << "after allocation " << k << " failed";
        if (!failed || testing::Test::HasFailure()) return k - 1;
    }
}

}  // namespace freehold::tests
