// SPDX-License-Identifier: BSL-1.0
#include "owners/blocks_by_handles.hpp"

#include "owners/block_counts.hpp"
#include "owners/block_places.hpp"
#include "owners/node_tables.hpp"

#include <algorithm>
#include <utility>

namespace freehold {
namespace {

class finder {
public:
    finder(const memory_image& image, const glibc_heap& heap, const pool_map& pools,
           const block_kinds& kinds, object_walker& walker)
        : image_(image),
          heap_(heap),
          pools_(pools),
          kinds_(kinds),
          walker_(walker),
          where_(heap.chunks, pools) {
        for (const std::uint32_t each : kinds.by_handles) {
            const std::uint64_t offset = offset_of(kinds.all[each]);
            if (std::none_of(places_.begin(), places_.end(),
                             [offset](const auto& other) { return other.offset == offset; }))
                places_.push_back(
                    {offset, kinds_of_places(where_.size()), small_counts(where_.size())});
        }
    }

    void find(const words_of_program& words, const told_handles& told,
              const std::function<void(const block_by_handles&)>& use) {
        words([this](std::uint64_t, std::uint64_t word) { look_at(word); });
        for (places& in : places_)
            where_.for_each([&](std::uint32_t place, std::uint64_t block) {
                if (in.kinds.has(place) && in.words[place] < handles_of(block, in.kinds[place]))
                    in.kinds.set(place, {});
            });
        if (std::any_of(places_.begin(), places_.end(),
                        [](const places& in) { return in.kinds.most() > 1; })) {
            told([this](const object_content::handle& handle) { decide(handle); });
            while (leave_out_what_does_not_fit() || let_handles_decide()) {
            }
        }
        for (const places& in : places_)
            where_.for_each([&](std::uint32_t place, std::uint64_t block) {
                if (in.kinds.has(place))
                    use({block, in.kinds[place], is_one_layout(block, in.kinds[place])});
            });
    }

private:
    // A pool's blocks may be larger than was asked for, by less than a line of the cache. What
    // malloc gives is rounded up by at most a word and a half, if it could split off the rest.
    static constexpr std::uint64_t most_unused = 63;
    static constexpr std::uint64_t most_unused_of_chunk = 24;

    /// The places of blocks in which handles point to the same offset.
    struct places {
        std::uint64_t offset;
        kinds_of_places kinds;  // that fit
        small_counts words;     // that point to the object
    };

    static std::uint64_t offset_of(const block_kind& kind) {
        return kind.count_at + kind.pointed_at;
    }
    [[nodiscard]] places* with_offset(std::uint64_t offset) {
        const auto found =
            std::find_if(places_.begin(), places_.end(),
                         [offset](const places& each) { return each.offset == offset; });
        return found == places_.end() ? nullptr : &*found;
    }
    /// Returns how many handles a block has, as its counts say. All of its kinds have the same.
    [[nodiscard]] std::uint64_t handles_of(std::uint64_t block,
                                           const kinds_of_places::kinds& kinds) const {
        return handles_of(block, kinds_.all[kinds.front()]);
    }
    [[nodiscard]] std::uint64_t handles_of(std::uint64_t block, const block_kind& kind) const {
        return is_counted_apart(image_, block, kind)
                   ? 1
                   : owners_at(image_, block, kind) + weak_at(image_, block, kind);
    }

