// SPDX-License-Identifier: BSL-1.0
#include "owners/self_counted.hpp"

#include "owners/block_counts.hpp"
#include "owners/similar_classes.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace freehold {
namespace {

class finder {
public:
    finder(const memory_image& image, const glibc_heap& heap, const pool_map& pools,
           const block_kinds& kinds, object_walker& walker, type_layouts& types,
           typed_places& places)
        : image_(image),
          heap_(heap),
          pools_(pools),
          kinds_(kinds),
          walker_(walker),
          types_(types),
          places_(places) {
        for (const std::uint32_t each : kinds.self_counted) {
            by_size_.emplace_back(kinds.all[each].bytes, each);
            types_of_kinds_.emplace(kinds.all[each].type, each);
        }
        std::sort(by_size_.begin(), by_size_.end());
    }

    not_self_counted find(const words_of_program& words, const known_objects& known,
                          const std::function<void(const block_by_handles&)>& use) {
        words([this](std::uint64_t, std::uint64_t word) { look_at(word); });
        for (auto& each : candidates_)
            leave_out(each.second, [&](std::uint32_t kind) {
                return each.second.words < owners_of(each.first, kind);
            });
        std::erase_if(candidates_,
                      [this](const auto& each) { return kinds_of(each.second).empty(); });
        if (!candidates_.empty()) {
            find_by_types(known);
            leave_out_wrong_counts();
            find_by_one_another();
        }
        std::vector<std::uint64_t> found;
        for (const auto& [address, is] : candidates_)
            if (is.is_found) found.push_back(address);
        std::sort(found.begin(), found.end());
        for (const std::uint64_t each : found) {
            const auto& kinds = kinds_of(candidates_.at(each));
            use({each, kinds, is_one_layout(each, kinds)});
        }
        return {std::move(doubtful_), std::move(wrong_)};
    }

private:
    // malloc rounds sizes up, and what is left over may be too small to split off. Blocks of pools
    // are larger by less than a line of the cache.
    static constexpr std::uint64_t most_unused_of_chunk = 31;
    static constexpr std::uint64_t most_unused_of_pool = 63;

    // There may be as many as there are objects.
    struct candidate {
        std::uint32_t words = 0;    // that point here
        std::uint16_t kinds = 0;    // the number of a set
        bool has_handle = false;    // in an object whose type is known
        bool has_variable = false;  // a handle in a variable, which may be left over
        bool is_another = false;    // a pointer to an object of another type leads here
        bool is_found = false;
    };
    using candidates = std::unordered_map<std::uint64_t, candidate>;

    void look_at(std::uint64_t word) {
        const auto known = candidates_.find(word);
        if (known != candidates_.end()) {
            ++known->second.words;
            return;
        }
        std::uint64_t size = 0;
        std::uint64_t most_unused = most_unused_of_chunk;
        if (const pool_map::range* const pool = pools_.around(word)) {
            if (pool->block_around(word) != word || pools_.is_free(word)) return;
            size = pool->stride;
            most_unused = most_unused_of_pool;
        } else if (heap_.chunks.begins_at(word)) {
            size = heap_.chunks.from(word).size();
        } else {
            return;
        }
        std::vector<std::uint32_t> kinds;
        const std::uint64_t least = size - std::min(size, most_unused);
        for (auto each = std::lower_bound(by_size_.begin(), by_size_.end(),
                                          std::pair<std::uint64_t, std::uint32_t>(least, 0));
             each != by_size_.end() && each->first <= size; ++each) {
            const block_kind& kind = kinds_.all[each->second];
            if (may_be_alive(image_, word, kind)) kinds.push_back(each->second);
        }
        // Nothing is noted of other words, which are most.
        if (kinds.empty()) return;
        candidate& made = candidates_[word];
        made.words = 1;
        made.kinds = number_of(kinds);
    }

