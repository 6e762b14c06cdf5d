// SPDX-License-Identifier: BSL-1.0
#include "owners/blocks_by_handles.hpp"

#include "owners/block_counts.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace freehold {
namespace {

class finder {
public:
    finder(const memory_image& image, const glibc_heap& heap, const pool_map& pools,
           const block_kinds& kinds, object_walker& walker)
        : image_(image), heap_(heap), pools_(pools), kinds_(kinds), walker_(walker) {}

    std::vector<block_by_handles> find(const words_of_program& words, const told_handles& told) {
        words([this](std::uint64_t, std::uint64_t word) { look_at(word); });
        std::erase_if(places_, [](const auto& each) {
            return each.second.words < each.second.handles || each.second.kinds.empty();
        });
        if (std::any_of(places_.begin(), places_.end(),
                        [](const auto& each) { return each.second.kinds.size() > 1; }))
            told([this](const object_content::handle& handle) { decide(handle); });
        while (leave_out_what_does_not_fit() || let_handles_decide()) {
        }
        std::vector<block_by_handles> result;
        for (auto& [object, found] : places_)
            if (!found.kinds.empty())
                result.push_back({found.block, found.kinds, is_one_layout(found)});
        std::sort(result.begin(), result.end(),
                  [](const auto& a, const auto& b) { return a.address < b.address; });
        return result;
    }

private:
    // A pool's blocks may be larger than was asked for, by less than a line of the cache. What
    // malloc gives is rounded up by at most a word and a half, if it could split off the rest.
    static constexpr std::uint64_t most_unused = 63;
    static constexpr std::uint64_t most_unused_of_chunk = 24;

    struct place {
        std::uint64_t block = 0;
        std::uint64_t handles = 0;  // as its counts say
        std::uint64_t words = 0;    // that point to the object
        std::vector<std::uint32_t> kinds;
    };

    void look_at(std::uint64_t word) {
        const auto known = places_.find(word);
        if (known != places_.end()) {
            ++known->second.words;
            return;
        }
        std::uint64_t block = 0;
        std::uint64_t size = 0;  // of memory for a block
        heap_chunk alone;
        if (const pool_map::range* const pool = pools_.around(word)) {
            block = pool->block_around(word);
            if (pools_.is_free(block)) return;
            size = pool->stride;
        } else if (heap_.chunks.around(word)) {
            alone = heap_.chunks.from(heap_.chunks.around(word).begin);
            block = alone.begin;
            size = alone.size();
        } else {
            return;
        }
        place made;
        std::uint64_t unused = UINT64_MAX;  // of that memory, by the kinds so far
        for (const std::uint32_t number : kinds_.by_handles) {
            const block_kind& kind = kinds_.all[number];
            if (word - block != kind.count_at + kind.pointed_at) continue;
            const std::uint64_t bytes = bytes_of(block, kind, size);
            // Arrays are in no pool.
            if (bytes == 0 || (kind.element != 0 && !alone)) continue;
            const std::uint64_t too_large = size - bytes;
            if (too_large > (alone ? most_unused_of_chunk : most_unused) || too_large > unused)
                continue;
            if (!may_be_alive(image_, block, kind)) continue;
            const bool is_apart = is_counted_apart(image_, block, kind);
            // While owners are counted elsewhere, so many more are counted here.
            constexpr std::uint64_t least_apart = std::uint64_t{1} << 32;
            const std::uint64_t owners = owners_at(image_, block, kind);
            if (is_apart && owners < least_apart) continue;
            const std::uint64_t handles = is_apart ? 1 : owners + weak_at(image_, block, kind);
            if (too_large < unused) made.kinds.clear();
            if (!made.kinds.empty() && made.handles != handles) continue;
            unused = too_large;
            made.handles = handles;
            made.kinds.push_back(number);
        }
        made.block = block;
        made.words = 1;
        // Nothing is noted of other words, which are most.
        if (!made.kinds.empty()) places_.emplace(word, std::move(made));
    }

    /// Returns how many bytes such a block has, or 0 if these are more than `most`.
    [[nodiscard]] std::uint64_t bytes_of(std::uint64_t block, const block_kind& kind,
                                         std::uint64_t most) const {
        if (kind.bytes > most) return 0;
        if (kind.element == 0) return kind.bytes;
        const std::uint64_t number = elements_at(image_, block, kind);
        return number > (most - kind.bytes) / kind.element ? 0 : kind.bytes + number * kind.element;
    }

