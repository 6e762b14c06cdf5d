// SPDX-License-Identifier: BSL-1.0
// The layout of glibc's structures, in words of 8 bytes, as malloc/malloc.c and malloc/arena.c of
// glibc 2.26 to 2.43 define them:
//
//   chunk    size of the one before, if that is free | size and flags | memory
//   arena    mutex and flags | fast bins | top | last remainder | 127 pairs of links | 2 words of
//            bits | next arena | ...
//   heap     its arena | the heap before | size | ... | in the first heap of an arena: the arena
//
// A chunk is free if the chunk behind it says so, or if it is in a fast bin or a thread's cache. An
// arena is found by its pairs of links: an empty list links to itself.
#include "owners/glibc_heap.hpp"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include <fmt/format.h>

namespace freehold {
namespace {

constexpr std::uint64_t word_bytes = bytes_of_word;
constexpr std::uint64_t page_bytes = bytes_of_page;
constexpr std::uint64_t header_bytes = 16;
constexpr std::uint64_t least_chunk = 32;
constexpr std::uint64_t size_mask = ~std::uint64_t{7};
constexpr std::uint64_t previous_in_use = 1;
constexpr std::uint64_t is_mmapped = 2;
constexpr std::uint64_t heap_alignment = std::uint64_t{64} << 20;

constexpr std::uint64_t lists = 127;
// Behind the pairs of links: the bits, and then the next arena.
constexpr std::uint64_t next_behind = (2 * lists + 2) * word_bytes;

/// glibc 2.32 and newer hide links by the address where they are.
std::uint64_t revealed(std::uint64_t at, std::uint64_t link) {
    return (at >> 12) ^ link;
}

/// A thread's cache is itself a chunk: numbers, and the first entries of as many lists.
struct cache_form {
    std::uint64_t bins;
    std::uint64_t number_bytes;
    bool says_room;  // the numbers say how many more chunks there is room for
};
// From glibc 2.30 on, up to 2.29, and from 2.42 on.
constexpr cache_form cache_forms[] = {{64, 2, false}, {64, 1, false}, {76, 2, true}};

constexpr std::uint64_t chunk_size_of(const cache_form& form) {
    const std::uint64_t bytes = form.bins * (form.number_bytes + word_bytes);
    return (bytes + word_bytes + header_bytes - 1) & ~(header_bytes - 1);
}

class heap_reader {
public:
    explicit heap_reader(const memory_image& image) : image_(image) {}

    glibc_heap read() {
        const std::optional<std::uint64_t> main = find_main_arena();
        if (!main) {
            result_.incomplete.emplace_back(
                "glibc's heap was not found: the program has another allocator, so memory that was "
                "freed cannot be distinguished from memory in use");
            return std::move(result_);
        }
        result_.is_found = true;
        // The arena's links to free chunks are no pointers of the program.
        result_.ranges.push_back({*main - 14 * word_bytes, *main + next_behind + 6 * word_bytes});
        std::vector<std::uint64_t> arenas = arenas_from(*main);
        read_main(*main);
        for (std::size_t i = 1; i < arenas.size(); ++i) read_arena(arenas[i]);
        add_mmapped();
        finish();
        leave_out_fast_bins(arenas);
        leave_out_caches();
        for (const std::uint64_t each : free_) result_.chunks.free(each);
        result_.chunks.number();
        return std::move(result_);
    }

private:
    std::uint64_t at(std::uint64_t address) const { return image_.word_or_zero(address); }

    /// Whether these are an arena's pairs of links.
    [[nodiscard]] bool are_links(std::uint64_t links) const {
        for (std::uint64_t i = 0; i != lists; ++i) {
            const std::uint64_t place = links + i * header_bytes;
            const std::uint64_t list = place - header_bytes;
            const auto next = image_.word(place);
            const auto previous = image_.word(place + word_bytes);
            if (!next || !previous) return false;
            if (*next == list && *previous == list) continue;
            if (at(*next + header_bytes + word_bytes) != list) return false;
            if (at(*previous + header_bytes) != list) return false;
        }
        return true;
    }

