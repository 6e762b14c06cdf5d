// SPDX-License-Identifier: BSL-1.0
#include "probes/zeroing.hpp"

#include "probes/operands.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>

namespace lab {
namespace {

using instruction = disassembly::instruction;
using kind = disassembly::kind;

constexpr std::string_view zero_immediate = "$0x0";

bool is_memory(std::string_view operand) {
    return operand.find('(') != std::string_view::npos;
}

bool is_any_of(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// Returns the bytes that a plain store such as `movups %xmm0,(%rax)` or `movq $0x0,(%rax)` writes.
std::uint64_t width_of_store(std::string_view mnemonic, std::string_view source) {
    const std::optional<machine_register> from = read_register(source);
    if (from && from->bytes >= 16) {
        return is_any_of(mnemonic, {"movq", "vmovq", "movlps", "vmovlps", "movhps", "vmovhps"}) ? 8
               : is_any_of(mnemonic, {"movd", "vmovd", "movss", "vmovss"})                      ? 4
                                                                           : from->bytes;
    }
    if (from) return from->bytes;
    switch (mnemonic.back()) {
        case 'b':
            return 1;
        case 'w':
            return 2;
        case 'l':
            return 4;
        default:
            return 8;
    }
}

/// The known values in registers, by the registers' names.
class known_registers {
public:
    std::optional<std::uint64_t> value_of(const std::string& name) const {
        const auto found = values_.find(name);
        return found == values_.end() ? std::nullopt : std::optional(found->second);
    }
    void set(const std::string& name, std::optional<std::uint64_t> value) {
        if (value) {
            values_[name] = *value;
        } else {
            values_.erase(name);
        }
    }
    void keep_only_zeros() {
        std::erase_if(values_, [](const auto& each) { return each.second != 0; });
    }
    /// A call preserves only these registers, by the System V calling convention.
    void forget_after_call() {
        std::erase_if(values_, [](const auto& each) {
            const std::string& name = each.first;
            return name != "rbx" && name != "rbp" && name != "r12" && name != "r13" &&
                   name != "r14" && name != "r15";
        });
    }

private:
    std::map<std::string, std::uint64_t> values_;
};

struct range {
    std::uint64_t begin;
    std::uint64_t end;
    bool contains(std::uint64_t address) const { return begin <= address && address <= end; }
};

class function_reader {
public:
    function_reader(const disassembly& code, const std::string& name, std::uint64_t least)
        : code_(code), name_(name), least_(least) {
        for (const instruction& i : code.code_of(name)) {
            if (i.what != kind::jump || !i.target.empty()) continue;
            const std::optional<std::uint64_t> to = read_hexadecimal(i.operands);
            if (!to) continue;
            labels_.insert(*to);
            if (*to <= i.address) loops_.push_back({*to, i.address});
        }
    }

    std::vector<zeroing> read() {
        for (const instruction& i : code_.code_of(name_)) {
            if (labels_.contains(i.address)) forget_at_label(i.address);
            if (i.what == kind::call || i.what == kind::indirect || !i.target.empty()) {
                read_call(i);
            } else if (i.what == kind::plain) {
                read_plain(i);
            }
        }
        judge_stores();
        return found_;
    }

private:
    /// A register that is zero before a loop is zero in each of its rounds, if the loop does not
    /// write to it.
    void forget_at_label(std::uint64_t address) {
        registers_.keep_only_zeros();
        for (const range& loop : loops_) {
            if (loop.begin != address) continue;
            for (const instruction& i : code_.code_of(name_)) {
                if (!loop.contains(i.address) || i.what != kind::plain) continue;
                if (const auto written = register_written(i)) registers_.set(*written, {});
            }
        }
    }

    static std::optional<std::string> register_written(const instruction& i) {
        const auto operands = split_operands(i.operands);
        if (operands.empty() ||
            is_any_of(i.mnemonic, {"cmp", "test", "push", "ucomiss", "ucomisd"}))
            return std::nullopt;
        const std::optional<machine_register> to = read_register(operands.back());
        return to ? std::optional(to->name) : std::nullopt;
    }

    void add(const std::string& means) {
        const zeroing one = {name_, means};
        if (std::find(found_.begin(), found_.end(), one) == found_.end()) found_.push_back(one);
    }

    void read_call(const instruction& i) {
        const std::string callee = i.target.empty() ? "" : code_.resolve(i.target);
        const auto second = registers_.value_of("rsi");
        const auto third = registers_.value_of("rdx");
        if (is_any_of(callee, {"memset", "__memset_chk", "wmemset"})) {
            if (second.value_or(0) == 0 && third.value_or(least_) >= least_) add(callee);
        } else if (is_any_of(callee, {"bzero", "explicit_bzero", "__explicit_bzero_chk"})) {
            if (second.value_or(least_) >= least_) add(callee);
        } else if (callee == "calloc") {
            add(callee);
        }
        registers_.forget_after_call();
    }

    void read_plain(const instruction& i) {
        const auto operands = split_operands(i.operands);
        if (operands.empty()) return;
        const std::string_view source = operands.front();
        const std::string_view to = operands.back();
        if (i.mnemonic == "stos") return read_string_store(source);
        if (is_memory(to)) {
            if (i.mnemonic.starts_with("mov") || i.mnemonic.starts_with("vmov")) {
                if (operands.size() == 2 && is_zero(source))
                    stores_.push_back(
                        {i.address, read_address(to), width_of_store(i.mnemonic, source)});
            }
            return;
        }
        if (const auto written = register_written(i))
            registers_.set(*written, value_written(i.mnemonic, operands));
    }

    bool is_zero(std::string_view source) const {
        if (source == zero_immediate) return true;
        const std::optional<machine_register> from = read_register(source);
        return from && registers_.value_of(from->name) == std::uint64_t{0};
    }

    std::optional<std::uint64_t> value_written(
        std::string_view mnemonic, const std::vector<std::string_view>& operands) const {
        if (is_any_of(mnemonic, {"xor", "sub", "pxor", "xorps", "xorpd", "vpxor", "vxorps",
                                 "vxorpd", "vpxord", "vpxorq"}) &&
            operands[0] == operands[operands.size() == 3 ? 1 : operands.size() - 1]) {
            return 0;
        }
        if (operands.size() != 2 || !(mnemonic.starts_with("mov") || mnemonic.starts_with("vmov")))
            return std::nullopt;
        if (const auto immediate = read_immediate(operands[0])) return immediate;
        const std::optional<machine_register> from = read_register(operands[0]);
        return from ? registers_.value_of(from->name) : std::nullopt;
    }

    /// `rep stos %rax,%es:(%rdi)`
    void read_string_store(std::string_view source) {
        const auto times = registers_.value_of("rcx");
        const std::uint64_t width = read_register(source).value_or(machine_register{"", 1}).bytes;
        if (registers_.value_of("rax").value_or(0) == 0 && (!times || *times * width >= least_)) {
            add("rep stos");
        }
        registers_.set("rcx", 0);
    }

    struct zero_store {
        std::uint64_t at;
        memory_address to;
        std::uint64_t bytes;
    };

    /// Stores in a loop zero any number of bytes, if they leave no gaps.
    void judge_stores() {
        std::uint64_t in_rows = 0;
        for (const zero_store& store : stores_) {
            if (store.to.base == "rsp") continue;
            const range* const loop = innermost_loop_of(store.at);
            if (loop != nullptr && fills(store, *loop)) {
                add("loop");
            } else {
                in_rows += store.bytes;
            }
        }
        if (in_rows >= least_) add("stores");
    }

    const range* innermost_loop_of(std::uint64_t address) const {
        const range* found = nullptr;
        for (const range& loop : loops_) {
            if (loop.contains(address) &&
                (found == nullptr || loop.end - loop.begin < found->end - found->begin))
                found = &loop;
        }
        return found;
    }

    /// Returns whether this store and the stores beside it in the loop write at least half of the
    /// bytes that the loop passes in one step.
    bool fills(const zero_store& store, const range& loop) const {
        const std::optional<std::uint64_t> step = step_of(store.to, loop);
        if (!step) return false;
        std::uint64_t bytes = 0;
        for (const zero_store& other : stores_) {
            if (loop.contains(other.at) && other.to.base == store.to.base &&
                other.to.index == store.to.index)
                bytes += other.bytes;
        }
        return 2 * bytes >= *step;
    }

    /// Returns how far an address advances in each round. Returns none if the advance is not
    /// constant, or if the loop calls a function.
    std::optional<std::uint64_t> step_of(const memory_address& to, const range& loop) const {
        std::optional<std::uint64_t> step;
        for (const instruction& i : code_.code_of(name_)) {
            if (!loop.contains(i.address)) continue;
            if (i.what == kind::call || i.what == kind::indirect) return std::nullopt;
            if (i.what != kind::plain) continue;
            const std::optional<std::string> written = register_written(i);
            if (!written || (*written != to.base && *written != to.index)) continue;
            const std::optional<std::uint64_t> added = constant_added(i);
            if (!added) return std::nullopt;
            step = step.value_or(0) + *added * (*written == to.index ? to.scale : 1);
        }
        return step;
    }

    /// Returns the constant of `add $0x20,%rax`, `sub $0xffffffffffffffe0,%rax`, `inc %rax` or `lea
    /// 0x20(%rax),%rax`. It is 1 for `inc`, and 32 for the others.
    static std::optional<std::uint64_t> constant_added(const instruction& i) {
        const auto operands = split_operands(i.operands);
        const std::string_view mnemonic = i.mnemonic;
        if (is_any_of(mnemonic, {"inc", "dec"})) return 1;
        std::optional<std::uint64_t> value;
        if (mnemonic == "lea") {
            const memory_address from = read_address(operands[0]);
            if (from.base != read_register(operands.back())->name || !from.index.empty())
                return std::nullopt;
            value = read_hexadecimal(from.displacement.substr(from.displacement.starts_with('-')));
        } else if (is_any_of(mnemonic, {"add", "sub"})) {
            value = read_immediate(operands[0]);
        }
        if (!value) return std::nullopt;
        return std::min(*value, std::uint64_t{0} - *value);
    }

    const disassembly& code_;
    std::string name_;
    std::uint64_t least_;
    std::set<std::uint64_t> labels_;
    std::vector<range> loops_;
    known_registers registers_;
    std::vector<zero_store> stores_;
    std::vector<zeroing> found_;
};

}  // namespace

std::vector<zeroing> find_zeroing(const disassembly& code, const std::string& function,
                                  std::uint64_t least_bytes, const std::set<std::string>& except) {
    std::vector<zeroing> found;
    for (const std::string& reached : code.reachable_from(function, except)) {
        const std::vector<zeroing> of_it = function_reader(code, reached, least_bytes).read();
        found.insert(found.end(), of_it.begin(), of_it.end());
    }
    return found;
}

}  // namespace lab
