// SPDX-License-Identifier: BSL-1.0
// The functions that the threads of a program were in, and where their variables were: on the
// stacks and in registers. Frames are found by the tables for exceptions (.eh_frame), variables by
// debug information.
//
// A function that is called saves registers in its own frame, where its callers' variables then
// are. So for each frame it is known where each register of that frame is kept.
#pragma once

#include "owners/memory_image.hpp"
#include "owners/modules.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <elfutils/libdw.h>

namespace freehold {

class stack_frames {
public:
    /// Both arguments must outlive this object.
    stack_frames(const memory_image& image, const program_modules& modules);

    struct place {
        std::string function;  // empty if it is unknown
        std::string variable;  // such as "`made` (family.cpp:40)"; empty if it is unknown
    };
    /// Returns what is at an address of a stack, or at one that stands for a register. `type` is
    /// that of the object to which the word there leads. If debug information does not say where
    /// all variables are, and one alone may be a handle to such an object, it is named.
    [[nodiscard]] place place_at(std::uint64_t address, std::string_view type) const;
    /// Calls `use(type, address)` for each variable that is in one place and that the function has
    /// made, by its line.
    void for_each_variable(const std::function<void(Dwarf_Die, std::uint64_t)>& use) const;

private:
    // By the numbers of DWARF: the return address is the last one.
    static constexpr std::size_t registers = 17;
    static constexpr std::size_t return_address = 16;
    using register_values = std::array<std::optional<std::uint64_t>, registers>;
    struct frame {
        std::size_t thread = 0;
        register_values values;
        register_values kept_at;  // where each value is: on the stack, or in a register
        std::uint64_t begin = 0;  // of its memory on the stack
        std::uint64_t end = 0;    // what DWARF calls the canonical frame address
        bool is_caller = false;   // then its address is behind the call
    };

    /// A part of a variable, and where it is.
    struct part {
        std::uint64_t begin = 0;
        std::uint64_t size = 0;
    };
    struct variable {
        Dwarf_Die entry{};
        Dwarf_Die type{};
        std::uint64_t size = 0;
        std::vector<part> parts;
        bool is_inlined = false;  // its function
    };
    using variable_user = std::function<void(const variable&)>;
    /// Where addresses of a function's code are, and what its variables' places are relative to.
    struct scope_facts {
        std::uint64_t code = 0;  // in the file
        std::uint64_t base = 0;
    };

    void add_frames(std::size_t thread);
    /// Sets the end of the frame. Returns its caller, or nothing.
    std::optional<frame> caller_of(frame& called) const;
    [[nodiscard]] std::optional<std::uint64_t> computed(const Dwarf_Op* operations,
                                                        std::size_t count, const frame& in,
                                                        std::uint64_t base) const;
    [[nodiscard]] std::vector<part> parts_of(const Dwarf_Op* operations, std::size_t count,
                                             const frame& in, std::uint64_t base,
                                             std::uint64_t size) const;
    void use_variables_in(Dwarf_Die scope, const frame& in, const scope_facts& facts,
                          bool is_inlined, const variable_user& use) const;
    void use_variables_of(const frame& in, const variable_user& use) const;
    /// Returns the name of the frame's variable that has a word, or an empty text.
    [[nodiscard]] std::string variable_at(const frame& in, std::uint64_t address) const;
    /// Returns the name of the frame's variable that has no known place and may be a handle to an
    /// object of this type, if there is one alone.
    [[nodiscard]] std::string only_handle_in(const frame& in, std::string_view type) const;
    /// Returns the line at which the frame's function is, or 0.
    [[nodiscard]] int line_of(const frame& in) const;
    [[nodiscard]] static std::uint64_t code_of(const frame& in) {
        // The call may be a function's last instruction.
        return *in.values[return_address] - (in.is_caller ? 1 : 0);
    }

    const memory_image& image_;
    const program_modules& modules_;
    std::vector<frame> frames_;
};

}  // namespace freehold
