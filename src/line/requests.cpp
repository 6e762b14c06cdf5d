// SPDX-License-Identifier: BSL-1.0
#include "line/requests.hpp"

#include "line/cached_line.hpp"
#include "line/fetch.hpp"
#include "line/line_waiter.hpp"
#include "line/object_table.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace freehold::inline FREEHOLD_ABI::detail {

// Memory for lines that are about to be inserted. While it holds some, a thread that finds no
// memory looks again: see completions_in_flight.
class line_requests::line_supply {
public:
    line_supply(line_core& core, std::size_t lines, const line_core::place& near) noexcept
        : core_(core), lines_(lines), evictions_(lines), near_(near) {}
    line_supply(const line_supply&) = delete;
    line_supply& operator=(const line_supply&) = delete;
    ~line_supply() {
        if (slots_.count == 0) return;
        core_.give_back(slots_);
        core_.completions().end();
    }

    // Returns the memory for the next line, or nullptr if memory is exhausted.
    [[nodiscard]] line_slot* next() {
        if (slots_.count != 0) return slots_.first;
        slots_ = core_.take_slots(lines_, near_, evictions_);
        if (slots_.count == 0) return nullptr;
        core_.completions().begin();
        return slots_.first;
    }
    // Called when the line has it.
    void remove_next() noexcept {
        --lines_;
        near_.before = slots_.pop();
        if (slots_.count == 0) core_.completions().end();
    }

private:
    line_core& core_;
    std::size_t lines_;
    std::size_t evictions_;
    line_core::place near_;
    line_slots slots_;
};

// Waits for the first bytes of a line, and then prefetches the lines after it. It does not own
// the line: the fetch owns it until all waiters are woken.
class line_requests::prefetch_continuation final : public line_waiter {
public:
    prefetch_continuation(line_requests& requests, arc<object_entry> object, access how,
                          std::vector<line_run> runs)
        : line_waiter(1),
          requests_(requests),
          object_(std::move(object)),
          how_(how),
          runs_(std::move(runs)) {}

    void wake() noexcept override {
        const std::unique_ptr<prefetch_continuation> self(this);
        const line_key object(*object_, how_);
        if (requests_.core_.knows_size_of(object)) {
            requests_.fetch_runs(object, {runs_.data(), runs_.size()});
        }
    }

private:
    line_requests& requests_;
    const arc<object_entry> object_;
    const access how_;
    const std::vector<line_run> runs_;
};

std::uint64_t line_requests::fetch(const line_core::insertion& inserted, const line_key& key,
                                   const wait_deadlines& deadlines, bool here) noexcept {
    cached_line& line = *inserted.line;
    const line_key object(*line.object, key.how);
    const std::uint64_t next = line.number + 1;
    std::vector<line_ptr> run;
    std::uint64_t ahead = 0;
    try {
        run.push_back(inserted.line);
        ahead = core_.lines_ahead(*line.object, next, core_.options().prefetch);
        const auto gap = ahead != 0 ? core_.gap_at(object.at(next), ahead) : line_core::gap();
        line_slot* slot = nullptr;
        if (gap.lines != 0) {
            line_supply supply(core_, 1 + gap.lines, {inserted.near.before, gap.near.behind});
            slot = supply.next();
            if (slot != nullptr) {
                core_.give_memory(line, *slot);
                supply.remove_next();
                insert_lines(run, object, next, gap.lines, supply);
            }
        }
        if (slot == nullptr) {
            slot = core_.take_slot(deadlines, inserted.near);
            if (slot == nullptr) throw core_.full();
            core_.give_memory(line, *slot);
        }
    } catch (...) {
        core_.fail(line, std::current_exception());
        return 0;
    }
    const std::uint64_t begun = run.size();
    send(run, false, here && ahead == 0);
    fetch_ahead(object, line.number + begun, ahead + 1 - begun);
    return ahead;
}

void line_requests::fetch_ahead_of(const line_ptr& line, access how) noexcept {
    const line_key object(*line->object, how);
    const std::uint64_t first = line->number + 1;
    const std::uint64_t ahead = core_.lines_ahead(*line->object, first, core_.options().prefetch);
    std::uint64_t missing = 0;
    for (std::uint64_t i = 0; i != ahead; ++i) {
        if (!core_.is_there(object.at(first + i))) ++missing;
    }
    const std::uint64_t worth_it = std::min(core_.options().coalesce, core_.options().prefetch);
    if (missing != 0 && (missing >= worth_it || ahead < core_.options().prefetch)) {
        fetch_ahead(object, first, ahead);
    }
}

