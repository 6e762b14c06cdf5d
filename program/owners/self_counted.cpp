// SPDX-License-Identifier: BSL-1.0
#include "owners/self_counted.hpp"

#include "owners/block_counts.hpp"
#include "owners/block_places.hpp"
#include "owners/node_tables.hpp"
#include "owners/similar_classes.hpp"
#include "owners/tree_nodes.hpp"
#include "owners/word_meanings.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
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
          places_(places),
          where_(heap.chunks, pools),
          may_be_(where_.size()),
          words_(where_.size()),
          marks_(where_.size()),
          known_handles_(where_.size()),
          used_words_(image) {
        for (const std::uint32_t each : kinds.self_counted) {
            by_size_.emplace_back(kinds.all[each].bytes, each);
            types_of_kinds_.insert(kinds.all[each].type);
        }
        std::sort(by_size_.begin(), by_size_.end());
    }

    not_self_counted find(const words_of_program& words, const known_objects& known,
                          const std::function<void(const block_by_handles&)>& use) {
        words([this](std::uint64_t, std::uint64_t word) { look_at(word); });
        bool is_any = false;
        for_each_candidate([&](std::uint32_t place, std::uint64_t address) {
            may_be_.leave_out(place, [&](std::uint32_t kind) {
                return words_[place] < owners_of(address, kind);
            });
            is_any |= may_be_.has(place);
        });
        if (is_any) {
            find_by_types(known);
            leave_out_wrong_counts();
            find_by_one_another();
        }
        for_each_candidate([&](std::uint32_t place, std::uint64_t address) {
            if (has(place, is_found))
                use({address, may_be_[place], is_one_layout(address, may_be_[place])});
        });
        return {std::move(doubtful_), std::move(wrong_)};
    }

