// SPDX-License-Identifier: BSL-1.0
// A queue of reads that wait for the limits, and the thread that admits them in order. A read is
// admitted at once, on the thread of its caller, if no other read waits and the limits allow it.
#include <freehold/line/limited_source.hpp>

#include "line/active_operations.hpp"
#include "line/rate_limit.hpp"
#include "line/reads.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {
namespace detail {

class source_limits {
public:
    source_limits(any_line_source& source, const limited_source_options& options)
        : source_(source),
          options_(validated(options)),
          bytes_(options.bytes_per_second, options.burst),
          requests_(options.requests_per_second, options.burst) {}
    source_limits(const source_limits&) = delete;
    source_limits& operator=(const source_limits&) = delete;
    // Cancels the reads that were started, and waits for them.
    ~source_limits() {
        {
            const std::lock_guard lock(mutex_);
            is_ending_ = true;
        }
        changed_.notify_all();
        if (thread_.joinable()) thread_.join();
        operations_.close();
    }

    void fetch(line_read& read) noexcept {
        try {
            limited_read limited(*this, read, false);
            if (!begin_at_once(limited)) {
                std::unique_lock lock(mutex_);
                admitted_.wait(lock, [&] { return limited.state != limited_read::waits; });
            }
            if (limited.state == limited_read::is_unwanted) return limited.cancel();
            try {
                source_.fetch(limited);
            } catch (...) {
                limited.fail(std::current_exception());
            }
        } catch (...) {
            read.fail(std::current_exception());
        }
    }
    void start(line_read& read) noexcept {
        operations_.enter();
        limited_read* limited = nullptr;
        try {
            limited = new limited_read(*this, read, true);
            if (!begin_at_once(*limited)) return;
        } catch (...) {
            delete limited;
            read.fail(std::current_exception());
            return operations_.leave();
        }
        start_at_source(*limited);
    }
    [[nodiscard]] object_info describe(std::string_view object) {
        clock::time_point due;
        {
            const std::lock_guard lock(mutex_);
            due = requests_.due();
            requests_.charge(1, clock::now());
            ++counted_.descriptions;
        }
        std::this_thread::sleep_until(due);
        return source_.describe(object);
    }

    [[nodiscard]] limited_source_statistics statistics() const {
        const std::lock_guard lock(mutex_);
        return counted_;
    }
    [[nodiscard]] const limited_source_options& options() const noexcept { return options_; }

private:
    using clock = std::chrono::steady_clock;

    // How often waiting reads are checked for being wanted.
    static constexpr std::chrono::milliseconds poll_interval{10};

    // What the source performs in place of a reader's read. If the read was started, this object
    // owns itself.
    // NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): nothing is derived from it
    class limited_read final : public line_read {
    public:
        enum state_of_read { waits, is_admitted, is_unwanted };

        limited_read(source_limits& limits, line_read& to, bool is_started)
            : line_read(std::string(to.object()), to.offset(), to.size(),
                        std::string(to.entity_tag())),
              limits_(limits),
              to_(to),
              is_started_(is_started),
              charged_(to.size()) {}

        bool begin(const object_info& object) noexcept override {
            const std::uint64_t left = object.size - std::min(object.size, offset());
            limits_.refund(charged_ - std::min(charged_, left));
            charged_ = std::min(charged_, left);
            return to_.begin(object) && !limits_.operations_.is_closing();
        }
        std::span<std::byte> room() noexcept override { return to_.room(); }
        [[nodiscard]] bool room_is_recycled() const noexcept override {
            return to_.room_is_recycled();
        }
        bool arrived(std::size_t bytes) noexcept override {
            arrived_ += bytes;
            return to_.arrived(bytes) && !limits_.operations_.is_closing();
        }
        [[nodiscard]] bool wanted() const noexcept override {
            return !limits_.operations_.is_closing() && to_.wanted();
        }
        void finish() noexcept override { end(nullptr); }
        void fail(std::exception_ptr why) noexcept override { end(std::move(why)); }

        [[nodiscard]] bool is_started() const noexcept { return is_started_; }
        // Called instead of passing the read to the source.
        void cancel() noexcept {
            std::exception_ptr why;
            try {
                why = std::make_exception_ptr(source_error(
                    source_failure::cancelled,
                    read_name(to_) + ": cancelled while it waited for a limited_source"));
            } catch (...) {
                why = std::current_exception();
            }
            tell(std::move(why));
        }

        // Guarded by mutex_.
        state_of_read state = waits;

    private:
        void end(std::exception_ptr why) noexcept {
            limits_.ended(arrived_, charged_ - std::min(charged_, arrived_));
            tell(std::move(why));
        }
        // The reader may destroy everything but the limited_source, which waits for leave().
        void tell(std::exception_ptr why) noexcept {
            line_read& to = to_;
            source_limits& limits = limits_;
            const bool is_started = is_started_;
            if (is_started) delete this;
            if (why != nullptr) {
                to.fail(std::move(why));
            } else {
                to.finish();
            }
            if (is_started) limits.operations_.leave();
        }

        source_limits& limits_;
        line_read& to_;
        const bool is_started_;
        std::uint64_t charged_;  // bytes
        std::uint64_t arrived_ = 0;
    };
    using read_list = std::list<limited_read*>;

