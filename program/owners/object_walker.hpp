// SPDX-License-Identifier: BSL-1.0
// Where handles are in an object: in members, and in what its standard containers and std::function
// keep.
#pragma once

#include "owners/block_kinds.hpp"
#include "owners/glibc_heap.hpp"
#include "owners/memory_image.hpp"
#include "owners/modules.hpp"
#include "owners/owners_report.hpp"
#include "owners/type_layouts.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <elfutils/libdw.h>

namespace freehold {

/// What is found in one object.
struct object_content {
    bool wants_ways = false;      // otherwise the ways of handles stay no_number
    std::uint64_t only_word = 0;  // if it is set, other handles are left out

    struct handle {
        std::uint64_t word;  // the address of the word that points to the block
        bool is_weak;
        std::uint32_t way;  // in object_walker::ways, or no_number
        const type_layout* type;
    };
    std::vector<handle> handles;
    /// If it is set, handles are given to it, and not added to `handles`.
    const std::function<void(const handle&)>* use_handle = nullptr;
    struct pointer {
        std::uint64_t to;
        Dwarf_Die type;
    };
    std::vector<pointer> pointers;         // to classes, if the layouts have such
    std::vector<std::uint64_t> chunks;     // that belong to the object alone
    std::vector<memory_range> no_handles;  // memory whose values are left over
    bool is_whole = true;                  // false if something may hold handles and is not known
    /// If they are set, chunks and pointers are given to them, and not added. Then `no_handles`
    /// stays empty.
    const std::function<void(std::uint64_t)>* use_chunk = nullptr;
    const std::function<void(const pointer&)>* use_pointer = nullptr;
    std::size_t given_chunks = 0;

    void add_chunk(std::uint64_t address) {
        if (use_chunk == nullptr) return chunks.push_back(address);
        ++given_chunks;
        (*use_chunk)(address);
    }
    void add_pointer(const pointer& found) {
        if (use_pointer != nullptr)
            (*use_pointer)(found);
        else
            pointers.push_back(found);
    }
    void add_no_handles(const memory_range& range) {
        if (use_chunk == nullptr) no_handles.push_back(range);
    }
    /// Returns the way to a handle, or no_number. The handles must be sorted by their words.
    [[nodiscard]] std::uint32_t way_of(std::uint64_t word) const;
};

class object_walker {
public:
    /// All arguments must outlive this object.
    object_walker(const memory_image& image, const glibc_heap& heap, const program_modules& modules,
                  type_layouts& types)
        : image_(image), heap_(heap), modules_(modules), types_(types) {}

    /// Adds what the object of this type at this address holds. `name` is the type's, for the ways.
    void add_content(Dwarf_Die type, const std::string& name, std::uint64_t address,
                     object_content& result);
    /// The same for an object of a block, or for the elements of its array.
    void add_content_of(const block_kind& kind, Dwarf_Die type, std::uint64_t block,
                        std::uint64_t object, object_content& result);
    [[nodiscard]] const std::vector<held_by>& ways() const { return ways_; }
    /// Returns the number of a way in `ways`, to which it is added if it is new.
    std::uint32_t number_of(const held_by& way);

private:
    struct step;

    /// The word of this index in the words that begin at an address.
    [[nodiscard]] std::uint64_t word_of(std::uint64_t address, std::uint64_t index) const {
        return image_.word_or_zero(address + index * bytes_of_word);
    }

    void walk(const type_layout* type, std::uint64_t address, const step& way,
              object_content& result);
    void walk_record(const type_layout* type, std::uint64_t address, const step& way,
                     object_content& result);
    void walk_vector(const type_layout* type, std::uint64_t address, const step& way,
                     object_content& result);
    void walk_list(const type_layout* type, std::uint64_t address, const step& way,
                   object_content& result);
    void walk_tree(const type_layout* type, std::uint64_t address, const step& way,
                   object_content& result);
    void walk_hash(const type_layout* type, std::uint64_t address, const step& way,
                   object_content& result);
    void walk_deque(const type_layout* type, std::uint64_t address, const step& way,
                    object_content& result);
    void walk_second_deque(const type_layout* type, std::uint64_t address, const step& way,
                           object_content& result);
    void walk_variant(const type_layout* type, std::uint64_t address, const step& way,
                      object_content& result);
    void walk_any(std::uint64_t address, std::uint64_t size, const step& way,
                  object_content& result);
    void walk_function(std::uint64_t address, const step& way, object_content& result);
    void walk_function_object(std::uint64_t address, const step& way, object_content& result);
    void walk_closure(Dwarf_Die closure, const type_layout* type, std::uint64_t address,
                      const step& way, object_content& result);
    void walk_unique(const type_layout* type, std::uint64_t address, const step& way,
                     object_content& result);
    void walk_unique_array(const type_layout* type, std::uint64_t address, const step& way,
                           object_content& result);
    [[nodiscard]] std::optional<std::uint64_t> nodes_from(std::uint64_t node, std::uint64_t end,
                                                          std::uint64_t most) const;
    void add_element(const type_layout* type, std::uint64_t node, std::uint64_t offset,
                     const step& way, object_content& result);
    void add_chunk(std::uint64_t address, std::uint64_t bytes, object_content& result) const;
    std::uint32_t way_of(const step& last, const object_content& result);

    const memory_image& image_;
    const glibc_heap& heap_;
    const program_modules& modules_;
    type_layouts& types_;
    std::uint32_t* known_number_of(const step& last);
    std::uint32_t number_of_step(const step& last);
    std::uint32_t number_of_first_step(const std::string& type);

    std::map<held_by, std::uint32_t> way_numbers_;
    std::vector<held_by> ways_;
    // The numbers of ways without closures by their steps: a step has the number of the one before.
    struct step_key {
        std::uint32_t before = no_number;
        const type_layout::member* through = nullptr;
        bool in_container = false;

        bool operator==(const step_key&) const = default;
    };
    struct hash_of_step {
        std::size_t operator()(const step_key& key) const {
            constexpr std::size_t any_odd = 0x9e37'79b9'7f4a'7c15;
            const auto through = reinterpret_cast<std::uintptr_t>(key.through);
            return (through + key.before * std::size_t{2} + (key.in_container ? 1 : 0)) * any_odd;
        }
    };
    std::unordered_map<std::string, std::uint32_t> first_steps_;  // by the object's type
    std::unordered_map<step_key, std::uint32_t, hash_of_step> steps_;
    std::vector<std::uint32_t> ways_of_steps_;     // by each step: the way's number, or no_number
    std::map<std::uint64_t, Dwarf_Die> closures_;  // by the function that manages them
    struct kept_value {
        Dwarf_Die type{};
        bool is_apart = false;  // in a chunk of its own
    };
    std::map<std::uint64_t, kept_value> kept_by_any_;  // by the function that manages it
};

}  // namespace freehold
