// SPDX-License-Identifier: BSL-1.0
#include "owners/owner_graph.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

namespace freehold {
namespace {

constexpr std::uint64_t bytes_of_word = 8;
// Bits of a pointer that programs use for marks of their own are left out.
constexpr std::uint64_t address_bits = 0x0000'ffff'ffff'fff8;
// More owners than this are no count.
constexpr std::uint64_t most_owners = std::uint64_t{1} << 30;
// A function may use so much memory below the stack pointer.
constexpr std::uint64_t red_zone = 128;

/// A table from addresses to numbers, without deletion.
class address_table {
public:
    explicit address_table(std::size_t entries)
        : mask_(std::bit_ceil(std::max<std::size_t>(2 * entries, 16)) - 1),
          keys_(mask_ + 1, 0),
          values_(mask_ + 1, 0) {}

    void add(std::uint64_t address, std::uint32_t value) {
        std::size_t at = place(address);
        while (keys_[at] != 0 && keys_[at] != address) at = (at + 1) & mask_;
        keys_[at] = address;
        values_[at] = value;
        least_ = std::min(least_, address);
        most_ = std::max(most_, address);
    }
    [[nodiscard]] std::uint32_t find(std::uint64_t address) const {
        if (address < least_ || address > most_) return no_number;
        for (std::size_t at = place(address); keys_[at] != 0; at = (at + 1) & mask_)
            if (keys_[at] == address) return values_[at];
        return no_number;
    }

private:
    [[nodiscard]] std::size_t place(std::uint64_t address) const {
        return static_cast<std::size_t>((address >> 3) * 0x9e37'79b9'7f4a'7c15 >> 20) & mask_;
    }

    std::size_t mask_;
    std::vector<std::uint64_t> keys_;
    std::vector<std::uint32_t> values_;
    std::uint64_t least_ = UINT64_MAX;
    std::uint64_t most_ = 0;
};

/// Parts of the ranges that are in none of `without`, which is sorted.
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

class graph_builder {
public:
    graph_builder(const memory_image& image, const glibc_heap& heap, const block_kinds& kinds,
                  const program_modules& modules, type_layouts& types)
        : image_(image), heap_(heap), kinds_(kinds), modules_(modules), types_(types) {
        result_.image = &image;
        result_.heap = &heap;
    }

    owner_graph build() {
        find_roots();
        find_blocks();
        collect_words();
        leave_out_blocks_without_handles();
        assign_chunks();
        walk_types();
        assign_words();
        number_lists();
        settle();
        return std::move(result_);
    }

private:
    struct found_word {
        std::uint64_t address;
        std::uint32_t block;
        bool is_exact;
    };
    struct kind_facts {
        Dwarf_Die block{};
        Dwarf_Die object{};
        std::uint64_t offset = 0;  // of the object or of the pointer to it
        std::uint64_t bytes = 0;   // of the block
        bool has_offset = false;
    };
    struct certain_word {
        std::uint64_t address;
        std::uint32_t way;
        bool is_weak;
    };

    void find_roots() {
        std::uint64_t last_segment = 0;
        for (const memory_segment& each : image_.segments)
            if (each.is_writable) last_segment = each.begin;
        for (const memory_segment& each : image_.segments) {
            if (!each.is_writable) continue;
            memory_range range{each.begin, each.end};
            // Below a thread's stack pointer is what functions left that have returned.
            if (each.has_guard || each.begin == last_segment)
                for (const thread_registers& thread : image_.threads) {
                    const std::uint64_t used = thread.stack_pointer() - red_zone;
                    if (used <= range.begin || used >= range.end || each.is_of_a_file) continue;
                    range.begin = used;
                    stacks_.push_back(range);
                }
            const auto parts = parts_of(range, heap_.ranges);
            result_.roots.insert(result_.roots.end(), parts.begin(), parts.end());
        }
    }

    /// Calls `use` for each word that a running program may use.
    template <class Use>
    void for_each_word_in_use(Use use) const {
        for (const heap_chunk& each : heap_.chunks)
            for_each_word(image_, {each.begin, each.end}, use);
        for_each_root_word(use);
    }
    template <class Use>
    void for_each_root_word(Use use) const {
        for (const memory_range& each : result_.roots) for_each_word(image_, each, use);
        for (const std::uint64_t word : image_.held_by_system) use(register_addresses - 8, word);
        for (std::size_t i = 0; i != image_.threads.size(); ++i)
            for (std::size_t k = 0; k != image_.threads[i].values.size(); ++k)
                if (image_.threads[i].values[k] != 0)
                    use(register_addresses + (i * 32 + k) * bytes_of_word,
                        image_.threads[i].values[k]);
    }