    /// Returns the address of the main arena's links. They are in the C library's memory, or in
    /// that of a static program.
    [[nodiscard]] std::optional<std::uint64_t> find_main_arena() const {
        for (const memory_segment& each : image_.segments) {
            if (!each.is_writable || !each.is_of_a_file) continue;
            for (std::uint64_t place = each.begin + header_bytes;
                 place + next_behind + word_bytes <= each.end; place += word_bytes) {
                // Most lists are empty. Of these two, at least one is in every arena.
                const std::uint64_t last = place + (lists - 1) * header_bytes;
                const std::uint64_t middle = place + (lists - 2) * header_bytes;
                if (at(last) != last - header_bytes && at(middle) != middle - header_bytes)
                    continue;
                if (are_links(place)) return place;
            }
        }
        return std::nullopt;
    }

    /// Returns the links of all arenas, the main arena's first. The arenas are in a ring.
    std::vector<std::uint64_t> arenas_from(std::uint64_t main) {
        for (std::uint64_t before = 2 * word_bytes; before <= 20 * word_bytes;
             before += word_bytes) {
            std::vector<std::uint64_t> ring = {main};
            const std::uint64_t first = main - before;
            for (std::uint64_t next = at(main + next_behind); next != first;
                 next = at(next + before + next_behind)) {
                if (!image_.word(next) || !are_links(next + before) || ring.size() > 100'000) {
                    ring.clear();
                    break;
                }
                ring.push_back(next + before);
            }
            if (ring.empty()) continue;
            before_links_ = before;
            return ring;
        }
        result_.incomplete.emplace_back(
            "the heaps of other threads were not found, so objects that they made may be missing");
        return {main};
    }

    /// Adds the chunks from `from` on, if the last one ends exactly at `until`, which may be before
    /// the end of the heap. Returns whether it does.
    bool walk(std::uint64_t from, std::uint64_t until, std::uint64_t limit) {
        if (from == until) return true;
        const auto first = image_.word(from + word_bytes);
        if (!first || (*first & size_mask) > limit - from) return false;
        heap_map::range found(from + header_bytes, limit);
        std::uint64_t chunk = from;
        std::uint64_t size = *first & size_mask;
        while (chunk < until) {
            if (size % header_bytes != 0 || size < least_chunk || size > limit - chunk) {
                // A heap that is not the last one ends with two chunks that are too small.
                if (until != limit || size >= least_chunk || limit - chunk > 4 * header_bytes)
                    return false;
                until = chunk;
                break;
            }
            const std::uint64_t behind = chunk + size;
            const std::uint64_t next = behind < limit ? at(behind + word_bytes) : 0;
            found.add(chunk + header_bytes, (next & previous_in_use) != 0);
            chunk = behind;
            size = next & size_mask;
        }
        if (chunk != until) return false;
        found.add(chunk + header_bytes, false);
        result_.chunks.add(std::move(found));
        return true;
    }

    void read_main(std::uint64_t links) {
        const std::uint64_t top = at(links - header_bytes);
        // Before the first allocation, the top is the arena itself.
        if (top == links - header_bytes) return;
        const memory_segment* segment = image_.find(top);
        const std::uint64_t end = top + (at(top + word_bytes) & size_mask);
        while (segment != nullptr) {
            const std::uint64_t begin = (segment->begin + header_bytes - 1) & ~(header_bytes - 1);
            if (walk(begin, top, end)) return add_main(begin, end);
            if (const std::uint64_t behind = walk_behind_others(begin, top, end); behind != 0)
                return add_main(behind, end);
            segment = segment->begin == 0 ? nullptr : image_.find(segment->begin - 1);
        }
        result_.incomplete.emplace_back(
            "the main heap cannot be walked (the program takes memory by sbrk itself, or was "
            "stopped within malloc), so its objects are not counted");
    }

