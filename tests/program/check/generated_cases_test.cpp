// SPDX-License-Identifier: BSL-1.0
// Functions made of random parts: a guard, a size, a filling, a change of sizes between, and a use.
// Each runs twice, with zeroed memory and with memory of another value. If the results differ, the
// function reads the zeroes, and the check must not report it.
// FREEHOLD_CHECK_GENERATED is the number of functions, FREEHOLD_CHECK_SEED the first random number.
#include "program/measure/program_run.hpp"
#include "program/temporary_folder.hpp"
#include "support/process.hpp"

#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace freehold::generated_cases_test {
namespace {

namespace fs = std::filesystem;

std::size_t number_of(const char* name, std::size_t otherwise) {
    const char* text = std::getenv(name);
    return text != nullptr ? std::strtoul(text, nullptr, 10) : otherwise;
}

constexpr const char* prelude = R"(#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>
using std::size_t;
using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
struct header { size_t size; unsigned bits : 6; };
extern size_t global;
extern volatile size_t changing;
void touch();
void take(const void* bytes, size_t size);
void take_padded(const void* bytes, size_t size, size_t room);
u8* dirty(size_t size);
)";

constexpr const char* harness = R"(#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>
using std::size_t;
using u8 = std::uint8_t;
struct header { size_t size; unsigned bits : 6; };
size_t global;
volatile size_t changing;
header* shared;
size_t* pointee;
static std::uint64_t hash;
void touch() { global /= 2; shared->size /= 2; *pointee /= 2; changing = changing / 2; }
void take(const void* bytes, size_t size) {
    for (size_t i = 0; i < size; ++i) hash = (hash ^ static_cast<const u8*>(bytes)[i]) * 1099511628211U;
}
void take_padded(const void* bytes, size_t, size_t room) { take(bytes, room); }
u8* dirty(size_t size) { u8* result = new u8[size]; std::memset(result, 0xA5, size); return result; }
struct entry { void (*run)(const u8*, size_t, size_t, header*, size_t*); bool (*fits)(size_t, size_t, header*, size_t*); };
extern const entry entries[];
extern const size_t count;
int main() {
    static u8 in[300000];
    for (size_t i = 0; i < sizeof in; ++i) in[i] = static_cast<u8>(i * 7 + 1);
    const size_t sizes[][2] = {{0, 0}, {1, 1}, {2, 1}, {5, 3}, {7, 7}, {63, 60}, {300, 300}, {301, 299}, {1000, 700}, {70000, 70000}, {70001, 69000}, {131072, 131072}};
    for (size_t i = 0; i < count; ++i) {
        hash = 14695981039346656037U;
        for (const auto& [n, m] : sizes) {
            header h{n, 0};
            size_t p = n;
            shared = &h;
            pointee = &p;
            global = n;
            changing = n;
            if (!entries[i].fits(n, m, &h, &p)) continue;
            global = n; changing = n; h = {n, 0}; p = n;
            try { entries[i].run(in, n, m, &h, &p); } catch (int) { }
        }
        std::printf("%zu %llx\n", i, static_cast<unsigned long long>(hash));
    }
}
)";

struct part {
    const char* before;
    const char* value;
};

const std::vector<const char*> guards = {"",
                                         "",
                                         "if (n > INT32_MAX) throw 1;",
                                         "if (n > PTRDIFF_MAX / sizeof(long)) throw 1;",
                                         "if (n > 0xffffff) throw 1;",
                                         "if (n >= UINT32_MAX) throw 1;",
                                         "if (n > SIZE_MAX / 4096) throw 1;",
                                         "if (m > n) return;",
                                         "if (m > n || n > INT32_MAX) return;",
                                         "if (m != n) return;",
                                         "if (n > UINT16_MAX) return;",
                                         "if (n > UCHAR_MAX) return;",
                                         "if (n % 4 != 0) return;",
                                         "if (n == 0) return;"};
