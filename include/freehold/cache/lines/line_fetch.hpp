// SPDX-License-Identifier: BSL-1.0
// One request for neighbouring lines of an object: what the source writes to, and how the lines and
// the cache learn of it. Owns itself, from its making to its finish or fail.
//
// The last bytes are only shown to readers at finish, when the source stands by all of them. The
// request is given up, by what begin, arrived and wanted return, when the cache closes, and, if a
// reader had it made, when readers cancelled and nobody else has or waits for a line that is still
// to be completed.
#pragma once

#include <freehold/cache/line_source.hpp>
#include <freehold/cache/lines/cached_line.hpp>
#include <freehold/cache/lines/fault_meter.hpp>
#include <freehold/cache/lines/line_core.hpp>
#include <freehold/cache/read_name.hpp>
#include <freehold/handle/arc.hpp>

#include <algorithm>
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

class line_fetch final : public line_read {
public:
    using line_ptr = arc<cached_line>;

    // The lines have their memory, and lie one behind the other. Takes them unless it throws.
    static line_fetch* make(line_core& core, std::vector<line_ptr>& lines, bool is_ahead) {
        std::string tag = core.entity_tag_of(*lines.front());
        fault_account::ptr faults = fault_account::make();
        auto* const made = new line_fetch(core, lines, std::move(tag), std::move(faults), is_ahead);
        core.counters().requests.add(1);
        core.users().enter();
        return made;
    }

    bool begin(const object_info& object) noexcept override {
        try {
            const told_info told = core_.agreed(*lines_.front(), object);
            if (told == nullptr) {
                return refuse(source_failure::changed, [&] {
                    return "the object has changed: it has " + std::to_string(object.size) +
                           " bytes and the entity tag '" + object.entity_tag + "' now";
                });
            }
            for (; begun_ != lines_.size() && lines_[begun_]->offset() < object.size; ++begun_) {
                cached_line& line = *lines_[begun_];
                line.begin(std::min(line_size(), object.size - line.offset()), told);
            }
        } catch (...) {
            refusal_ = std::current_exception();
            return false;
        }
        return wanted();
    }

    std::span<std::byte> room() noexcept override {
        if (at_ == begun_) return {};
        fault_meter::enter(faults_);
        return lines_[at_]->place(filled_);
    }

    bool room_is_recycled() const noexcept override {
        return at_ != begun_ && lines_[at_]->is_recycled(filled_);
    }

    bool arrived(std::size_t bytes) noexcept override {
        const std::uint64_t room = at_ != begun_ ? lines_[at_]->size() - filled_ : 0;
        if (bytes > room) {
            return refuse(source_failure::wrong_length, [&] {
                return std::to_string(bytes) + " bytes arrived where there was room for " +
                       std::to_string(room);
            });
        }
        if (at_ == begun_) return wanted();
        cached_line& line = *lines_[at_];
        filled_ += bytes;
        core_.counters().bytes_fetched.add(bytes);
        if (filled_ != line.size()) {
            line.show(filled_).wake_all();
            return wanted();
        }
        settle(line);
        ++at_;
        if (at_ == begun_) return true;
        show_last(std::exchange(filled_, 0), lines_[at_ - 1]);
        return wanted();
    }

    bool wanted() const noexcept override {
        if (refusal_ != nullptr || core_.users().is_closing()) return false;
        if (is_ahead_ || at_ == lines_.size()) return true;
        const auto left = std::span(lines_).subspan(at_);
        // Looked at without a lock: who is about to cancel is seen the next time.
        const auto was_cancelled = [](const line_ptr& line) { return line->was_cancelled(); };
        const auto is_wanted = [](const line_ptr& line) { return line.use_count() > 2; };
        return std::none_of(left.begin(), left.end(), was_cancelled) ||
               std::any_of(left.begin(), left.end(), is_wanted) || !core_.abandon(left);
    }

