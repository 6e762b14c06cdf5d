// SPDX-License-Identifier: BSL-1.0
// Which line goes when there is no room: S3-FIFO.
//
// A new line enters a small queue, a tenth of all; if it was used twice when it comes to that
// queue's end it moves to the main queue, else it goes, and only its hash is remembered for as long
// as the main queue would take to pass. A line that comes back within that time enters the main
// queue at once. There a line goes round as often as it was used, three times at most. So a scan
// passes through the small queue and leaves the rest alone. Lines in use stay where they are.
//
// Costs 16 bytes a line for what is remembered; a use is one byte in the line. Not thread-safe.
// Source: Yang, Zhang, Qiu, Yue, Vinayak, "FIFO Queues are All You Need for Cache Eviction" (SOSP
// 2023). SIEVE (NSDI 2024) is simpler, but lets a scan push out what was used once before it.
#pragma once

#include <freehold/cache/lines/cached_line.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace freehold::inline FREEHOLD_ABI::detail {

// The oldest and the newest of lines that are linked through `older` and `newer`.
class line_queue {
public:
    void push(cached_line& line) noexcept {
        line.older = newest_;
        line.newer = nullptr;
        (newest_ != nullptr ? newest_->newer : oldest_) = &line;
        newest_ = &line;
        ++size_;
    }
    void remove(cached_line& line) noexcept {
        (line.older != nullptr ? line.older->newer : oldest_) = line.newer;
        (line.newer != nullptr ? line.newer->older : newest_) = line.older;
        --size_;
    }
    [[nodiscard]] cached_line* oldest() const noexcept { return oldest_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

private:
    cached_line* oldest_ = nullptr;
    cached_line* newest_ = nullptr;
    std::size_t size_ = 0;
};

// The hashes of the lines that went last, as many as it is made for; of two that fall together it
// keeps the later.
class ghost_lines {
public:
    explicit ghost_lines(std::size_t lines) : span_(lines), places_(std::bit_ceil(lines)) {}

    void remember(std::uint64_t hash) noexcept { place_of(hash) = {hash, ++clock_}; }
    [[nodiscard]] bool forget(std::uint64_t hash) noexcept {
        place& found = place_of(hash);
        if (found.when == 0 || found.hash != hash) return false;
        const bool is_recent = clock_ - found.when < span_;
        found = {};
        return is_recent;
    }

private:
    struct place {
        std::uint64_t hash = 0;
        std::uint64_t when = 0;  // 0: empty
    };
    // By the lowest bits, which are all different of as many neighbouring lines as have a place.
    place& place_of(std::uint64_t hash) noexcept { return places_[hash & (places_.size() - 1)]; }

    std::uint64_t span_;
    std::uint64_t clock_ = 0;
    std::vector<place> places_;
};

enum class verdict { goes, used, in_use };

class line_queues {
public:
    explicit line_queues(std::size_t lines)
        : small_share_(std::max<std::size_t>(1, lines / 10)), ghosts_(lines) {}

    // Says whether the line went not long ago.
    bool insert(cached_line& line) noexcept {
        line.is_in_main_queue = ghosts_.forget(line.hash);
        of(line).push(line);
        return line.is_in_main_queue;
    }
    void remove(cached_line& line) noexcept { of(line).remove(line); }

    // Calls judge(line) for one line after the other until it says that one goes; false if none
    // does. The judge counts the uses down and takes the line that goes out of the table.
    template <class Judge>
    bool let_one_go(Judge judge) {
        if (small_.size() >= small_share_) return from_small(judge) || from_main(judge);
        return from_main(judge) || from_small(judge);
    }

    // Calls function(line) for each line; it may remove that line.
    template <class Function>
    void for_each(Function function) {
        for (const line_queue* queue : {&small_, &main_}) {
            for (cached_line* at = queue->oldest(); at != nullptr;) {
                cached_line* const next = at->newer;
                function(*at);
                at = next;
            }
        }
    }

    [[nodiscard]] std::size_t size() const noexcept { return small_.size() + main_.size(); }

private:
    [[nodiscard]] line_queue& of(const cached_line& line) noexcept {
        return line.is_in_main_queue ? main_ : small_;
    }

    template <class Judge>
    bool from_small(Judge& judge) {
        for (std::size_t left = small_.size(); left != 0; --left) {
            cached_line& line = *small_.oldest();
            const std::uint64_t hash = line.hash;
            small_.remove(line);
            switch (judge(line)) {
                case verdict::goes:
                    ghosts_.remember(hash);
                    return true;
                case verdict::used:
                    line.is_in_main_queue = true;
                    main_.push(line);
                    break;
                case verdict::in_use:
                    small_.push(line);
                    break;
            }
        }
        return false;
    }

    // Each line goes round as often as it was used before, then once more; but a round that finds
    // all in use is the last.
    template <class Judge>
    bool from_main(Judge& judge) {
        std::size_t in_use = 0;  // one after the other
        for (std::size_t left = (most_uses + 1) * main_.size(); left != 0; --left) {
            cached_line& line = *main_.oldest();
            main_.remove(line);
            const verdict judged = judge(line);
            if (judged == verdict::goes) return true;
            main_.push(line);
            in_use = judged == verdict::in_use ? in_use + 1 : 0;
            if (in_use == main_.size()) return false;
        }
        return false;
    }

    static constexpr std::size_t most_uses = 3;
    const std::size_t small_share_;
    line_queue small_;
    line_queue main_;
    ghost_lines ghosts_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