    [[nodiscard]] std::uint64_t owners_of(std::uint64_t address, std::uint32_t number) const {
        const block_kind& kind = kinds_.all[number];
        return is_counted_apart(image_, address, kind) ? 1 : owners_at(image_, address, kind);
    }
    [[nodiscard]] const std::vector<std::uint32_t>& kinds_of(const candidate& is) const {
        return *sets_[is.kinds];
    }
    std::uint16_t number_of(const std::vector<std::uint32_t>& kinds) {
        const auto [found, is_new] =
            numbers_of_sets_.emplace(kinds, static_cast<std::uint16_t>(sets_.size()));
        if (is_new && sets_.size() > UINT16_MAX)
            throw owners_error("the program has too many classes of one size that count owners");
        if (is_new) sets_.push_back(&found->first);
        return found->second;
    }
    template <class Is>
    void leave_out(candidate& is, Is is_left_out) {
        const auto& before = kinds_of(is);
        if (std::none_of(before.begin(), before.end(), is_left_out)) return;
        std::vector<std::uint32_t> left = before;
        std::erase_if(left, is_left_out);
        is.kinds = number_of(left);
    }
    [[nodiscard]] bool is_of(const candidate& is, const std::string& type) const {
        const auto& kinds = kinds_of(is);
        return std::any_of(kinds.begin(), kinds.end(),
                           [&](std::uint32_t each) { return kinds_.all[each].type == type; });
    }

    void find_by_types(const known_objects& known) {
        std::vector<std::uint64_t> open;
        const typed_places::users in_objects = users_for(open, &candidate::has_handle);
        places_.look_at_variables(users_for(open, &candidate::has_variable), in_objects);
        known(
            [&](const block_kind& kind, Dwarf_Die type, std::uint64_t block, std::uint64_t object) {
                places_.look_at_object(kind, type, block, object, in_objects);
            });
        find_from(open);
    }

    /// Notes which types handles and plain pointers tell, and adds to `open` to what handles lead.
    typed_places::users users_for(std::vector<std::uint64_t>& open, bool candidate::*evidence) {
        typed_places::users result;
        result.handle = [this, &open, evidence](const object_content::handle& handle) {
            const std::uint64_t address = image_.word_or_zero(handle.word);
            const auto at = candidates_.find(address);
            if (at == candidates_.end() && evidence == &candidate::has_handle)
                note_misfit(address, handle.type->pointee);
            if (handle.is_weak || at == candidates_.end() ||
                !is_of(at->second, handle.type->pointee))
                return;
            candidate& is = at->second;
            const bool is_new = !std::exchange(is.*evidence, true);
            leave_out(is, [&](std::uint32_t each) {
                return kinds_.all[each].type != handle.type->pointee;
            });
            // An object may be looked at in several ways.
            if (kinds_.all[kinds_of(is).front()].is_inferred && words_.insert(handle.word).second)
                ++known_handles_[address];
            if (is_new) open.push_back(address);
        };
        result.object = [this](Dwarf_Die type, std::uint64_t address) {
            const auto at = candidates_.find(address);
            if (at != candidates_.end() &&
                (type.addr == nullptr || !is_of(at->second, types_.name_of_class(type))))
                at->second.is_another = true;
        };
        return result;
    }

    /// Notes that a handle leads to memory of its type's size whose count is none.
    void note_misfit(std::uint64_t address, const std::string& type) {
        if (!heap_.chunks.begins_at(address)) return;
        for (const std::uint32_t each : kinds_.self_counted)
            if (kinds_.all[each].is_inferred && kinds_.all[each].type == type &&
                is_for(heap_.chunks.from(address), kinds_.all[each].bytes))
                ++misfits_[each];
    }

    /// Leaves out the kinds whose counts seem to be another number, as there are more handles.
    /// A thread that was stopped while it copied a handle may make one difference.
    void leave_out_wrong_counts() {
        std::map<std::uint32_t, std::size_t> fits;
        for (const auto& [address, handles] : known_handles_) {
            const candidate& is = candidates_.at(address);
            const std::uint32_t kind = kinds_of(is).front();
            if (is.is_found) ++(handles > owners_of(address, kind) ? misfits_ : fits)[kind];
        }
        for (const auto& [kind, number] : misfits_) {
            if (!kinds_.all[kind].is_inferred ||
                (number <= image_.threads.size() && number < fits[kind]))
                continue;
            wrong_.insert(kinds_.all[kind].type);
            for (auto& each : candidates_) {
                leave_out(each.second,
                          [kind = kind](std::uint32_t other) { return other == kind; });
                if (kinds_of(each.second).empty()) each.second.is_found = false;
            }
        }
    }

