// SPDX-License-Identifier: BSL-1.0
// sites MODULE OUTPUT FOLDER: the static pass over one module. The Valgrind tool runs it and reads
// its output. valgrind_tool/handles_main.c describes the lines of the output.
#include "code/code_map.hpp"
#include "handles/classifier.hpp"
#include "handles/valgrind_tool/site_flags.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

namespace freehold {
namespace {

/// Locked instructions in these files belong to the system and count no owners.
bool belongs_to_the_system(const std::string& file) {
    for (const char* const name : {"libc.so", "libc-2", "ld-linux", "ld-2", "libpthread", "libm.so",
                                   "libgcc_s.so", "librt", "libdl", "vgpreload_"})
        if (file.rfind(name, 0) == 0) return true;
    return false;
}

struct meaning {
    unsigned flags = 0;
    bool through = false;
    bool says_type = false;
};

class site_writer {
public:
    void add(char kind, std::uint64_t low, std::uint64_t high, unsigned flags) {
        if (kind == kind_ && low == high_ && flags == flags_) {
            high_ = high;
            return;
        }
        flush();
        kind_ = kind;
        low_ = low;
        high_ = high;
        flags_ = flags;
    }
    void flush() {
        if (kind_ == 'S') text += fmt::format("S {:x} {:x} {:x}\n", low_, high_, flags_);
        if (kind_ == 'T' || kind_ == 'Y') text += fmt::format("{} {:x} {:x}\n", kind_, low_, high_);
        kind_ = 0;
    }
    std::string text;

private:
    char kind_ = 0;
    std::uint64_t low_ = 0;
    std::uint64_t high_ = 0;
    unsigned flags_ = 0;
};

std::string words_of(const classifier& names) {
    std::string result;
    for (std::size_t i = 0; i < names.words().size(); ++i) {
        const count_word& word = *names.words()[i]->word;
        const count_word::unique_load unique = word.unique.value_or(count_word::unique_load{});
        result += fmt::format("W {:x} {:x} {:x} {:x} {:x} {:x} {:x} {:x} {:x}\n", i + 1, word.bytes,
                              word.owner, word.weak, word.initial, word.gone, unique.bytes,
                              static_cast<std::uint64_t>(unique.behind), unique.value);
    }
    return result;
}

std::string sites_of(const code_map& code, classifier& names) {
    std::map<std::int32_t, meaning> known;
    const auto meaning_of = [&](std::int32_t place) -> const meaning& {
        const auto [found, is_new] = known.try_emplace(place);
        if (!is_new) return found->second;
        const function_chain chain = code.functions(place);
        const std::optional<classified> result = names.classify(chain);
        if (result) found->second.flags = result->flags;
        found->second.says_type = names.says_type(chain);
        found->second.through = std::all_of(
            chain.begin(), chain.end(),
            [&names](const code_function* each) { return names.is_passed_over(*each); });
        return found->second;
    };
    site_writer sites;
    site_writer through;
    site_writer typed;
    const bool opaque = !code.has_debug_information();
    std::uint64_t at = code.text().low;
    const auto fill_until = [&](std::uint64_t end) {
        if (opaque && at < end) sites.add('S', at, end, site_opaque);
    };
    for (const code_map::range& each : code.ranges()) {
        const meaning& what = meaning_of(each.place);
        if (what.flags != 0) {
            fill_until(each.low);
            sites.add('S', each.low, each.high, what.flags);
            at = each.high;
        }
        if (what.through) through.add('T', each.low, each.high, 0);
        if (what.says_type) typed.add('Y', each.low, each.high, 0);
    }
    fill_until(code.text().high);
    sites.flush();
    through.flush();
    typed.flush();
    std::string result = opaque ? "O\n" : "";
    // A statically linked program preloads no library. There the tool replaces the loads of this
    // variable.
    if (const std::uint64_t address = code.address_of("__libc_single_threaded"))
        result += fmt::format("G {:x}\n", address);
    return result + words_of(names) + sites.text + through.text + typed.text;
}

/// Writes the whole file in one step, because another process may read or write the same file.
void write_whole(const std::filesystem::path& output, const std::string& text) {
    const std::string part = output.string() + fmt::format(".{}", ::getpid());
    std::FILE* const file = std::fopen(part.c_str(), "w");
    if (file == nullptr) throw handles_error(fmt::format("{}: cannot be written", part));
    const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    if (std::fclose(file) != 0 || !written)
        throw handles_error(fmt::format("{}: cannot be written", part));
    std::filesystem::rename(part, output);
}

void run(const std::filesystem::path& module, const std::filesystem::path& output,
         const std::filesystem::path& folder) {
    if (belongs_to_the_system(module.filename().string())) {
        write_whole(output, "O\n");
        return;
    }
    std::filesystem::path described = folder / "describe.json";
    if (!std::filesystem::exists(described)) described.clear();
    classifier names(known_handles(described));
    const code_map code(module);
    write_whole(output, sites_of(code, names));
}

}  // namespace
}  // namespace freehold

int main(int argc, char** argv) {
    try {
        if (argc != 4) throw freehold::handles_error("usage: sites MODULE OUTPUT FOLDER");
        freehold::run(argv[1], argv[2], argv[3]);
        return 0;
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}: {}\n", argc > 1 ? argv[1] : "sites", error.what());
        return 1;
    }
}