    /// A static program takes memory for its first thread before the heap does.
    /// Returns where the heap begins: at the first word that is the head of a chunk whose
    /// successors end at the top. Returns 0 if there is none.
    std::uint64_t walk_behind_others(std::uint64_t begin, std::uint64_t top, std::uint64_t end) {
        constexpr std::uint64_t most_behind = 16 * page_bytes;
        for (std::uint64_t place = begin + header_bytes; place < std::min(top, begin + most_behind);
             place += header_bytes)
            if ((at(place + word_bytes) & ~size_mask) == previous_in_use && walk(place, top, end))
                return place;
        return 0;
    }

    void add_main(std::uint64_t begin, std::uint64_t end) {
        result_.ranges.push_back({begin, end});
    }

    void read_arena(std::uint64_t links) {
        const std::uint64_t arena = links - before_links_;
        const std::uint64_t first_heap = arena & ~(heap_alignment - 1);
        const std::uint64_t head_bytes = arena - first_heap;
        // Behind the links and the bits: next, next free, attached threads, and two sizes.
        const std::uint64_t arena_end = links + next_behind + 5 * word_bytes;
        const std::uint64_t top = at(links - header_bytes);
        std::uint64_t end = top;
        bool is_whole = head_bytes < page_bytes && at(first_heap) == arena;
        for (std::uint64_t heap = top & ~(heap_alignment - 1); is_whole;
             heap = at(heap + word_bytes)) {
            const std::uint64_t heap_end = heap + at(heap + 2 * word_bytes);
            std::uint64_t chunks = heap == first_heap ? arena_end : heap + head_bytes;
            chunks = (chunks + header_bytes - 1) & ~(header_bytes - 1);
            const bool is_last = end == top;
            is_whole = at(heap) == arena && walk(chunks, is_last ? top : heap_end, heap_end);
            if (is_whole) result_.ranges.push_back({heap, heap_end});
            end = heap;
            if (heap == first_heap) break;
        }
        if (is_whole) return;
        result_.incomplete.emplace_back(
            "the heap of a thread cannot be walked, so its objects are not counted");
    }

    /// Large chunks have memory of their own from mmap, which begins with a chunk's head.
    void add_mmapped() {
        for (const memory_segment& each : image_.segments) {
            if (!each.is_writable || each.is_of_a_file) continue;
            for (std::uint64_t place = each.begin; place + header_bytes < each.end;) {
                const std::uint64_t head = at(place + word_bytes);
                const std::uint64_t size = head & size_mask;
                const bool is_chunk = (head & ~size_mask) == is_mmapped && at(place) == 0 &&
                                      size >= page_bytes && size % page_bytes == 0 &&
                                      size <= each.end - place && !is_managed(place);
                if (is_chunk) {
                    result_.chunks.add_single(place + header_bytes, place + size);
                    result_.ranges.push_back({place, place + size});
                }
                place += is_chunk ? size : page_bytes;
            }
        }
    }

    [[nodiscard]] bool is_managed(std::uint64_t address) const {
        return std::any_of(result_.ranges.begin(), result_.ranges.end(),
                           [address](const memory_range& each) {
                               return each.begin <= address && address < each.end;
                           });
    }

    void finish() {
        std::sort(result_.ranges.begin(), result_.ranges.end(),
                  [](const auto& a, const auto& b) { return a.begin < b.begin; });
        result_.chunks.number();
    }

    /// Whether a chunk of this size, with its head, begins at this address for the user.
    [[nodiscard]] bool is_chunk(std::uint64_t memory, std::uint64_t size) const {
        return result_.chunks.begins_at(memory) && (at(memory - word_bytes) & size_mask) == size;
    }

