// SPDX-License-Identifier: BSL-1.0
// The output of clang-tidy and the plug-in as data, and as formats for code review tools.
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace freehold {

struct finding_note {
    std::string file;
    int line = 0;
    int column = 0;
    std::string message;
};

/// A check of the plug-in.
struct check_rule {
    const char* name;
    const char* description;
};
inline constexpr check_rule zeroing_rule{"freehold-hidden-zeroing",
                                         "Memory is zeroed and then overwritten before it is read"};
inline constexpr check_rule ring_rule{"freehold-owns-itself",
                                      "An object keeps a callback that owns the object"};

struct finding {
    std::string check;  // for example `freehold-hidden-zeroing`
    std::string file;
    int line = 0;
    int column = 0;
    std::string message;
    std::string construct;    // for example `std::make_unique<char[]>(n)`; "" if nothing is zeroed
    std::uint64_t bytes = 0;  // 0 if the size is known only at run time
    std::string amount;       // in the words of the plug-in
    std::string text;         // the whole output of clang-tidy for this finding
    std::vector<finding_note> notes;
    std::uint64_t uses = 0;  // of the macro that has the code; 0 if no macro has it
};

/// A finding that an entry of the option FillFunctions would add.
struct promised_finding {
    std::string entry;  // `name:buffer:size:how`
    std::string place;  // `file:line:column`
};

/// An entry of the option FillFunctions that would add findings.
struct filler_proposal {
    std::string name;
    std::string how;
    std::string entry;
    std::vector<std::string> places;  // of the findings
};

/// A .clang-tidy that clang-tidy cannot read. It then goes on without the whole file.
struct unread_configuration {
    std::string file;
    int line = 0;
    std::string reason;  // for example `unknown key 'Foo'`
    auto operator<=>(const unread_configuration&) const = default;
};

struct tidy_output {
    std::vector<finding> findings;
    std::vector<promised_finding> promised;
    std::string fill_functions;        // what the option has, if something is promised
    std::vector<std::string> errors;   // one line each: code that clang could not compile
    std::vector<std::string> gave_up;  // one line each: what took too long
    std::vector<unread_configuration> unread;
    bool has_foreign_flags = false;  // flags that only another compiler knows, which clang skips
};

/// Adds the uses of a macro that another file found.
void add_uses(finding& to, const finding& other);

/// Relative names of files become those of files in the first of the folders that has them.
tidy_output parse_tidy_output(std::string_view output,
                              const std::vector<std::filesystem::path>& folders);

/// SARIF 2.1.0.
std::string as_sarif(const std::vector<finding>& findings);
std::string as_json(const std::vector<finding>& findings,
                    const std::vector<filler_proposal>& proposals,
                    const std::vector<std::string>& errors);

}  // namespace freehold