/// Expressions for the number of bytes that are zeroed. Some functions are told this number.
const std::vector<const char*> rooms = {"n",     "n",      "n",        "n + 1", "n + 64",
                                        "n * 2", "global", "of->size", "*p",    "n + m"};
/// The number of bytes that are written. It may be smaller than that of the zeroed ones.
const std::vector<part> counts = {
    {"", "n"},
    {"", "n"},
    {"", "ROOM"},
    {"", "ROOM"},
    {"", "ROOM"},
    {"", "m"},
    {"", "std::min(n, m)"},
    {"", "static_cast<u16>(n)"},
    {"", "static_cast<u8>(n)"},
    {"", "static_cast<u32>(n)"},
    {"", "static_cast<size_t>(static_cast<int>(n))"},
    {"const u16 few = static_cast<u16>(n);", "few"},
    {"unsigned char few = 0; for (size_t i = 0; i < n; ++i) ++few;", "few"},
    {"of->bits = static_cast<unsigned>(n);", "of->bits"},
    {"const bool any = n;", "static_cast<size_t>(any)"},
    {"", "n / 2 * 2"},
    {"", "(n & ~size_t{3})"},
    {"", "(n >> 1)"},
    {"", "(n == 0 ? 0 : n - 1)"},
    {"touch();", "global"},
    {"touch();", "of->size"},
    {"touch();", "*p"},
    {"touch();", "n"},
    {"", "global"},
    {"", "of->size"},
    {"", "*p"},
    {"touch();", "changing"},
    {"const size_t before = of->size; *p = before / 2;", "*p"},
    {"size_t less = n; const auto lower = [&] { less /= 2; }; lower();", "less"},
    {"size_t less = n; size_t* alias = &less; *alias = less / 2;", "less"},
};
const std::vector<const char*> fillings = {
    "std::memcpy(AT, in, COUNT);",
    "std::memcpy(AT, in, COUNT);",
    "std::memset(AT, 1, COUNT);",
    "std::copy_n(in, COUNT, AT);",
    "std::copy(in, in + COUNT, AT);",
    "std::fill_n(AT, COUNT, 3);",
    "for (size_t i = 0; i < COUNT; ++i) AT[i] = in[i];",
    "for (size_t i = COUNT; i-- > 0;) AT[i] = in[i];",
    "for (size_t i = 0; i < COUNT; i += 2) AT[i] = in[i];",
    "for (size_t i = 0; i + 1 < COUNT; ++i) AT[i] = in[i];",
    "for (int i = 0; i < static_cast<int>(COUNT); ++i) AT[i] = in[i];",
    "for (u32 i = 0; i < COUNT; ++i) AT[i] = in[i];",
    "if (COUNT != 0) AT[0] = 9;",
    "size_t at = 0; for (size_t i = 0; i < COUNT; ++i) AT[at++] = in[i];",
    "auto* to = AT; for (size_t i = 0; i < COUNT; ++i) *to++ = in[i];",
    "size_t at = 0; for (size_t y = 0; y < COUNT / 8; ++y) for (size_t x = 0; x < 8; ++x) AT[at++] "
    "= in[at];",
    "size_t at = 0; for (size_t y = 0; y < 8; ++y) for (size_t x = 0; x < COUNT / 8; ++x) { AT[at] "
    "= in[at]; ++at; }",
    "size_t at = 0; for (size_t i = 0; i < COUNT / 2; ++i) { AT[at++] = in[i]; AT[at++] = in[i]; }",
    "auto* to = AT; for (size_t y = 0; y < COUNT; ++y) for (size_t x = 0; x < 1; ++x) *to++ = "
    "in[y];",
    "size_t at = 0; for (size_t y = 0; y < 1; ++y) for (size_t x = 0; x < COUNT; ++x) AT[at++] = "
    "in[x];",
    "size_t at = 0; for (size_t y = 0; y < 1; ++y) for (size_t x = m; x < COUNT; ++x) AT[at++] = "
    "in[x];",
    "size_t at = 0; for (size_t y = 0; y < 2; ++y) for (size_t x = 1; x <= COUNT / 2; ++x) { if "
    "(in[x] == 5) ++x; AT[at++] = in[x]; }",
    "size_t at = 0; for (size_t y = COUNT; y > 0; --y) for (size_t x = 0; x < y && x < 1; ++x) "
    "AT[at++] = in[y];",
    "size_t at = 0; for (size_t i = 0; i < COUNT; ++i) { if (in[i] == 5) continue; AT[at++] = "
    "in[i]; }",
    "std::memcpy(AT, in, COUNT / 2); std::memcpy(AT + COUNT / 2, in, COUNT - COUNT / 2);",
    "u16 at = 0; for (size_t i = 0; i < COUNT; ++i) AT[at++] = in[i];",
};
const std::vector<const char*> uses = {
    "take(AT, ROOM0);",
    "take(AT, ROOM0);",
    "take(AT, COUNT);",
    "take_padded(AT, COUNT, ROOM0);",
};
struct holder {
    const char* zeroed;
    const char* dirty;
    const char* at;
    const char* end;
};
const std::vector<holder> holders = {
    {"auto v = std::make_unique<u8[]>(ROOM);", "auto v = std::unique_ptr<u8[]>(dirty(ROOM));",
     "v.get()", ""},
    {"std::vector<u8> v(ROOM);", "std::vector<u8> v(ROOM, u8{0xA5});", "v.data()", ""},
    {"std::string v(ROOM, '\\0');", "std::string v(ROOM, '\\xA5');", "v.data()", ""},
    {"u8* v = new u8[ROOM]();", "u8* v = dirty(ROOM);", "v", "delete[] v;"},
    {"auto* v = static_cast<u8*>(std::calloc(ROOM, 1));", "u8* v = dirty(ROOM);", "v", ""},
};

