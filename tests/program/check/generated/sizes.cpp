// SPDX-License-Identifier: BSL-1.0
#include "parts.hpp"

#include <fmt/format.h>

namespace freehold::generated_cases {
// Files may be compiled together, so the tables have a namespace of their own.
namespace sizes {
namespace {

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

}  // namespace
}  // namespace sizes

generated_function function_of_sizes(random_parts& random, std::size_t number) {
    using namespace sizes;
    const holder& held = random.one_of(holders);
    const std::string guard = random.one_of(guards);
    const std::string room = random.one_of(rooms);
    const part& count = random.one_of(counts);
    const bool tells_size = *held.size != '\0' && random.once_in(2);
    const std::string written = "(" + replaced(count.value, "ROOM", room) + ")";
    const std::string tail = std::string(random.one_of(fillings)) + " " + random.one_of(uses);
    return function_of(number, held, "", [&](const char* buffer) {
        std::string text = fmt::format("{} const size_t room = {}; {} {} {}", guard, room, buffer,
                                       count.before, tail);
        text = replaced(text, "ROOM0", tells_size ? held.size : "room");
        text = replaced(text, "ROOM", room);
        text = replaced(text, "AT", held.at);
        text = replaced(text, "TYPE", "u8");
        return replaced(text, "COUNT", written);
    });
}

}  // namespace freehold::generated_cases
