// SPDX-License-Identifier: BSL-1.0
#include "line/s3/client.hpp"

#include <freehold/line/s3_source.hpp>

#include <exception>
#include <span>
#include <string>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {
namespace detail {
namespace {

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

}  // namespace

s3_client::s3_client(s3_options options) : service_(std::move(options)), started_(service_) {}

s3_client::~s3_client() {
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    started_.wake();
    if (thread_.joinable()) thread_.join();
    for (line_read* const read : new_) started_.add(*read);
    started_.cancel();
}

void s3_client::fetch(line_read& read) noexcept {
    try {
        std::unique_ptr<s3_transfers> transfers = borrow();
        transfers->add(read);
        for (transfers->step(); !transfers->idle(); transfers->step()) transfers->wait();
        give_back(std::move(transfers));
    } catch (...) {
        read.fail(std::current_exception());
    }
}

void s3_client::start(line_read& read) noexcept {
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

object_info s3_client::describe(std::string_view object) {
    description read(object);
    fetch(read);
    if (read.failure) std::rethrow_exception(read.failure);
    return std::move(read.info);
}

std::unique_ptr<s3_transfers> s3_client::borrow() {
    {
        const std::lock_guard lock(mutex_);
        if (!idle_.empty()) {
            auto transfers = std::move(idle_.back());
            idle_.pop_back();
            return transfers;
        }
        idle_.reserve(++made_);  // so that give_back does not allocate
    }
    return std::make_unique<s3_transfers>(service_);
}

void s3_client::give_back(std::unique_ptr<s3_transfers> transfers) noexcept {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(transfers));
}

void s3_client::make_thread() {
    try {
        thread_ = std::thread([this] { serve(); });
    } catch (...) {
        new_.pop_back();
        throw;
    }
}

void s3_client::serve() noexcept {
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

}  // namespace detail

s3_source::s3_source(s3_options options)
    : client_(std::make_unique<detail::s3_client>(std::move(options))) {}

s3_source::~s3_source() = default;

void s3_source::fetch(line_read& read) noexcept {
    client_->fetch(read);
}

void s3_source::start(line_read& read) noexcept {
    client_->start(read);
}

object_info s3_source::describe(std::string_view object) {
    return client_->describe(object);
}

s3_statistics s3_source::statistics() const noexcept {
    return client_->statistics();
}

}  // namespace freehold::inline FREEHOLD_ABI
