// SPDX-License-Identifier: BSL-1.0
// Classifies an instruction by the names of the functions around it.
#pragma once

#include "code/code_map.hpp"
#include "code/known_handles.hpp"

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace freehold {

/// The functions around an instruction, the innermost first. The pointers do not own.
using function_chain = std::vector<const code_function*>;

struct classified {
    const known_handle* handle = nullptr;
    const count_kind* kind = nullptr;
    const count_function* function = nullptr;
    std::string pointee;       // empty if no function names it
    std::size_t typed_by = 0;  // the index of the function that names it
    bool apart = false;        // it allocates the counts separately from the object
    bool needed = false;       // its copy cannot be left out
    bool has_deleter = false;  // it makes an object that more than `delete` ends
    // The index of the function that gets the object for which it allocates counts.
    std::optional<std::size_t> takes_object;
    // What merged functions name in place of the pointee. Empty if there are none.
    std::set<std::string> pointees_of_merged;
    std::size_t user_frame = 0;  // the first that is not passed over, or the chain's size
    unsigned flags = 0;          // site_flags
};

class classifier {
public:
    explicit classifier(std::vector<known_handle> handles);

    /// Looks at the functions up to the first one of the user. Returns none if they count no
    /// owners. If the chain ends before that, the result may be a function with `by_caller`.
    [[nodiscard]] std::optional<classified> classify(const function_chain& chain);

    /// Returns whether the function belongs to a handle's library.
    [[nodiscard]] bool is_library(const code_function& function);

    /// Returns whether the function belongs to the library or the compiler. Its line does not show
    /// which code copies.
    [[nodiscard]] bool is_passed_over(const code_function& function);

    /// Returns whether the function belongs to a handle or its counts, and names the pointee.
    [[nodiscard]] bool names_pointee(const code_function& function);

    /// Returns whether only the library makes handles of the type.
    [[nodiscard]] bool is_hidden(const std::string& pointee) const;

    /// Returns whether a function inside the user's first function names the pointee.
    [[nodiscard]] bool says_type(const function_chain& chain);

    /// Returns the kinds that have a word. The upper bits of the flags are a position in this list,
    /// from 1 on.
    [[nodiscard]] const std::vector<const count_kind*>& words() const { return words_; }

private:
    struct known_name {
        bool library = false;
        const known_handle* handle = nullptr;
        const count_kind* kind = nullptr;
        const count_function* function = nullptr;
        bool dispatch = false;
        bool apart = false;
        bool needed = false;
        bool has_deleter = false;
        bool takes_object = false;
        std::string pointee;
        const known_handle* pointee_of = nullptr;
    };
    const known_name& look_up(const std::string& function);
    void add_pointees(const code_function& merged, std::set<std::string>& to);

    [[nodiscard]] unsigned flags_of(const classified& found, bool is_innermost) const;

    std::vector<known_handle> handles_;
    std::vector<const count_kind*> words_;
    std::unordered_map<std::string, known_name> names_;
};

}  // namespace freehold
