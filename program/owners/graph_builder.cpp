// SPDX-License-Identifier: BSL-1.0
#include "owners/blocks_by_handles.hpp"
#include "owners/owner_graph.hpp"
#include "owners/self_counted.hpp"
#include "owners/typed_places.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace freehold {
namespace {

// A function may use so much memory below the stack pointer.
constexpr std::uint64_t red_zone = 128;

/// Parts of the range that are in none of `without`, which is sorted.
std::vector<memory_range> parts_of(const memory_range& whole,
                                   const std::vector<memory_range>& without) {
    std::vector<memory_range> result;
    std::uint64_t at = whole.begin;
    for (const memory_range& each : without) {
        if (each.end <= at) continue;
        if (each.begin >= whole.end) break;
        if (each.begin > at) result.push_back({at, each.begin});
        at = std::max(at, each.end);
    }
    if (at < whole.end) result.push_back({at, whole.end});
    return result;
}

}  // namespace

class graph_builder {
public:
    graph_builder(const memory_image& image, const glibc_heap& heap, block_kinds& kinds,
                  const program_modules& modules, type_layouts& types, object_walker& walker)
        : image_(image),
          heap_(heap),
          kinds_(kinds),
          modules_(modules),
          types_(types),
          walker_(walker),
          graph_(image, heap, kinds, walker) {}

    owner_graph build() {
        find_roots();
        find_blocks();
        walk_types();
        count_words();
        settle();
        return std::move(graph_);
    }

private:
    void find_roots() {
        std::uint64_t last_segment = 0;
        for (const memory_segment& each : image_.segments)
            if (each.is_writable) last_segment = each.begin;
        for (const memory_segment& each : image_.segments) {
            if (!each.is_writable) continue;
            memory_range range{each.begin, each.end};
            bool is_stack = false;
            // Below a thread's stack pointer is what functions left that have returned.
            if (each.has_guard || each.begin == last_segment)
                for (const thread_registers& thread : image_.threads) {
                    const std::uint64_t used = thread.stack_pointer() - red_zone;
                    if (used <= range.begin || used >= range.end || each.is_of_a_file) continue;
                    range.begin = used;
                    is_stack = true;
                }
            const auto parts = parts_of(range, heap_.ranges);
            auto& to = is_stack ? graph_.stacks_ : graph_.roots_;
            to.insert(to.end(), parts.begin(), parts.end());
        }
    }

    /// Finds the blocks. One that is not a chunk of the heap may be in memory that its allocator
    /// has back, so it counts only if there is a handle to it.
    void find_blocks() {
        graph_.facts_.resize(kinds_.all.size());
        graph_.kinds_of_.assign(heap_.chunks.size());
        graph_.parts_.assign(heap_.chunks.size());
        std::vector<owner_graph::piece> elsewhere;
        const auto look = [&](std::uint64_t address, std::uint64_t word, const heap_chunk& chunk) {
            if (word < kinds_.least || word > kinds_.most) return;
            const auto found = kinds_.by_word.find(word);
            if (found == kinds_.by_word.end()) return;
            const std::uint32_t kind = found->second;
            const block_kind& is = kinds_.all[kind];
            address -= is.counts->word_at;
            if (!may_be_alive(image_, address, is)) return;
            learn(kind);
            // What is left of a block may be at a chunk's end.
            if (chunk && address + graph_.facts_[kind].bytes > chunk.end) return;
            if (is_object_freed(address, kind)) return;
            if (address == chunk.begin && is_alone_in(chunk, kind))
                graph_.kinds_of_.set(chunk.number, static_cast<std::uint16_t>(kind));
            else if (!has_pointer_for_counts(address, is))
                elsewhere.push_back({address, address + graph_.facts_[kind].bytes,
                                     static_cast<std::uint16_t>(kind)});
        };
        heap_.chunks.for_each_word(image_, look);
        graph_.for_each_word_outside([&](std::uint64_t address, std::uint64_t word, bool) {
            if (address < register_addresses - bytes_of_word) look(address, word, {});
        });
        if (!elsewhere.empty() || !kinds_.by_handles.empty() || !kinds_.self_counted.empty())
            use_pools(elsewhere);
        keep_those_with_handles(std::move(elsewhere));
        graph_.is_reachable_.assign(graph_.nodes(), false);
    }

