// SPDX-License-Identifier: BSL-1.0
// What it is: a cache of large lines of named objects, read from a line_source: files, object
// storage, or anything that can read a range of an object. A line is `line_size` bytes of an
// object; the last line of an object may be shorter. get returns a line pinned, shared and
// read-only.
// When to use it: for programs that read gigabytes and read parts of them again, such as query
// engines over object storage.
// When not: for small records, for data that is written, or if the page cache of local files is
// fast enough.
// Example: `freehold::line_cache cache(files, {.capacity = std::size_t{4} << 30});`
//
// - The memory of lines comes from the system once, in huge pages if possible, and is reused
//   without being zeroed or faulted in again. The source writes straight into it.
// - If several readers miss on one line, one request serves them all. Each reader continues as soon
//   as the bytes that it asked for have arrived.
// - All memory for lines together never exceeds `capacity`.
// - Lines that are fetched together lie behind each other, if there is room. get_range reads across
//   them without a copy.
// - S3-FIFO chooses the line to evict. A line that a reader holds is never evicted. Lines of a scan
//   with access::once are evicted before others.
//
// Units: bytes; offsets are from the start of an object. Tables take 0.5 to 1 KiB for each line
// that fits, less for small lines, and a line in the cache takes another 200 bytes.
// Complexity: a hit takes a short bucket lock and three locked instructions, about 30 ns, and does
// not allocate. A hit of get_range takes about twice that for each line, and once more for the
// range. A hit by name also hashes the name. A get that fails because every line is in use inspects
// all lines under the mutex that misses take: 0.1 to 0.2 us for each line. Avoiding that scan would
// require bookkeeping at every release.
// Thread safety: all functions may be called by several threads at once, except the destructor. The
// destructor ends requests early, and waits until the source and all callbacks have finished. No
// thread may be in a get then. Callbacks and coroutines run on the thread that delivered the bytes
// or requested a stop, or on the caller's if the line is there. They may use the cache but not
// destroy it, and must not call a blocking get. A child of fork must not use or destroy the cache,
// because it lacks the threads that deliver bytes. It may read the lines that the forking thread
// holds, and must not release them.
// Exceptions: a get throws source_error and whatever else the source reports, cache_full and
// std::bad_alloc. get_range throws source_error and whatever else the source reports. The
// constructor throws std::invalid_argument and std::bad_alloc. The entity tag or the size of an
// object may change while lines of it are in the cache. One get then fails with
// source_failure::changed, the object's lines are dropped, and the next get reads the new version.
// Failures and ends of objects are not cached: a get past the end asks the source again, unless it
// is an asynchronous get that finds the object's last line.
// Ownership: the source must outlive the cache, unless the cache was given a std::unique_ptr to it.
// Lines may outlive the cache.
// Source: database buffer pools; the loading entries of CacheLib and Velox; Yang et al., S3-FIFO
// (SOSP 2023).
#pragma once

