// SPDX-License-Identifier: BSL-1.0
// A cache of large lines over a source of objects: files, object storage, whatever can read a range
// of a named object. A line is `line_size` bytes of an object, the last one what is left; get gives
// it to the reader pinned, shared and read-only, as a `line` of one word.
//
// What it does that costs: a line's memory is had from the system once, huge if possible, and is
// recycled ever after, so that it is neither zeroed nor faulted in again; the source writes
// straight into it, so that nothing is copied here. Any number of readers that miss on one line
// cause one request, and each is served as soon as the part has arrived that it asked for. All line
// memory together stays below `capacity` at any moment, whatever readers hold. S3-FIFO decides what
// goes when there is no room; what a reader holds never does.
//
// Costs: a warm get with its release is a short lock on a bucket and three locked instructions,
// some 30 ns, also on several threads that use different lines, and allocates nothing; a string for
// a name takes its hash besides (open an object to save it). A miss takes some 200 bytes from
// common pools for as long as the line lives. Each line that fits takes half a KiB to a KiB of
// tables, less where lines are small. A get that is refused, because each line is in use, has
// looked at all of them under the lock that misses take, 0.1 to 0.2 us for each: to know before,
// every release would have to tell.
//
// Thread-safe, but for its destruction: that cancels what is under way and waits until the source
// has let go and callbacks have returned; no thread may be in a get then. Lines may be held on.
// Callbacks and resumed coroutines run on the thread that brought the bytes or asked for a stop, or
// on the caller's if there is nothing to wait for; they may use the cache, but not end it, and a
// blocking get there would wait for itself.
//
// Exceptions: source_error, what else the source reports, cache_full, std::bad_alloc; the
// constructor throws std::invalid_argument. An object whose entity tag or size changes while lines
// of it are in the cache fails once with source_failure::changed; its lines are dropped, and the
// next get reads it anew. A failure is not remembered, nor where an object ended: who asks for what
// is beyond has the source asked, but an asynchronous get that finds the object's last line.
//
// Source: the pinned, evict-by-handle buffer pool of database systems; CacheLib's and Velox's
// loading entries; Yang et al. (SOSP 2023) for the eviction.
#pragma once

