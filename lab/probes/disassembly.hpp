// SPDX-License-Identifier: BSL-1.0
// Reads what `objdump -drw` prints of an x86-64 object file, and says how large an operation's code
// is. Text in, figures out. What counts is specified in lab/README.md, "Code sizes".
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
        std::string target;  ///< of a direct jump or call that leaves the function
        std::uint64_t address;
        std::string mnemonic;  ///< without prefixes
        std::string operands;  ///< as in AT&T's syntax, separated by commas
    };

    disassembly() = default;

    /// Throws std::runtime_error if the text is not such a disassembly.
    explicit disassembly(std::string_view text);

    /// The size of the operation whose probe is `function`. Throws std::runtime_error if it is not
    /// there.
    code_size measure(const std::string& function) const;

    /// The code of those functions of probe.cpp that belong to its second pointee type or a later
    /// one.
    int bytes_of_further_types() const;

    /// The function itself, and those of the file that it jumps to or calls directly, and they in
    /// turn, without those in `except` and what only they reach. Throws std::runtime_error if it is
    /// not there.
    std::set<std::string> reachable_from(const std::string& name,
                                         const std::set<std::string>& except = {}) const;

    const std::vector<instruction>& code_of(const std::string& name) const {
        return functions_.at(name).body;
    }

    /// The function that a target names, which may be in another file.
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