    [[nodiscard]] static const limited_source_options& validated(
        const limited_source_options& options) {
        const auto is_limit = [](double rate) { return std::isfinite(rate) && rate >= 0; };
        if (!is_limit(options.bytes_per_second) || !is_limit(options.requests_per_second)) {
            throw std::invalid_argument(
                "limited_source: bytes_per_second is " + std::to_string(options.bytes_per_second) +
                " and requests_per_second is " + std::to_string(options.requests_per_second) +
                "; both must be positive, or 0 for no limit");
        }
        if (options.burst.count() < 0 || options.burst > std::chrono::hours(1)) {
            throw std::invalid_argument("limited_source: burst is " +
                                        std::to_string(options.burst.count()) +
                                        " ms; it must be from 0 to 3600000");
        }
        return options;
    }

    // Admits the read if it need not wait, else puts it into the queue. Takes nothing if it throws.
    [[nodiscard]] bool begin_at_once(limited_read& read) {
        const std::lock_guard lock(mutex_);
        const clock::time_point now = clock::now();
        if (counted_.waiting == 0 && due() <= now) {
            admit(read, now);
            return true;
        }
        new_.push_back(&read);
        try {
            if (!thread_.joinable()) thread_ = std::thread([this] { serve(); });
        } catch (...) {
            new_.pop_back();
            throw;
        }
        ++counted_.waiting;
        ++counted_.delayed;
        changed_.notify_one();
        return false;
    }
    // When the next read may begin, unless another one ends before. Requires mutex_.
    [[nodiscard]] clock::time_point due() const noexcept {
        if (options_.in_flight != 0 && counted_.in_flight >= options_.in_flight) {
            return clock::time_point::max();
        }
        return std::max(bytes_.due(), requests_.due());
    }
    // Requires mutex_.
    void admit(limited_read& read, clock::time_point now) noexcept {
        bytes_.charge(static_cast<double>(read.size()), now);
        requests_.charge(1, now);
        ++counted_.in_flight;
        ++counted_.reads;
        read.state = limited_read::is_admitted;
    }
    void start_at_source(limited_read& read) noexcept {
        try {
            source_.start(read);
        } catch (...) {
            read.fail(std::current_exception());
        }
    }
    void refund(std::uint64_t bytes) noexcept {
        if (bytes == 0) return;
        const std::lock_guard lock(mutex_);
        bytes_.refund(static_cast<double>(bytes));
        changed_.notify_one();
    }
    void ended(std::uint64_t bytes, std::uint64_t missing) noexcept {
        const std::lock_guard lock(mutex_);
        bytes_.refund(static_cast<double>(missing));
        --counted_.in_flight;
        counted_.bytes += bytes;
        changed_.notify_one();
    }

    // The thread that admits waiting reads. Only it removes reads from the queue, so it may call
    // their functions without the mutex.
    void serve() noexcept {
        read_list queue;
        clock::time_point next_poll = clock::time_point::min();
        std::unique_lock lock(mutex_);
        for (;;) {
            queue.splice(queue.end(), new_);
            const clock::time_point now = clock::now();
            if (is_ending_ || now >= next_poll) {
                lock.unlock();
                drop_unwanted(queue);
                lock.lock();
                next_poll = now + poll_interval;
                if (is_ending_ && queue.empty() && new_.empty()) return;
            } else if (queue.empty()) {
                changed_.wait(lock, [&] { return is_ending_ || !new_.empty(); });
            } else if (due() > now) {
                changed_.wait_until(lock, std::min(due(), next_poll));
            } else {
                limited_read& first = *queue.front();
                queue.pop_front();
                --counted_.waiting;
                admit(first, now);
                if (!first.is_started()) {
                    admitted_.notify_all();
                    continue;
                }
                lock.unlock();
                start_at_source(first);
                lock.lock();
            }
        }
    }
    void drop_unwanted(read_list& queue) noexcept {
        for (auto at = queue.begin(); at != queue.end();) {
            limited_read& read = **at;
            const bool is_wanted = read.wanted();
            const bool is_started = read.is_started();
            {
                const std::lock_guard lock(mutex_);
                if (is_wanted && !is_ending_) {
                    ++at;
                    continue;
                }
                --counted_.waiting;
                ++counted_.cancelled;
                read.state = limited_read::is_unwanted;
            }
            at = queue.erase(at);
            if (is_started) {
                read.cancel();
            } else {
                admitted_.notify_all();
            }
        }
    }

    any_line_source& source_;
    const limited_source_options options_;
    active_operations operations_;  // started reads
    mutable std::mutex mutex_;
    std::condition_variable changed_;   // for the thread
    std::condition_variable admitted_;  // for fetches that wait
    // Guarded by mutex_.
    rate_limit bytes_;
    rate_limit requests_;
    limited_source_statistics counted_;
    read_list new_;  // waiting reads that the thread has not yet seen
    bool is_ending_ = false;
    std::thread thread_;
};

}  // namespace detail

any_limited_source::any_limited_source(any_line_source& source,
                                       const limited_source_options& options)
    : limits_(std::make_unique<detail::source_limits>(source, options)) {}

any_limited_source::~any_limited_source() = default;

void any_limited_source::fetch(line_read& read) noexcept {
    limits_->fetch(read);
}

void any_limited_source::start(line_read& read) noexcept {
    limits_->start(read);
}

object_info any_limited_source::describe(std::string_view object) {
    return limits_->describe(object);
}

limited_source_statistics any_limited_source::statistics() const {
    return limits_->statistics();
}

const limited_source_options& any_limited_source::options() const noexcept {
    return limits_->options();
}

}  // namespace freehold::inline FREEHOLD_ABI