    [[nodiscard]] std::uint64_t field(std::uint64_t block,
                                      const known_blocks::count_field& from) const {
        std::uint64_t value = from.bytes == 4
                                  ? image_.value<std::uint32_t>(block + from.at).value_or(0)
                                  : image_.value<std::uint64_t>(block + from.at).value_or(0);
        value >>= from.first_bit;
        if (from.bits < 64) value &= (std::uint64_t{1} << from.bits) - 1;
        return value + static_cast<std::uint64_t>(from.more);
    }

    void find_blocks() {
        std::vector<owned_block> found;
        for_each_word_in_use([this, &found](std::uint64_t address, std::uint64_t word) {
            if (word < kinds_.least || word > kinds_.most || address >= register_addresses) return;
            const auto kind = kinds_.by_word.find(word);
            if (kind == kinds_.by_word.end()) return;
            const known_blocks& blocks = *kinds_.all[kind->second].handle->blocks;
            owned_block block;
            block.address = address;
            block.kind = kind->second;
            block.owners = field(address, blocks.owners);
            block.weak = field(address, blocks.weak);
            if (block.owners == 0 || block.owners > most_owners || block.weak > most_owners) return;
            found.push_back(block);
        });
        std::sort(found.begin(), found.end(),
                  [](const auto& a, const auto& b) { return a.address < b.address; });
        result_.blocks = std::move(found);
    }

    [[nodiscard]] std::uint64_t pointed_at(const owned_block& block) const {
        return block.address + kinds_.all[block.kind].handle->blocks->pointed_at;
    }

    void collect_words() {
        address_table table(result_.blocks.size());
        for (std::size_t i = 0; i != result_.blocks.size(); ++i)
            table.add(pointed_at(result_.blocks[i]), static_cast<std::uint32_t>(i));
        if (result_.blocks.empty()) return;
        for_each_word_in_use([this, &table](std::uint64_t address, std::uint64_t word) {
            const std::uint32_t block = table.find(word & address_bits);
            if (block != no_number)
                found_.push_back({address, block, (word & address_bits) == word});
        });
    }

    /// A block that is not a chunk of the heap may be in memory that its allocator has back.
    void leave_out_blocks_without_handles() {
        std::vector<std::uint8_t> has_handle(result_.blocks.size(), 0);
        for (const found_word& each : found_) has_handle[each.block] = 1;
        std::vector<std::uint32_t> numbers(result_.blocks.size(), no_number);
        std::vector<owned_block> kept;
        std::size_t elsewhere = 0;
        for (std::size_t i = 0; i != result_.blocks.size(); ++i) {
            const bool is_chunk = own_chunk(result_.blocks[i]) >= 0;
            if (!is_chunk && has_handle[i] == 0) continue;
            if (!is_chunk) ++elsewhere;
            numbers[i] = static_cast<std::uint32_t>(kept.size());
            kept.push_back(result_.blocks[i]);
        }
        result_.blocks = std::move(kept);
        std::erase_if(found_, [&numbers](found_word& each) {
            each.block = numbers[each.block];
            return each.block == no_number;
        });
        if (elsewhere != 0 && heap_.is_found)
            result_.incomplete.push_back(fmt::format(
                "{} objects are in memory of another allocator than malloc, as of a pool; such an "
                "object is counted only if a handle to it was found",
                elsewhere));
    }

    const kind_facts& facts_of(std::uint32_t kind) {
        const auto [found, is_new] = facts_.try_emplace(kind);
        if (!is_new) return found->second;
        kind_facts& result = found->second;
        const block_kind& of = kinds_.all[kind];
        result.offset = of.is->at;
        result.has_offset = of.is->at != 0 && !of.is->member.empty();
        if (of.function == 0 || of.is->member.empty()) return result;
        result.block = modules_.class_of_function(of.function);
        if (result.block.addr == nullptr) return result;
        result.bytes = types_.size_of(result.block);
        result.object = type_layouts::argument(result.block, 0);
        if (of.is->of_pointer) result.object = type_layouts::pointee(result.object);
        if (const auto offset = types_.offset_of(result.block, of.is->member.c_str())) {
            result.offset = *offset;
            result.has_offset = true;
        }
        return result;
    }

