// SPDX-License-Identifier: BSL-1.0
// Reads what `objdump -drw` prints of an x86-64 object file, and says how large an operation's code
// is. Text in, figures out. What counts is specified in lab/README.md, "Code sizes".
#pragma once

#include <cstdint>
#include <map>
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
    /// Throws std::runtime_error if the text is not such a disassembly.
    explicit disassembly(std::string_view text);

    /// The size of the operation whose probe is `function`. Throws std::runtime_error if it is not
    /// there.
    code_size measure(const std::string& function) const;

    /// All code of the file.
    int bytes() const;

private:
    enum class kind { plain, padding, ret, jump, call, indirect };

    struct instruction {
        kind what;
        int bytes;
        std::string target;  ///< of a direct jump or call that leaves the function
    };

    struct function {
        std::string section;
        std::uint64_t address;
        std::vector<instruction> body;
    };

    void read_instruction(std::string_view line, const std::string& current);
    std::string resolve(const std::string& target) const;
    std::vector<std::string> parts_of(const std::string& name) const;
    void add(const std::string& name, bool is_probe, code_size& size) const;

    std::map<std::string, function> functions_;
};

}  // namespace lab