    /// Whether the place of the counts holds an address of the program's own memory. Such a place
    /// is in what a function left on a stack: the word of a block, and a pointer beside it.
    [[nodiscard]] bool has_pointer_for_counts(std::uint64_t block, const block_kind& kind) const {
        const std::uint64_t at = block + kind.count_at + kind.counts->owners.at;
        const std::uint64_t word = image_.word_or_zero(at & ~(bytes_of_word - 1));
        return image_.find(word) != nullptr;
    }

    /// Calls `use(address, word)` for each word in chunks in use, and outside the heap.
    template <class Use>
    void for_each_word(const Use& use) const {
        heap_.chunks.for_each_word(image_, [&](std::uint64_t address, std::uint64_t word,
                                               const heap_chunk&) { use(address, word); });
        graph_.for_each_word_outside(
            [&](std::uint64_t address, std::uint64_t word, bool) { use(address, word); });
    }

    /// Leaves out what pools have back, and adds the blocks that no word tells.
    void use_pools(std::vector<owner_graph::piece>& elsewhere) {
        const auto words = [this](const auto& use) { for_each_word(use); };
        if (kinds_.rings != nullptr) kinds_.rings->find(image_, words);
        const pool_map pools(image_, words);
        std::erase_if(elsewhere, [&](const auto& each) { return pools.is_free(each.begin); });
        if (!kinds_.by_handles.empty()) add_blocks_told_by_handles(elsewhere, pools, words);
        if (!kinds_.self_counted.empty()) add_self_counted(elsewhere, pools, words);
        if (kinds_.rings != nullptr) tell_of_rings_without_type();
    }

    void add_blocks_told_by_handles(std::vector<owner_graph::piece>& elsewhere,
                                    const pool_map& pools, const words_of_program& words) {
        const auto told = [&](const auto& use) {
            for (std::uint32_t i = 0; i != heap_.chunks.size(); ++i)
                if (graph_.is_block(i))
                    use_handles_in(heap_.chunks[i].begin, graph_.kinds_of_[i], use);
            for (const auto& each : elsewhere) use_handles_in(each.begin, each.kind, use);
        };
        std::map<std::vector<std::uint32_t>, std::uint32_t> joined;
        find_blocks_by_handles(
            image_, heap_, pools, kinds_, walker_, words, told,
            [&](const block_by_handles& each) { add_found(each, joined, elsewhere); });
    }

    void add_self_counted(std::vector<owner_graph::piece>& elsewhere, const pool_map& pools,
                          const words_of_program& words) {
        const auto known = [&](const auto& use) {
            const auto use_block = [&](std::uint64_t block, std::uint32_t kind) {
                const Dwarf_Die type = graph_.facts_[kind].object;
                const std::uint64_t object = graph_.object_at(block, kind);
                if (type.addr != nullptr && object != 0) use(kinds_.all[kind], type, block, object);
            };
            for (std::uint32_t i = 0; i != heap_.chunks.size(); ++i)
                if (graph_.is_block(i)) use_block(heap_.chunks[i].begin, graph_.kinds_of_[i]);
            for (const auto& each : elsewhere) use_block(each.begin, each.kind);
        };
        typed_places places(image_, heap_, modules_, types_);
        std::map<std::vector<std::uint32_t>, std::uint32_t> joined;
        const not_self_counted left =
            find_self_counted(image_, heap_, pools, kinds_, walker_, types_, places, words, known,
                              [&](const block_by_handles& each) {
                                  const heap_chunk chunk = heap_.chunks.from(each.address);
                                  if (!chunk || !graph_.is_block(chunk.number))
                                      add_found(each, joined, elsewhere);
                              });
        for (const std::string& type : left.with_wrong_counts)
            graph_.incomplete.push_back(fmt::format(
                "{} seems to count its owners in another way than its members' names say; its "
                "objects are not counted",
                type));
        for (const auto& [type, number] : left.doubtful)
            graph_.incomplete.push_back(fmt::format(
                "{} places may be objects of {}, which has no virtual functions, but debug "
                "information does not show where all handles to them are, or another class looks "
                "the same; they are not counted",
                number, type));
    }

