// SPDX-License-Identifier: BSL-1.0
#include "probes/probe_file.hpp"

#include "support/process.hpp"
#include "support/programs.hpp"

#include <cctype>
#include <filesystem>
#include <stdexcept>
#include <system_error>

namespace lab {
namespace {

/// Returns the file name of a subject: `llvm_intrusive_ref_cnt_ptr_atomic` for
/// `llvm::IntrusiveRefCntPtr, atomic`.
std::string file_name(std::string_view subject) {
    std::string name;
    bool after_small = false;
    for (const char c : subject) {
        const auto letter = static_cast<unsigned char>(c);
        if (after_small && std::isupper(letter)) name += '_';
        after_small = std::islower(letter);
        if (std::isalnum(letter)) {
            name += static_cast<char>(std::tolower(letter));
        } else if (!name.ends_with('_')) {
            name += '_';
        }
    }
    return name;
}

std::string built_probe(const std::string& name) {
    const auto folder = support::own_folder() / "probes";
    const auto file = folder / name;
    if (!std::filesystem::exists(file)) {
        throw std::runtime_error("the probe " + file.string() + " is missing: build the lab again");
    }
    return file.string();
}

}  // namespace

std::string why_no_probes() {
#if defined(__x86_64__)
    try {
        support::run({.command = {"objdump", "--version"}});
    } catch (const std::system_error&) {
        return "install objdump (Debian: binutils)";
    }
    return "";
#else
    return "code sizes are read from x86-64 code alone";
#endif
}

disassembly disassemble_handle(std::string_view subject) {
    return disassemble_probe(file_name(subject));
}

disassembly disassemble_probe(const std::string& name) {
    const std::string file = built_probe(name + ".o");
    const support::finished_process result =
        support::run({.command = {"objdump", "-drw", file}, .environment = {"LC_ALL=C"}}, false);
    if (result.status != 0) throw std::runtime_error("objdump failed on " + file);
    return disassembly(result.output);
}

std::string output_of_probe(const std::string& name) {
    const std::string file = built_probe(name);
    const support::finished_process result = support::run({.command = {file}}, false);
    if (result.status != 0) throw std::runtime_error("the probe " + file + " failed");
    return result.output;
}

}  // namespace lab