    void finish() noexcept override {
        if (refusal_ == nullptr && at_ != begun_) {
            refuse(source_failure::wrong_length, [&] {
                return "only " + std::to_string(filled_) + " bytes arrived of line " +
                       std::to_string(lines_[at_]->number);
            });
        }
        if (refusal_ == nullptr) {
            if (begun_ != 0) show_last(filled_, lines_[begun_ - 1]);
            if (begun_ != lines_.size()) {
                refuse(source_failure::past_the_end,
                       [] { return std::string("the object ends before"); });
            }
        }
        end();
    }

    void fail(std::exception_ptr why) noexcept override {
        if (refusal_ == nullptr) refusal_ = std::move(why);
        end();
    }

private:
    using clock = std::chrono::steady_clock;

    line_fetch(line_core& core, std::vector<line_ptr>& lines, std::string tag,
               fault_account::ptr faults, bool is_ahead)
        : line_read(lines.front()->object->name, lines.front()->offset(),
                    std::min(lines.size() * core.options().line_size,
                             cached_line::unknown - lines.front()->offset()),
                    std::move(tag)),
          core_(core),
          lines_(std::move(lines)),
          is_ahead_(is_ahead),
          faults_(std::move(faults)) {}
    ~line_fetch() = default;

    [[nodiscard]] std::uint64_t line_size() const noexcept { return core_.options().line_size; }

    template <class Why>
    bool refuse(source_failure reason, Why why) noexcept {
        try {
            refusal_ =
                std::make_exception_ptr(source_error(reason, read_name(*this) + ": " + why()));
        } catch (...) {
            refusal_ = std::current_exception();
        }
        return false;
    }

    // What the line cost, before the last of it is shown.
    void settle(cached_line& line) noexcept {
        fault_meter::leave(faults_);
        // relaxed: what this thread added is seen, and of others at worst too little.
        const std::uint64_t faults = faults_->faults.load(std::memory_order_relaxed);
        line.set_cost(faults - std::exchange(settled_faults_, faults), clock::now() - started_);
        const line_cost cost = line.cost();
        core_.counters().faults.add(cost.faults);
        core_.counters().bytes_zeroed.add(cost.bytes_zeroed);
    }

    [[nodiscard]] bool has_changed() const noexcept {
        try {
            std::rethrow_exception(refusal_);
        } catch (const source_error& error) {
            return error.reason() == source_failure::changed;
        } catch (...) {
            return false;
        }
    }

    // The line is complete: it is shown and let go of, and only then are its readers woken, so
    // that its memory is theirs alone.
    void show_last(std::uint64_t size, line_ptr& line) noexcept {
        core_.handovers().begin();
        waiter_list served = line->show(size);
        line.reset();
        core_.handovers().end();
        served.wake_all();
    }

    // Those who are told that the object has changed find its new version, and the memory free.
    void end() noexcept {
        const std::unique_ptr<line_fetch> self(this);
        waiter_list failed;
        fault_meter::leave(faults_);
        core_.handovers().begin();
        if (refusal_ != nullptr) {
            if (has_changed()) core_.invalidate(*lines_.back());
            bool is_failure = begun_ == 0;
            for (const line_ptr& line : lines_) {
                if (!line) continue;
                failed.append(core_.give_up(*line, refusal_));
                is_failure = is_failure || line->offset() < line->object_size();
            }
            if (is_failure) core_.counters().failures.add(1);
        }
        lines_.clear();
        core_.handovers().end();
        failed.wake_all();
        core_.users().leave();
    }

    friend std::default_delete<line_fetch>;

    line_core& core_;
    std::vector<line_ptr> lines_;  // nullptr as soon as they are complete
    const bool is_ahead_;          // nobody had asked for one of the lines
    const clock::time_point started_ = clock::now();
    const fault_account::ptr faults_;
    std::uint64_t settled_faults_ = 0;  // put down to lines
    std::size_t begun_ = 0;             // lines that the object has
    std::size_t at_ = 0;                // the line that is being filled; begun_ if all are
    std::uint64_t filled_ = 0;          // of that line, or of the last if all are
    std::exception_ptr refusal_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
