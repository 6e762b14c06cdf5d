// SPDX-License-Identifier: BSL-1.0
#include "probes/disassembly.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <sstream>
#include <stdexcept>

namespace lab {
namespace {

constexpr std::string_view section_header = "Disassembly of section ";

/// objdump prints prefixes as words before the mnemonic.
constexpr std::array<std::string_view, 8> prefixes = {"bnd", "cs",   "data16", "lock",
                                                      "rep", "repz", "repnz",  "notrack"};

constexpr const char* cold_suffix = ".cold";

bool is_part_of(std::string_view function, const std::string& whole) {
    return function == whole || function == whole + cold_suffix;
}

/// Returns whether a function allocates, frees, throws or ends the program. Such code is not the
/// handle's.
bool belongs_to_the_runtime(std::string_view name) {
    constexpr std::array<std::string_view, 4> exact = {"malloc", "free", "abort",
                                                       "__stack_chk_fail"};
    constexpr std::array<std::string_view, 7> starts = {
        "_Znw",          "_Zdl", "_Unwind_", "__cxa_", "_ZSt9terminatev", "__clang_call_terminate",
        "_ZSt17__throw_"};
    return std::find(exact.begin(), exact.end(), name) != exact.end() ||
           std::any_of(starts.begin(), starts.end(),
                       [&](std::string_view start) { return name.starts_with(start); });
}

std::uint64_t hexadecimal(std::string_view digits) {
    std::uint64_t value = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (error != std::errc() || end != digits.data() + digits.size()) {
        throw std::runtime_error("objdump printed '" + std::string(digits) + "' for a number");
    }
    return value;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

std::vector<std::string> words(std::string_view text) {
    std::istringstream in{std::string(text)};
    std::vector<std::string> found;
    for (std::string word; in >> word;) found.push_back(word);
    return found;
}

/// Returns true for `probe_copy_3` and for a mangled name that contains `probed::owned<3>`.
bool is_of_further_type(std::string_view name) {
    for (char type = '1'; type <= '8'; ++type) {
        const std::string number(1, type);
        if (name.find("5ownedILi" + number + "E") != std::string_view::npos) return true;
        if (name.starts_with("probe_") && name.substr(0, name.find('.')).ends_with("_" + number)) {
            return true;
        }
    }
    return false;
}

}  // namespace

disassembly::disassembly(std::string_view text) {
    std::string section;
    std::string current;
    for (const std::string_view line : split(text, '\n')) {
        if (line.starts_with(section_header)) {
            section = line.substr(section_header.size());
            section.pop_back();  // the colon
        } else if (line.ends_with(">:")) {
            const std::size_t begin = line.find(" <");
            current = line.substr(begin + 2, line.size() - begin - 4);
            functions_[current] = {section, hexadecimal(line.substr(0, begin)), {}};
        } else if (line.starts_with(' ') && line.find(":\t") != std::string_view::npos) {
            read_instruction(line, current);
        }
    }
    if (functions_.empty()) throw std::runtime_error("objdump printed no function");
}

/// `  4f:\t74 0f                \tje     60 <name+0x60>\t51: R_X86_64_PLT32\tother-0x4`
void disassembly::read_instruction(std::string_view line, const std::string& current) {
    const std::vector<std::string_view> columns = split(line, '\t');
    const auto found = functions_.find(current);
    if (columns.size() < 3 || found == functions_.end()) {
        throw std::runtime_error("objdump printed '" + std::string(line) + "' for an instruction");
    }
    const std::vector<std::string> place = words(columns[0]);  // `4f:`
    const std::uint64_t address =
        hexadecimal(std::string_view(place[0]).substr(0, place[0].size() - 1));
    std::vector<std::string> code = words(columns[2]);
    while (code.size() > 1 &&
           std::find(prefixes.begin(), prefixes.end(), code[0]) != prefixes.end()) {
        code.erase(code.begin());
    }
    const std::string& mnemonic = code[0];
    const std::string operand = code.size() > 1 ? code[1] : "";
    instruction read{kind::plain, static_cast<int>(words(columns[1]).size()), "", address, mnemonic,
                     operand};
    const std::string relocated = columns.size() > 4 ? std::string(columns[4]) : "";

    const bool calls = mnemonic.starts_with("call");
    const bool jumps = mnemonic.starts_with('j');
    if (mnemonic.starts_with("nop") || mnemonic == "int3" || mnemonic.starts_with("endbr") ||
        (mnemonic == "xchg" && operand == "%ax,%ax")) {
        read.what = kind::padding;
    } else if (mnemonic.starts_with("ret")) {
        read.what = kind::ret;
    } else if (calls || jumps) {
        read.what = calls ? kind::call : kind::jump;
        if (!relocated.empty()) {
            read.target = relocated;
        } else if (operand.starts_with('*')) {
            read.what = kind::indirect;
        } else {
            // `60 <name+0x60>`: takes the name, if it is not this function's.
            const std::string label = code.size() > 2 ? code[2] : "";
            const std::string name =
                label.substr(std::min<std::size_t>(1, label.size()), label.find_first_of("+>") - 1);
            if (name != current) read.target = name;
        }
    }
    found->second.body.push_back(std::move(read));
}

/// Returns the function to which a relocation such as `name-0x4` or `.text.unlikely+0x1c` points.
std::string disassembly::resolve(const std::string& target) const {
    const std::size_t sign = target.find_last_of("+-");
    const std::string symbol = target.substr(0, sign);
    if (!symbol.starts_with('.')) return symbol;

    // The offset is relative to the end of the jump or call. That is the end of the field, four
    // bytes after its start.
    std::int64_t offset = 4;
    if (sign != std::string::npos) {
        const auto addend = static_cast<std::int64_t>(hexadecimal(target.substr(sign + 3)));
        offset += target[sign] == '-' ? -addend : addend;
    }
    std::string best = symbol;
    std::int64_t best_address = -1;
    for (const auto& [name, f] : functions_) {
        const auto address = static_cast<std::int64_t>(f.address);
        if (f.section == symbol && address <= offset && address > best_address) {
            best = name;
            best_address = address;
        }
    }
    return best;
}

void disassembly::add(const std::string& name, bool is_probe, code_size& size) const {
    for (const instruction& i : functions_.at(name).body) {
        if (i.what == kind::padding || (is_probe && i.what == kind::ret)) continue;
        ++size.instructions;
        size.bytes += i.bytes;
    }
}

code_size disassembly::measure(const std::string& probe) const {
    if (!functions_.contains(probe)) {
        throw std::runtime_error("the probe '" + probe + "' is not in its object file");
    }
    code_size size;
    bool indirect = false;
    std::set<std::string> callees;
    for (const std::string& part : parts_of(probe)) {
        add(part, true, size);
        for (const instruction& i : functions_.at(part).body) {
            indirect |= i.what == kind::indirect;
            const std::string target = i.target.empty() ? probe : resolve(i.target);
            if (!is_part_of(target, probe) && !belongs_to_the_runtime(target))
                callees.insert(target);
        }
    }
    for (const std::string& callee : callees) {
        for (const std::string& part : parts_of(callee)) add(part, false, size);
    }
    size.mark = !callees.empty() ? 'O' : indirect ? 'V' : 'I';
    return size;
}

std::set<std::string> disassembly::reachable_from(const std::string& name,
                                                  const std::set<std::string>& except) const {
    if (!functions_.contains(name)) {
        throw std::runtime_error("'" + name + "' is not in its object file");
    }
    std::set<std::string> reached = {name};
    for (std::vector<std::string> open = {name}; !open.empty();) {
        const std::string current = open.back();
        open.pop_back();
        for (const instruction& i : code_of(current)) {
            const std::string target = i.target.empty() ? current : resolve(i.target);
            if (functions_.contains(target) && !except.contains(target) &&
                reached.insert(target).second)
                open.push_back(target);
        }
    }
    return reached;
}

/// Returns a function and the parts that the compiler moved out of it, if they are in this file.
std::vector<std::string> disassembly::parts_of(const std::string& name) const {
    std::vector<std::string> parts;
    for (const std::string& part : {name, name + cold_suffix}) {
        if (functions_.contains(part)) parts.push_back(part);
    }
    return parts;
}

int disassembly::bytes_of_further_types() const {
    int sum = 0;
    for (const auto& [name, f] : functions_) {
        if (!is_of_further_type(name)) continue;
        for (const instruction& i : f.body) sum += i.what == kind::padding ? 0 : i.bytes;
    }
    return sum;
}

}  // namespace lab
