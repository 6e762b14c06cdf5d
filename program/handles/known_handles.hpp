// SPDX-License-Identifier: BSL-1.0
// Which functions of which handles count owners: known_handles.json, and files of the user's in the
// same form. docs/handles.md describes the form.
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
    std::string function;  // as `without_arguments` of its name; a * in front stands for any text
    bool lock = false;     // a weak handle becomes an owner
    bool weak = false;
    bool make = false;
    bool unique = false;     // it may release the last owner by a store
    bool plain = false;      // it may count without a locked instruction
    bool by_caller = false;  // it counts only if one that calls it counts
};

struct known_handle {
    std::string name;
    std::vector<std::string> library;   // how names of its own code begin
    std::vector<std::string> pointee;   // templates whose first argument is the pointee
    std::vector<std::string> itself;    // classes that are shared as values: they are the type
    std::vector<std::string> dispatch;  // functions that count plainly in a process of one thread
    std::vector<std::string> apart;     // constructors of counts that are apart from their object
    std::vector<count_function> counts;
    bool weak_by_address = false;    // the weak count follows the strong one, 4 bytes behind
    bool strong_by_address = false;  // the strong count follows the weak one likewise
    bool last_is_minus = false;      // the count is one less than there are owners
};

/// The built-in ones; behind them those of `more`, if it is not empty. Throws handles_error.
std::vector<known_handle> known_handles(const std::filesystem::path& more = {});

/// `std::shared_ptr<int>::reset<T>` becomes `std::shared_ptr::reset`.
std::string without_arguments(std::string_view name);

/// The first argument of the template `of` if the name lies in it, else an empty text. Qualifiers
/// and the pointer of `T*` are taken off.
std::string template_argument(std::string_view name, std::string_view of);

/// `QList<int>` of `QList<int>::append` and the class `QList`; else an empty text.
std::string class_of(std::string_view name, std::string_view of);

/// The qualified name of a demangled function, without return type, parameters and qualifiers.
std::string without_parameters(std::string_view demangled);

/// A * in front of the pattern stands for any text.
bool matches(std::string_view name, std::string_view pattern);

}  // namespace freehold