    /// Returns the memory of all chunks in a list whose first entry is known, or nothing if it is
    /// no such list. `chunk_size` 0 means any. `to_memory` is the distance from an entry to the
    /// memory of its chunk.
    [[nodiscard]] std::optional<std::vector<std::uint64_t>> list_from(
        std::uint64_t first, std::uint64_t chunk_size, std::uint64_t to_memory) const {
        for (const bool is_hidden : {true, false}) {
            std::vector<std::uint64_t> found;
            std::uint64_t entry = first;
            while (entry != 0 && found.size() < 1'000'000) {
                const std::uint64_t memory = entry + to_memory;
                const bool fits = chunk_size == 0 ? result_.chunks.begins_at(memory)
                                                  : is_chunk(memory, chunk_size);
                if (!fits) break;
                found.push_back(memory);
                const std::uint64_t link = at(memory);
                entry = is_hidden ? revealed(memory, link) : link;
            }
            if (entry == 0) return found;
        }
        return std::nullopt;
    }

    void leave_out_fast_bins(const std::vector<std::uint64_t>& arenas) {
        constexpr std::uint64_t fast_bins = 10;
        for (const std::uint64_t links : arenas)
            for (std::uint64_t i = 0; i != fast_bins; ++i) {
                const std::uint64_t first = at(links - header_bytes - (fast_bins - i) * word_bytes);
                if (first == 0) continue;
                const auto list = list_from(first, (i + 2) * header_bytes, header_bytes);
                if (list) free_.insert(list->begin(), list->end());
            }
    }

    void leave_out_caches() {
        result_.chunks.for_each([this](const heap_chunk& each) {
            for (const cache_form& form : cache_forms) {
                if (each.size() + word_bytes != chunk_size_of(form)) continue;
                if (const auto list = cached_by(each.begin, form)) {
                    free_.insert(list->begin(), list->end());
                    break;
                }
            }
        });
    }

    [[nodiscard]] std::optional<std::vector<std::uint64_t>> cached_by(
        std::uint64_t cache, const cache_form& form) const {
        std::vector<std::uint64_t> result;
        std::optional<std::uint64_t> room;
        for (std::uint64_t i = 0; i != form.bins; ++i) {
            const std::uint64_t number =
                form.number_bytes == 2 ? image_.value<std::uint16_t>(cache + 2 * i).value_or(0)
                                       : image_.value<std::uint8_t>(cache + i).value_or(0);
            const std::uint64_t first = at(cache + form.bins * form.number_bytes + i * word_bytes);
            const std::uint64_t size = i < 64 ? least_chunk + i * header_bytes : 0;
            const auto list = list_from(first, size, 0);
            if (!list) return std::nullopt;
            if (!form.says_room && list->size() != number) return std::nullopt;
            if (form.says_room && room.value_or(number + list->size()) != number + list->size())
                return std::nullopt;
            room = number + list->size();
            result.insert(result.end(), list->begin(), list->end());
        }
        return result;
    }

    const memory_image& image_;
    glibc_heap result_;
    std::unordered_set<std::uint64_t> free_;
    std::uint64_t before_links_ = 0;
};

}  // namespace

bool is_for(const heap_chunk& chunk, std::uint64_t bytes) {
    // A chunk has at least 24 bytes for the user, and what is left over may be too small to split
    // off. Memory of mmap has whole pages.
    constexpr std::uint64_t most_rounded = 48;
    const bool has_pages = chunk.begin % page_bytes == header_bytes;
    const std::uint64_t most = bytes + most_rounded + (has_pages ? page_bytes : 0);
    return chunk && chunk.size() >= bytes && chunk.size() <= most;
}

std::uint64_t least_asked_for(const heap_chunk& chunk) {
    // Sizes are rounded up to 24 bytes, and then to the next multiple of 16 and 8. What is left
    // over may be too small to split off.
    constexpr std::uint64_t least = 24;
    constexpr std::uint64_t most_left = 16;
    constexpr std::uint64_t most_rounded = 15;
    if (chunk.size() <= least + most_left) return 0;
    const bool has_pages = chunk.begin % page_bytes == header_bytes && chunk.end % page_bytes == 0;
    return chunk.size() - most_rounded - (has_pages ? page_bytes : most_left);
}

glibc_heap read_glibc_heap(const memory_image& image) {
    return heap_reader(image).read();
}

}  // namespace freehold