    void look_at(std::uint64_t word) {
        const auto [place, block] = where_.around(word);
        if (place == no_number) return;
        places* const in = with_offset(word - block);
        if (in == nullptr) return;
        if (in->kinds.has(place)) {
            in->words.add(place);
            return;
        }
        std::uint64_t size = 0;  // of memory for a block
        heap_chunk alone;
        if (const pool_map::range* const pool = pools_.around(word)) {
            if (pools_.is_free(block)) return;
            size = pool->stride;
        } else {
            alone = heap_.chunks.from(block);
            size = alone.size();
        }
        kinds_of_places::kinds fitting;
        std::uint64_t handles = 0;          // of these
        std::uint64_t unused = UINT64_MAX;  // of that memory, by the kinds so far
        for (const std::uint32_t number : kinds_.by_handles) {
            const block_kind& kind = kinds_.all[number];
            if (offset_of(kind) != in->offset) continue;
            const std::uint64_t bytes = bytes_of(block, kind, size);
            // Arrays are in no pool.
            if (bytes == 0 || (kind.element != 0 && !alone)) continue;
            const std::uint64_t too_large = size - bytes;
            if (too_large > (alone ? most_unused_of_chunk : most_unused) || too_large > unused)
                continue;
            if (!may_be_alive(image_, block, kind)) continue;
            // While owners are counted elsewhere, so many more are counted here.
            constexpr std::uint64_t least_apart = std::uint64_t{1} << 32;
            if (is_counted_apart(image_, block, kind) &&
                owners_at(image_, block, kind) < least_apart)
                continue;
            const std::uint64_t of_kind = handles_of(block, kind);
            if (too_large < unused) fitting.clear();
            if (!fitting.empty() && handles != of_kind) continue;
            unused = too_large;
            handles = of_kind;
            fitting.push_back(number);
        }
        // Nothing is noted of other words, which are most.
        if (fitting.empty()) return;
        in->kinds.set(place, fitting);
        in->words.add(place);
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

    /// Returns the kinds that a block may have whose object begins at an address.
    [[nodiscard]] const kinds_of_places::kinds* kinds_at(std::uint64_t object) {
        const auto [place, block] = where_.around(object);
        const places* const in = place == no_number ? nullptr : with_offset(object - block);
        return in == nullptr || !in->kinds.has(place) ? nullptr : &in->kinds[place];
    }

    /// Whether a handle's value is one to an object of its type, as far as that is known.
    [[nodiscard]] bool may_be(const object_content::handle& handle) {
        const auto* const target = kinds_at(image_.word_or_zero(handle.word));
        // Otherwise it is a handle of another kind, or to a block that a word tells.
        return target == nullptr
                   ? !is_any_of(kinds_.by_handles, handle.type->pointee) || handle.is_weak
                   : is_any_of(*target, handle.type->pointee);
    }
    [[nodiscard]] bool is_any_of(const kinds_of_places::kinds& kinds,
                                 const std::string& pointee) const {
        return std::any_of(kinds.begin(), kinds.end(),
                           [&](std::uint32_t each) { return kinds_.all[each].type == pointee; });
    }

    /// Returns whether anything changed.
    bool leave_out_what_does_not_fit() {
        bool is_changed = false;
        for (places& in : places_)
            where_.for_each([&](std::uint32_t place, std::uint64_t block) {
                if (in.kinds[place].size() < 2) return;
                kinds_of_places::kinds fitting;
                for (const std::uint32_t each : in.kinds[place]) {
                    const object_content content = content_of(block, each);
                    if (std::all_of(content.handles.begin(), content.handles.end(),
                                    [this](const auto& handle) { return may_be(handle); }))
                        fitting.push_back(each);
                }
                // An object that is being changed may fit none.
                if (fitting.empty() || fitting.size() == in.kinds[place].size()) return;
                in.kinds.set(place, fitting);
                is_changed = true;
            });
        return is_changed;
    }

    /// A handle in an object of one known type tells the type of what it points to. Returns whether
    /// anything changed.
    bool let_handles_decide() {
        bool is_changed = false;
        for (const places& in : places_)
            where_.for_each([&](std::uint32_t place, std::uint64_t block) {
                if (in.kinds[place].size() != 1) return;
                for (const auto& handle : content_of(block, in.kinds[place].front()).handles)
                    is_changed |= decide(handle);
            });
        return is_changed;
    }
    bool decide(const object_content::handle& handle) {
        const std::uint64_t object = image_.word_or_zero(handle.word);
        const auto* const kinds = kinds_at(object);
        if (kinds == nullptr || kinds->size() < 2 || !is_any_of(*kinds, handle.type->pointee))
            return false;
        const auto [place, block] = where_.around(object);
        return with_offset(object - block)->kinds.leave_out(place, [&](std::uint32_t each) {
            return kinds_.all[each].type != handle.type->pointee;
        });
    }

    [[nodiscard]] bool is_one_layout(std::uint64_t block,
                                     const kinds_of_places::kinds& kinds) const {
        if (kinds.size() == 1) return true;
        const object_content first = content_of(block, kinds.front());
        return std::all_of(kinds.begin(), kinds.end(), [&](std::uint32_t each) {
            const object_content other = content_of(block, each);
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
    block_places where_;
    std::vector<places> places_;  // by where handles point
};

}  // namespace

void find_blocks_by_handles(const memory_image& image, const glibc_heap& heap,
                            const pool_map& pools, const block_kinds& kinds, object_walker& walker,
                            const words_of_program& words, const told_handles& told,
                            const std::function<void(const block_by_handles&)>& use) {
    finder(image, heap, pools, kinds, walker).find(words, told, use);
}

}  // namespace freehold
