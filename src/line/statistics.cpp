// SPDX-License-Identifier: BSL-1.0
// How the statistics of a cache, a limited_source and a disk_tier are printed, and how the former
// are read.
#include <freehold/line/disk_tier_options.hpp>
#include <freehold/line/limited_source_options.hpp>
#include <freehold/line/line_cache_statistics.hpp>

#include "line/line_counters.hpp"

#include <chrono>
#include <cstdint>
#include <iomanip>
#include <numeric>
#include <ostream>

namespace freehold::inline FREEHOLD_ABI {

std::uint64_t wait_histogram::total() const noexcept {
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

std::chrono::microseconds wait_histogram::quantile(double share) const noexcept {
    const auto all = static_cast<double>(total());
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i != classes; ++i) {
        seen += counts[i];
        if (seen != 0 && static_cast<double>(seen) >= share * all) {
            return std::chrono::microseconds(std::int64_t{1} << i);
        }
    }
    return {};
}

std::ostream& operator<<(std::ostream& to, const wait_histogram& from) {
    to << from.total() << " waits, half of them below " << from.quantile(0.5).count()
       << " us, 99 % below " << from.quantile(0.99).count() << " us\n"
       << std::setw(14) << "from us" << std::setw(14) << "waits" << '\n';
    for (std::size_t i = 0; i != wait_histogram::classes; ++i) {
        if (from.counts[i] == 0) continue;
        const std::uint64_t shortest = i == 0 ? 0 : std::uint64_t{1} << (i - 1);
        to << std::setw(14) << shortest << std::setw(14) << from.counts[i] << '\n';
    }
    return to;
}

std::ostream& operator<<(std::ostream& to, const line_cache_statistics& from) {
    return to << from.hits + from.joined + from.misses << " gets: " << from.hits << " hits, "
              << from.joined << " joined, " << from.misses << " misses; " << from.cancelled
              << " cancelled, " << from.refusals << " refusals\n"
              << from.requests << " requests, " << from.failures << " failures; "
              << from.bytes_fetched << " bytes fetched, " << from.bytes_wasted << " wasted; "
              << from.prefetched << " lines prefetched, " << from.refetched << " refetched, "
              << from.evictions << " evictions\n"
              << from.bytes_held << " bytes held, " << from.most_bytes_held << " at the peak, "
              << from.bytes_in_lines << " in lines, " << from.lines << " lines in the cache; "
              << from.bytes_zeroed << " bytes zeroed, " << from.faults << " page faults\n"
              << from.waits;
}

std::ostream& operator<<(std::ostream& to, const limited_source_statistics& from) {
    return to << from.reads << " reads, " << from.delayed << " of them delayed, "
              << from.descriptions << " descriptions, " << from.cancelled << " reads cancelled; "
              << from.bytes << " bytes; " << from.in_flight << " reads in flight, " << from.waiting
              << " waiting\n";
}

std::ostream& operator<<(std::ostream& to, const disk_tier_statistics& from) {
    return to << from.hits + from.misses << " lines read: " << from.hits << " hits, " << from.misses
              << " misses; " << from.bytes_from_disk << " bytes from the disk, "
              << from.bytes_from_source << " from the source; " << from.checks << " checks\n"
              << from.written << " lines written, " << from.bytes_written << " bytes; "
              << from.evictions << " evictions, " << from.replaced
              << " lines replaced; not kept: " << from.not_whole << " not whole, "
              << from.not_in_time << " not in time\n"
              << from.damaged << " damaged lines, " << from.failed_reads << " failed reads, "
              << from.failed_writes << " failed writes, " << from.passed_on << " passed on; "
              << from.asked << " asked of the owner, " << from.served << " served to others\n"
              << from.lines << " lines on the disk of at most " << from.most_lines << ", "
              << from.bytes_on_disk << " bytes\n";
}

void detail::line_counters::read_into(line_cache_statistics& all) const noexcept {
    all.misses = misses.read();
    all.prefetched = prefetched.read();
    all.refetched = refetched.read();
    all.requests = requests.read();
    all.failures = failures.read();
    all.cancelled = cancelled.read();
    all.refusals = refusals.read();
    all.evictions = evictions.read();
    all.bytes_fetched = bytes_fetched.read();
    all.bytes_wasted = bytes_wasted.read();
    all.bytes_zeroed = bytes_zeroed.read();
    all.faults = faults.read();
}

void detail::wait_recorder::add(std::chrono::nanoseconds waited) noexcept {
    const auto micros = static_cast<std::uint64_t>(
        std::max<std::int64_t>(0, waited / std::chrono::microseconds(1)));
    const auto place =
        std::min(static_cast<std::size_t>(std::bit_width(micros)), counts_.size() - 1);
    // relaxed: a count orders nothing.
    counts_[place].fetch_add(1, std::memory_order_relaxed);
}

wait_histogram detail::wait_recorder::read() const noexcept {
    wait_histogram read;
    for (std::size_t i = 0; i != counts_.size(); ++i) {
        // relaxed: as above.
        read.counts[i] = counts_[i].load(std::memory_order_relaxed);
    }
    return read;
}

}  // namespace freehold::inline FREEHOLD_ABI