    [[nodiscard]] object_content content_of(std::uint64_t block, std::uint32_t number) const {
        object_content result;
        const block_kind& kind = kinds_.all[number];
        walker_.add_content_of(kind, kind.object, block, block + kind.count_at + kind.pointed_at,
                               result);
        std::sort(result.handles.begin(), result.handles.end(),
                  [](const auto& a, const auto& b) { return a.word < b.word; });
        return result;
    }

    /// Whether a handle's value is one to an object of its type, as far as that is known.
    [[nodiscard]] bool may_be(const object_content::handle& handle) const {
        const auto target = places_.find(image_.word_or_zero(handle.word));
        if (target == places_.end()) {
            // It is a handle of another kind, or to a block that a word tells.
            return !is_of_our_kinds(handle.type->pointee) || handle.is_weak;
        }
        return std::any_of(
            target->second.kinds.begin(), target->second.kinds.end(),
            [&](std::uint32_t each) { return kinds_.all[each].type == handle.type->pointee; });
    }
    [[nodiscard]] bool is_of_our_kinds(const std::string& pointee) const {
        return std::any_of(kinds_.by_handles.begin(), kinds_.by_handles.end(),
                           [&](std::uint32_t each) { return kinds_.all[each].type == pointee; });
    }

    /// Returns whether anything changed.
    bool leave_out_what_does_not_fit() {
        bool is_changed = false;
        for (auto& [object, found] : places_) {
            if (found.kinds.size() < 2) continue;
            const std::size_t before = found.kinds.size();
            std::vector<std::uint32_t> fitting;
            for (const std::uint32_t each : found.kinds) {
                const object_content content = content_of(found.block, each);
                if (std::all_of(content.handles.begin(), content.handles.end(),
                                [this](const auto& handle) { return may_be(handle); }))
                    fitting.push_back(each);
            }
            // An object that is being changed may fit none.
            if (!fitting.empty()) found.kinds = std::move(fitting);
            is_changed |= found.kinds.size() != before;
        }
        return is_changed;
    }

    /// A handle in an object of one known type tells the type of what it points to. Returns whether
    /// anything changed.
    bool let_handles_decide() {
        bool is_changed = false;
        for (const auto& [object, found] : places_) {
            if (found.kinds.size() != 1) continue;
            for (const auto& handle : content_of(found.block, found.kinds.front()).handles)
                is_changed |= decide(handle);
        }
        return is_changed;
    }
    bool decide(const object_content::handle& handle) {
        const auto target = places_.find(image_.word_or_zero(handle.word));
        if (target == places_.end() || target->second.kinds.size() < 2) return false;
        auto& kinds = target->second.kinds;
        const auto is_other = [&](std::uint32_t each) {
            return kinds_.all[each].type != handle.type->pointee;
        };
        if (std::all_of(kinds.begin(), kinds.end(), is_other)) return false;
        return std::erase_if(kinds, is_other) != 0;
    }

    [[nodiscard]] bool is_one_layout(const place& found) const {
        const object_content first = content_of(found.block, found.kinds.front());
        return std::all_of(found.kinds.begin(), found.kinds.end(), [&](std::uint32_t each) {
            const object_content other = content_of(found.block, each);
            return other.is_whole == first.is_whole && other.chunks == first.chunks &&
                   std::equal(other.handles.begin(), other.handles.end(), first.handles.begin(),
                              first.handles.end(), [](const auto& a, const auto& b) {
                                  return a.word == b.word && a.is_weak == b.is_weak;
                              });
        });
    }

    const memory_image& image_;
    const glibc_heap& heap_;
    const pool_map& pools_;
    const block_kinds& kinds_;
    object_walker& walker_;
    std::unordered_map<std::uint64_t, place> places_;  // by where handles point
};

}  // namespace

std::vector<block_by_handles> find_blocks_by_handles(const memory_image& image,
                                                     const glibc_heap& heap, const pool_map& pools,
                                                     const block_kinds& kinds,
                                                     object_walker& walker,
                                                     const words_of_program& words,
                                                     const told_handles& told) {
    return finder(image, heap, pools, kinds, walker).find(words, told);
}

}  // namespace freehold