    /// Takes all for objects to which handles lead, from these on. What only a variable leads to is
    /// looked at last, when it is known what else leads there.
    void find_from(std::vector<std::uint64_t>& open) {
        const typed_places::users in_objects = users_for(open, &candidate::has_handle);
        std::vector<std::uint64_t> later;
        while (!open.empty() || !later.empty()) {
            const bool is_late = open.empty();
            auto& from = is_late ? later : open;
            const std::uint64_t address = from.back();
            from.pop_back();
            candidate& is = candidates_.at(address);
            if (is.is_found || (!is.has_handle && is.is_another)) continue;
            if (!is.has_handle && !is_late) {
                later.push_back(address);
                continue;
            }
            is.is_found = true;
            const block_kind& kind = kinds_.all[kinds_of(is).front()];
            places_.look_at_object(kind, kind.object, address, address, in_objects);
        }
    }

    /// A place as one of the types that it may have.
    struct possible {
        std::uint64_t address;
        std::uint32_t kind;
        std::uint64_t owners;
        std::uint64_t handles = 0;  // that lead here
        struct edge {
            std::uint32_t to;  // the number of a place
            std::uint64_t word;
            bool operator==(const edge&) const = default;
        };
        std::vector<edge> edges{};
        bool is_out = false;
    };

    /// Of the other places, those stay to which as many handles lead as their counts say, and all
    /// of these in places that stay.
    void find_by_one_another() {
        add_possible();
        if (possible_.empty()) return;
        std::vector<std::uint32_t> out;
        const auto take_out = [&](std::uint32_t number) {
            if (!std::exchange(possible_[number].is_out, true)) out.push_back(number);
        };
        for (std::uint32_t i = 0; i != possible_.size(); ++i)
            if (!possible_[i].is_out)
                for (const auto& edge : possible_[i].edges)
                    if (!has_like(i, edge, true)) ++possible_[edge.to].handles;
        std::vector<bool> had_handle(possible_.size());
        const auto spread = [&] {
            while (!out.empty()) {
                const std::uint32_t from = out.back();
                out.pop_back();
                for (const auto& edge : possible_[from].edges)
                    if (!has_like(from, edge, false) &&
                        --possible_[edge.to].handles < possible_[edge.to].owners)
                        take_out(edge.to);
            }
        };
        const std::set<std::uint32_t> ambiguous = kinds_like_other_classes(kinds_, types_);
        for (std::uint32_t i = 0; i != possible_.size(); ++i) {
            had_handle[i] = possible_[i].handles != 0;
            if (possible_[i].handles < possible_[i].owners ||
                ambiguous.count(possible_[i].kind) != 0)
                take_out(i);
        }
        spread();
        // More handles than owners: some of them are none.
        for (std::uint32_t i = 0; i != possible_.size(); ++i)
            if (possible_[i].handles > possible_[i].owners) take_out(i);
        spread();
        std::map<std::uint64_t, std::vector<std::uint32_t>> found;
        for (const possible& each : possible_)
            if (!each.is_out) found[each.address].push_back(each.kind);
        std::vector<std::uint64_t> open;
        for (const auto& [address, kinds] : found) {
            candidate& is = candidates_.at(address);
            is.kinds = number_of(kinds);
            // One that may have several types tells nothing of others.
            is.is_found = kinds.size() != 1;
            is.has_handle = true;
            if (!is.is_found) open.push_back(address);
        }
        // They may lead to further ones.
        find_from(open);
        for (std::uint32_t i = 0; i != possible_.size(); ++i)
            if (had_handle[i] && !candidates_.at(possible_[i].address).is_found)
                ++doubtful_[kinds_.all[possible_[i].kind].type];
    }