#include <freehold/config.hpp>
#include <freehold/line/access.hpp>
#include <freehold/line/detail/active_operations.hpp>
#include <freehold/line/detail/async_get.hpp>
#include <freehold/line/detail/line_core.hpp>
#include <freehold/line/detail/line_fetch.hpp>
#include <freehold/line/detail/line_runs.hpp>
#include <freehold/line/detail/line_waiter.hpp>
#include <freehold/line/detail/stop_check.hpp>
#include <freehold/line/line.hpp>
#include <freehold/line/line_cache_options.hpp>
#include <freehold/line/line_source.hpp>
#include <freehold/line/stop_token.hpp>

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace freehold::inline FREEHOLD_ABI {

template <line_source Source>
class line_cache {
public:
    // The size that asks get for the whole line.
    static constexpr std::uint64_t whole_line = std::numeric_limits<std::uint64_t>::max();

    // `source` must outlive the cache.
    line_cache(Source& source, const line_cache_options& options)
        : source_(source), core_(options) {}
    // The cache owns the source.
    line_cache(std::unique_ptr<Source> source, const line_cache_options& options)
        : owned_(std::move(source)), source_(*owned_), core_(options) {}
    line_cache(const line_cache&) = delete;
    line_cache& operator=(const line_cache&) = delete;
    // Ends requests early, and waits for them and for all callbacks.
    ~line_cache() { core_.operations().close(); }

    // Returns the whole line that holds `offset`. An object of size 0 has one line, of no bytes.
    [[nodiscard]] line get(object_ref object, std::uint64_t offset, const stop_token& stop = {}) {
        return get(object, offset, whole_line, stop);
    }
    // Returns the line as soon as the bytes from `offset` to `offset + size` have arrived, as far
    // as they are in the line. line::wait waits for more. A requested stop ends the wait with
    // source_failure::cancelled. It also ends the request, if no other reader wants the line.
    [[nodiscard]] line get(object_ref object, std::uint64_t offset, std::uint64_t size,
                           const stop_token& stop = {}) {
        return get_or_stop(object, offset, size, stop);
    }
    // The same for tokens of other libraries: asks stopped() about every 10 ms while it waits.
    // stopped() must not throw.
    template <class Stopped>
        requires std::predicate<const Stopped&>
    [[nodiscard]] line get(object_ref object, std::uint64_t offset, std::uint64_t size,
                           const Stopped& stopped) {
        return get_or_stop(object, offset, size, stopped);
    }

    // Returns the bytes from `offset` to `offset + size`, as far as the object has them, in one
    // piece of memory: inside one line, or in lines that lie one behind the other. Requests the
    // missing lines, and waits for the bytes. Never waits for memory. Returns an empty range if the
    // lines do not lie so, if they are more than half of the lines that the cache can hold, if
    // other ranges pin too many, if memory is exhausted, if a request fails at once, if the object
    // is invalidated meanwhile, or if it ends before `offset`. Gets of each line then give the
    // bytes, or tell what is wrong. If a request fails while this function waits, it throws what
    // the source reports. A requested stop ends the wait with source_failure::cancelled, but not
    // the request.
    [[nodiscard]] line_range get_range(object_ref object, std::uint64_t offset, std::uint64_t size,
                                       const stop_token& stop = {}) {
        return get_range_or_stop(object, offset, size, stop);
    }
    // The same for tokens of other libraries: asks stopped() about every 10 ms while it waits.
    // stopped() must not throw.
    template <class Stopped>
        requires std::predicate<const Stopped&>
    [[nodiscard]] line_range get_range(object_ref object, std::uint64_t offset, std::uint64_t size,
                                       const Stopped& stopped) {
        return get_range_or_stop(object, offset, size, stopped);
    }

    // Looks the object up once, so that each get of it is faster. Throws std::bad_alloc.
    [[nodiscard]] cached_object open(std::string_view object) {
        return detail::line_access::make(core_.open(object));
    }
    // The same, with what the source has just told of the object. The first requests require that
    // version, and do not wait for a first line that tells the size. If the source has another
    // version by then, one get fails with source_failure::changed. Without effect if there are
    // lines of the object.
    [[nodiscard]] cached_object open(std::string_view object, const object_info& now) {
        return detail::line_access::make(core_.open(object, now));
    }

    // Calls callback(line, std::exception_ptr) exactly once, before or after this function returns:
    // with the line, or with an empty line and the failure. The callback must not throw. If this
    // function throws, which is std::bad_alloc, the callback is not called.
    template <class Callback>
    void get_async(object_ref object, std::uint64_t offset, std::uint64_t size, Callback callback,
                   const stop_token& stop = {}) {
        const detail::line_key key = object.key(core_.geometry().number_at(offset));
        const std::uint64_t end = core_.geometry().end_in_line(offset, size);
        auto waiter =
            std::make_unique<detail::async_waiter<Callback>>(end, offset, std::move(callback));
        detail::line_core::found found = core_.find(key, end);
        if (found.line) {
            if (found.is_first) fetch_ahead_of(found.line, key.how);
            waiter.release()->wait_on(std::move(found.line), stop, core_.operations());
            return;
        }
        // The callback may allow another thread to destroy the cache before this function ends.
        const detail::operation_guard here(core_.operations());
        detail::line_core::insertion insertion;
        try {
            insertion = core_.find_or_insert(key);
        } catch (...) {
            waiter.release()->fail(std::current_exception());
            return;
        }
        waiter.release()->wait_on(insertion.line, stop, core_.operations());
        if (insertion.is_new) fetch(insertion, key, {}, false);
    }
    template <class Callback>
        requires std::invocable<Callback&, line, std::exception_ptr>
    void get_async(object_ref object, std::uint64_t offset, Callback callback,
                   const stop_token& stop = {}) {
        get_async(object, offset, whole_line, std::move(callback), stop);
    }

    // Returns an awaitable. co_await returns the line, or throws.
    [[nodiscard]] auto async_get(object_ref object, std::uint64_t offset,
                                 std::uint64_t size = whole_line, stop_token stop = {}) {
        return detail::awaited_line<line_cache>(*this, object, offset, size, std::move(stop));
    }

    // Fetches the missing lines among the `lines` lines from the one that holds `offset`, as far as
    // the object has them and memory is available. If the object's size is unknown, it fetches the
    // first line, and the others when that one begins to arrive.
    void prefetch(object_ref object, std::uint64_t offset, std::uint64_t lines) {
        const detail::line_run run{core_.geometry().number_at(offset), lines};
        if (lines != 0) fetch_runs(object, {&run, 1});
    }
    // Does the same for the lines that have bytes of these ranges, each line once, in the order of
    // the object. Fetches at most half of the lines that the cache can hold, because more would
    // evict the first ones. Throws std::bad_alloc.
    void prefetch(object_ref object, std::span<const byte_range> ranges) {
        const std::uint64_t half = options().capacity / options().line_size / 2;
        const std::uint64_t most = std::max<std::uint64_t>(1, half);
        const std::vector<detail::line_run> runs =
            detail::line_runs(ranges, core_.geometry(), most);
        fetch_runs(object, {runs.data(), runs.size()});
    }

    // Returns what is known from the object's lines in the cache, or else asks the source. Throws
    // what the source's describe throws.
    [[nodiscard]] object_info describe(std::string_view object) {
        object_info known = core_.info_of(object);
        return known.size != 0 ? known : source_.describe(object);
    }

    // Makes gets find neither the object's lines nor its pending fetches. Readers keep what they
    // hold.
    void invalidate(std::string_view object) { core_.invalidate(object, {}); }
    // Does the same, unless the lines have this entity tag. If the object has another tag at the
    // next fetch, that fetch fails with source_failure::changed.
    void invalidate(std::string_view object, std::string_view entity_tag) {
        core_.invalidate(object, entity_tag);
    }
    // Gives memory back to the system: that of all lines that no reader holds. Returns the number
    // of bytes.
    std::size_t trim() { return core_.trim(); }

    // The figures so far, the options that the constructor got, and the source.
    [[nodiscard]] line_cache_statistics statistics() { return core_.statistics(); }
    [[nodiscard]] const line_cache_options& options() const noexcept { return core_.options(); }
    [[nodiscard]] Source& source() noexcept { return source_; }

private:
    using clock = std::chrono::steady_clock;
    using line_ptr = arc<detail::cached_line>;

    // `Stop` is stop_token or a predicate, here and below.
    template <class Stop>
    [[nodiscard]] line get_or_stop(const object_ref& object, std::uint64_t offset,
                                   std::uint64_t size, const Stop& stop) {
        const detail::line_key key = object.key(core_.geometry().number_at(offset));
        const std::uint64_t end = core_.geometry().end_in_line(offset, size);
        detail::line_core::found found = core_.find(key, end);
        if (found.has_all && !found.is_first && found.line->has_byte_at(offset)) [[likely]] {
            return detail::line_access::make(std::move(found.line));
        }
        return get_slowly(key, offset, size, std::move(found), stop);
    }
    template <class Stop>
    [[nodiscard, gnu::noinline]] line get_slowly(const detail::line_key& key, std::uint64_t offset,
                                                 std::uint64_t size, detail::line_core::found found,
                                                 const Stop& stop) {
        const clock::time_point begin = clock::now();
        const detail::wait_deadlines deadlines = deadlines_from(begin, detail::stop_check(stop));
        bool fetches_ahead = found.is_first;
        line_ptr line = std::move(found.line);
        if (line) {
            if (found.has_all && !line->has_byte_at(offset)) throw_if_changed(*line);
            if (fetches_ahead) fetch_ahead_of(line, key.how);
            fetches_ahead = false;
        }
        for (bool counts = true;; counts = false) {
            bool is_mine = false;
            if (!line) {
                const detail::line_core::insertion insertion = core_.find_or_insert(key, counts);
                line = insertion.line;
                is_mine = insertion.is_new;
                if (is_mine) {
                    // The object's size is known when its first line has arrived.
                    const bool here = size == whole_line && !deadlines.stop.is_possible();
                    fetches_ahead = fetch(insertion, key, deadlines, here) == 0;
                }
            }
            try {
                line->await(offset, core_.geometry().end_in_line(offset, size), stop);
                break;
            } catch (const cache_full&) {
                // Another thread inserted the line, and gave up waiting for memory. This thread may
                // still wait.
                if (is_mine || clock::now() >= deadlines.with_fetches) throw;
                line = nullptr;
            }
        }
        if (!found.has_all) core_.waits().add(clock::now() - begin);
        if (fetches_ahead) fetch_ahead_of(line, key.how);
        return detail::line_access::make(std::move(line));
    }
    // Called for a line that ends before the requested byte, because the object may have grown.
    void throw_if_changed(const detail::cached_line& line) {
        const std::string& name = line.object->name;
        const object_info now = source_.describe(name);
        if (now.size == line.object_size() && now.entity_tag == line.entity_tag()) return;
        core_.invalidate(line);
        throw source_error(source_failure::changed,
                           "object '" + name + "': the object has changed; it now has " +
                               std::to_string(now.size) + " bytes and the entity tag '" +
                               now.entity_tag + "'");
    }
    [[nodiscard]] detail::wait_deadlines deadlines_from(clock::time_point begin,
                                                        detail::stop_check stop) const {
        const clock::time_point end = begin + options().wait_limit;
        const bool waits = options().when_full == line_cache_options::full::wait;
        return {waits ? end : begin, end, stop};
    }

    template <class Stop>
    [[nodiscard]] line_range get_range_or_stop(const object_ref& object, std::uint64_t offset,
                                               std::uint64_t size, const Stop& stop) {
        std::uint64_t end = offset + std::min(size, whole_line - offset);
        if (end == offset) return {};
        detail::adjacent_lines held = pin_range(object, offset, end);
        if (!held) {
            end = request_range(object, offset, end, stop);
            if (end == 0) return {};
            held = pin_range(object, offset, end);
            if (!held) return {};
        }
        const clock::time_point begin = clock::now();
        const auto end_in = [&](const detail::cached_line& line) {
            return detail::line_geometry::end_from(line.offset(), offset, end - offset);
        };
        line_ptr first_request;
        for (std::size_t i = 0; i != held.size(); ++i) {
            detail::line_core::found found =
                core_.find(object.key(held[i].number), end_in(held[i]));
            if (found.is_first) first_request = std::move(found.line);
        }
        // Backwards: when the last line of a request has arrived, so have the others, and this
        // thread was woken once.
        bool has_all = true;
        for (std::size_t i = held.size(); i-- != 0;) {
            detail::cached_line& line = held[i];
            if (line.has(end_in(line))) continue;
            has_all = false;
            line.await(std::max(offset, line.offset()), end_in(line), stop);
        }
        if (!has_all) core_.waits().add(clock::now() - begin);
        if (first_request) fetch_ahead_of(first_request, object.how());
        for (std::size_t i = 1; i != held.size(); ++i) {
            if (!held[i].has_same_info_as(held[0])) return {};
        }
        end = std::min(end, held[0].object_size());
        if (end <= offset) return {};
        const std::byte* const bytes = held[0].bytes().data() + (offset - held[0].offset());
        return detail::line_access::make(std::move(held),
                                         {bytes, static_cast<std::size_t>(end - offset)});
    }
    [[nodiscard]] std::uint64_t most_lines_of_range() const noexcept {
        return std::max<std::uint64_t>(1, options().capacity / options().line_size / 2);
    }
    // Returns none unless all lines of these bytes are there and adjacent. The bytes may not have
    // arrived.
    [[nodiscard]] detail::adjacent_lines pin_range(const object_ref& object, std::uint64_t offset,
                                                   std::uint64_t end) const noexcept {
        const std::uint64_t first = core_.geometry().number_at(offset);
        const std::uint64_t last = core_.geometry().number_at(end - 1);
        if (last - first >= most_lines_of_range()) return {};
        detail::adjacent_lines held;
        for (std::uint64_t number = first; number <= last; ++number) {
            line_ptr line = core_.pin(object.key(number));
            if (!line || !held.add(std::move(line))) return {};
        }
        if (!held.count_as_pinned()) return {};
        return held;
    }
    // Starts requests for the missing lines of these bytes. Returns where the bytes end if the
    // object ends before `end`, or 0 if they are too many or none.
    template <class Stop>
    [[nodiscard]] std::uint64_t request_range(const object_ref& object, std::uint64_t offset,
                                              std::uint64_t end, const Stop& stop) {
        const std::uint64_t most = most_lines_of_range();
        const detail::line_key key = object.key(core_.geometry().number_at(offset));
        const auto lines_to = [&](std::uint64_t to) {
            return core_.geometry().number_at(to - 1) - key.number + 1;
        };
        detail::line_run run{key.number, std::min(lines_to(end), most)};
        if (!core_.knows_size_of(key)) {
            fetch_runs(object, {&run, 1});
            const line_ptr first = core_.pin(key);
            if (first) first->await(first->offset(), 1, stop);
        }
        const std::uint64_t size = core_.size_of(key);
        if (size == detail::object_entry::unknown || offset >= size) return 0;
        end = std::min(end, size);
        run.lines = lines_to(end);
        if (run.lines > most) return 0;
        fetch_runs(object, {&run, 1});
        return end;
    }

    // Memory for lines that are about to be inserted. While it holds some, a thread that finds no
    // memory looks again: see completions_in_flight.
    class line_supply {
    public:
        line_supply(detail::line_core& core, std::size_t lines,
                    const detail::line_core::place& near) noexcept
            : core_(core), lines_(lines), evictions_(lines), near_(near) {}
        line_supply(const line_supply&) = delete;
        line_supply& operator=(const line_supply&) = delete;
        ~line_supply() {
            if (slots_.count == 0) return;
            core_.give_back(slots_);
            core_.completions().end();
        }

        // Returns the memory for the next line, or nullptr if memory is exhausted.
        [[nodiscard]] detail::line_slot* next() {
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
        detail::line_core& core_;
        std::size_t lines_;
        std::size_t evictions_;
        detail::line_core::place near_;
        detail::line_slots slots_;
    };

    // Fetches a line that this thread inserted, and the lines after it that the object is known to
    // have. Returns the number of the latter. `here` allows the calling thread to do the work if it
    // is one request for one line.
    std::uint64_t fetch(const detail::line_core::insertion& inserted, const detail::line_key& key,
                        const detail::wait_deadlines& deadlines, bool here) noexcept {
        detail::cached_line& line = *inserted.line;
        const object_ref object(line.object, key.how);
        const std::uint64_t next = line.number + 1;
        std::vector<line_ptr> run;
        std::uint64_t ahead = 0;
        try {
            run.push_back(inserted.line);
            ahead = core_.lines_ahead(*line.object, next, options().prefetch);
            const auto gap =
                ahead != 0 ? core_.gap_at(key.at(next), ahead) : detail::line_core::gap();
            detail::line_slot* slot = nullptr;
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

    // Called when a prefetched line is requested for the first time, or when the object's size has
    // just become known. Does nothing until there are enough missing lines for a whole request.
    void fetch_ahead_of(const line_ptr& line, access how) noexcept {
        const object_ref object(line->object, how);
        const std::uint64_t first = line->number + 1;
        const std::uint64_t ahead = core_.lines_ahead(*line->object, first, options().prefetch);
        std::uint64_t missing = 0;
        for (std::uint64_t i = 0; i != ahead; ++i) {
            if (!core_.is_there(object.key(first + i))) ++missing;
        }
        const std::uint64_t worth_it = std::min(options().coalesce, options().prefetch);
        if (missing != 0 && (missing >= worth_it || ahead < options().prefetch)) {
            fetch_ahead(object, first, ahead);
        }
    }

    // Waits for the first bytes of a line, and then prefetches the lines after it. It does not own
    // the line: the fetch owns it until all waiters are woken.
    class prefetch_continuation final : public detail::line_waiter {
    public:
        prefetch_continuation(line_cache& cache, arc<detail::object_entry> object, access how,
                              std::vector<detail::line_run> runs)
            : line_waiter(1),
              cache_(cache),
              object_(std::move(object)),
              how_(how),
              runs_(std::move(runs)) {}

        void wake() noexcept override {
            const std::unique_ptr<prefetch_continuation> self(this);
            const object_ref object(object_, how_);
            if (cache_.core_.knows_size_of(object.key(0)))
                cache_.fetch_runs(object, {runs_.data(), runs_.size()});
        }

    private:
        line_cache& cache_;
        const arc<detail::object_entry> object_;
        const access how_;
        const std::vector<detail::line_run> runs_;
    };

    void fetch_runs(const object_ref& object, std::span<const detail::line_run> runs) noexcept {
        if (core_.knows_size_of(object.key(0))) {
            for (const detail::line_run& run : runs) fetch_ahead(object, run.first, run.lines);
            return;
        }
        // The first missing line alone, to learn the size. Lines of one request fit behind it.
        std::uint64_t before = 0;  // lines that are there
        while (!runs.empty() && core_.is_there(object.key(runs.front().first + before))) {
            if (++before == runs.front().lines) {
                before = 0;
                runs = runs.subspan(1);
            }
        }
        if (runs.empty()) return;
        const std::uint64_t first = runs.front().first + before;
        std::vector<line_ptr> request;
        insert_gap(request, object, first,
                   std::min<std::uint64_t>(runs.front().lines - before, options().coalesce), 1);
        if (request.empty()) return;
        try {
            std::vector<detail::line_run> rest(runs.begin(), runs.end());
            rest.front().first += before + 1;
            rest.front().lines -= before + 1;
            const line_ptr& line = request.front();
            auto later = std::make_unique<prefetch_continuation>(*this, line->object, object.how(),
                                                                 std::move(rest));
            if (line->wait(*later)) static_cast<void>(later.release());
        } catch (...) {
            // A get will fetch the other lines.
        }
        send(request, true, false);
    }

    // Stops when memory is exhausted: a prefetch must not fail a get.
    void fetch_ahead(const object_ref& object, std::uint64_t first, std::uint64_t count) noexcept {
        std::vector<line_ptr> run;
        bool has_memory = true;
        for (std::uint64_t i = 0; i != count && has_memory;) {
            if (core_.is_there(object.key(first + i))) {
                ++i;
                continue;
            }
            has_memory = insert_gap(run, object, first + i, count - i, count - i);
            if (run.empty() && !core_.is_there(object.key(first + i))) return;
            i += run.size();
            send(run, true, false);
        }
    }
    // Finds a place for the lines that are missing from this one on, at most `most`, and inserts
    // the first `count` of them. Returns false if memory is exhausted: a get will fetch the others.
    bool insert_gap(std::vector<line_ptr>& run, const object_ref& object, std::uint64_t first,
                    std::uint64_t most, std::uint64_t count) noexcept {
        const detail::line_core::gap gap = core_.gap_at(object.key(first), most);
        line_supply supply(core_, gap.lines, gap.near);
        return insert_lines(run, object, first, std::min<std::uint64_t>(gap.lines, count), supply);
    }
    bool insert_lines(std::vector<line_ptr>& run, const object_ref& object, std::uint64_t first,
                      std::size_t lines, line_supply& supply) noexcept {
        try {
            run.reserve(run.size() + lines);
            for (std::size_t i = 0; i != lines; ++i) {
                detail::line_slot* const slot = supply.next();
                if (slot == nullptr) return false;
                line_ptr line = core_.insert_ahead(object.key(first + i), *slot);
                if (!line) return true;  // another thread has inserted it
                supply.remove_next();
                run.push_back(std::move(line));
            }
            return true;
        } catch (...) {
            return false;
        }
    }

    // Starts requests for these adjacent lines, and leaves `run` empty. `is_ahead` is false if a
    // reader asked for the first line.
    void send(std::vector<line_ptr>& run, bool is_ahead, bool here) noexcept {
        const std::size_t most = options().coalesce;
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
    // Starts one request for these lines.
    void send_one(std::vector<line_ptr>& run, bool is_ahead, bool here) noexcept {
        detail::line_fetch* request = nullptr;
        try {
            request = detail::line_fetch::make(core_, run, is_ahead);
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

    std::unique_ptr<Source> owned_;
    Source& source_;
    detail::line_core core_;
};

template <class Source>
line_cache(Source&, const line_cache_options&) -> line_cache<Source>;
template <class Source>
line_cache(std::unique_ptr<Source>, const line_cache_options&) -> line_cache<Source>;

}  // namespace freehold::inline FREEHOLD_ABI