std::string replaced(std::string text, const std::string& name, const std::string& by) {
    for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos; at += by.size())
        text.replace(at, name.size(), by);
    return text;
}

class generator {
public:
    explicit generator(std::size_t seed) : random_(seed) {}

    void add() {
        const holder& held = one_of(holders);
        const std::string guard = one_of(guards);
        const std::string room = one_of(rooms);
        const part& count = one_of(counts);
        const bool tells_size = std::string(held.at) == "v.data()" && random_() % 2 == 0;
        const std::string written = "(" + replaced(count.value, "ROOM", room) + ")";
        const std::string tail = std::string(one_of(fillings)) + " " + one_of(uses) + held.end;
        const auto body = [&](const char* zeroing) {
            std::string text = fmt::format("{} const size_t room = {}; {} {} {}", guard, room,
                                           zeroing, count.before, tail);
            text = replaced(text, "ROOM0", tells_size ? "v.size()" : "room");
            text = replaced(text, "ROOM", room);
            text = replaced(text, "AT", held.at);
            return replaced(text, "COUNT", written);
        };
        const auto function = [&](const char* zeroing) {
            return fmt::format(
                "void run{}(const u8* in, size_t n, size_t m, header* of, size_t* p) {{ "
                "(void)in; (void)m; (void)of; (void)p; {} }}\n",
                size_, body(zeroing));
        };
        zeroed_ += function(held.zeroed);
        dirty_ += function(held.dirty);
        fits_ += fmt::format(
            "static bool fits{}(size_t n, size_t m, header* of, size_t* p) {{ (void)m; (void)of; "
            "(void)p; const size_t room = {}; {} return static_cast<size_t>({}) <= room; }}\n",
            size_, room, count.before, written);
        ++size_;
    }