    void add_found(const block_by_handles& found,
                   std::map<std::vector<std::uint32_t>, std::uint32_t>& joined,
                   std::vector<owner_graph::piece>& elsewhere) {
        std::uint32_t kind = found.kinds.front();
        if (found.kinds.size() > 1) {
            auto with_layout = found.kinds;
            if (!found.is_one_layout) with_layout.push_back(no_number);
            const auto [known, is_new] = joined.emplace(std::move(with_layout), 0);
            if (is_new) known->second = join(found);
            kind = known->second;
        }
        learn(kind);
        const heap_chunk chunk = heap_.chunks.from(found.address);
        if (chunk && (kinds_.all[kind].element != 0 || is_alone_in(chunk, kind)))
            graph_.kinds_of_.set(chunk.number, static_cast<std::uint16_t>(kind));
        else
            elsewhere.push_back({found.address, found.address + graph_.facts_[kind].bytes,
                                 static_cast<std::uint16_t>(kind)});
    }

    /// Says which objects linked handles own that are of no known type, as of a derived class.
    void tell_of_rings_without_type() {
        std::size_t number = 0;
        kinds_.rings->for_each_object([&](std::uint64_t object) {
            const heap_chunk chunk = heap_.chunks.from(object);
            if (chunk && !graph_.is_block(chunk.number)) ++number;
        });
        if (number != 0)
            graph_.incomplete.push_back(fmt::format(
                "linked handles seem to own {} objects that are larger than their type, as those "
                "of derived classes; they are not counted",
                number));
    }

    template <class Use>
    void use_handles_in(std::uint64_t block, std::uint32_t kind, const Use& use) {
        const Dwarf_Die type = graph_.facts_[kind].object;
        const std::uint64_t object = graph_.object_at(block, kind);
        if (type.addr == nullptr || object == 0) return;
        object_content content;
        walker_.add_content_of(kinds_.all[kind], type, block, object, content);
        for (const auto& each : content.handles) use(each);
    }

    /// Makes a kind of blocks of which it is not known which of several types they have.
    std::uint32_t join(const block_by_handles& block) {
        block_kind made = kinds_.all[block.kinds.front()];
        std::set<std::string> types;
        for (const std::uint32_t each : block.kinds) {
            types.insert(kinds_.all[each].type);
            made.bytes = std::max(made.bytes, kinds_.all[each].bytes);
        }
        made.type = fmt::format("{}", fmt::join(types, " or "));
        if (!block.is_one_layout) made.object = {};
        kinds_.all.push_back(std::move(made));
        graph_.facts_.emplace_back();
        return static_cast<std::uint32_t>(kinds_.all.size() - 1);
    }

    void keep_those_with_handles(std::vector<owner_graph::piece> found) {
        if (found.empty()) return;
        std::sort(found.begin(), found.end(),
                  [](const auto& a, const auto& b) { return a.begin < b.begin; });
        // A handle may point behind the begin of a block whose size is unknown.
        graph_.largest_piece_ = 2 * bytes_of_word;
        for (const auto& each : found)
            graph_.largest_piece_ = std::max(graph_.largest_piece_, each.end - each.begin);
        std::vector<bool> has_handle(found.size(), false);
        const auto look = [&](std::uint64_t address, std::uint64_t word) {
            const std::uint64_t pointer = word & address_bits;
            if (pointer < found.front().begin ||
                pointer > found.back().begin + graph_.largest_piece_)
                return;
            auto at = std::upper_bound(
                found.begin(), found.end(), pointer,
                [](std::uint64_t value, const auto& each) { return value < each.begin; });
            while (at != found.begin() && (--at)->begin + graph_.largest_piece_ >= pointer)
                if (graph_.may_be_handle(pointer, at->begin, at->kind) &&
                    may_have_object_before(address, *at))
                    has_handle[static_cast<std::size_t>(at - found.begin())] = true;
        };
        for_each_word(look);
        for (std::size_t i = 0; i != found.size(); ++i)
            if (has_handle[i]) {
                graph_.pieces_.push_back(found[i]);
                graph_.kinds_of_.push_back(found[i].kind);
            }
        if (!graph_.pieces_.empty() && heap_.is_found)
            graph_.incomplete.push_back(fmt::format(
                "{} objects are in memory of another allocator than malloc, as of a pool; such an "
                "object is counted only if a handle to it was found",
                graph_.pieces_.size()));
    }