    /// Returns the chunk that malloc gave for the block alone, or -1. A pool may begin with the
    /// block.
    std::int64_t own_chunk(const owned_block& block) {
        const std::int64_t chunk = heap_.chunk_from(block.address);
        if (chunk < 0) return -1;
        const std::uint64_t bytes = facts_of(block.kind).bytes;
        if (bytes == 0) return kinds_.all[block.kind].is->function.empty() ? chunk : -1;
        return heap_.is_for(chunk, bytes) ? chunk : -1;
    }

    void assign_chunks() {
        result_.node_of_chunk.assign(heap_.chunks.size(), no_number);
        for (std::size_t i = 0; i != result_.blocks.size(); ++i) {
            owned_block& block = result_.blocks[i];
            const auto node = static_cast<std::uint32_t>(i);
            const std::int64_t chunk = own_chunk(block);
            const kind_facts& facts = facts_of(block.kind);
            if (chunk >= 0) {
                result_.node_of_chunk[static_cast<std::size_t>(chunk)] = node;
                block.bytes = size_of_chunk(chunk);
            } else {
                block.bytes = facts.bytes;
                if (facts.bytes != 0)
                    result_.pieces.push_back({block.address, block.address + facts.bytes, node});
            }
        }
        for (std::size_t i = 0; i != result_.blocks.size(); ++i) {
            owned_block& block = result_.blocks[i];
            const kind_facts& facts = facts_of(block.kind);
            const block_kind& kind = kinds_.all[block.kind];
            if (!facts.has_offset) continue;
            block.object = block.address + facts.offset;
            if (!kind.is->by_pointer) continue;
            block.object = image_.word(block.object).value_or(0);
            const std::int64_t chunk = heap_.chunk_from(block.object);
            const std::uint64_t bytes = types_.size_of(facts.object);
            if (bytes == 0 || !heap_.is_for(chunk, bytes) || !kind.is->owns_object ||
                result_.node_of_chunk[static_cast<std::size_t>(chunk)] != no_number)
                continue;
            result_.node_of_chunk[static_cast<std::size_t>(chunk)] = static_cast<std::uint32_t>(i);
            block.bytes += size_of_chunk(chunk);
        }
    }

    [[nodiscard]] std::uint64_t size_of_chunk(std::int64_t chunk) const {
        const heap_chunk& found = heap_.chunks[static_cast<std::size_t>(chunk)];
        return found.end - found.begin;
    }

    void walk_types() {
        // A chunk that two objects seem to have alone belongs to none of them.
        constexpr std::uint32_t nobody = no_number - 1;
        std::unordered_map<std::int64_t, std::uint32_t> claims;
        object_content content;
        std::size_t without_types = 0;
        std::size_t in_part = 0;
        for (std::size_t i = 0; i != result_.blocks.size(); ++i) {
            const owned_block& block = result_.blocks[i];
            const kind_facts& facts = facts_of(block.kind);
            const block_kind& kind = kinds_.all[block.kind];
            if (facts.object.addr == nullptr || block.object == 0 || !facts.has_offset) {
                ++without_types;
                continue;
            }
            if (kind.is->by_pointer && !kind.is->owns_object) continue;
            content = {};
            types_.add_content(facts.object, kind.type, block.object, content);
            for (const auto& each : content.handles)
                certain_.push_back({each.word, each.way, each.is_weak});
            for (const std::uint64_t address : content.chunks) {
                const std::int64_t chunk = heap_.chunk_from(address);
                if (chunk < 0) continue;
                const auto [claim, is_new] = claims.emplace(chunk, static_cast<std::uint32_t>(i));
                if (!is_new) claim->second = nobody;
            }
            no_handles_.insert(no_handles_.end(), content.no_handles.begin(),
                               content.no_handles.end());
            if (!content.is_whole) ++in_part;
        }
        if (without_types != 0)
            result_.incomplete.push_back(fmt::format(
                "{} objects have no debug information (-g), so handles in them cannot be told from "
                "words that are left over, and leaks of them may be missing",
                without_types));
        if (in_part != 0)
            result_.incomplete.push_back(
                fmt::format("{} objects have members that are not understood, such as "
                            "std::variant or std::any, so leaks of what these hold may be missing",
                            in_part));
        for (const auto& [chunk, node] : claims) {
            std::uint32_t& owner = result_.node_of_chunk[static_cast<std::size_t>(chunk)];
            if (node != nobody && owner == no_number) owner = node;
        }
        auto next = static_cast<std::uint32_t>(result_.blocks.size());
        for (std::uint32_t& each : result_.node_of_chunk)
            if (each == no_number) each = next++;
        result_.is_live.assign(next, 0);
        const auto by_address = [](const auto& a, const auto& b) { return a.address < b.address; };
        std::sort(certain_.begin(), certain_.end(), by_address);
        std::sort(no_handles_.begin(), no_handles_.end(),
                  [](const auto& a, const auto& b) { return a.begin < b.begin; });
    }

