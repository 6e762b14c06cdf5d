// SPDX-License-Identifier: BSL-1.0
// The handles and their functions that count owners. They are described in known_handles.json, and
// in files of the user in the same format. docs/handles.md describes the format.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace freehold {

class handles_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct count_function {
    std::string function;  // its name by `without_arguments`; a leading * matches any text
    bool lock = false;     // it makes an owner from a weak handle
    bool weak = false;
    bool make = false;
    bool unique = false;     // it may release the last owner by a store
    bool plain = false;      // it may count without a locked instruction
    bool by_caller = false;  // it counts only if a function that calls it counts
};

struct known_handle {
    std::string name;
    std::vector<std::string> library;   // prefixes of the names of its own code
    std::vector<std::string> pointee;   // templates whose first argument is the pointee
    std::vector<std::string> itself;    // classes that share their content; they are the type
    std::vector<std::string> dispatch;  // functions that count plainly in a process of one thread
    std::vector<std::string> apart;     // constructors of separately allocated counts
    std::vector<count_function> counts;
    bool weak_by_address = false;    // the weak count is 4 bytes after the strong one
    bool strong_by_address = false;  // the strong count is 4 bytes after the weak one
    bool last_is_minus = false;      // the count is the number of owners minus one
};

/// Returns the built-in handles, followed by those of `more` if it is not empty. Throws
/// handles_error.
std::vector<known_handle> known_handles(const std::filesystem::path& more = {});

/// `std::shared_ptr<int>::reset<T>` becomes `std::shared_ptr::reset`.
std::string without_arguments(std::string_view name);

/// Returns the first argument of the template `of`, if the name is in this template. Otherwise it
/// returns an empty text. It removes qualifiers and the pointer of `T*`.
std::string template_argument(std::string_view name, std::string_view of);

/// Returns `QList<int>` for `QList<int>::append` and the class `QList`. If the name is not in the
/// class, it returns an empty text.
std::string class_of(std::string_view name, std::string_view of);

/// Returns the qualified name of a demangled function, without return type, parameters and
/// qualifiers.
std::string without_parameters(std::string_view demangled);

/// Returns whether the pattern matches the name. A leading * matches any text.
bool matches(std::string_view name, std::string_view pattern);

}  // namespace freehold
