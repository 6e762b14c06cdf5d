// SPDX-License-Identifier: BSL-1.0
// The code of one executable or shared object. It maps an address to the functions around it, by
// the debug information in the file or in a separate file, and otherwise by symbols.
#pragma once

#include "code/constructor_access.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace freehold {

struct code_function {
    std::string name;         // qualified, with template arguments, without parameters
    bool implicit = false;    // the compiler generated it to copy, move or destroy members
    bool is_virtual = false;  // false if it is not known
    bool is_copy = false;     // it constructs or assigns a copy of an object of its class
    bool takes_list = false;  // it has a parameter that is a std::initializer_list
    // If the linker or the compiler made one function of several: these, with their parameters. It
    // is also set for what is inlined into them.
    std::vector<std::string> merged = {};
};

class code_map;

/// A function, and a line in it.
struct code_frame {
    code_function function;
    std::string file;  // empty if unknown
    int line = 0;
    const code_map* code = nullptr;  // it does not own
    std::int32_t place = -1;         // of the function in `code`
};

/// The frames of functions that ended with a jump in place of a call.
struct jumped_frames {
    std::vector<code_frame> frames;    // of the only way
    std::vector<code_frame> left_out;  // of several ways, one of which was taken
};

class code_map {
public:
    /// A range of addresses with the same functions around them.
    struct range {
        std::uint64_t low;
        std::uint64_t high;
        std::int32_t place;
    };

    /// If the file cannot be read, the map has no code.
    explicit code_map(const std::filesystem::path& file);
    code_map(const code_map&) = delete;
    code_map& operator=(const code_map&) = delete;
    ~code_map();

    [[nodiscard]] bool has_debug_information() const;
    /// Returns the address of a variable that the file defines, or 0.
    [[nodiscard]] std::uint64_t address_of(const char* variable) const;
    /// Returns the address at which a byte of the file is loaded, or 0 if it is not loaded.
    [[nodiscard]] std::uint64_t address_at(std::uint64_t file_offset) const;
    /// Returns the range from the first to the last address of code.
    [[nodiscard]] range text() const;
    /// Returns the ranges, sorted and without overlap.
    [[nodiscard]] const std::vector<range>& ranges() const;

    /// Returns the functions around a place, the innermost first.
    [[nodiscard]] std::vector<const code_function*> functions(std::int32_t place) const;
    /// Returns the frames at an address, the innermost first, or none if the address is unknown.
    [[nodiscard]] std::vector<code_frame> frames(std::uint64_t address) const;

    /// Says of a function that its line is of no interest.
    using function_test = std::function<bool(const code_function&)>;

    /// Returns the frames of functions that ended with a jump in place of a call, and so left no
    /// frame. These are between the function that the call at `call` calls and the function around
    /// `reached`. Returns no value if there may be several ways between them, and a function of
    /// interest is on one of them. `indirect` are addresses of indirect jumps, because compilers
    /// do not describe all of them.
    [[nodiscard]] std::optional<jumped_frames> jumped_over(
        std::uint64_t call, std::uint64_t reached, const std::set<std::uint64_t>& indirect,
        const function_test& is_passed_over) const;

    /// Returns the names of the classes whose objects are variables that a line of this frame's
    /// function declares. References and pointers are left out.
    [[nodiscard]] static std::vector<std::string> declared_at(const code_frame& frame);

    /// Returns the lines of lambdas in this frame's function that capture an object of the class by
    /// value, if the frame's line is only the end of a block. g++ may give such a copy the line at
    /// which the function ends, above all in a template.
    [[nodiscard]] static std::vector<int> captured_at(const code_frame& frame,
                                                      const std::string& its_class);

    /// Returns whether the line of this frame makes a `std::initializer_list`.
    [[nodiscard]] static bool makes_list(const code_frame& frame);

    /// Describes the constructors of the class to which the first parameter of this frame's
    /// function points.
    [[nodiscard]] static constructor_access constructors_of_argument(const code_frame& frame);

private:
    class impl;
    std::unique_ptr<impl> impl_;
};

/// Returns whether the file has debug information of a compiled function, here or in a separate
/// file. It takes much less time than a map.
[[nodiscard]] bool has_debug_information(const std::filesystem::path& file);

}  // namespace freehold
