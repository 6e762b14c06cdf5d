// SPDX-License-Identifier: BSL-1.0
#include "parts.hpp"

#include <string>

namespace freehold::generated_cases {
// Files may be compiled together, so the tables have a namespace of their own.
namespace loops {
namespace {

/// Loops around BODY: how many passes there are, and the number of the pass.
struct nest {
    const char* passes;
    const char* index;
    const char* text;
};
// CHANGE is a statement that may leave the outer loop's pass.
const std::vector<nest> nests = {
    {"n", "i", "for (size_t i = 0; i < n; ++i) { BODY }"},
    {"n", "i", "for (size_t i = 0; i < n; ++i) { BODY }"},
    {"n", "static_cast<size_t>(i)", "for (int i = 0; i < static_cast<int>(n); ++i) { BODY }"},
    {"n", "i", "for (size_t i = n; i-- > 0;) { BODY }"},
    {"n", "static_cast<size_t>(i)", "for (int i = static_cast<int>(n) - 1; i >= 0; --i) { BODY }"},
    {"n", "(i - 1)", "for (size_t i = 1; i <= n; ++i) { BODY }"},
    {"n", "i", "for (size_t i = 0; i != n; ++i) { BODY }"},
    {"n", "(i - 1)", "size_t i = 0; while (i++ < n) { BODY }"},
    {"n", "i", "size_t i = 0; if (n != 0) do { BODY } while (++i < n);"},
    {"n", "i", "size_t i = 0; for (const u8 each : std::span(in, n)) { (void)each; BODY ++i; }"},
    {"n", "static_cast<size_t>(from - in)",
     "for (const u8* from = in; from != in + n; ++from) { BODY }"},
    {"((n + 1) / 2)", "(i / 2)", "for (size_t i = 0; i < n; i += 2) { BODY }"},
    {"n", "size_t{i}", "for (u16 i = 0; i < n; ++i) { BODY }"},
    {"n", "i", "for (size_t i = 0; i < n; ++i) { if (i + 1 == n) { BODY } else { BODY } }"},
    {"n", "i", "for (size_t i = 0;; ++i) { if (i >= n) break; BODY }"},
    {"(n / 2)", "(i / 2)", "for (size_t i = 0; i + 1 < n; i += 2) { BODY }"},
    {"(n / 4)", "(i / 4)", "for (size_t i = 0; i + 4 <= n; i += 4) { BODY }"},
    {"(n / 4)", "(static_cast<size_t>(from - in) / 4)",
     "for (const u8* from = in; from + 4 <= in + n; from += 4) { BODY }"},
    {"((n + 2) / 3)", "(size_t{i} / 3)", "for (u32 i = 0; i < n; i += 3) { BODY }"},
    {"(n == 0 ? 0 : n - 1)", "(i - 1)", "for (size_t i = 1; i < n; ++i) { BODY }"},
    {"(n == 0 ? 0 : n - 1)", "i", "for (size_t i = 0; i + 1 < n; ++i) { BODY }"},
    {"(n - 1)", "i", "for (size_t i = 0; i < n - 1; ++i) { BODY }"},
    {"n", "i", "for (size_t i = 0; i < m; ++i) { BODY } for (size_t i = m; i < n; ++i) { BODY }"},
    {"(n + m)", "i", "size_t i = 0; for (; i < n; ++i) { BODY } for (; i < n + m; ++i) { BODY }"},
    {"n", "j",
     "for (size_t i = 0; i < n; i += 4) { CHANGE for (size_t j = i; j < std::min(n, i + 4); ++j) "
     "{ BODY } }"},
    {"n", "j",
     "for (size_t i = 0; i < n; i += 4) for (size_t j = i; j < n && j < i + 4; ++j) { BODY }"},
    {"(n / 8 * 8)", "(y * 8 + x)",
     "for (size_t y = 0; y < n / 8; ++y) for (size_t x = 0; x < 8; ++x) { BODY }"},
    {"(m * n)", "(y * n + x)",
     "for (size_t y = 0; y < m; ++y) { CHANGE for (size_t x = 0; x < n; ++x) { BODY } }"},
    {"(m * n)", "(y * n + x)",
     "for (size_t y = 0; y < m; ++y) for (size_t x = 0; x < n; ++x) { BODY }"},
    {"(m * n)", "(static_cast<size_t>(y) * n + static_cast<size_t>(x))",
     "const int w = static_cast<int>(n), h = static_cast<int>(m); for (int y = 0; y < h; ++y) { "
     "CHANGE for (int x = 0; x < w; ++x) { BODY } }"},
    {"(m * n)", "(y * n + x)",
     "for (size_t x = 0; x < n; ++x) { CHANGE for (size_t y = 0; y < m; ++y) { BODY } }"},
    {"(m * n)", "(y * n + x)",
     "for (size_t y = m; y-- > 0;) { CHANGE for (size_t x = n; x-- > 0;) { BODY } }"},
    {"(m * n)", "(y * n + x)",
     "for (size_t y = 0; y < m; ++y) { size_t x = 0; CHANGE while (x < n) { BODY ++x; if (x > "
     "9999) break; } }"},
    {"(m * m)", "(y * m + x)",
     "for (size_t y = 0; y < m; ++y) for (size_t x = 0; x < y; ++x) { BODY }"},
    {"(m * n * 2)", "((y * n + x) * 2 + c)",
     "for (size_t y = 0; y < m; ++y) { CHANGE for (size_t x = 0; x < n; ++x) for (size_t c = 0; c "
     "< 2; ++c) { BODY } }"},
    {"(m * n * 3)", "((c * m + y) * n + x)",
     "for (size_t c = 0; c < 3; ++c) for (size_t y = 0; y < m; ++y) { CHANGE for (size_t x = 0; x "
     "< n; ++x) { BODY } }"},
    // One pass too few, on purpose.
    {"n", "i", "for (size_t i = 0; i + 1 < n; ++i) { BODY }"},
    {"n", "i", "for (size_t i = 1; i < n; ++i) { BODY }"},
    {"n", "(i - 1)", "for (size_t i = n; i > 1; --i) { BODY }"},
    {"((n + 1) / 2)", "(i / 2)", "for (size_t i = 1; i < n; i += 2) { BODY }"},
    {"(m * n)", "(y * n + x)",
     "for (size_t y = 0; y < m; ++y) { CHANGE for (size_t x = 1; x < n; ++x) { BODY } }"},
    {"(m * n)", "(y * n + x)",
     "for (size_t y = 0; y + 1 < m; ++y) { CHANGE for (size_t x = 0; x < n; ++x) { BODY } }"},
    {"(m * n)", "(y * n + x)",
     "for (size_t y = 0; y < n; ++y) { CHANGE for (size_t x = 0; x < m; ++x) { BODY } }"},
    {"(m * n * 3)", "(c * (m * n) + i)",
     "for (size_t c = 0; c < 2; ++c) { CHANGE for (size_t i = 0; i < m * n; ++i) { BODY } }"},
    {"(m * n * 3)", "(c * (m * n) + i)",
     "for (size_t c = 0; c < 3; ++c) { CHANGE for (size_t i = 0; i < m * n; ++i) { BODY } }"},
};

/// How one pass writes: EACH is the number of the write in its pass, WRITES how many there are.
struct style {
    const char* before;
    const char* write;
    const char* after;
    const char* filled;     ///< How many elements were written. Empty if nothing counts them.
    bool is_whole = false;  ///< The text writes all elements of the pass.
};
const std::vector<style> styles = {
    {"size_t pos = 0;", "v[pos++] = VALUE;", "", "pos"},
    {"size_t pos = 0;", "v[pos++] = VALUE;", "", "pos"},
    {"int pos = 0;", "v[pos++] = VALUE;", "", "static_cast<size_t>(pos)"},
    {"u32 pos = 0;", "v[pos++] = VALUE;", "", "pos"},
    {"size_t pos = 0;", "v[pos] = VALUE; ++pos;", "", "pos"},
    {"size_t pos = 0;", "v[pos + EACH] = VALUE;", "pos += WRITES;", "pos"},
    {"auto* to = AT;", "*to++ = VALUE;", "", "static_cast<size_t>(to - AT)"},
    {"auto* to = AT;", "*to++ = VALUE;", "", "static_cast<size_t>(to - AT)"},
    {"auto* to = AT;", "to[EACH] = VALUE;", "to += WRITES;", "static_cast<size_t>(to - AT)"},
    {"", "v[INDEX * WRITES + EACH] = VALUE;", "", ""},
    {"", "v[INDEX * WRITES + EACH] = VALUE;", "", ""},
    {"", "v[EACH * PASSES + INDEX] = VALUE;", "", ""},
    {"", "v[ROOM - 1 - (INDEX * WRITES + EACH)] = VALUE;", "", ""},
    {"size_t left = ROOM;", "v[--left] = VALUE;", "", ""},
    {"auto* to = AT + ROOM;", "*--to = VALUE;", "", ""},
    {"auto* to = AT;", "std::memcpy(to, in, WRITES * sizeof(TYPE));", "to += WRITES;",
     "static_cast<size_t>(to - AT)", true},
    {"size_t pos = 0;", "std::fill_n(AT + pos, WRITES, TYPE{3}); pos += WRITES;", "", "pos", true},
    {"", "std::memset(AT + INDEX * WRITES, 1, WRITES * sizeof(TYPE));", "", "", true},
};

const std::vector<const char*> assigned = {
    "in[INDEX]",
    "in[INDEX]",
    "in[INDEX * WRITES + EACH]",
    "in[4 * INDEX + EACH]",
    "in[INDEX > 0 ? INDEX - 1 : 0]",
    "in[INDEX + 1 < PASSES ? INDEX + 1 : INDEX]",
    "in[std::min<size_t>(INDEX + 1, PASSES - 1)]",
    "next()",
    "n",
    "7",
    "v[INDEX]",
    "v[0]",
    "v[INDEX > 0 ? INDEX - 1 : 0]",
};

const std::vector<const char*> conditions = {
    "in[INDEX] % 3 == 0",
    "INDEX == 3",
    "INDEX + 1 == PASSES",
    "INDEX + 1 < PASSES",
    "n == 5",
    "m == 3",
    "m > n",
    "next() == 0",
    "INDEX % 2 == 1",
    "INDEX >= m",
    "INDEX * WRITES >= ROOM",
    "FILLED >= ROOM",
    "FILLED + WRITES > ROOM",
};

/// Statements before, between or behind the writes.
const std::vector<const char*> changes = {
    "if (IF) continue;", "if (IF) break;", "if (IF) return;",
    "if (IF) throw 1;",  "touch();",       "note(1);",
};
/// For statements of the outer loop, where INDEX is not known.
const std::vector<const char*> outer_conditions = {
    "n == 5", "m == 3", "m > n", "next() == 0", "in[n + m] % 3 == 0",
};

const std::vector<const char*> guards = {
    "",
    "",
    "",
    "",
    "if (n == 0) return;",
    "if (n == 0 || m == 0) return;",
    "if (n < 2) return;",
    "if (m > n) return;",
    "if (n != m) return;",
    "if (n % 4 != 0) return;",
    "if (n > 1000 || m > 1000) throw 1;",
    "if (PASSES == 0) return;",
    "if (PASSES * WRITES > 5000) return;",
};

/// The number of elements, if it is not just what the loops write.
const std::vector<const char*> other_rooms = {
    "PASSES * WRITES + 1",
    "PASSES * 3",
    "PASSES",
    "PASSES * 4",
    "(n + 1) / 2",
    "n - 1",
    "n "
    "* 3",
    "m * n",
    "PASSES + m",
    "n",
};

// They follow the loops.
const std::vector<const char*> fills_of_rest = {
    "",
    "",
    "",
    "",
    "",
    "if (FILLED != ROOM) return;",
    "if (FILLED < ROOM) return;",
    "std::fill(AT + FILLED, AT + ROOM, TYPE{2});",
    "while (FILLED < ROOM) { REST }",
    "std::memset(AT + FILLED, 0, (ROOM - FILLED) * sizeof(TYPE));",
};
// They cut a container, so its size is used after them.
const std::vector<const char*> cuts = {
    "v.resize(FILLED);",
    "v.resize(FILLED);",
    "v.erase(v.begin() + static_cast<std::ptrdiff_t>(FILLED), v.end());",
    "v.resize(FILLED + 1);",
    "v.resize(std::min<size_t>(FILLED, m));",
    "v.resize(PASSES);",
    "if (FILLED < v.size()) v.resize(FILLED);",
};

const std::vector<const char*> uses = {
    "take(AT, ROOM * sizeof(TYPE));",
    "take(AT, ROOM * sizeof(TYPE));",
    "take(AT, ROOM * sizeof(TYPE));",
    "take(AT, PASSES * sizeof(TYPE));",
    "take(AT, PASSES * WRITES * sizeof(TYPE));",
    "for (size_t i = 0; i < ROOM; ++i) note(static_cast<double>(v[i]));",
    "if (ROOM != 0) note(static_cast<double>(v[ROOM - 1]));",
    "if (ROOM != 0) note(static_cast<double>(v[0]));",
};
const std::vector<const char*> uses_of_filled = {
    "take(AT, FILLED * sizeof(TYPE));",
    "take(AT, (FILLED + 1) * sizeof(TYPE));",
    "for (size_t i = 0; i < FILLED; ++i) note(static_cast<double>(v[i]));",
    "if (FILLED != 0) note(static_cast<double>(v[FILLED - 1]));",
    "if (FILLED < ROOM) note(static_cast<double>(v[FILLED]));",
};
const std::vector<const char*> uses_of_cut = {
    "take(AT, v.size() * sizeof(TYPE));",
    "for (const auto each : v) note(static_cast<double>(each));",
    "if (!v.empty()) note(static_cast<double>(v.back()));",
};

const std::vector<const char*> types = {"u8", "u8", "u16", "int", "float", "u32", "double"};

}  // namespace
}  // namespace loops

generated_function function_of_loops(random_parts& random, std::size_t number) {
    using namespace loops;
    const holder& held = random.one_of(holders);
    const bool is_text = std::string(held.zeroed).find("string") != std::string::npos;
    const nest& loops = random.one_of(nests);
    const style& how = random.one_of(styles);
    const std::vector<std::string> counts = {"1", "1", "1", "2", "3", "4"};
    const std::string writes = random.one_of(counts);
    const bool is_counted = *how.filled != '\0';
    const bool is_container = *held.size != '\0';

    const std::string value = "static_cast<TYPE>(" + std::string(random.one_of(assigned)) + ")";
    std::string body;
    const auto change = [&](std::size_t times, const std::vector<const char*>& from) {
        return random.once_in(times)
                   ? replaced(random.one_of(changes), "IF", random.one_of(from)) + " "
                   : std::string();
    };
    const std::size_t pieces = how.is_whole ? 1 : std::stoul(writes);
    body += change(6, conditions);
    for (std::size_t i = 0; i < pieces; ++i) {
        std::string write = replaced(how.write, "EACH", std::to_string(i));
        if (random.once_in(10))
            write = "if (" + std::string(random.one_of(conditions)) + ") { " + write + " }" +
                    (random.once_in(3) ? " else { " + write + " }" : "");
        body += write + " " + change(12, conditions);
    }
    body += how.after;

    std::string text = loops.text;
    text = replaced(text, "CHANGE", change(5, outer_conditions));
    text = replaced(text, "BODY", body);
    const bool is_cut = is_counted && is_container && random.once_in(2);
    text += " ";
    if (is_cut) {
        text += random.one_of(cuts);
        text += " ";
        text += random.one_of(uses_of_cut);
    } else {
        if (is_counted)
            text += replaced(random.one_of(fills_of_rest), "REST",
                             replaced(how.write, "VALUE", "TYPE{7}") + how.after);
        text += " ";
        text += random.one_of(is_counted && random.once_in(2) ? uses_of_filled : uses);
    }
    const std::string wanted = random.once_in(4) ? random.one_of(other_rooms) : "PASSES * WRITES";
    const std::string type = is_text ? "char" : random.one_of(types);
    const bool has_name = random.once_in(2);
    const std::string room = is_container && random.once_in(3) ? held.size
                             : has_name                        ? "room"
                                                               : "(" + wanted + ")";
    const std::string guard = random.one_of(guards);
    return function_of(number, held, "", [&](const char* buffer) {
        const std::string declared = has_name ? "const size_t room = " + wanted + ";" : "";
        std::string result = guard + " " + declared + " " +
                             replaced(buffer, "ROOM", has_name ? "room" : wanted) + " " +
                             how.before + " " + text;
        result = replaced(result, "FILLED", is_counted ? how.filled : "INDEX");
        result = replaced(result, "VALUE", value);
        result = replaced(result, "EACH", "0");
        result = replaced(result, "ROOM", room);
        result = replaced(result, "INDEX", loops.index);
        result = replaced(result, "PASSES", loops.passes);
        result = replaced(result, "WRITES", writes);
        result = replaced(result, "AT", held.at);
        return replaced(result, "TYPE", type);
    });
}

}  // namespace freehold::generated_cases