    [[nodiscard]] std::string zeroed() const { return prelude + zeroed_ + ending(); }
    [[nodiscard]] std::string dirty() const { return prelude + dirty_ + ending(); }
    [[nodiscard]] std::size_t size() const { return size_; }

private:
    template <class Part>
    const Part& one_of(const std::vector<Part>& parts) {
        return parts[random_() % parts.size()];
    }
    [[nodiscard]] std::string ending() const {
        std::string entries;
        for (std::size_t i = 0; i < size_; ++i) entries += fmt::format("{{run{0}, fits{0}}}, ", i);
        return fits_ +
               fmt::format(
                   "struct entry {{ void (*run)(const u8*, size_t, size_t, header*, size_t*); bool "
                   "(*fits)(size_t, size_t, header*, size_t*); }};\nextern const entry "
                   "entries[];\nextern const size_t count;\nconst entry entries[] = {{ {} }};\n"
                   "const size_t count = {};\n",
                   entries, size_);
    }

    std::mt19937_64 random_;
    std::string zeroed_;
    std::string dirty_;
    std::string fits_;
    std::size_t size_ = 0;
};

/// What the program prints, by function.
std::map<std::size_t, std::string> results_of(const temporary_folder& folder,
                                              const std::string& name, const std::string& text) {
    const fs::path file = folder.write(name + ".cpp", text);
    const fs::path main = folder.write("harness.cpp", harness);
    const fs::path program = folder / name;
    const support::finished_process compiled =
        support::run({.command = {FREEHOLD_COMPILER, "-std=c++20", "-O0", "-w", "-o",
                                  program.string(), file.string(), main.string()}});
    EXPECT_EQ(compiled.status, 0) << compiled.output;
    const support::finished_process end = support::run({.command = {program.string()}});
    EXPECT_EQ(end.status, 0) << end.output;
    std::map<std::size_t, std::string> result;
    std::istringstream lines(end.output);
    std::size_t number = 0;
    for (std::string hash; lines >> number >> hash;) result[number] = hash;
    return result;
}

TEST(generated_cases, no_function_that_reads_its_zeroes_is_reported) {
    constexpr std::size_t functions = 150;
    constexpr std::size_t first_seed = 20260727;
    generator all(number_of("FREEHOLD_CHECK_SEED", first_seed));
    const std::size_t wanted = number_of("FREEHOLD_CHECK_GENERATED", functions);
    while (all.size() < wanted) all.add();
    temporary_folder folder;
    const fs::path file = folder.write("generated.cpp", all.zeroed());
    const program_end end =
        run_program({"check", "--min-bytes", "1", "--json", file.string(), "--", "-std=c++20"});
    if (!FREEHOLD_CHECK_IS_COMPLETE) GTEST_SKIP() << end.diagnostics;
    ASSERT_NE(end.exit_status, 1) << end.diagnostics;
    const auto with_zeroes = results_of(folder, "zeroed", all.zeroed());
    const auto with_others = results_of(folder, "dirty", all.dirty());
    ASSERT_EQ(with_zeroes.size(), wanted);
    ASSERT_EQ(with_others.size(), wanted);
    std::vector<std::string> lines;
    std::istringstream text(all.zeroed());
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    std::set<std::size_t> reported;
    const auto document = nlohmann::json::parse(end.output);
    for (const auto& each : document["findings"]) {
        const std::string& line = lines.at(each["line"].get<std::size_t>() - 1);
        const std::size_t number =
            std::strtoul(line.c_str() + std::string("void run").size(), nullptr, 10);
        reported.insert(number);
        EXPECT_EQ(with_zeroes.at(number), with_others.at(number)) << line;
    }
    std::size_t readers = 0;
    for (const auto& [number, hash] : with_zeroes)
        readers += hash != with_others.at(number) ? 1 : 0;
    // Both kinds are among the functions, and the check finds something.
    EXPECT_GT(readers, 0U);
    EXPECT_FALSE(reported.empty());
    RecordProperty("readers", static_cast<int>(readers));
    RecordProperty("others", static_cast<int>(wanted - readers));
    RecordProperty("reported", static_cast<int>(reported.size()));
}

}  // namespace
}  // namespace freehold::generated_cases_test