#include <freehold/cache/line_source.hpp>
#include <freehold/cache/lines/async_get.hpp>
#include <freehold/cache/lines/line.hpp>
#include <freehold/cache/lines/line_cache_options.hpp>
#include <freehold/cache/lines/line_core.hpp>
#include <freehold/cache/lines/line_fetch.hpp>
#include <freehold/cache/lines/line_users.hpp>
#include <freehold/cache/lines/line_waiter.hpp>
#include <freehold/cache/lines/object_ref.hpp>
#include <freehold/cache/lines/stop.hpp>

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace freehold::inline FREEHOLD_ABI {

template <line_source Source>
class line_cache {
public:
    static constexpr std::uint64_t whole_line = std::numeric_limits<std::uint64_t>::max();

    // The source must outlive the cache.
    line_cache(Source& source, const line_cache_options& options)
        : source_(source), core_(options) {}
    line_cache(std::unique_ptr<Source> source, const line_cache_options& options)
        : owned_(std::move(source)), source_(*owned_), core_(options) {}
    line_cache(const line_cache&) = delete;
    line_cache& operator=(const line_cache&) = delete;
    ~line_cache() { core_.users().close(); }

    // The line that holds this offset of the object, all of it.
    [[nodiscard]] line get(object_ref object, std::uint64_t offset, const stop_token& stop = {}) {
        return get(object, offset, whole_line, stop);
    }
    // The same as soon as the bytes from `offset` to `offset + size` are there, as far as they are
    // in the line; line::wait waits for more. A stop asked for ends the wait, and the request if
    // nobody else wants the line, with source_failure::cancelled.
    [[nodiscard]] line get(object_ref object, std::uint64_t offset, std::uint64_t size,
                           const stop_token& stop = {}) {
        const detail::line_key key = object.key(core_.geometry().number_at(offset));
        const std::uint64_t end = core_.geometry().end_in_line(offset, size);
        detail::line_core::found found = core_.find(key, end);
        if (found.has_all && !found.is_first && found.line->has_byte_at(offset)) [[likely]] {
            return detail::line_access::make(std::move(found.line));
        }
        return get_slowly(key, offset, size, std::move(found), stop);
    }

    [[nodiscard]] cached_object open(std::string_view object) {
        return detail::line_access::make(core_.open(object));
    }

    // Calls callback(line, std::exception_ptr) once, before it returns or later: with the line as
    // above, or with an empty one and what went wrong. The callback must not throw. Throws only
    // std::bad_alloc, and then does not call it.
    template <class Callback>
    void get_async(object_ref object, std::uint64_t offset, std::uint64_t size, Callback callback,
                   const stop_token& stop = {}) {
        const detail::line_key key = object.key(core_.geometry().number_at(offset));
        const std::uint64_t end = core_.geometry().end_in_line(offset, size);
        auto waiter =
            std::make_unique<detail::async_waiter<Callback>>(end, offset, std::move(callback));
        detail::line_core::found found = core_.find(key, end);
        if (found.line) {
            if (found.is_first) read_ahead_of(found.line);
            waiter.release()->wait_on(std::move(found.line), stop, core_.users());
            return;
        }
        // The callback may be called, and let the cache end, before this is through.
        const detail::line_user here(core_.users());
        detail::line_core::claim claim;
        try {
            claim = core_.claim_for_reader(key);
        } catch (...) {
            waiter.release()->fail(std::current_exception());
            return;
        }
        waiter.release()->wait_on(claim.line, stop, core_.users());
        if (claim.is_new) fetch(claim.line, {}, false);
    }
    template <class Callback>
        requires std::invocable<Callback&, line, std::exception_ptr>
    void get_async(object_ref object, std::uint64_t offset, Callback callback,
                   const stop_token& stop = {}) {
        get_async(object, offset, whole_line, std::move(callback), stop);
    }

    // co_await gives the line, or throws.
    [[nodiscard]] auto async_get(object_ref object, std::uint64_t offset,
                                 std::uint64_t size = whole_line, stop_token stop = {}) {
        return detail::awaited_line<line_cache>(*this, object, offset, size, std::move(stop));
    }

    // Has so many lines fetched, from the one on that holds the offset, as far as they are missing,
    // the object has them, and there is memory for them. If nothing is known of the object, the
    // first alone, and the others when it begins to arrive.
    void prefetch(object_ref object, std::uint64_t offset, std::uint64_t lines) {
        const std::uint64_t first = core_.geometry().number_at(offset);
        if (lines <= 1 || core_.knows_size_of(object.key(first))) {
            return read_ahead(object, first, lines);
        }
        read_ahead_of_unknown(object, first, lines);
    }

    // What the object's lines say of it, or else the source.
    [[nodiscard]] object_info describe(std::string_view object) {
        object_info known = core_.info_of(object);
        return known.size != 0 ? known : source_.describe(object);
    }

    // Lines of the object, and fetches under way, are found no more; who has them keeps them.
    void invalidate(std::string_view object) { core_.invalidate(object, {}); }
    // The same unless their entity tag is this one. If the object has another at the next fetch,
    // that fails once with source_failure::changed.
    void invalidate(std::string_view object, std::string_view entity_tag) {
        core_.invalidate(object, entity_tag);
    }
    // Gives the memory of all lines that nobody holds back to the system; says how many bytes.
    std::size_t trim() { return core_.trim(); }

    [[nodiscard]] line_cache_statistics statistics() { return core_.statistics(); }
    [[nodiscard]] const line_cache_options& options() const noexcept { return core_.options(); }
    [[nodiscard]] Source& source() noexcept { return source_; }

private:
    using clock = std::chrono::steady_clock;
    using line_ptr = arc<detail::cached_line>;

    [[nodiscard, gnu::noinline]] line get_slowly(const detail::line_key& key, std::uint64_t offset,
                                                 std::uint64_t size, detail::line_core::found found,
                                                 const stop_token& stop) {
        const clock::time_point begin = clock::now();
        const detail::line_patience patience = patience_from(begin, stop);
        bool reads_ahead = found.is_first;
        line_ptr line = std::move(found.line);
        if (line) {
            if (found.has_all && !line->has_byte_at(offset)) expect_unchanged(*line);
            if (reads_ahead) read_ahead_of(line);
            reads_ahead = false;
        }
        for (bool counts = true;; counts = false) {
            bool is_mine = false;
            if (!line) {
                detail::line_core::claim claim = core_.claim_for_reader(key, counts);
                line = std::move(claim.line);
                is_mine = claim.is_new;
            }
            if (is_mine) {
                // How far the object goes is known by the end of its first line.
                reads_ahead =
                    fetch(line, patience, size == whole_line && !stop.stop_possible()) == 0;
            }
            try {
                line->await(offset, core_.geometry().end_in_line(offset, size), stop);
                break;
            } catch (const cache_full&) {
                // Another claimed the line, and waited for memory no longer; this one may.
                if (is_mine || clock::now() >= patience.with_fetches) throw;
                line = nullptr;
            }
        }
        if (!found.has_all) core_.waits().add(clock::now() - begin);
        if (reads_ahead) read_ahead_of(line);
        return detail::line_access::make(std::move(line));
    }
    // Of a line that ends before the byte that was asked for: the object may have grown.
    void expect_unchanged(const detail::cached_line& line) {
        const std::string& name = line.object->name;
        const object_info now = source_.describe(name);
        if (now.size == line.object_size() && now.entity_tag == line.entity_tag()) return;
        core_.invalidate(line);
        throw source_error(source_failure::changed,
                           "object '" + name + "': the object has changed: it has " +
                               std::to_string(now.size) + " bytes and the entity tag '" +
                               now.entity_tag + "' now");
    }
    [[nodiscard]] detail::line_patience patience_from(clock::time_point begin,
                                                      const stop_token& stop) const {
        const clock::time_point end = begin + options().wait_limit;
        const bool waits = options().when_full == line_cache_options::full::wait;
        return {waits ? end : begin, end, stop};
    }

    // Has a line fetched that this thread claimed, and those behind it as far as it is known that
    // there are some; says how many. On this thread if it is one request for what is wanted `here`.
    std::uint64_t fetch(const line_ptr& line, const detail::line_patience& patience,
                        bool here) noexcept {
        std::vector<line_ptr> run;
        std::uint64_t ahead = 0;
        try {
            const detail::line_place place = core_.take_place(patience);
            if (place.bytes == nullptr) throw core_.full();
            line->set_place(place);
            run.push_back(line);
            ahead = core_.lines_ahead(*line->object, line->number + 1, options().prefetch);
        } catch (...) {
            core_.fail(*line, std::current_exception());
            return 0;
        }
        const object_ref object(line->object);
        while (run.size() <= ahead && run.size() < options().coalesce) {
            line_ptr next = claim_ahead(object, line->number + run.size());
            if (!next) break;
            if (!add(run, std::move(next))) break;
        }
        const std::uint64_t begun = run.size();
        send(run, false, here && ahead == 0);
        read_ahead(object, line->number + begun, ahead + 1 - begun);
        return ahead;
    }

    // To be called when a line is first asked for that was fetched ahead, or when its object has
    // just become known. Waits until there are as many to fetch as go into a request.
    void read_ahead_of(const line_ptr& line) noexcept {
        const object_ref object(line->object);
        const std::uint64_t first = line->number + 1;
        const std::uint64_t ahead = core_.lines_ahead(*line->object, first, options().prefetch);
        std::uint64_t missing = 0;
        for (std::uint64_t i = 0; i != ahead; ++i) {
            if (!core_.is_there(object.key(first + i))) ++missing;
        }
        const std::uint64_t worth_it = std::min(options().coalesce, options().prefetch);
        if (missing != 0 && (missing >= worth_it || ahead < options().prefetch)) {
            read_ahead(object, first, ahead);
        }
    }

    // Waits for the first bytes of a line to go on with those behind it. Does not own the line,
    // which its fetch does until it has woken all who wait.
    class rest_to_read final : public detail::line_waiter {
    public:
        rest_to_read(line_cache& cache, arc<detail::object_record> object, std::uint64_t first,
                     std::uint64_t count)
            : line_waiter(1),
              cache_(cache),
              object_(std::move(object)),
              first_(first),
              count_(count) {}

        void wake() noexcept override {
            const std::unique_ptr<rest_to_read> self(this);
            const object_ref object(object_);
            if (cache_.core_.knows_size_of(object.key(first_))) {
                cache_.read_ahead(object, first_, count_);
            }
        }

    private:
        line_cache& cache_;
        const arc<detail::object_record> object_;
        const std::uint64_t first_;
        const std::uint64_t count_;
    };

    void read_ahead_of_unknown(const object_ref& object, std::uint64_t first,
                               std::uint64_t count) noexcept {
        for (; count != 0 && core_.is_there(object.key(first)); --count) ++first;
        std::vector<line_ptr> run;
        line_ptr next = count != 0 ? claim_ahead(object, first) : nullptr;
        if (!next || !add(run, std::move(next))) return;
        const line_ptr& line = run.front();
        try {
            auto rest = std::make_unique<rest_to_read>(*this, line->object, first + 1, count - 1);
            if (line->wait(*rest)) static_cast<void>(rest.release());
        } catch (...) {
            // The others are fetched when somebody asks for them.
        }
        send(run, true, false);
    }

    // As far as there is memory: what is fetched ahead must not fail anybody.
    void read_ahead(const object_ref& object, std::uint64_t first, std::uint64_t count) noexcept {
        std::vector<line_ptr> run;
        for (std::uint64_t i = 0; i != count; ++i) {
            const bool is_there = core_.is_there(object.key(first + i));
            line_ptr next = is_there ? nullptr : claim_ahead(object, first + i);
            if (next) {
                if (!add(run, std::move(next))) break;
            } else if (!is_there) {
                break;
            }
            if ((is_there && !run.empty()) || run.size() == options().coalesce) {
                send(run, true, false);
                run.clear();
            }
        }
        if (!run.empty()) send(run, true, false);
    }
    // nullptr if the line is there, if the object ends before, or if there is no memory.
    line_ptr claim_ahead(const object_ref& object, std::uint64_t number) noexcept {
        try {
            return core_.claim_ahead(object.key(number));
        } catch (...) {
            return nullptr;  // it will be fetched when somebody asks for it
        }
    }
    bool add(std::vector<line_ptr>& run, line_ptr line) noexcept {
        try {
            run.push_back(line);
            return true;
        } catch (...) {
            core_.fail(*line, std::current_exception());
            return false;
        }
    }

    // One request for these lines.
    void send(std::vector<line_ptr>& run, bool is_ahead, bool here) noexcept {
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