void line_requests::fetch_runs(const line_key& object, std::span<const line_run> runs) noexcept {
    if (core_.knows_size_of(object)) {
        for (const line_run& run : runs) fetch_ahead(object, run.first, run.lines);
        return;
    }
    // The first missing line alone, to learn the size. Lines of one request fit behind it.
    std::uint64_t before = 0;  // lines that are there
    while (!runs.empty() && core_.is_there(object.at(runs.front().first + before))) {
        if (++before == runs.front().lines) {
            before = 0;
            runs = runs.subspan(1);
        }
    }
    if (runs.empty()) return;
    const std::uint64_t first = runs.front().first + before;
    std::vector<line_ptr> request;
    insert_gap(request, object, first,
               std::min<std::uint64_t>(runs.front().lines - before, core_.options().coalesce), 1);
    if (request.empty()) return;
    try {
        std::vector<line_run> rest(runs.begin(), runs.end());
        rest.front().first += before + 1;
        rest.front().lines -= before + 1;
        const line_ptr& line = request.front();
        auto later = std::make_unique<prefetch_continuation>(*this, line->object, object.how,
                                                             std::move(rest));
        if (line->wait(*later)) static_cast<void>(later.release());
    } catch (...) {
        // A get will fetch the other lines.
    }
    send(request, true, false);
}

void line_requests::fetch_ahead(const line_key& object, std::uint64_t first,
                                std::uint64_t count) noexcept {
    std::vector<line_ptr> run;
    bool has_memory = true;
    for (std::uint64_t i = 0; i != count && has_memory;) {
        if (core_.is_there(object.at(first + i))) {
            ++i;
            continue;
        }
        has_memory = insert_gap(run, object, first + i, count - i, count - i);
        if (run.empty() && !core_.is_there(object.at(first + i))) return;
        i += run.size();
        send(run, true, false);
    }
}

bool line_requests::insert_gap(std::vector<line_ptr>& run, const line_key& object,
                               std::uint64_t first, std::uint64_t most,
                               std::uint64_t count) noexcept {
    const line_core::gap gap = core_.gap_at(object.at(first), most);
    line_supply supply(core_, gap.lines, gap.near);
    return insert_lines(run, object, first, std::min<std::uint64_t>(gap.lines, count), supply);
}

bool line_requests::insert_lines(std::vector<line_ptr>& run, const line_key& object,
                                 std::uint64_t first, std::size_t lines,
                                 line_supply& supply) noexcept {
    try {
        run.reserve(run.size() + lines);
        for (std::size_t i = 0; i != lines; ++i) {
            line_slot* const slot = supply.next();
            if (slot == nullptr) return false;
            line_ptr line = core_.insert_ahead(object.at(first + i), *slot);
            if (!line) return true;  // another thread has inserted it
            supply.remove_next();
            run.push_back(std::move(line));
        }
        return true;
    } catch (...) {
        return false;
    }
}

void line_requests::send(std::vector<line_ptr>& run, bool is_ahead, bool here) noexcept {
    const std::size_t most = core_.options().coalesce;
    std::size_t sent = 0;
    try {
        for (; run.size() - sent > most; sent += most, is_ahead = true) {
            const auto begin = run.begin() + static_cast<std::ptrdiff_t>(sent);
            std::vector<line_ptr> part(begin, begin + static_cast<std::ptrdiff_t>(most));
            send_one(part, is_ahead, here);
        }
        run.erase(run.begin(), run.begin() + static_cast<std::ptrdiff_t>(sent));
        if (!run.empty()) send_one(run, is_ahead, here);
    } catch (...) {
        for (; sent != run.size(); ++sent) core_.fail(*run[sent], std::current_exception());
    }
    run.clear();
}

void line_requests::send_one(std::vector<line_ptr>& run, bool is_ahead, bool here) noexcept {
    line_read* request = nullptr;
    try {
        request = &make_fetch(core_, run, is_ahead);
    } catch (...) {
        for (const line_ptr& line : run) core_.fail(*line, std::current_exception());
        return;
    }
    try {
        if (here) {
            source_.fetch(*request);
        } else {
            source_.start(*request);
        }
    } catch (...) {
        request->fail(std::current_exception());
    }
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
