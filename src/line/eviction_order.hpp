// SPDX-License-Identifier: BSL-1.0
// The choice of the line to evict: S3-FIFO, which has nothing to do with the store S3.
//
// | at the end of | state of the line | what happens |
// |---|---|---|
// | small queue (a tenth of all lines) | used twice or more | moves to the main queue |
// | small queue | used at most once | is evicted; its hash becomes a ghost |
// | main queue | used | goes round again, with one use less |
// | main queue | not used | is evicted |
// | scan queue (a tenth of all lines) | only read with access::once | is evicted; leaves no ghost |
// | scan queue | read otherwise | moves to the small queue |
// | any | held by a reader or a fetch | stays in its queue |
//
// A new line enters the small queue, or the main queue if it is a ghost. There are as many ghosts
// as lines. At most three uses are counted. So a scan that gets each line once leaves the main
// queue alone. A scan that gets each line several times does not, unless its lines enter the scan
// queue. While that one has at least its share, nothing else is evicted.
//
// A ghost takes 16 bytes, the uses one byte in the line. Not thread-safe.
//
// Source: Yang, Zhang, Qiu, Yue, Vinayak, "FIFO Queues are All You Need for Cache Eviction" (SOSP
// 2023). SIEVE (NSDI 2024) is simpler, but lets a scan evict lines that were used once before it.
#pragma once

#include <freehold/config.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace freehold::inline FREEHOLD_ABI::detail {

// A list of lines, linked through `older` and `newer`.
template <class Line>
class line_queue {
public:
    void push(Line& line) noexcept {
        line.older = newest_;
        line.newer = nullptr;
        (newest_ != nullptr ? newest_->newer : oldest_) = &line;
        newest_ = &line;
        ++size_;
    }
    void remove(Line& line) noexcept {
        (line.older != nullptr ? line.older->newer : oldest_) = line.newer;
        (line.newer != nullptr ? line.newer->older : newest_) = line.older;
        --size_;
    }
    [[nodiscard]] Line* oldest() const noexcept { return oldest_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

private:
    Line* oldest_ = nullptr;
    Line* newest_ = nullptr;
    std::size_t size_ = 0;
};

// The hashes of the lines that were evicted last. If two share an entry, the later one stays.
class ghost_lines {
public:
    explicit ghost_lines(std::size_t lines) : span_(lines), entries_(std::bit_ceil(lines)) {}

    void remember(std::uint64_t hash) noexcept { entry_for(hash) = {hash, ++clock_}; }
    [[nodiscard]] bool forget(std::uint64_t hash) noexcept {
        entry& found = entry_for(hash);
        if (found.when == 0 || found.hash != hash) return false;
        const bool is_recent = clock_ - found.when < span_;
        found = {};
        return is_recent;
    }

private:
    struct entry {
        std::uint64_t hash = 0;
        std::uint64_t when = 0;  // 0: empty
    };
    // By the lowest bits, which differ between as many adjacent lines as there are entries.
    entry& entry_for(std::uint64_t hash) noexcept { return entries_[hash & (entries_.size() - 1)]; }

    std::uint64_t span_;
    std::uint64_t clock_ = 0;
    std::vector<entry> entries_;
};

enum class verdict { evict, recently_used, pinned };
enum class queue_name : std::uint8_t { small, main, scan };

// A Line has `hash`, `queue` (a queue_name), `older` and `newer`.
template <class Line>
class eviction_order {
public:
    explicit eviction_order(std::size_t lines)
        : share_(std::max<std::size_t>(1, lines / 10)), ghosts_(lines) {}

    // Returns whether the line was evicted recently.
    bool insert(Line& line) noexcept {
        const bool is_ghost = ghosts_.forget(line.hash);
        push(line, is_ghost ? queue_name::main : queue_name::small);
        return is_ghost;
    }
    // Inserts a line of a scan. Whether it was evicted recently does not matter.
    void insert_for_scan(Line& line) noexcept { push(line, queue_name::scan); }
    // Inserts a line that was kept before a restart.
    void restore(Line& line) noexcept { push(line, queue_name::main); }
    void remove(Line& line) noexcept { of(line.queue).remove(line); }
    // Removes a line that is as good to evict as the one that evict_one has chosen.
    void evict(Line& line) noexcept {
        remove(line);
        if (line.queue == queue_name::small) ghosts_.remember(line.hash);
    }

    // Calls decide(line) for one line after the other until one is evicted; returns false if none
    // is. `decide` counts down the uses, and removes an evicted line from the table.
    template <class Decide>
    bool evict_one(Decide decide) {
        const bool is_scan_first = scan_.size() >= share_;
        if (is_scan_first && from_scan(decide)) return true;
        const bool is_small_first = small_.size() >= share_;
        if (is_small_first && from_small(decide)) return true;
        if (from_main(decide)) return true;
        if (!is_small_first && from_small(decide)) return true;
        return !is_scan_first && from_scan(decide);
    }

    // Calls function(line) for each line. The function may remove that line.
    template <class Function>
    void for_each(Function function) {
        for (const line_queue<Line>* queue : {&small_, &main_, &scan_}) {
            for (Line* at = queue->oldest(); at != nullptr;) {
                Line* const next = at->newer;
                function(*at);
                at = next;
            }
        }
    }

    [[nodiscard]] std::size_t size() const noexcept {
        return small_.size() + main_.size() + scan_.size();
    }

private:
    [[nodiscard]] line_queue<Line>& of(queue_name name) noexcept {
        return name == queue_name::small ? small_ : name == queue_name::main ? main_ : scan_;
    }
    void push(Line& line, queue_name name) noexcept {
        line.queue = name;
        of(name).push(line);
    }

    template <class Decide>
    bool from_small(Decide& decide) {
        for (std::size_t left = small_.size(); left != 0; --left) {
            Line& line = *small_.oldest();
            const std::uint64_t hash = line.hash;
            small_.remove(line);
            switch (decide(line)) {
                case verdict::evict:
                    ghosts_.remember(hash);
                    return true;
                case verdict::recently_used:
                    push(line, queue_name::main);
                    break;
                case verdict::pinned:
                    small_.push(line);
                    break;
            }
        }
        return false;
    }

    template <class Decide>
    bool from_scan(Decide& decide) {
        for (std::size_t left = scan_.size(); left != 0; --left) {
            Line& line = *scan_.oldest();
            scan_.remove(line);
            const verdict decided = decide(line);
            if (decided == verdict::evict) return true;
            push(line, decided == verdict::pinned ? queue_name::scan : queue_name::small);
        }
        return false;
    }

    // A line goes round once for each use, and then once more. A round in which every line is
    // pinned is the last.
    template <class Decide>
    bool from_main(Decide& decide) {
        std::size_t pinned = 0;  // in succession
        for (std::size_t left = (most_uses + 1) * main_.size(); left != 0; --left) {
            Line& line = *main_.oldest();
            main_.remove(line);
            const verdict decided = decide(line);
            if (decided == verdict::evict) return true;
            main_.push(line);
            pinned = decided == verdict::pinned ? pinned + 1 : 0;
            if (pinned == main_.size()) return false;
        }
        return false;
    }

    static constexpr std::size_t most_uses = 3;
    const std::size_t share_;
    line_queue<Line> small_;
    line_queue<Line> main_;
    line_queue<Line> scan_;
    ghost_lines ghosts_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
