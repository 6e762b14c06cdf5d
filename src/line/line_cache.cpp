// SPDX-License-Identifier: BSL-1.0
// The public functions of a cache and of its handles. A get is a lookup (lookup.cpp). If it misses,
// it is also a request (requests.cpp) that evicts another line for its memory
// (memory_for_lines.cpp), and that the source fills (fetch.cpp). line_range.cpp has get_range.
#include <freehold/line/line_cache.hpp>

#include "line/line_access.hpp"
#include "line/line_geometry.hpp"
#include "line/requests.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace freehold::inline FREEHOLD_ABI {
namespace detail {

void add_owner(cached_line* object) noexcept {
    arc<cached_line> added = owner_of(object);
    static_cast<void>(arc_access::disown(added));
}

void remove_owner(cached_line* object) noexcept {
    const auto last = arc_access::own<cached_line, atomic_count, default_allocator>(object);
}

void add_owner(object_entry* object) noexcept {
    arc<object_entry> added = owner_of(object);
    static_cast<void>(arc_access::disown(added));
}

void remove_owner(object_entry* object) noexcept {
    const auto last = arc_access::own<object_entry, atomic_count, default_allocator>(object);
}

line_callback::~line_callback() = default;

namespace {

using clock = std::chrono::steady_clock;

// Waits for an asynchronous get. Owns itself from wait_on or fail to the end of the callback.
class async_waiter final : public line_waiter {
public:
    async_waiter(std::uint64_t wanted_end, std::uint64_t offset,
                 std::unique_ptr<line_callback> callback) noexcept
        : line_waiter(wanted_end), offset_(offset), callback_(std::move(callback)) {}

    void wait_on(arc<cached_line> waited_for, const stop_token& stop,
                 active_operations& operations) noexcept {
        // After wait(), another thread may have destroyed this object.
        const arc<cached_line> kept = waited_for;
        line_ = std::move(waited_for);
        if (stop.stop_possible() && !kept->has(end)) {
            // The thread that requests a stop may run the callback long after the fetch has ended.
            guard_.emplace(operations);
            stop_.emplace(stop, cancel{this});
        }
        if (!kept->wait(*this)) wake();
    }
    void fail(const std::exception_ptr& why) noexcept {
        const std::unique_ptr<async_waiter> self(this);
        line_ = nullptr;
        callback_->call(line(), why);
    }

    void wake() noexcept override {
        // When this returns, a concurrent stop has set `cancelled`, or will not.
        stop_.reset();
        try {
            line_->check(offset_, end, cancelled);
        } catch (...) {
            return fail(std::current_exception());
        }
        const std::unique_ptr<async_waiter> self(this);
        callback_->call(line_access::make(std::move(line_)), std::exception_ptr());
    }

private:
    struct cancel {
        async_waiter* waiter;
        void operator()() const noexcept { waiter->line_->cancel(*waiter); }
    };