    [[nodiscard]] std::uint32_t node_at(std::uint64_t address) const {
        if (const auto* const piece = range_around(address, result_.pieces)) return piece->node;
        const std::int64_t chunk = heap_.chunk_at(address);
        return chunk < 0 ? no_number : result_.node_of_chunk[static_cast<std::size_t>(chunk)];
    }

    [[nodiscard]] bool is_left_over(std::uint64_t address) const {
        return range_around(address, no_handles_) != nullptr;
    }

    /// Says of each word what it means, and sorts the words by block.
    void assign_words() {
        std::erase_if(found_,
                      [this](const found_word& each) { return is_left_over(each.address); });
        result_.words_of.assign(result_.blocks.size() + 1, 0);
        for (const found_word& each : found_) ++result_.words_of[each.block + 1];
        std::partial_sum(result_.words_of.begin(), result_.words_of.end(),
                         result_.words_of.begin());
        std::vector<std::size_t> next(result_.words_of.begin(), result_.words_of.end() - 1);
        result_.certain_owners.assign(result_.blocks.size(), 0);
        result_.words.resize(found_.size());
        // Words come in the order of their addresses, but for those of several kinds of memory.
        auto certain = certain_.cbegin();
        std::uint64_t before = 0;
        for (const found_word& each : found_) {
            handle_word& word = result_.words[next[each.block]++];
            word.address = each.address;
            word.block = each.block;
            word.node = each.address >= register_addresses ? no_number : node_at(each.address);
            if (each.address < before) certain = certain_.cbegin();
            before = each.address;
            while (certain != certain_.cend() && certain->address < each.address) ++certain;
            if (!each.is_exact || certain == certain_.cend() || certain->address != each.address)
                continue;
            word.meaning = certain->is_weak ? word_meaning::weak : word_meaning::owner;
            word.way = certain->way;
            if (!certain->is_weak) ++result_.certain_owners[each.block];
        }
        found_ = {};
        certain_ = {};
    }

    void number_lists() {
        const std::size_t nodes = result_.nodes();
        result_.first_chunk.assign(nodes + 1, 0);
        result_.node_chunks.resize(heap_.chunks.size());
        for (const std::uint32_t each : result_.node_of_chunk) ++result_.first_chunk[each + 1];
        std::partial_sum(result_.first_chunk.begin(), result_.first_chunk.end(),
                         result_.first_chunk.begin());
        std::vector<std::size_t> next(result_.first_chunk.begin(), result_.first_chunk.end() - 1);
        for (std::size_t i = 0; i != heap_.chunks.size(); ++i)
            result_.node_chunks[next[result_.node_of_chunk[i]]++] = static_cast<std::uint32_t>(i);

        result_.first_word.assign(nodes + 1, 0);
        for (const handle_word& each : result_.words)
            if (each.node != no_number) ++result_.first_word[each.node + 1];
        std::partial_sum(result_.first_word.begin(), result_.first_word.end(),
                         result_.first_word.begin());
        next.assign(result_.first_word.begin(), result_.first_word.end() - 1);
        result_.node_words.resize(result_.first_word.back());
        for (std::size_t i = 0; i != result_.words.size(); ++i)
            if (result_.words[i].node != no_number)
                result_.node_words[next[result_.words[i].node]++] = static_cast<std::uint32_t>(i);

        result_.retained_alone.assign(nodes, 0);
        for (std::size_t i = 0; i != heap_.chunks.size(); ++i)
            result_.retained_alone[result_.node_of_chunk[i]] +=
                size_of_chunk(static_cast<std::int64_t>(i));
        for (const auto& each : result_.pieces)
            result_.retained_alone[each.node] += each.end - each.begin;
    }

