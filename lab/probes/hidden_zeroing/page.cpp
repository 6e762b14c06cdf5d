// SPDX-License-Identifier: BSL-1.0
#include "probes/hidden_zeroing/page.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <stdexcept>

#include <cxxabi.h>

namespace lab {
namespace {

constexpr const char* left_alone = "no";
constexpr const char* not_there = "–";
constexpr const char* elsewhere = "elsewhere";

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

std::string quoted(const std::string& code) {
    return '`' + code + '`';
}

std::string without_version(const std::string& name) {
    return name.substr(0, name.find(' '));
}

std::string head_of(const column& each) {
    return without_version(each.compiler) + ", " + without_version(each.library);
}

std::string cell_of(const judged_construct& one) {
    if (one.is == verdict::missing) return not_there;
    if (one.is == verdict::leaves) return left_alone;
    return "**" + (one.means.empty() ? elsewhere : one.means) + "**";
}

std::string readable(const std::string& symbol) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> name(
        abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
    return status == 0 ? name.get() : symbol;
}

class writer {
public:
    explicit writer(const page_sources& from) : from_(from) {
        if (from.columns.empty()) throw std::runtime_error("no compiler's constructs are given");
    }

    std::string write() {
        for (const std::string& line : lines_of(from_.text)) {
            if (line.size() > 2 && line.starts_with('@') && line.ends_with('@')) {
                replace(line.substr(1, line.size() - 2));
            } else {
                out_ << line << '\n';
            }
        }
        return out_.str();
    }

private:
    void replace(const std::string& what) {
        const std::string word = what.substr(0, what.find(' '));
        const std::string argument = what.substr(std::min(what.size(), word.size() + 1));
        if (word == "built") {
            write_compilers();
        } else if (word == "types") {
            write_types();
        } else if (word == "table") {
            write_table(argument);
        } else if (word == "lint") {
            write_lint();
        } else if (word == "code") {
            write_code(argument);
        } else {
            throw std::runtime_error("the page's text has an unknown line '@" + what + "@'");
        }
    }

    void write_compilers() {
        std::string clang_tidy;
        for (const column& each : from_.columns) {
            out_ << "- " << each.compiler << " with " << each.library << '\n';
            if (!each.clang_tidy.empty()) clang_tidy = each.clang_tidy;
        }
        if (!clang_tidy.empty()) out_ << "- " << clang_tidy << '\n';
    }

    void write_types() {
        out_ << "```cpp\n";
        bool within = false;
        for (const std::string& line : lines_of(from_.types)) {
            if (within) out_ << line << '\n';
            // The empty line behind it goes with it.
            if (!within && line.empty()) within = true;
        }
        out_ << "```\n";
    }

    void write_head(const std::string& first, const std::string& last) {
        out_ << "| " << first << " |";
        for (const column& each : from_.columns) out_ << ' ' << head_of(each) << " |";
        out_ << ' ' << last << " |\n|---|";
        for (std::size_t i = 0; i < from_.columns.size(); ++i) out_ << "---|";
        out_ << "---|\n";
    }

    void write_row(const std::string& first, const std::string& symbol, const std::string& last) {
        out_ << "| " << first << " |";
        for (const column& each : from_.columns) out_ << ' ' << cell_of(each.at(symbol)) << " |";
        out_ << ' ' << last << " |\n";
    }

    /// That of a construct, where the remark is its symbol.
    std::string text_of_remark(const std::string& remark) const {
        const auto& all = from_.columns.front().constructs;
        const auto found = std::find_if(all.begin(), all.end(), [&](const judged_construct& each) {
            return each.symbol == remark;
        });
        return found == all.end() ? remark : quoted(found->code);
    }

    void write_table(const std::string& group) {
        write_head("written", group == "objects" || group == "bytes" ? "instead" : "remark");
        std::size_t rows = 0;
        for (const judged_construct& one : from_.columns.front().constructs) {
            if (one.group != group) continue;
            ++rows;
            write_row(quoted(one.code), one.symbol, text_of_remark(one.remark));
        }
        if (rows == 0) throw std::runtime_error("no construct is in the group '" + group + "'");
    }

    /// The line of a file in lint/ that the fix changes.
    std::string changed_line(const std::string& check, bool fixed) const {
        const std::vector<std::string> before = lines_of(from_.as_written.at(check));
        const std::vector<std::string> after = lines_of(from_.as_fixed.at(check));
        if (after.empty()) return "clang-tidy is not installed";
        for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i) {
            if (before[i] == after[i]) continue;
            const std::string& line = fixed ? after[i] : before[i];
            return quoted(line.substr(line.find_first_not_of(' ')));
        }
        return "nothing is fixed";
    }

    void write_lint() {
        write_head("line", "check of clang-tidy");
        for (const judged_construct& one : from_.columns.front().constructs) {
            if (one.group != "lint") continue;
            const bool fixed = one.symbol.ends_with("_fixed");
            write_row(changed_line(one.remark, fixed), one.symbol,
                      (fixed ? "fixed by " : "before ") + quoted(one.remark));
        }
    }

    /// Without what it does when something throws.
    void write_code(const std::string& symbol) {
        out_ << "```asm\n";
        for (const auto& i : from_.code.code_of(from_.columns.front().at(symbol).symbol)) {
            if (i.what == disassembly::kind::padding) continue;
            const bool leaves = !i.target.empty();
            const std::string operands =
                leaves ? readable(from_.code.resolve(i.target)) : i.operands;
            out_ << "    " << i.mnemonic;
            if (!operands.empty())
                out_ << std::string(8 - std::min<std::size_t>(7, i.mnemonic.size()), ' ')
                     << operands;
            out_ << '\n';
            if (i.what == disassembly::kind::ret || (leaves && i.mnemonic == "jmp")) break;
        }
        out_ << "```\n";
    }

    const page_sources& from_;
    std::ostringstream out_;
};

std::vector<std::string> cells_of(const std::string& row) {
    std::vector<std::string> cells;
    for (std::size_t begin = 2; begin < row.size();) {
        const std::size_t end = row.find(" |", begin);
        if (end == std::string::npos) break;
        cells.push_back(row.substr(begin, end - begin));
        begin = end + 3;
    }
    return cells;
}

}  // namespace

std::string hidden_zeroing_page(const page_sources& from) {
    return writer(from).write();
}

std::map<std::string, verdict> verdicts_on(const std::string& page) {
    std::map<std::string, verdict> found;
    std::vector<std::string> heads;
    for (const std::string& line : lines_of(page)) {
        if (!line.starts_with("| ")) {
            if (!line.starts_with("|")) heads.clear();
            continue;
        }
        const std::vector<std::string> cells = cells_of(line);
        if (heads.empty()) {
            heads = cells;
            continue;
        }
        for (std::size_t i = 1; i + 1 < std::min(cells.size(), heads.size()); ++i) {
            found[cells.front() + " | " + cells.back() + " | " + heads[i]] =
                cells[i] == not_there    ? verdict::missing
                : cells[i] == left_alone ? verdict::leaves
                                         : verdict::zeroes;
        }
    }
    return found;
}

}  // namespace lab
