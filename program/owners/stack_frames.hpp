// SPDX-License-Identifier: BSL-1.0
// The functions that the threads of a program were in, and where their variables were on the
// stacks. Frames are found by the tables for exceptions (.eh_frame), variables by debug
// information.
#pragma once

#include "owners/memory_image.hpp"
#include "owners/modules.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
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
    /// Returns what is at an address of a stack.
    [[nodiscard]] place place_at(std::uint64_t address) const;

private:
    // By the numbers of DWARF: the return address is the last one.
    static constexpr std::size_t registers = 17;
    using register_values = std::array<std::optional<std::uint64_t>, registers>;
    struct frame {
        register_values values;
        std::uint64_t begin = 0;  // of its memory on the stack
        std::uint64_t end = 0;    // what DWARF calls the canonical frame address
        bool is_caller = false;   // then its address is behind the call
    };

    void add_frames(const thread_registers& thread);
    /// Sets the end of the frame. Returns the values in the frame's caller, or nothing.
    std::optional<register_values> caller_of(frame& called) const;
    [[nodiscard]] std::optional<std::uint64_t> computed(const Dwarf_Op* operations,
                                                        std::size_t count, const frame& in,
                                                        std::uint64_t base) const;
    [[nodiscard]] std::string variable_in(Dwarf_Die scope, const frame& in, std::uint64_t base,
                                          std::uint64_t code, std::uint64_t address) const;

    const memory_image& image_;
    const program_modules& modules_;
    std::vector<frame> frames_;
};

}  // namespace freehold