private:
    // Blocks of pools are larger than was asked for by less than a line of the cache.
    static constexpr std::uint64_t most_unused_of_pool = 63;

    /// What is known of a place, in a bit each.
    enum mark : std::uint8_t {
        has_handle = 1,    // in an object whose type is known
        has_variable = 2,  // a handle in a variable, which may be left over
        is_another = 4,    // a pointer to an object of another type leads here
        is_found = 8,
        is_possible = 16,  // by the other places alone
    };
    [[nodiscard]] bool has(std::uint32_t place, mark which) const {
        return (marks_[place] & which) != 0;
    }
    /// Returns whether the place did not have the mark.
    bool set(std::uint32_t place, mark which) {
        const bool is_new = !has(place, which);
        marks_[place] = static_cast<std::uint8_t>(marks_[place] | which);
        return is_new;
    }
    /// Calls `use(place, address)` for each place that may be of a kind.
    template <class Use>
    void for_each_candidate(Use use) const {
        where_.for_each([&](std::uint32_t place, std::uint64_t address) {
            if (may_be_.has(place)) use(place, address);
        });
    }
    /// Returns the place at an address if it may be of a kind, or no_number.
    [[nodiscard]] std::uint32_t candidate_at(std::uint64_t address) const {
        const std::uint32_t place = where_.from(address);
        return place == no_number || !may_be_.has(place) ? no_number : place;
    }

    void look_at(std::uint64_t word) {
        const std::uint32_t place = where_.from(word);
        if (place == no_number) return;
        if (may_be_.has(place)) {
            words_.add(place);
            return;
        }
        std::uint64_t size = 0;
        std::uint64_t least = 0;  // that may have been asked for
        if (const pool_map::range* const pool = pools_.around(word)) {
            if (pools_.is_free(word)) return;
            size = pool->stride;
            least = size - std::min(size, most_unused_of_pool);
        } else {
            const heap_chunk chunk = heap_.chunks.from(word);
            size = chunk.size();
            least = least_asked_for(chunk);
        }
        kinds_of_places::kinds kinds;
        for (auto each = std::lower_bound(by_size_.begin(), by_size_.end(),
                                          std::pair<std::uint64_t, std::uint32_t>(least, 0));
             each != by_size_.end() && each->first <= size; ++each) {
            const block_kind& kind = kinds_.all[each->second];
            if (may_be_alive(image_, word, kind)) kinds.push_back(each->second);
        }
        // Nothing is noted of other words, which are most.
        if (kinds.empty()) return;
        may_be_.set(place, kinds);
        words_.add(place);
    }

    [[nodiscard]] std::uint64_t owners_of(std::uint64_t address, std::uint32_t number) const {
        const block_kind& kind = kinds_.all[number];
        return is_counted_apart(image_, address, kind) ? 1 : owners_at(image_, address, kind);
    }
    /// Returns which of a place's kinds the first one of a type is, or nothing.
    [[nodiscard]] std::optional<std::size_t> index_of(std::uint32_t place,
                                                      const std::string& type) const {
        const auto& kinds = may_be_[place];
        for (std::size_t i = 0; i != kinds.size(); ++i)
            if (kinds_.all[kinds[i]].type == type) return i;
        return std::nullopt;
    }
    [[nodiscard]] bool is_of(std::uint32_t place, const std::string& type) const {
        return index_of(place, type).has_value();
    }

    void find_by_types(const known_objects& known) {
        open_nodes open(where_.size());
        const typed_places::users in_objects = users_for(open, has_handle);
        places_.look_at_variables(users_for(open, has_variable), in_objects);
        known(
            [&](const block_kind& kind, Dwarf_Die type, std::uint64_t block, std::uint64_t object) {
                places_.look_at_object(kind, type, block, object, in_objects);
            });
        find_from(open);
    }

    /// Notes which types handles and plain pointers tell, and adds to `open` to what handles lead.
    typed_places::users users_for(open_nodes& open, mark evidence) {
        typed_places::users result;
        result.handle = [this, &open, evidence](const object_content::handle& handle) {
            const std::uint64_t address = image_.word_or_zero(handle.word);
            const std::uint32_t place = candidate_at(address);
            if (place == no_number && evidence == has_handle)
                note_misfit(address, handle.type->pointee);
            if (handle.is_weak || place == no_number || !is_of(place, handle.type->pointee)) return;
            may_be_.leave_out(place, [&](std::uint32_t each) {
                return kinds_.all[each].type != handle.type->pointee;
            });
            // An object may be looked at in several ways.
            if (kinds_.all[may_be_[place].front()].is_inferred &&
                used_words_.of(handle.word) == word_meaning::unknown) {
                used_words_.set(handle.word, word_meaning::owner);
                known_handles_.add(place);
            }
            if (set(place, evidence)) open.add(place);
        };
        result.object = [this](Dwarf_Die type, std::uint64_t address) {
            const std::uint32_t place = candidate_at(address);
            if (place == no_number) return !is_tree_node(image_, address);
            if (is_of(place, types_.name_of_class(type))) return false;  // handles tell it
            set(place, is_another);
            return !is_tree_node(image_, address);
        };
        result.chunk = [this](std::uint64_t address) {
            const std::uint32_t place = candidate_at(address);
            if (place != no_number) set(place, is_another);
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
        for_each_candidate([&](std::uint32_t place, std::uint64_t address) {
            const std::uint64_t handles = known_handles_[place];
            if (handles == 0 || !has(place, is_found)) return;
            const std::uint32_t kind = may_be_[place].front();
            ++(handles > owners_of(address, kind) ? misfits_ : fits)[kind];
        });
        for (const auto& [kind, number] : misfits_) {
            if (!kinds_.all[kind].is_inferred ||
                (number <= image_.threads.size() && number < fits[kind]))
                continue;
            wrong_.insert(kinds_.all[kind].type);
            for_each_candidate([&, kind = kind](std::uint32_t place, std::uint64_t) {
                may_be_.leave_out(place, [kind](std::uint32_t other) { return other == kind; });
            });
        }
    }

    /// Takes all for objects to which handles lead, from these on. What only a variable leads to is
    /// looked at last, when it is known what else leads there.
    void find_from(open_nodes& open) {
        const typed_places::users in_objects = users_for(open, has_handle);
        open_nodes later(where_.size());
        while (!open.empty() || !later.empty()) {
            const bool is_late = open.empty();
            const std::uint32_t place = (is_late ? later : open).take();
            if (has(place, is_found) || (!has(place, has_handle) && has(place, is_another)))
                continue;
            if (!has(place, has_handle) && !is_late) {
                later.add(place);
                continue;
            }
            set(place, is_found);
            const block_kind& kind = kinds_.all[may_be_[place].front()];
            const std::uint64_t address = where_[place];
            places_.look_at_object(kind, kind.object, address, address, in_objects);
        }
    }

    // A possible object is a place as one of the kinds that it may have: the one with an index.
    struct as_kind {
        explicit as_kind(std::size_t places) : handles(places), marks(places) {}
        small_counts handles;  // that lead to each place
        sparse_array<std::uint8_t> marks;
    };
    enum mark_of_possible : std::uint8_t {
        is_out = 1,
        is_done = 2,  // it is out, and its handles no longer count
        had_handle = 4,
    };
    [[nodiscard]] bool has(std::uint32_t place, std::size_t index, mark_of_possible which) const {
        return (possible_[index].marks[place] & which) != 0;
    }
    void set(std::uint32_t place, std::size_t index, mark_of_possible which) {
        std::uint8_t& marks = possible_[index].marks[place];
        marks = static_cast<std::uint8_t>(marks | which);
    }
    /// A handle in a possible object to another one.
    struct edge {
        std::uint32_t place;
        std::size_t index;
        std::uint64_t word;
        bool operator==(const edge&) const = default;
    };

    /// Of the other places, those stay to which as many handles lead as their counts say, and all
    /// of these in places that stay.
    void find_by_one_another() {
        bool is_any = false;
        for_each_candidate([&](std::uint32_t place, std::uint64_t address) {
            if (!has(place, is_found) && !has(place, is_another) && !is_tree_node(image_, address))
                is_any |= set(place, is_possible);
        });
        if (!is_any) return;
        for (std::size_t i = may_be_.most(); i != 0; --i) possible_.emplace_back(where_.size());
        count_edges();
        open_nodes out(where_.size());
        const auto take_out = [&](std::uint32_t place, std::size_t index) {
            if (has(place, index, is_out)) return;
            set(place, index, is_out);
            out.add(place);
        };
        const std::set<std::uint32_t> ambiguous = kinds_like_other_classes(kinds_, types_);
        for_each_possible([&](std::uint32_t place, std::uint64_t address, std::size_t index) {
            const std::uint32_t kind = may_be_[place][index];
            const std::uint64_t handles = possible_[index].handles[place];
            if (handles != 0) set(place, index, had_handle);
            if (handles < owners_of(address, kind) || ambiguous.count(kind) != 0)
                take_out(place, index);
        });
        spread(out, take_out);
        // More handles than owners: some of them are none.
        for_each_possible([&](std::uint32_t place, std::uint64_t address, std::size_t index) {
            if (possible_[index].handles[place] > owners_of(address, may_be_[place][index]))
                take_out(place, index);
        });
        spread(out, take_out);
        keep_possible();
    }

    template <class Use>
    void for_each_possible(Use use) const {
        for_each_candidate([&](std::uint32_t place, std::uint64_t address) {
            if (has(place, is_possible))
                for (std::size_t i = 0; i != may_be_[place].size(); ++i) use(place, address, i);
        });
    }

    /// Counts the handles that lead to each possible object. One that has a handle to what cannot
    /// be an object is none.
    void count_edges() {
        std::vector<std::vector<edge>> edges(possible_.size());
        for_each_candidate([&](std::uint32_t place, std::uint64_t address) {
            if (!has(place, is_possible)) return;
            for (std::size_t i = 0; i != may_be_[place].size(); ++i) {
                edges[i].clear();
                if (!add_edges(address, may_be_[place][i], edges[i])) {
                    set(place, i, is_out);
                    set(place, i, is_done);
                    continue;
                }
                for (const edge& each : edges[i])
                    if (!has_like(place, each, edges, i))
                        possible_[each.index].handles.add(each.place);
            }
        });
    }

    /// Takes the edges of all that is out, and then what has too few handles.
    template <class TakeOut>
    void spread(open_nodes& out, TakeOut take_out) {
        std::vector<std::vector<edge>> edges(possible_.size());
        while (!out.empty()) {
            const std::uint32_t place = out.take();
            const std::uint64_t address = where_[place];
            const auto& kinds = may_be_[place];
            bool is_read = false;
            for (std::size_t i = 0; i != kinds.size(); ++i) {
                if (!has(place, i, is_out) || has(place, i, is_done)) continue;
                for (std::size_t k = 0; k != kinds.size() && !is_read; ++k) {
                    edges[k].clear();
                    if (!has(place, k, is_done)) add_edges(address, kinds[k], edges[k]);
                }
                is_read = true;
                set(place, i, is_done);
                for (const edge& each : edges[i]) {
                    if (has_like(place, each, edges, kinds.size())) continue;
                    small_counts& handles = possible_[each.index].handles;
                    handles.subtract(each.place);
                    const std::uint32_t kind = may_be_[each.place][each.index];
                    if (handles[each.place] < owners_of(where_[each.place], kind))
                        take_out(each.place, each.index);
                }
            }
        }
    }

    /// Adds the handles in a place, taken as this kind, that lead to possible objects. Returns
    /// whether each handle leads to what it may lead to.
    bool add_edges(std::uint64_t address, std::uint32_t kind, std::vector<edge>& result) {
        content_.handles.clear();
        content_.chunks.clear();
        content_.no_handles.clear();
        walker_.add_content_of(kinds_.all[kind], kinds_.all[kind].object, address, address,
                               content_);
        bool is_right = true;
        for (const auto& handle : content_.handles) {
            const std::uint64_t target = image_.word_or_zero(handle.word);
            const std::string& type = handle.type->pointee;
            const std::uint32_t place = candidate_at(target);
            const auto index = place == no_number || !has(place, is_possible)
                                   ? std::nullopt
                                   : index_of(place, type);
            if (index)
                result.push_back({place, *index, handle.word});
            else
                is_right &= may_lead_to(place, target, type);
        }
        return is_right;
    }

    /// Whether the same place as another of its kinds, of those before `end`, has this handle, too.
    /// Each handle is counted once.
    [[nodiscard]] bool has_like(std::uint32_t place, const edge& of,
                                const std::vector<std::vector<edge>>& edges,
                                std::size_t end) const {
        for (std::size_t i = 0; i != end; ++i)
            if (!has(place, i, is_done) &&
                std::find(edges[i].begin(), edges[i].end(), of) != edges[i].end())
                return true;
        return false;
    }

    /// Takes what is not out for objects, and what these lead to.
    void keep_possible() {
        open_nodes open(where_.size());
        for_each_candidate([&](std::uint32_t place, std::uint64_t) {
            if (!has(place, is_possible)) return;
            const auto& kinds = may_be_[place];
            kinds_of_places::kinds left;
            for (std::size_t i = 0; i != kinds.size(); ++i)
                if (!has(place, i, is_out)) left.push_back(kinds[i]);
            if (left.empty()) return;
            may_be_.set(place, left);
            set(place, has_handle);
            // One that may have several types tells nothing of others.
            if (left.size() != 1)
                set(place, is_found);
            else
                open.add(place);
        });
        find_from(open);
        for_each_possible([&](std::uint32_t place, std::uint64_t, std::size_t index) {
            if (has(place, index, had_handle) && !has(place, is_found))
                ++doubtful_[kinds_.all[may_be_[place][index]].type];
        });
    }

    [[nodiscard]] bool is_one_layout(std::uint64_t address,
                                     const kinds_of_places::kinds& kinds) const {
        const auto words_of = [&](std::uint32_t number) {
            object_content content;
            const block_kind& kind = kinds_.all[number];
            walker_.add_content_of(kind, kind.object, address, address, content);
            std::vector<std::uint64_t> result;
            for (const auto& each : content.handles) result.push_back(each.word);
            return result;
        };
        return std::all_of(kinds.begin(), kinds.end(), [&](std::uint32_t each) {
            return each == kinds.front() || words_of(each) == words_of(kinds.front());
        });
    }

    /// Whether a handle in an object of known type may lead to a candidate, or to no_number at an
    /// address. Of what is in another allocator's memory nothing is known.
    [[nodiscard]] bool may_lead_to(std::uint32_t place, std::uint64_t target,
                                   const std::string& type) const {
        if (place != no_number) return is_of(place, type);
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
    std::set<std::string> types_of_kinds_;
    block_places where_;
    // Of each place:
    kinds_of_places may_be_;
    small_counts words_;  // that point there
    sparse_array<std::uint8_t> marks_;
    small_counts known_handles_;     // if it is of an inferred kind
    std::vector<as_kind> possible_;  // by the index of the kind
    word_meanings used_words_;       // the known handles
    object_content content_;         // is used again and again
    std::map<std::string, std::size_t> doubtful_;
    std::map<std::uint32_t, std::size_t> misfits_;  // of each kind
    std::set<std::string> wrong_;
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
