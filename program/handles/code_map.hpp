// SPDX-License-Identifier: BSL-1.0
// The code of one executable or shared object: which functions each address belongs to, by its
// debug information (in the file or apart from it) and, where there is none, by its symbols.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace freehold {

struct code_function {
    std::string name;       // qualified, with template arguments, without parameters
    bool implicit = false;  // the compiler wrote it: it copies, moves or destroys members
};

/// A function, and the place in it.
struct code_frame {
    code_function function;
    std::string file;  // empty if unknown
    int line = 0;
};

class code_map {
public:
    /// A range of addresses with the same functions around them.
    struct range {
        std::uint64_t low;
        std::uint64_t high;
        std::int32_t place;
    };

    /// A file that cannot be read has no code.
    explicit code_map(const std::filesystem::path& file);
    code_map(const code_map&) = delete;
    code_map& operator=(const code_map&) = delete;
    ~code_map();

    [[nodiscard]] bool has_debug_information() const;
    /// The address of a variable that the file itself defines; 0 if it defines none.
    [[nodiscard]] std::uint64_t address_of(const char* variable) const;
    /// The address at which a byte of the file is loaded; 0 if it is not.
    [[nodiscard]] std::uint64_t address_at(std::uint64_t file_offset) const;
    /// From the first to the last address of code.
    [[nodiscard]] range text() const;
    /// Sorted; they do not overlap.
    [[nodiscard]] const std::vector<range>& ranges() const;

    /// The functions around a place, the innermost first.
    [[nodiscard]] std::vector<const code_function*> functions(std::int32_t place) const;
    /// The frames at an address, the innermost first; none if nothing is known.
    [[nodiscard]] std::vector<code_frame> frames(std::uint64_t address) const;

    /// The frames of functions that ended by a jump in place of a call, and so left no frame: those
    /// between the function that the call at `call` names and the one that `reached` lies in. None
    /// unless the debug information leaves one way only.
    [[nodiscard]] std::vector<code_frame> jumped_over(std::uint64_t call,
                                                      std::uint64_t reached) const;

private:
    class impl;
    std::unique_ptr<impl> impl_;
};

}  // namespace freehold