    /// Whether the object of a block was freed. A pool may leave the block as it was.
    [[nodiscard]] bool is_object_freed(std::uint64_t block, std::uint32_t kind) const {
        const known_blocks::block_class& is = *kinds_.all[kind].is;
        if (!is.by_pointer || !is.owns_object) return false;
        const std::uint64_t object = graph_.object_at(block, kind);
        return range_around(object, heap_.ranges) != nullptr && !heap_.chunks.around(object);
    }

    /// Whether a word may be in a handle to a block elsewhere, by the word before it. Where pools
    /// note which blocks are free, another block is before it.
    [[nodiscard]] bool may_have_object_before(std::uint64_t address,
                                              const owner_graph::piece& block) const {
        const block_kind& kind = kinds_.all[block.kind];
        if (!kind.handle->blocks->has_object_before || !kind.is->owns_object ||
            !graph_.facts_[block.kind].has_offset || address >= register_addresses)
            return true;
        const std::uint64_t object = graph_.object_at(block.begin, block.kind);
        const std::uint64_t size =
            std::max<std::uint64_t>(types_.size_of(graph_.facts_[block.kind].object), 1);
        return image_.word_or_zero(address - bytes_of_word) - object < size;
    }

    /// Finds out what is known of a kind.
    void learn(std::uint32_t number) {
        owner_graph::kind_facts& result = graph_.facts_[number];
        if (std::exchange(result.is_known, true)) return;
        if (number >= node_kinds::none)
            throw owners_error("the program has more than 65,534 kinds of blocks, too many");
        const block_kind& of = kinds_.all[number];
        result.bytes = of.bytes;
        if (of.is->is_base || of.is->by_handles) {
            result.object = of.object;
            if (of.bytes == 0) result.bytes = types_.size_of(of.object);
            result.offset = of.is->is_base ? 0 : of.count_at + of.pointed_at;
            result.has_offset = true;
            return;
        }
        result.offset = of.is->at;
        result.has_offset = of.is->at != 0 && !of.is->member.empty();
        if (of.function == 0 || of.is->member.empty()) return;
        Dwarf_Die block = modules_.class_of_function(of.function);
        if (block.addr == nullptr) return;
        result.object = type_layouts::argument(block, of.is->type_argument - 1);
        if (of.is->block_argument != 0)
            block = type_layouts::argument(block, of.is->block_argument - 1);
        result.bytes = types_.size_of(block);
        if (of.is->of_pointer) result.object = type_layouts::pointee(result.object);
        if (const auto offset = types_.offset_of(block, of.is->member.c_str())) {
            result.offset = *offset;
            result.has_offset = true;
        }
    }

    /// Whether malloc gave the chunk for a block of this kind alone. A pool may begin with a block.
    [[nodiscard]] bool is_alone_in(const heap_chunk& chunk, std::uint32_t kind) const {
        const std::uint64_t bytes = graph_.facts_[kind].bytes;
        if (bytes == 0) return kinds_.all[kind].is->function.empty();
        return is_for(chunk, bytes);
    }

    /// Makes a chunk a part of a node, if it is not one already.
    bool take(std::uint32_t chunk, std::uint32_t node) {
        return !graph_.is_block(chunk) && graph_.parts_.take(chunk, node);
    }