    std::optional<operation_guard> guard_;  // first, so that it is destroyed last
    const std::uint64_t offset_;
    const std::unique_ptr<line_callback> callback_;
    arc<cached_line> line_;
    std::optional<stop_callback<cancel>> stop_;
};

// The lines that ranges of an object touch: each line once, in order. Empty ranges have no lines.
// After `most` lines in total, the runs end.
std::vector<line_run> line_runs(std::span<const byte_range> ranges, const line_geometry& geometry,
                                std::uint64_t most) {
    std::vector<line_run> runs;
    runs.reserve(ranges.size());
    for (const byte_range& range : ranges) {
        if (range.size == 0) continue;
        const std::uint64_t size =
            std::min(range.size, std::numeric_limits<std::uint64_t>::max() - range.offset);
        const std::uint64_t first = geometry.number_at(range.offset);
        runs.push_back({first, geometry.number_at(range.offset + size - 1) - first + 1});
    }
    std::sort(runs.begin(), runs.end(),
              [](const line_run& a, const line_run& b) { return a.first < b.first; });
    std::vector<line_run> merged;
    merged.reserve(runs.size());
    for (const line_run& run : runs) {
        const std::uint64_t end = merged.empty() ? 0 : merged.back().first + merged.back().lines;
        if (!merged.empty() && run.first <= end) {
            merged.back().lines = std::max(end, run.first + run.lines) - merged.back().first;
        } else {
            merged.push_back(run);
        }
    }
    for (auto run = merged.begin(); run != merged.end(); ++run) {
        run->lines = std::min(run->lines, most);
        most -= run->lines;
        if (most == 0) {
            merged.erase(run + 1, merged.end());
            break;
        }
    }
    return merged;
}

wait_deadlines deadlines_from(clock::time_point begin, const line_cache_options& options,
                              const stop_check& stop) {
    const clock::time_point end = begin + options.wait_limit;
    const bool waits = options.when_full == line_cache_options::full::wait;
    return {waits ? end : begin, end, stop};
}

// Called for a line that ends before the requested byte, because the object may have grown.
void throw_if_changed(line_requests& requests, const cached_line& line) {
    const std::string& name = line.object->name;
    const object_info now = requests.source().describe(name);
    if (now.size == line.object_size() && now.entity_tag == line.entity_tag()) return;
    requests.core().invalidate(line);
    throw source_error(source_failure::changed,
                       "object '" + name + "': the object has changed; it now has " +
                           std::to_string(now.size) + " bytes and the entity tag '" +
                           now.entity_tag + "'");
}

// What a get does that is not a hit. Makes its own key, so that a hit need not store one.
[[gnu::noinline]] arc<cached_line> get_slowly(line_requests& requests, const object_ref& object,
                                              std::uint64_t offset, std::uint64_t size,
                                              line_core::found found, const stop_check& stop) {
    line_core& core = requests.core();
    const line_key key = line_access::key(object, core.geometry().number_at(offset));
    const clock::time_point begin = clock::now();
    const wait_deadlines deadlines = deadlines_from(begin, core.options(), stop);
    bool fetches_ahead = found.is_first;
    arc<cached_line> line = std::move(found.line);
    if (line) {
        if (found.has_all && !line->has_byte_at(offset)) throw_if_changed(requests, *line);
        if (fetches_ahead) requests.fetch_ahead_of(line, key.how);
        fetches_ahead = false;
    }
    for (bool counts = true;; counts = false) {
        bool is_mine = false;
        if (!line) {
            const line_core::insertion insertion = core.find_or_insert(key, counts);
            line = insertion.line;
            is_mine = insertion.is_new;
            if (is_mine) {
                // The object's size is known when its first line has arrived.
                const bool here = size == any_line_cache::whole_line && !stop.is_possible();
                fetches_ahead = requests.fetch(insertion, key, deadlines, here) == 0;
            }
        }
        try {
            line->await(offset, core.geometry().end_in_line(offset, size), stop);
            break;
        } catch (const cache_full&) {
            // Another thread inserted the line, and gave up waiting for memory. This thread may
            // still wait.
            if (is_mine || clock::now() >= deadlines.with_fetches) throw;
            line = nullptr;
        }
    }
    if (!found.has_all) core.waits().add(clock::now() - begin);
    if (fetches_ahead) requests.fetch_ahead_of(line, key.how);
    return line;
}

}  // namespace

bool awaited_line::is_second() noexcept {
    // acq_rel: the second of the two threads resumes the coroutine, and sees what the first wrote.
    return __atomic_exchange_n(&other_side_done_, true, __ATOMIC_ACQ_REL);
}

bool awaited_line::suspend() {
    cache_.get_async(
        object_, offset_, size_,
        [this](line found, std::exception_ptr why) noexcept {
            line_ = std::move(found);
            failure_ = std::move(why);
            if (is_second()) resume_(coroutine_);
        },
        stop_);
    return !is_second();
}

line awaited_line::await_resume() {
    if (failure_ != nullptr) std::rethrow_exception(std::move(failure_));
    return std::move(line_);
}

}  // namespace detail

cache_full::~cache_full() = default;

any_line_cache::any_line_cache(any_line_source& source, const line_cache_options& options)
    : requests_(std::make_unique<detail::line_requests>(source, options)),
      figures_(requests_->core().store()) {}

any_line_cache::~any_line_cache() {
    requests_->core().operations().close();
}

line any_line_cache::get_or_stop(const object_ref& object, std::uint64_t offset, std::uint64_t size,
                                 const detail::stop_check& stop) {
    const detail::line_core& core = requests_->core();
    const std::uint64_t number = core.geometry().number_at(offset);
    const std::uint64_t end = core.geometry().end_in_line(offset, size);
    detail::line_core::found found = core.find(detail::line_access::key(object, number), end);
    if (found.has_all && !found.is_first && found.line->has_byte_at(offset)) [[likely]] {
        return detail::line_access::make(std::move(found.line));
    }
    return detail::line_access::make(
        detail::get_slowly(*requests_, object, offset, size, std::move(found), stop));
}