    void add_possible() {
        // By the address, and the first kind of the type.
        std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint32_t> numbers;
        for (const auto& [address, is] : candidates_) {
            if (is.is_found || is.is_another) continue;
            for (const std::uint32_t kind : kinds_of(is)) {
                numbers.emplace(std::pair(address, types_of_kinds_.at(kinds_.all[kind].type)),
                                static_cast<std::uint32_t>(possible_.size()));
                possible_.push_back({address, kind, owners_of(address, kind)});
            }
        }
        for (possible& each : possible_) {
            const object_content content = content_of(each.address, each.kind);
            for (const auto& handle : content.handles) {
                const std::uint64_t target = image_.word_or_zero(handle.word);
                const auto type = types_of_kinds_.find(handle.type->pointee);
                const auto found = type == types_of_kinds_.end()
                                       ? numbers.end()
                                       : numbers.find({target, type->second});
                if (found != numbers.end())
                    each.edges.push_back({found->second, handle.word});
                else if (!may_lead_to(target, handle.type->pointee))
                    each.is_out = true;
            }
        }
    }

    /// Whether the same place as another of its types, which has not been taken out, has this
    /// handle, too. Each handle is counted once.
    [[nodiscard]] bool has_like(std::uint32_t number, const possible::edge& edge,
                                bool only_before) const {
        const auto has = [&](std::uint32_t other) {
            const auto& edges = possible_[other].edges;
            return !possible_[other].is_out &&
                   std::find(edges.begin(), edges.end(), edge) != edges.end();
        };
        const auto is_same = [&](std::uint32_t other) {
            return possible_[other].address == possible_[number].address;
        };
        for (std::uint32_t i = number; i-- != 0 && is_same(i);)
            if (has(i)) return true;
        for (std::uint32_t i = number + 1; !only_before && i < possible_.size() && is_same(i); ++i)
            if (has(i)) return true;
        return false;
    }

    [[nodiscard]] bool is_one_layout(std::uint64_t address,
                                     const std::vector<std::uint32_t>& kinds) const {
        const auto words_of = [&](std::uint32_t number) {
            std::vector<std::uint64_t> result;
            for (const auto& each : content_of(address, number).handles)
                result.push_back(each.word);
            return result;
        };
        return std::all_of(kinds.begin(), kinds.end(), [&](std::uint32_t each) {
            return each == kinds.front() || words_of(each) == words_of(kinds.front());
        });
    }
    [[nodiscard]] object_content content_of(std::uint64_t address, std::uint32_t number) const {
        object_content result;
        const block_kind& kind = kinds_.all[number];
        walker_.add_content_of(kind, kind.object, address, address, result);
        return result;
    }

    /// Whether a handle in an object of known type may have this value. Of what is in another
    /// allocator's memory nothing is known.
    [[nodiscard]] bool may_lead_to(std::uint64_t target, const std::string& type) const {
        const auto at = candidates_.find(target);
        if (at != candidates_.end()) return is_of(at->second, type);
        return types_of_kinds_.count(type) == 0 ||
               (range_around(target, heap_.ranges) == nullptr && pools_.around(target) == nullptr);
    }

    const memory_image& image_;
    const glibc_heap& heap_;
    const pool_map& pools_;
    const block_kinds& kinds_;
    object_walker& walker_;
    type_layouts& types_;
    typed_places& places_;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> by_size_;
    std::map<std::string, std::uint32_t> types_of_kinds_;  // the first kind of each
    candidates candidates_;
    std::map<std::vector<std::uint32_t>, std::uint16_t> numbers_of_sets_;
    std::vector<const std::vector<std::uint32_t>*> sets_;             // of kinds
    std::unordered_map<std::uint64_t, std::uint64_t> known_handles_;  // to those of inferred kinds
    std::vector<possible> possible_;  // those of one address follow one another
    std::map<std::string, std::size_t> doubtful_;
    std::map<std::uint32_t, std::size_t> misfits_;  // of each kind
    std::set<std::string> wrong_;
    std::unordered_set<std::uint64_t> words_;  // that are handles to objects of inferred kinds
};

}  // namespace

not_self_counted find_self_counted(const memory_image& image, const glibc_heap& heap,
                                   const pool_map& pools, const block_kinds& kinds,
                                   object_walker& walker, type_layouts& types, typed_places& places,
                                   const words_of_program& words, const known_objects& known,
                                   const std::function<void(const block_by_handles&)>& use) {
    return finder(image, heap, pools, kinds, walker, types, places).find(words, known, use);
}

}  // namespace freehold