    void walk_types() {
        // The objects' own chunks come first: others may only seem to have them.
        graph_.for_each_block([this](std::uint32_t node) {
            const block_kind& kind = graph_.kind_of(node);
            if (!kind.is->by_pointer || !kind.is->owns_object) return;
            const heap_chunk chunk = heap_.chunks.from(graph_.object_of(node));
            const std::uint64_t bytes =
                types_.size_of(graph_.facts_[graph_.kinds_of_[node]].object);
            if (bytes != 0 && is_for(chunk, bytes)) take(chunk.number, node);
        });
        std::vector<bool> is_own(heap_.chunks.size(), false);
        for (std::uint32_t i = 0; i != heap_.chunks.size(); ++i)
            is_own[i] = graph_.parts_.is_part(i);
        object_content content;
        std::size_t without_types = 0;
        std::size_t in_part = 0;
        graph_.for_each_block([&](std::uint32_t node) {
            const owner_graph::kind_facts& facts = graph_.facts_[graph_.kinds_of_[node]];
            const block_kind& kind = graph_.kind_of(node);
            const std::uint64_t object = graph_.object_of(node);
            if (kind.is->size_argument != 0) return;  // it holds nothing
            if (facts.object.addr == nullptr || object == 0) {
                ++without_types;
                return;
            }
            if (kind.is->by_pointer && !kind.is->owns_object) return;
            content.handles.clear();
            content.chunks.clear();
            content.no_handles.clear();
            content.is_whole = true;
            walker_.add_content_of(kind, facts.object, graph_.address_of(node), object, content);
            for (const auto& each : content.handles)
                graph_.meanings_.set(each.word,
                                     each.is_weak ? word_meaning::weak : word_meaning::owner);
            for (const memory_range& each : content.no_handles) graph_.meanings_.leave_over(each);
            for (const std::uint64_t address : content.chunks) {
                const heap_chunk chunk = heap_.chunks.from(address);
                if (!chunk || is_own[chunk.number] || take(chunk.number, node)) continue;
                if (!graph_.is_block(chunk.number)) graph_.parts_.share(chunk.number, node);
            }
            if (!content.is_whole) ++in_part;
        });
        if (without_types != 0)
            graph_.incomplete.push_back(fmt::format(
                "{} objects have no debug information (-g), so handles in them cannot be "
                "distinguished from words that are left over, and leaks of them may be missing",
                without_types));
        if (in_part != 0)
            graph_.incomplete.push_back(
                fmt::format("{} objects have members that are not understood, such as unions "
                            "or virtual base classes, so leaks of what these hold may be missing",
                            in_part));
        graph_.parts_.settle(graph_.nodes());
    }

    /// Counts the words that own each block, and keeps those on stacks, which are few.
    void count_words() {
        graph_.certain_ = small_counts(graph_.nodes());
        graph_.unknown_ = small_counts(graph_.nodes());
        const auto count = [this](const found_word& word) {
            if (word.block == no_number) return;
            if (word.meaning == word_meaning::owner)
                graph_.certain_.add(word.block);
            else if (word.meaning == word_meaning::unknown)
                graph_.unknown_.add(word.block);
        };
        const auto look = [&](std::uint64_t address, std::uint64_t word) {
            count(graph_.look_at(address, word));
        };
        heap_.chunks.for_each_word(image_, [&](std::uint64_t address, std::uint64_t word,
                                               const heap_chunk&) { look(address, word); });
        for (const auto& each : graph_.pieces_)
            if (!heap_.chunks.around(each.begin))
                image_.for_each_word({each.begin, each.end}, look);
        graph_.for_each_root_word([&](const found_word& word, bool is_on_stack) {
            if (is_on_stack)
                on_stacks_.push_back(word);
            else
                count(word);
        });
        has_all_.assign(graph_.nodes(), false);
        open_.emplace(graph_.nodes());
        std::size_t apart = 0;
        graph_.for_each_block([this, &apart](std::uint32_t node) {
            if (graph_.is_counted_apart(node)) {
                ++apart;
                make_reachable(node);
                return;
            }
            const std::uint64_t certain = graph_.certain_[node];
            const std::uint64_t owners = graph_.owners_of(node);
            has_all_[node] = certain == owners;
            // More certain owners than are counted: the block is being changed, or a type is wrong.
            if (certain > owners) make_reachable(node);
        });
        if (apart != 0)
            graph_.incomplete.push_back(fmt::format(
                "{} objects are shared out over the processors (sharded_count), so their owners "
                "are not in one count: they count as reachable, and as owned by the handles that "
                "were found",
                apart));
    }

