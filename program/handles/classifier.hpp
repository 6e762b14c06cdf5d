// SPDX-License-Identifier: BSL-1.0
// What the names of the functions around an instruction say of it.
#pragma once

#include "handles/code_map.hpp"
#include "handles/known_handles.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace freehold {

/// Views of a chain of functions, the innermost first.
using function_chain = std::vector<const code_function*>;

struct classified {
    const known_handle* handle = nullptr;
    const count_kind* kind = nullptr;
    const count_function* function = nullptr;
    std::string pointee;         // empty if no function says it
    bool apart = false;          // what it makes has its counts apart from the object
    std::size_t user_frame = 0;  // the first that is not passed over; the size if all are
    unsigned flags = 0;          // site_flags
};

class classifier {
public:
    explicit classifier(std::vector<known_handle> handles);

    /// None if the innermost functions, as far as the first of the user's, count no owners. The
    /// function is one that counts by its caller if the chain ends before one is found.
    [[nodiscard]] std::optional<classified> classify(const function_chain& chain);

    /// It is the library's or the compiler's: its line says nothing of who copies.
    [[nodiscard]] bool is_passed_over(const code_function& function);

    /// Whether the function is of a handle or its counts, and names the pointee.
    [[nodiscard]] bool names_pointee(const code_function& function);

    /// Whether a function inside the first of the user's names the pointee.
    [[nodiscard]] bool says_type(const function_chain& chain);

    /// The kinds with a word of their own. The flags say which by its place, from 1 on.
    [[nodiscard]] const std::vector<const count_kind*>& words() const { return words_; }

private:
    struct known_name {
        bool library = false;
        const known_handle* handle = nullptr;
        const count_kind* kind = nullptr;
        const count_function* function = nullptr;
        bool dispatch = false;
        bool apart = false;
        std::string pointee;
        const known_handle* pointee_of = nullptr;
    };
    const known_name& look_up(const std::string& function);

    [[nodiscard]] unsigned flags_of(const classified& found, bool is_innermost) const;

    std::vector<known_handle> handles_;
    std::vector<const count_kind*> words_;
    std::unordered_map<std::string, known_name> names_;
};

}  // namespace freehold
