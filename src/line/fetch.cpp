// SPDX-License-Identifier: BSL-1.0
// One request for adjacent lines of an object: the line_read that the source fills. It owns itself,
// from make() to finish or fail.
//
// | call of the source | effect on the lines |
// |---|---|
// | begin | every line that the object has gets its size |
// | arrived | bytes are published; a complete line is released, except for the last one |
// | finish | the last line is published, now that the source confirms all bytes |
// | fail | incomplete lines are removed, and their waiters get the failure |
//
// begin, arrived and wanted return false when the cache closes, or when a check failed. If a reader
// started the request, they also return false when a reader has cancelled and no other reader holds
// or waits for an incomplete line.
#include "line/fetch.hpp"

#include <freehold/config.hpp>

#include "line/cached_line.hpp"
#include "line/line_core.hpp"
#include "line/page_faults.hpp"
#include "line/reads.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace freehold::inline FREEHOLD_ABI::detail {
namespace {

// Attributes page faults of threads to fetches. A system call of 0.2 us reads the thread's count
// when it switches between requests and when a line is complete. Faults in between count for the
// request that the thread used last.
struct fault_account {
    // From the heap, because a common pool would fault in pages for the few that there are.
    using ptr = arc<fault_account, atomic_count, std::allocator<fault_account>>;
    [[nodiscard]] static ptr make() {
        return allocate_arc<fault_account>(std::allocator<fault_account>());
    }

    std::atomic<std::uint64_t> faults{0};
};

// The calling thread's meter.
class fault_meter {
public:
    // Charges the thread's faults to this account, until the thread enters another account or
    // leaves this one.
    static void enter(const fault_account::ptr& account) noexcept {
        fault_meter& meter = here();
        if (meter.account_ == account) return;
        meter.charge();
        meter.account_ = account;
    }
    static void leave(const fault_account::ptr& account) noexcept {
        fault_meter& meter = here();
        if (meter.account_ != account) return;
        meter.charge();
        meter.account_ = nullptr;
    }

private:
    static fault_meter& here() noexcept {
        thread_local fault_meter meter;
        return meter;
    }
    void charge() noexcept {
        const std::uint64_t now = page_faults_of_this_thread();
        // relaxed: read by this thread, or by one that has seen the complete line.
        if (account_) account_->faults.fetch_add(now - since_, std::memory_order_relaxed);
        since_ = now;
    }

    // Shared, because the request may end before the thread comes back.
    fault_account::ptr account_;
    std::uint64_t since_ = 0;
};

class line_fetch final : public line_read {
public:
    using line_ptr = arc<cached_line>;

    // As make_fetch.
    line_fetch(line_core& core, std::vector<line_ptr>& lines, std::string tag,
               fault_account::ptr faults, bool is_ahead)
        : line_read(lines.front()->object->name, lines.front()->offset(),
                    std::min<std::uint64_t>(lines.size() * core.options().line_size,
                                            cached_line::unknown - lines.front()->offset()),
                    std::move(tag)),
          core_(core),
          lines_(std::move(lines)),
          is_ahead_(is_ahead),
          faults_(std::move(faults)) {}

    bool begin(const object_info& object) noexcept override {
        try {
            const shared_object_info info = core_.accept_info(*lines_.front(), object);
            if (info == nullptr) {
                return fail_with(source_failure::changed, [&] {
                    return "the object has changed; it now has " + std::to_string(object.size) +
                           " bytes and the entity tag '" + object.entity_tag + "'";
                });
            }
            const std::uint64_t end = core_.geometry().lines_of(object.size);
            for (; begun_lines_ != lines_.size() && lines_[begun_lines_]->number < end;
                 ++begun_lines_) {
                cached_line& line = *lines_[begun_lines_];
                // A line of no bytes is complete as soon as it begins.
                if (object.size == 0) record_cost(line);
                line.begin(std::min(line_size(), object.size - line.offset()), info);
            }
            if (object.size == 0) current_ = begun_lines_;
        } catch (...) {
            error_ = std::current_exception();
            return false;
        }
        return wanted();
    }

    std::span<std::byte> room() noexcept override {
        if (current_ == begun_lines_) return {};
        fault_meter::enter(faults_);
        return lines_[current_]->slot(filled_);
    }

    bool room_is_recycled() const noexcept override {
        return current_ != begun_lines_ && lines_[current_]->is_recycled(filled_);
    }

    bool arrived(std::size_t bytes) noexcept override {
        const std::uint64_t room =
            current_ != begun_lines_ ? lines_[current_]->size() - filled_ : 0;
        if (bytes > room) {
            return fail_with(source_failure::wrong_length, [&] {
                return std::to_string(bytes) + " bytes arrived, and there was room for " +
                       std::to_string(room);
            });
        }
        if (current_ == begun_lines_) return wanted();
        cached_line& line = *lines_[current_];
        filled_ += bytes;
        core_.counters().bytes_fetched.add(bytes);
        if (filled_ != line.size()) {
            line.publish(filled_).wake_all();
            return wanted();
        }
        record_cost(line);
        ++current_;
        if (current_ == begun_lines_) return true;
        publish_last(std::exchange(filled_, 0), lines_[current_ - 1]);
        return wanted();
    }

