// SPDX-License-Identifier: BSL-1.0
// How a thread cache counts apart from its fast paths, and how statistics are printed.
#include <freehold/buffer/buffer_cache_statistics.hpp>
#include <freehold/buffer/detail/buffer_counters.hpp>

#include <cstddef>
#include <cstdint>
#include <iomanip>
#include <ios>
#include <ostream>

namespace freehold::inline FREEHOLD_ABI {

std::ostream& operator<<(std::ostream& to, const buffer_cache_statistics& from) {
    const std::ios_base::fmtflags flags = to.flags();
    const std::streamsize precision = to.precision();
    to << std::fixed << std::setprecision(1) << from.name << ": " << from.requests << " requests, "
       << 100 * from.hit_rate() << " % hits, " << 100 * from.used() << " % used, " << from.idle
       << " bytes idle, " << from.in_use << " in use for " << from.in_use_asked << " asked for; "
       << from.returns << " returns (" << from.remote_returns << " on another thread), "
       << from.drops << " drops, " << from.evictions << " evictions\n";
    to << "requests by size:\n";
    for (const char* const heading : {"from", "to", "requests", "hits", "misses"}) {
        to << ' ' << std::setw(12) << heading;
    }
    to << '\n';
    for (const buffer_class_statistics& each : from.classes) {
        if (each.requests == 0) continue;
        for (const std::uint64_t number :
             {std::uint64_t{each.smallest}, std::uint64_t{each.largest}, each.requests, each.hits,
              each.misses}) {
            to << ' ' << std::setw(12) << number;
        }
        to << '\n';
    }
    to << "buffers by capacity:\n";
    for (const char* const heading :
         {"from", "to", "asked for", "handed out", "returns", "drops", "evictions", "idle"}) {
        to << ' ' << std::setw(12) << heading;
    }
    to << '\n';
    for (const buffer_class_statistics& each : from.classes) {
        if (each.bytes_handed_out == 0) continue;
        for (const std::uint64_t number :
             {std::uint64_t{each.smallest}, std::uint64_t{each.largest}, each.bytes_asked,
              each.bytes_handed_out, each.returns, each.drops, each.evictions, each.idle}) {
            to << ' ' << std::setw(12) << number;
        }
        to << '\n';
    }
    to.flags(flags);
    to.precision(precision);
    return to;
}

namespace detail {

void buffer_counters::complete_hit(const buffer_block& block, std::size_t size) noexcept {
    const std::size_t index = size_class::of(size);
    index == block.size_class ? drain_handed_out(index) : add_hit(block, size);
}

void buffer_counters::record_miss(const buffer_block& made, std::size_t size) noexcept {
    record_hit_slowly(made, size);
    wide_[size_class::of(size)].misses.add(1);
    wide_[made.size_class].bytes_new.add(made.capacity);
}

void buffer_counters::complete_return(const buffer_block& block) noexcept {
    const std::size_t index = block.size_class;
    if (index < first_unpacked_class) return drain_returned(index);
    add_returned(wide_[index], {1, block.size, block.capacity});
}

void buffer_counters::record_drop(const buffer_block& block) noexcept {
    wide_[block.size_class].drops.add(1);
    wide_[block.size_class].bytes_gone.add(block.capacity);
}

void buffer_counters::record_eviction(const buffer_block& block) noexcept {
    wide_[block.size_class].evictions.add(1);
    wide_[block.size_class].bytes_gone.add(block.capacity);
}

buffer_counters::class_sums buffer_counters::of_class(std::size_t index) const noexcept {
    const wide_counters& wide = wide_[index];
    class_sums sums;
    std::uint64_t version = 0;
    do {
        // What is read from here on is at least as new as this version. If any of it is newer,
        // so is the version that is read at the end.
        version = wide.version.get();
        // Reads the returned buffers first: what was returned has been handed out before, and
        // is found there.
        const event_sums returned = packed_[index].returned.get();
        sums.returns = wide.returns.get() + returned.events;
        sums.bytes_asked_returned = wide.bytes_asked_returned.get() + returned.asked;
        sums.bytes_returned = wide.bytes_returned.get() + returned.handed_out;
        const event_sums handed_out = packed_[index].handed_out.get();
        sums.requests = wide.requests.get() + handed_out.events;
        sums.bytes_asked = wide.bytes_asked.get() + handed_out.asked;
        sums.bytes_handed_out = wide.bytes_handed_out.get() + handed_out.handed_out;
    } while (version % 2 != 0 || wide.version.get() != version);
    sums.misses = wide.misses.get();
    sums.bytes_new = wide.bytes_new.get();
    sums.drops = wide.drops.get();
    sums.evictions = wide.evictions.get();
    sums.bytes_gone = wide.bytes_gone.get();
    return sums;
}

void buffer_counters::add_hit(const buffer_block& block, std::size_t size) noexcept {
    wide_[size_class::of(size)].requests.add(1);
    wide_[block.size_class].bytes_asked.add(size);
    wide_[block.size_class].bytes_handed_out.add(block.capacity);
}

void buffer_counters::add_returned(wide_counters& to, const event_sums& more) noexcept {
    to.returns.add(more.events);
    to.bytes_asked_returned.add(more.asked);
    to.bytes_returned.add(more.handed_out);
}

void buffer_counters::drain_handed_out(std::size_t index) noexcept {
    wide_counters& wide = wide_[index];
    wide.version.add(1);
    const event_sums more = packed_[index].handed_out.drain();
    wide.requests.add(more.events);
    wide.bytes_asked.add(more.asked);
    wide.bytes_handed_out.add(more.handed_out);
    wide.version.add(1);
}

void buffer_counters::drain_returned(std::size_t index) noexcept {
    wide_counters& wide = wide_[index];
    wide.version.add(1);
    add_returned(wide, packed_[index].returned.drain());
    wide.version.add(1);
}

}  // namespace detail
}  // namespace freehold::inline FREEHOLD_ABI
