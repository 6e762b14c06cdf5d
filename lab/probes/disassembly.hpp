// SPDX-License-Identifier: BSL-1.0
// Reads the output of `objdump -drw` for an x86-64 object file, and returns the sizes of operations
// in machine code. lab/README.md, "Code sizes", specifies which code counts.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

struct code_size {
    int instructions = 0;
    int bytes = 0;
    char mark = 'I';  ///< I: inlined whole, O: calls out of line, V: inlined up to a virtual call

    bool operator==(const code_size&) const = default;
};

class disassembly {
public:
    enum class kind { plain, padding, ret, jump, call, indirect };

    struct instruction {
        kind what;
        int bytes;
        std::string target;  ///< the target of a direct jump or call that leaves the function
        std::uint64_t address;
        std::string mnemonic;  ///< without prefixes
        std::string operands;  ///< as in AT&T's syntax, separated by commas
    };

    disassembly() = default;

    /// Throws std::runtime_error if the text is not such a disassembly.
    explicit disassembly(std::string_view text);

    /// Returns the size of the operation whose probe is `function`. Throws std::runtime_error if
    /// the text does not contain it.
    code_size measure(const std::string& function) const;

    /// Returns the size of the functions of probe.cpp that belong to its second pointee type or a
    /// later one.
    int bytes_of_further_types() const;

    /// Returns the function and all functions of the file that it reaches by direct jumps and
    /// calls. The result excludes the functions in `except` and what only they reach. Throws
    /// std::runtime_error if the text does not contain the function.
    std::set<std::string> reachable_from(const std::string& name,
                                         const std::set<std::string>& except = {}) const;

    const std::vector<instruction>& code_of(const std::string& name) const {
        return functions_.at(name).body;
    }

    /// Returns the function that a target names. It may be in another file.
    std::string resolve(const std::string& target) const;

private:
    struct function {
        std::string section;
        std::uint64_t address;
        std::vector<instruction> body;
    };

    void read_instruction(std::string_view line, const std::string& current);
    std::vector<std::string> parts_of(const std::string& name) const;
    void add(const std::string& name, bool is_probe, code_size& size) const;

    std::map<std::string, function> functions_;
};

}  // namespace lab