    bool wanted() const noexcept override {
        if (error_ != nullptr || core_.operations().is_closing()) return false;
        if (is_ahead_ || current_ == lines_.size()) return true;
        const auto left = std::span(lines_.data(), lines_.size()).subspan(current_);
        // Read without a lock: a cancellation that is missed now is seen next time.
        const auto was_cancelled = [](const line_ptr& line) { return line->was_cancelled(); };
        const auto is_wanted = [](const line_ptr& line) { return line.use_count() > 2; };
        return std::none_of(left.begin(), left.end(), was_cancelled) ||
               std::any_of(left.begin(), left.end(), is_wanted) || !core_.abandon(left);
    }

    void finish() noexcept override {
        if (error_ == nullptr && current_ != begun_lines_) {
            fail_with(source_failure::wrong_length, [&] {
                return "only " + std::to_string(filled_) + " bytes arrived of line " +
                       std::to_string(lines_[current_]->number);
            });
        }
        if (error_ == nullptr) {
            if (begun_lines_ != 0) publish_last(filled_, lines_[begun_lines_ - 1]);
            if (begun_lines_ != lines_.size()) {
                fail_with(source_failure::past_the_end,
                          [] { return std::string("the object ends before this line"); });
            }
        }
        end();
    }

    void fail(std::exception_ptr why) noexcept override {
        if (error_ == nullptr) error_ = std::move(why);
        end();
    }

private:
    using clock = std::chrono::steady_clock;

    ~line_fetch() = default;

    [[nodiscard]] std::uint64_t line_size() const noexcept { return core_.options().line_size; }

    template <class Why>
    bool fail_with(source_failure reason, Why why) noexcept {
        try {
            error_ = std::make_exception_ptr(source_error(reason, read_name(*this) + ": " + why()));
        } catch (...) {
            error_ = std::current_exception();
        }
        return false;
    }

    // Stores the line's cost, before its last byte is published.
    void record_cost(cached_line& line) noexcept {
        fault_meter::leave(faults_);
        // relaxed: this thread's own addition is visible; another thread's may be counted late.
        const std::uint64_t faults = faults_->faults.load(std::memory_order_relaxed);
        line.set_cost(faults - std::exchange(settled_faults_, faults), clock::now() - started_);
        const line_cost cost = line.cost();
        core_.counters().faults.add(cost.faults);
        core_.counters().bytes_zeroed.add(cost.bytes_zeroed);
    }

    // Publishes a complete line, releases it, and only then wakes its readers. So when they run,
    // they are its only owners besides the table.
    void publish_last(std::uint64_t size, line_ptr& line) noexcept {
        core_.completions().begin();
        waiter_list served = line->publish(size);
        line.reset();
        core_.completions().end();
        served.wake_all();
    }

    // Readers that learn of a change find the new version and the freed memory, because they are
    // woken last.
    void end() noexcept {
        const std::unique_ptr<line_fetch> self(this);
        waiter_list failed;
        fault_meter::leave(faults_);
        core_.completions().begin();
        if (error_ != nullptr) {
            if (is_of_a_change(error_)) core_.invalidate(*lines_.back());
            bool is_failure = begun_lines_ == 0;
            for (const line_ptr& line : lines_) {
                if (!line) continue;
                failed.append(core_.drop_failed(*line, error_));
                is_failure = is_failure || line->offset() < line->object_size();
            }
            if (is_failure) core_.counters().failures.add(1);
        }
        lines_.clear();
        core_.completions().end();
        failed.wake_all();
        core_.operations().leave();
    }

    friend std::default_delete<line_fetch>;

    line_core& core_;
    std::vector<line_ptr> lines_;  // nullptr once they are complete
    const bool is_ahead_;          // no reader asked for these lines
    const clock::time_point started_ = clock::now();
    const fault_account::ptr faults_;
    std::uint64_t settled_faults_ = 0;  // already charged to lines
    std::size_t begun_lines_ = 0;       // the lines that the object has
    std::size_t current_ = 0;           // the line to fill next; begun_lines_ after the last
    std::uint64_t filled_ = 0;          // bytes of that line, or of the last line at the end
    std::exception_ptr error_;
};

}  // namespace

line_read& make_fetch(line_core& core, std::vector<arc<cached_line>>& lines, bool is_ahead) {
    std::string tag = core.entity_tag_of(*lines.front());
    fault_account::ptr faults = fault_account::make();
    auto* const made = new line_fetch(core, lines, std::move(tag), std::move(faults), is_ahead);
    core.counters().requests.add(1);
    core.operations().enter();
    return *made;
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
