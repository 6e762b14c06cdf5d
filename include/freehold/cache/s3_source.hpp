// SPDX-License-Identifier: BSL-1.0
// A line_source over Amazon S3, or whatever speaks its protocol: the objects are those of one
// bucket. It is not part of <freehold/freehold.hpp>, and needs libcurl: link freehold::s3.
//
// Each read is a ranged GET with a signature (AWS SigV4, by libcurl), If-Match once the entity tag
// is known, and then also an attempt again that goes on after the last byte that arrived
// (s3/options.hpp says how often and when). fetch works on the calling thread, on a connection that
// it keeps for the next fetch, so that n readers receive on n processors. start hands over to one
// thread, made at the first start, that drives up to `connections` requests at once. Messages name
// object, range, address, status, and the server's own code and text. A read that is not wanted any
// more is left within 50 ms.
// Costs of a read besides the transfer: a handle and a receive buffer from malloc. What is larger
// than a core's cache is written past the caches into recycled lines, for half of what memcpy
// costs. Thread-safe, but not to be used in a child of fork, which would share the connections. The
// constructor and describe throw; the destructor cancels what was started.
#pragma once

#include <freehold/cache/line_source.hpp>
#include <freehold/cache/s3/options.hpp>
#include <freehold/cache/s3/service.hpp>
#include <freehold/cache/s3/transfers.hpp>

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
    // Throws std::invalid_argument if the options, or what they leave to the environment, do not
    // do; asks the server nothing.
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

    s3_statistics statistics() const noexcept { return service_.statistics(); }

private:
    // A read of no bytes, which asks for nothing else.
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
            idle_.reserve(++made_);  // so that giving back does not allocate
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
            // Without the lock: a read that fails at once may have its reader start another.
            for (line_read* const read : taken) started_.add(*read);
            taken.clear();
            started_.step();
            started_.wait();
        }
    }

    const detail::s3_service service_;

    std::mutex mutex_;  // of all down to made_
    bool ending_ = false;
    std::vector<line_read*> new_;  // not yet taken by the thread
    std::vector<std::unique_ptr<detail::s3_transfers>> idle_;
    std::size_t made_ = 0;

    detail::s3_transfers started_;  // the thread's alone, but for wake()
    std::thread thread_;
};

static_assert(line_source<s3_source>);

}  // namespace freehold::inline FREEHOLD_ABI