void any_line_cache::start_get(const object_ref& object, std::uint64_t offset, std::uint64_t size,
                               std::unique_ptr<detail::line_callback> callback,
                               const stop_token& stop) {
    detail::line_core& core = requests_->core();
    const detail::line_key key =
        detail::line_access::key(object, core.geometry().number_at(offset));
    const std::uint64_t end = core.geometry().end_in_line(offset, size);
    auto waiter = std::make_unique<detail::async_waiter>(end, offset, std::move(callback));
    detail::line_core::found found = core.find(key, end);
    if (found.line) {
        if (found.is_first) requests_->fetch_ahead_of(found.line, key.how);
        waiter.release()->wait_on(std::move(found.line), stop, core.operations());
        return;
    }
    // The callback may allow another thread to destroy the cache before this function ends.
    const detail::operation_guard here(core.operations());
    detail::line_core::insertion insertion;
    try {
        insertion = core.find_or_insert(key);
    } catch (...) {
        waiter.release()->fail(std::current_exception());
        return;
    }
    waiter.release()->wait_on(insertion.line, stop, core.operations());
    if (insertion.is_new) requests_->fetch(insertion, key, {}, false);
}

cached_object any_line_cache::open(std::string_view object) {
    return detail::line_access::make(requests_->core().open(object));
}

cached_object any_line_cache::open(std::string_view object, const object_info& now) {
    return detail::line_access::make(requests_->core().open(object, now));
}

void any_line_cache::prefetch(const object_ref& object, std::uint64_t offset, std::uint64_t lines) {
    const detail::line_run run{requests_->core().geometry().number_at(offset), lines};
    if (lines != 0) requests_->fetch_runs(detail::line_access::key(object, 0), {&run, 1});
}

void any_line_cache::prefetch(const object_ref& object, std::span<const byte_range> ranges) {
    const detail::line_core& core = requests_->core();
    const std::uint64_t most = std::max<std::uint64_t>(1, core.store().max_slots / 2);
    const std::vector<detail::line_run> runs = detail::line_runs(ranges, core.geometry(), most);
    requests_->fetch_runs(detail::line_access::key(object, 0), {runs.data(), runs.size()});
}

object_info any_line_cache::describe(std::string_view object) {
    object_info known = requests_->core().info_of(object);
    return known.size != 0 ? known : requests_->source().describe(object);
}

void any_line_cache::invalidate(std::string_view object) {
    requests_->core().invalidate(object, {});
}

void any_line_cache::invalidate(std::string_view object, std::string_view entity_tag) {
    requests_->core().invalidate(object, entity_tag);
}

std::size_t any_line_cache::trim() {
    return requests_->core().trim();
}

line_cache_statistics any_line_cache::statistics() {
    return requests_->core().statistics();
}

const line_cache_options& any_line_cache::options() const noexcept {
    return requests_->core().options();
}

any_line_source& any_line_cache::source() noexcept {
    return requests_->source();
}

std::span<const std::byte> line::bytes() const noexcept {
    return held_ ? held_.get()->bytes() : std::span<const std::byte>();
}

std::span<const std::byte> line::bytes_from(std::uint64_t offset) const noexcept {
    const std::span<const std::byte> all = bytes();
    const std::uint64_t skipped = offset - this->offset();
    return skipped < all.size() ? all.subspan(static_cast<std::size_t>(skipped))
                                : std::span<const std::byte>();
}

void line::wait(std::uint64_t offset, std::uint64_t size) const {
    held_.get()->wait_for(detail::line_geometry::end_from(this->offset(), offset, size));
}

std::uint64_t line::offset() const noexcept {
    return held_.get()->offset();
}

std::string_view line::object() const noexcept {
    return held_.get()->object->name;
}

std::uint64_t line::object_size() const noexcept {
    return held_.get()->object_size();
}

std::string_view line::entity_tag() const noexcept {
    return held_.get()->entity_tag();
}

line_cost line::cost() const noexcept {
    return held_.get()->is_complete() ? held_.get()->cost() : line_cost();
}

std::string_view cached_object::name() const noexcept {
    return entry_.get()->name;
}

}  // namespace freehold::inline FREEHOLD_ABI
