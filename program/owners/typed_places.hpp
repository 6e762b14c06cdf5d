// SPDX-License-Identifier: BSL-1.0
// Where debug information says that handles are: in the program's variables, in objects whose type
// is known, and in what their plain pointers lead to. A pointer leads to an object, or to an array
// of `new`, if malloc gave memory of its size there.
#pragma once

#include "owners/glibc_heap.hpp"
#include "owners/memory_image.hpp"
#include "owners/modules.hpp"
#include "owners/object_walker.hpp"
#include "owners/stack_frames.hpp"
#include "owners/type_layouts.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace freehold {

class typed_places {
public:
    /// All arguments must outlive this object.
    typed_places(const memory_image& image, const glibc_heap& heap, const program_modules& modules,
                 const type_layouts& types);

    struct users {
        std::function<void(const object_content::handle&)> handle;
        /// An object to which a plain pointer leads, which may be left over. Returns whether to
        /// look at what it holds.
        std::function<bool(Dwarf_Die type, std::uint64_t address)> object;
        std::function<void(std::uint64_t address)> chunk;  // of a container
    };
    /// Global variables, those of threads, and those on stacks. `further` is for what their plain
    /// pointers lead to.
    void look_at_variables(const users& use, const users& further);
    void look_at_object(const block_kind& kind, Dwarf_Die type, std::uint64_t block,
                        std::uint64_t object, const users& use);

private:
    using variable_user = std::function<void(Dwarf_Die type, std::uint64_t address)>;

    void look_at_variables_in(Dwarf_Die scope, std::uint64_t bias, std::uint64_t of_threads,
                              const variable_user& use);
    void look_at_variable(Dwarf_Die& variable, std::uint64_t bias, std::uint64_t of_threads,
                          const variable_user& use);
    [[nodiscard]] object_content content_for(const users& use) const;
    void note_pointer(const object_content::pointer& found);
    void follow_pointers(const users& use);

    const memory_image& image_;
    const glibc_heap& heap_;
    const program_modules& modules_;
    std::unique_ptr<type_layouts> types_;
    object_walker walker_;
    std::unordered_set<std::uint64_t> variables_;  // that were looked at
    std::vector<bool> is_seen_;                    // of each chunk
    /// An object to which a plain pointer leads, or an array, which has its number before it.
    struct open_object {
        std::uint32_t chunk;
        std::uint32_t type : 30;         // in `pointees_`
        std::uint32_t words_before : 2;  // an array's elements
    };
    std::vector<open_object> open_;  // there may be many
    std::vector<Dwarf_Die> pointees_;
    std::unordered_map<void*, std::uint32_t> numbers_;  // of these, by their addresses
    std::function<void(const object_content::pointer&)> use_pointer_;
};

}  // namespace freehold