    struct tally {
        std::uint32_t owners_dead = 0;
        std::uint32_t owners_live = 0;
        std::uint32_t unknown_dead = 0;
        std::uint32_t unknown_live = 0;
    };

    [[nodiscard]] bool must_live(std::size_t block) const {
        const tally& words = tallies_[block];
        const std::uint64_t owners = result_.blocks[block].owners;
        if (words.owners_live > 0) return true;
        if (words.owners_dead == owners) return false;
        // More certain owners than are counted: the block is being changed, or a type is wrong.
        if (words.owners_dead > owners) return true;
        return words.unknown_live > 0;
    }

    void make_live(std::uint32_t node) {
        if (result_.is_live[node] != 0) return;
        result_.is_live[node] = 1;
        if (node >= result_.blocks.size()) --dead_chunks_;
        open_.push_back(node);
    }

    void settle() {
        // First without words on stacks, where others suffice for a count, to tell what they
        // decide.
        std::vector<std::uint8_t> without_stacks;
        if (has_words_on_stacks()) {
            mark(true);
            without_stacks = result_.is_live;
        }
        mark(false);
        std::size_t doubtful = 0;
        result_.fates.assign(result_.blocks.size(), fate::reachable);
        for (std::size_t i = 0; i != result_.blocks.size(); ++i) {
            if (result_.is_live[i] != 0) {
                if (!without_stacks.empty() && without_stacks[i] == 0) ++doubtful;
                continue;
            }
            const tally& words = tallies_[i];
            const bool has_all = words.owners_dead + words.unknown_dead >= result_.blocks[i].owners;
            result_.fates[i] = has_all ? fate::leaked : fate::lost;
        }
        if (doubtful != 0)
            result_.incomplete.push_back(fmt::format(
                "{} objects count as reachable only because of words on stacks or in registers, "
                "which may be left over there; debug information (-g) tells more of them",
                doubtful));
    }

    [[nodiscard]] bool has_words_on_stacks() const {
        return std::any_of(result_.words.begin(), result_.words.end(), [this](const auto& each) {
            return each.node == no_number && each.meaning == word_meaning::unknown &&
                   is_on_stack(each.address);
        });
    }

    /// Finds out which nodes are live.
    void mark(bool without_stacks) {
        std::fill(result_.is_live.begin(), result_.is_live.end(), std::uint8_t{0});
        dead_chunks_ = result_.nodes() - result_.blocks.size();
        std::vector<std::uint32_t> elsewhere(result_.blocks.size(), 0);
        if (without_stacks)
            for (const handle_word& each : result_.words)
                if (each.meaning == word_meaning::unknown && !is_on_stack(each.address))
                    ++elsewhere[each.block];
        tallies_.assign(result_.blocks.size(), {});
        for (const handle_word& each : result_.words) {
            tally& words = tallies_[each.block];
            const bool is_dead = each.node != no_number;
            if (each.meaning == word_meaning::owner) {
                ++(is_dead ? words.owners_dead : words.owners_live);
            } else if (each.meaning == word_meaning::unknown) {
                if (without_stacks && is_on_stack(each.address) &&
                    result_.certain_owners[each.block] + elsewhere[each.block] >=
                        result_.blocks[each.block].owners)
                    continue;
                ++(is_dead ? words.unknown_dead : words.unknown_live);
            }
        }
        for_each_root_word([this, without_stacks](std::uint64_t address, std::uint64_t word) {
            if (range_around(address, result_.pieces) != nullptr ||
                (without_stacks && is_on_stack(address)))
                return;
            const std::int64_t chunk = heap_.chunk_at(word & address_bits);
            if (chunk < 0) return;
            const std::uint32_t node = result_.node_of_chunk[static_cast<std::size_t>(chunk)];
            if (node >= result_.blocks.size()) make_live(node);
        });
        for (std::size_t i = 0; i != result_.blocks.size(); ++i)
            if (must_live(i)) make_live(static_cast<std::uint32_t>(i));
        do spread();
        while (keep_what_nothing_leads_to());
    }

