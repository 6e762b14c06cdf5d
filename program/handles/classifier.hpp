// SPDX-License-Identifier: BSL-1.0
// What the names of the functions around an instruction say of it.
#pragma once

#include "handles/known_handles.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace freehold {

/// Views of a chain of functions, the innermost first.
using function_chain = std::vector<const std::string*>;

struct classified {
    const known_handle* handle = nullptr;
    const count_function* function = nullptr;
    std::string pointee;         // empty if no function says it
    bool apart = false;          // what it makes has its counts apart from the object
    std::size_t user_frame = 0;  // of the first function outside the library; the size if none is
    unsigned flags = 0;          // site_flags
};

class classifier {
public:
    explicit classifier(std::vector<known_handle> handles);

    /// None if the innermost functions, as far as the first of the user's, count no owners.
    [[nodiscard]] std::optional<classified> classify(const function_chain& chain);

    [[nodiscard]] bool is_library(const std::string& function);

private:
    struct known_name {
        bool library = false;
        const known_handle* handle = nullptr;
        const count_function* function = nullptr;
        bool dispatch = false;
        bool apart = false;
        std::string pointee;
    };
    const known_name& look_up(const std::string& function);

    std::vector<known_handle> handles_;
    std::unordered_map<std::string, known_name> names_;
};

}  // namespace freehold
