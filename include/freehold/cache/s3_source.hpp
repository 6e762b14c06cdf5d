// SPDX-License-Identifier: BSL-1.0
// What it is: a line_source over one bucket of Amazon S3 or a compatible service. It needs libcurl:
// link freehold::s3. <freehold/freehold.hpp> does not include it.
// When to use it: with a line_cache, for objects of megabytes or more.
// When not: to write objects, or to list them.
// Example: `freehold::s3_source s3({.endpoint = "http://127.0.0.1:9000", .bucket = "tables"});`
//
// Each read is a ranged GET, signed (AWS SigV4), with If-Match if the entity tag is
// known. A retry continues after the last byte that arrived; s3_options says how often and when.
// fetch works on the calling thread, and keeps its connection for the next fetch, so n readers
// receive on n processors. start passes the read to one thread, created at the first start, that
// drives up to `connections` requests at once. A read that is no longer wanted ends within 50 ms.
// Messages name object, range, address, status, and the server's own code and text.
//
// Units: bytes.
// Complexity: an attempt allocates a libcurl handle and a receive buffer. Each byte is copied once.
// Reads of more than 2 MiB into recycled lines are written past the processor's caches, for half of
// memcpy's cost.
// Thread safety: all functions may be called by several threads at once, except the destructor. A
// child of fork must not use the source, because it would share the connections.
// Exceptions: the constructor throws std::invalid_argument, std::runtime_error if libcurl fails,
// and std::bad_alloc; describe throws source_error. fetch and start report failures by
// line_read::fail.
// Ownership: the source owns its thread and connections. The destructor cancels reads that were
// started.
// Source: the S3 REST API; AWS Signature Version 4.
#pragma once

#include <freehold/cache/detail/s3/service.hpp>
#include <freehold/cache/detail/s3/transfers.hpp>
#include <freehold/cache/line_source.hpp>
#include <freehold/cache/s3_options.hpp>
#include <freehold/config.hpp>

#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace freehold::inline FREEHOLD_ABI {

class s3_source {
public:
    // Throws std::invalid_argument if the options, completed from the environment, are not usable.
    // Does not contact the server.
    explicit s3_source(s3_options options) : service_(std::move(options)), started_(service_) {}
    s3_source(const s3_source&) = delete;
    s3_source& operator=(const s3_source&) = delete;

    ~s3_source() {
        {
            const std::lock_guard lock(mutex_);
            ending_ = true;
        }
        started_.wake();
        if (thread_.joinable()) thread_.join();
        for (line_read* const read : new_) started_.add(*read);
        started_.cancel();
    }

    void fetch(line_read& read) noexcept {
        try {
            std::unique_ptr<detail::s3_transfers> transfers = borrow();
            transfers->add(read);
            for (transfers->step(); !transfers->idle(); transfers->step()) transfers->wait();
            give_back(std::move(transfers));
        } catch (...) {
            read.fail(std::current_exception());
        }
    }

    void start(line_read& read) noexcept {
        try {
            {
                const std::lock_guard lock(mutex_);
                new_.push_back(&read);
                if (!thread_.joinable()) make_thread();
            }
            started_.wake();
        } catch (...) {
            read.fail(std::current_exception());
        }
    }

    // Throws source_error.
    [[nodiscard]] object_info describe(std::string_view object) {
        description read(object);
        fetch(read);
        if (read.failure) std::rethrow_exception(read.failure);
        return std::move(read.info);
    }

    // The figures so far.
    s3_statistics statistics() const noexcept { return service_.statistics(); }

private:
    // A read of no bytes, for the description alone.
    // NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): nothing is derived from it
    struct description final : line_read {
        explicit description(std::string_view object) : line_read(std::string(object), 0, 0, "") {}

        bool begin(const object_info& object) noexcept override {
            try {
                info = object;
            } catch (...) {
                failure = std::current_exception();
            }
            return true;
        }
        std::span<std::byte> room() noexcept override { return {}; }
        bool arrived(std::size_t) noexcept override { return true; }
        [[nodiscard]] bool wanted() const noexcept override { return true; }
        void finish() noexcept override {}
        void fail(std::exception_ptr why) noexcept override { failure = std::move(why); }

        object_info info;
        std::exception_ptr failure;
    };

    std::unique_ptr<detail::s3_transfers> borrow() {
        {
            const std::lock_guard lock(mutex_);
            if (!idle_.empty()) {
                auto transfers = std::move(idle_.back());
                idle_.pop_back();
                return transfers;
            }
            idle_.reserve(++made_);  // so that give_back does not allocate
        }
        return std::make_unique<detail::s3_transfers>(service_);
    }

    void give_back(std::unique_ptr<detail::s3_transfers> transfers) noexcept {
        const std::lock_guard lock(mutex_);
        idle_.push_back(std::move(transfers));
    }

    void make_thread() {
        try {
            thread_ = std::thread([this] { serve(); });
        } catch (...) {
            new_.pop_back();
            throw;
        }
    }

    void serve() noexcept {
        std::vector<line_read*> taken;
        for (;;) {
            {
                const std::lock_guard lock(mutex_);
                if (ending_) return;
                taken.swap(new_);
            }
            // Without the lock, because a read that fails at once may start another.
            for (line_read* const read : taken) started_.add(*read);
            taken.clear();
            started_.step();
            started_.wait();
        }
    }

    const detail::s3_service service_;

    std::mutex mutex_;  // guards all down to made_
    bool ending_ = false;
    std::vector<line_read*> new_;  // not yet taken by the thread
    std::vector<std::unique_ptr<detail::s3_transfers>> idle_;
    std::size_t made_ = 0;

    detail::s3_transfers started_;  // only the thread uses it, except for wake()
    std::thread thread_;
};

static_assert(line_source<s3_source>);

}  // namespace freehold::inline FREEHOLD_ABI