    /// Memory of the heap that belongs to no block, and to which nothing that leaks leads, may be
    /// held by the system, as by epoll. It counts as live. Returns whether there was any.
    bool keep_what_nothing_leads_to() {
        const std::size_t blocks = result_.blocks.size();
        std::vector<std::uint8_t> is_led_to(result_.nodes(), 0);
        std::vector<std::uint32_t> open;
        for (std::uint32_t i = 0; i != blocks; ++i)
            if (result_.is_live[i] == 0) open.push_back(i);
        while (!open.empty()) {
            const std::uint32_t node = open.back();
            open.pop_back();
            for (const std::uint32_t each : result_.nodes_held_by(node))
                if (result_.is_live[each] == 0 && is_led_to[each] == 0) {
                    is_led_to[each] = 1;
                    open.push_back(each);
                }
        }
        for (std::size_t i = blocks; i != result_.nodes(); ++i)
            if (is_led_to[i] == 0) make_live(static_cast<std::uint32_t>(i));
        return !open_.empty();
    }

    void spread() {
        while (!open_.empty()) {
            const std::uint32_t node = open_.back();
            open_.pop_back();
            for (std::size_t i = result_.first_word[node]; i != result_.first_word[node + 1]; ++i) {
                const handle_word& word = result_.words[result_.node_words[i]];
                tally& words = tallies_[word.block];
                if (word.meaning == word_meaning::owner) {
                    --words.owners_dead;
                    ++words.owners_live;
                } else if (word.meaning == word_meaning::unknown) {
                    --words.unknown_dead;
                    ++words.unknown_live;
                }
                if (must_live(word.block)) make_live(word.block);
            }
            if (dead_chunks_ != 0)
                for (const std::uint32_t each : result_.nodes_held_by(node)) make_live(each);
        }
    }

    [[nodiscard]] bool is_on_stack(std::uint64_t address) const {
        if (address >= register_addresses) return true;
        return std::any_of(stacks_.begin(), stacks_.end(), [address](const memory_range& each) {
            return each.begin <= address && address < each.end;
        });
    }

    const memory_image& image_;
    const glibc_heap& heap_;
    const block_kinds& kinds_;
    const program_modules& modules_;
    type_layouts& types_;
    owner_graph result_;
    std::vector<memory_range> stacks_;
    std::vector<found_word> found_;
    std::unordered_map<std::uint32_t, kind_facts> facts_;
    std::vector<certain_word> certain_;
    std::vector<memory_range> no_handles_;
    std::vector<tally> tallies_;
    std::vector<std::uint32_t> open_;
    std::size_t dead_chunks_ = 0;  // that belong to no block
};

}  // namespace

owner_graph::held owner_graph::held_by_node(std::uint32_t node) const {
    return {{node_words.begin() + static_cast<std::ptrdiff_t>(first_word[node]),
             node_words.begin() + static_cast<std::ptrdiff_t>(first_word[node + 1])},
            nodes_held_by(node)};
}

std::vector<std::uint32_t> owner_graph::nodes_held_by(std::uint32_t node) const {
    std::vector<std::uint32_t> result;
    const auto look_at = [this, node, &result](std::uint64_t address, std::uint64_t word) {
        const std::int64_t chunk = heap->chunk_at(word & address_bits);
        if (chunk < 0) return;
        const std::uint32_t found = node_of_chunk[static_cast<std::size_t>(chunk)];
        if (found < blocks.size() || found == node) return;
        const piece* const around = range_around(address, pieces);
        if (around != nullptr && around->node != node) return;
        result.push_back(found);
    };
    for (std::size_t i = first_chunk[node]; i != first_chunk[node + 1]; ++i) {
        const heap_chunk& chunk = heap->chunks[node_chunks[i]];
        for_each_word(*image, {chunk.begin, chunk.end}, look_at);
    }
    if (node < blocks.size() && !pieces.empty()) {
        const auto own = std::lower_bound(
            pieces.begin(), pieces.end(), blocks[node].address,
            [](const piece& each, std::uint64_t value) { return each.begin < value; });
        if (own != pieces.end() && own->node == node)
            for_each_word(*image, {own->begin, own->end}, look_at);
    }
    return result;
}

bool owner_graph::is_owner(const handle_word& word) const {
    if (word.meaning != word_meaning::unknown) return word.meaning == word_meaning::owner;
    return certain_owners[word.block] < blocks[word.block].owners;
}

owner_graph find_owners(const memory_image& image, const glibc_heap& heap, const block_kinds& kinds,
                        const program_modules& modules, type_layouts& types) {
    return graph_builder(image, heap, kinds, modules, types).build();
}

}  // namespace freehold