    void make_reachable(std::uint32_t node) {
        if (graph_.is_reachable_[node]) return;
        graph_.is_reachable_[node] = true;
        if (graph_.is_block(node)) ++reachable_blocks_;
        open_->add(node);
    }

    /// Follows a word in reachable memory.
    void follow(const found_word& word) {
        if (word.chunk != no_number) make_reachable(word.chunk);
        if (word.block == no_number || graph_.is_reachable_[word.block]) return;
        if (word.meaning == word_meaning::owner ||
            (word.meaning == word_meaning::unknown && !has_all_[word.block]))
            make_reachable(word.block);
    }

    void settle() {
        graph_.for_each_root_word([this](const found_word& word, bool is_on_stack) {
            if (!is_on_stack) follow(word);
        });
        // First without words on stacks, where others suffice for a count, to find out what
        // they decide.
        for (const found_word& each : on_stacks_)
            if (each.block != no_number &&
                graph_.certain_[each.block] + graph_.unknown_[each.block] <
                    graph_.owners_of(each.block))
                follow({each.address, each.block, no_number, each.meaning});
        spread();
        const std::size_t without_stacks = reachable_blocks_;
        for (const found_word& each : on_stacks_) follow(each);
        spread();
        const std::size_t doubtful = reachable_blocks_ - without_stacks;
        if (doubtful != 0)
            graph_.incomplete.push_back(fmt::format(
                "{} objects count as reachable only because of words on stacks or in registers, "
                "which may be left over there; debug information (-g) says more about them",
                doubtful));
    }

    void spread() {
        do
            while (!open_->empty())
                graph_.for_each_word_of(open_->take(),
                                        [this](const found_word& word) { follow(word); });
        while (keep_what_nothing_leads_to());
    }

    /// Memory of the heap that belongs to no block, and to which nothing that leaks leads, may be
    /// held by the system, as by epoll. It counts as reachable. Returns whether there was any.
    bool keep_what_nothing_leads_to() {
        std::vector<bool> is_led_to(graph_.nodes(), false);
        open_nodes open(graph_.nodes());
        const auto look_at = [&](const found_word& word) {
            if (word.chunk == no_number || graph_.is_reachable_[word.chunk] ||
                is_led_to[word.chunk])
                return;
            is_led_to[word.chunk] = true;
            open.add(word.chunk);
        };
        // One block after the other: all that may leak would be a long list.
        graph_.for_each_block([&](std::uint32_t block) {
            if (graph_.is_reachable_[block]) return;
            graph_.for_each_word_of(block, look_at);
            while (!open.empty()) graph_.for_each_word_of(open.take(), look_at);
        });
        for (std::uint32_t i = 0; i != heap_.chunks.size(); ++i)
            if (!is_led_to[i] && !graph_.is_block(i) && !graph_.is_part(i)) make_reachable(i);
        return !open_->empty();
    }

    const memory_image& image_;
    const glibc_heap& heap_;
    block_kinds& kinds_;
    const program_modules& modules_;
    type_layouts& types_;
    object_walker& walker_;
    owner_graph graph_;
    std::vector<bool> has_all_;  // of each node: all of its block's owners are certain
    std::vector<found_word> on_stacks_;
    std::optional<open_nodes> open_;
    std::size_t reachable_blocks_ = 0;
};

owner_graph find_owners(const memory_image& image, const glibc_heap& heap, block_kinds& kinds,
                        const program_modules& modules, type_layouts& types,
                        object_walker& walker) {
    return graph_builder(image, heap, kinds, modules, types, walker).build();
}

}  // namespace freehold
