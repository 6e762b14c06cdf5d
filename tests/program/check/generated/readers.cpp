// SPDX-License-Identifier: BSL-1.0
#include "parts.hpp"

#include <string>

namespace freehold::generated_cases {
// Files may be compiled together, so the tables have a namespace of their own.
namespace readers {
namespace {

// TO is where a call writes, SIZE how many bytes it is asked for, and GOT what it said. COUNT is
// what the function wants of its buffer AT, which has ROOM bytes.

const std::vector<const char*> guards = {
    "",
    "",
    "",
    "if (n == 0) return;",
    "if (m > n) return;",
    "if (n > INT_MAX) return;",
    "if (n > SSIZE_MAX) return;",
    "if (n > 255) return;",
    "if (n % 4 != 0) return;",
};
const std::vector<const char*> rooms = {"n",
                                        "n",
                                        "n",
                                        "n + m",
                                        "n + "
                                        "1",
                                        "global",
                                        "of->size",
                                        "256"};
const std::vector<const char*> counts = {"ROOM",
                                         "ROOM",
                                         "ROOM",
                                         "ROOM",
                                         "n",
                                         "m",
                                         "ROOM / 2",
                                         "std::min(n, m)",
                                         "(ROOM & "
                                         "~size_t{3})"};

/// The result is negative if the call failed.
const std::vector<const char*> signed_calls = {
    "read(file, TO, SIZE)",           "read(file, TO, SIZE)",      "recv(file, TO, SIZE, 0)",
    "pread(file, TO, SIZE, 0)",       "passed_on(file, TO, SIZE)", "all_or_error(file, TO, SIZE)",
    "whole_or_error(file, TO, SIZE)", "narrowed(file, TO, SIZE)",
};
const std::vector<const char*> unsigned_calls = {
    "std::fread(TO, 1, SIZE, stream)",     "std::fread(TO, 1, SIZE, stream)",
    "as_much_as_there_is(file, TO, SIZE)", "read_elements(TO, SIZE)",
    "error_is_large(file, TO, SIZE)",      "error_is_zero(file, TO, SIZE)",
};
const std::vector<const char*> types = {"ssize_t",
                                        "ssize_t",
                                        "const ssize_t",
                                        "const auto",
                                        "auto",
                                        "int",
                                        "long",
                                        "size_t",
                                        "const "
                                        "size_t",
                                        "u32",
                                        "short",
                                        "u8"};

/// They follow one call.
const std::vector<const char*> tests = {
    "",
    "if (GOT < 0) return;",
    "if (GOT < 0) return;",
    "if (GOT <= 0) return;",
    "if (GOT == -1) return;",
    "if (GOT == 0) return;",
    "if (!GOT) return;",
    "if (GOT < 1) throw 1;",
    "if (GOT != COUNT) return;",
    "if (static_cast<size_t>(GOT) != COUNT) return;",
    "if (GOT != static_cast<ssize_t>(COUNT)) return;",
    "if (GOT < COUNT) return;",
    "if (static_cast<size_t>(GOT) < COUNT) return;",
    "if (GOT < static_cast<ssize_t>(COUNT)) return;",
    "if (GOT < static_cast<int>(COUNT)) return;",
    "if (GOT <= COUNT / 2) return;",
    "const bool whole = GOT == COUNT; if (!whole) return;",
    "const bool whole = GOT >= COUNT; note(whole); if (!whole) return;",
    "const bool failed = GOT < 0; if (failed) return;",
    "if (GOT < 0 || static_cast<size_t>(GOT) < COUNT) return;",
    "if (GOT < 0 && errno != EINTR) return;",
    "if (GOT > COUNT) return;",
    "if (static_cast<size_t>(GOT) > COUNT) return;",
    "if (static_cast<size_t>(GOT) == COUNT) note(1); else return;",
    "const ssize_t wide = GOT; if (wide < 0) return;",
    "const ssize_t wide = GOT; if (wide < static_cast<ssize_t>(COUNT)) return;",
};
/// A number that is computed from the result.
struct computed_number {
    const char* before;
    const char* value;
};
const std::vector<computed_number> numbers = {
    {"", "GOT"},
    {"", "GOT"},
    {"", "GOT"},
    {"", "static_cast<size_t>(GOT)"},
    {"", "static_cast<int>(GOT)"},
    {"", "static_cast<u16>(GOT)"},
    {"", "static_cast<u8>(GOT)"},
    {"", "std::min<size_t>(GOT, COUNT)"},
    {"", "std::max<ssize_t>(GOT, 0)"},
    {"const size_t part = GOT < 0 ? 0 : static_cast<size_t>(GOT);", "part"},
    {"const size_t part = GOT > 0 ? static_cast<size_t>(GOT) : 0;", "part"},
    {"const size_t part = std::min(static_cast<size_t>(GOT), static_cast<size_t>(COUNT));", "part"},
    {"size_t part = 0; if (GOT > 0) part += static_cast<size_t>(GOT);", "part"},
    {"size_t part = 0; part += GOT;", "part"},
    {"u32 part = static_cast<u32>(GOT);", "part"},
    {"outcome told = {GOT >= 0, static_cast<size_t>(GOT)}; if (!told.ok) return;", "told.size"},
    {"outcome told; told.size = GOT; told.ok = GOT == COUNT;", "told.size"},
    {"size_t part = GOT; touch();", "part"},
    {"", "static_cast<ssize_t>(GOT)"},
    {"", "(GOT / 2)"},
    {"", "(GOT & ~3)"},
    {"", "(GOT + 1)"},
};
const std::vector<const char*> uses = {
    "take(AT, BYTES);",
    "take(AT, BYTES);",
    "take(AT, COUNT);",
    "take(AT, COUNT);",
    "take(AT, ROOM);",
    "if (BYTES > 0) take(AT, BYTES);",
    "if (BYTES > 0) take(AT, COUNT);",
    "if (BYTES == COUNT) take(AT, COUNT);",
    "if (BYTES >= COUNT) take(AT, COUNT);",
    "if (static_cast<size_t>(BYTES) >= COUNT) take(AT, COUNT);",
    "if (BYTES != 0) note(v[0]);",
    "if (BYTES > 2) note(v[1]);",
    "for (size_t i = 0; i < BYTES; ++i) note(v[i]);",
    "for (int i = 0; i < static_cast<int>(BYTES); ++i) note(v[i]);",
    "for (ssize_t i = 0; i < static_cast<ssize_t>(BYTES); ++i) note(v[i]);",
    "for (size_t i = 0; i + 1 < BYTES; ++i) note(v[i] + v[i + 1]);",
    "for (size_t i = 0; i < COUNT; ++i) note(v[i]);",
    "take(AT, std::min<size_t>(BYTES, COUNT));",
    "take(AT, std::min<size_t>(COUNT, static_cast<size_t>(BYTES)));",
    "std::fill(AT + BYTES, AT + ROOM, 1); take(AT, ROOM);",
    "std::memset(AT + BYTES, 0, COUNT - BYTES); take(AT, COUNT);",
};
const std::vector<const char*> uses_of_container = {
    "v.resize(BYTES); take(AT, v.size());",
    "v.resize(BYTES); take(AT, v.size());",
    "v.resize(static_cast<size_t>(BYTES)); for (const auto each : v) note(each);",
    "if (BYTES < v.size()) v.resize(BYTES); take(AT, v.size());",
    "v.erase(v.begin() + BYTES, v.end()); take(AT, v.size());",
    "v.resize(std::min<size_t>(BYTES, COUNT)); take(AT, v.size());",
};

/// Whole functions with one condition, after which the buffer is used.
const std::vector<const char*> conditions = {
    "if (CALL(AT, COUNT) != COUNT) return;",
    "if (CALL(AT, COUNT) < 0) return;",
    "if (CALL(AT, COUNT) <= 0) return;",
    "if (CALL(AT, COUNT) < COUNT) return;",
    "if (CALL(AT, COUNT) == static_cast<ssize_t>(COUNT)) note(1); else return;",
    "if (!CALL(AT, COUNT)) return;",
    "if (std::fread(AT, COUNT, 1, stream) != 1) return;",
    "if (std::fread(AT, COUNT, 1, stream) < 1) return;",
    "if (!std::fread(AT, 1, COUNT, stream)) return;",
    "const bool whole = CALL(AT, COUNT) == COUNT; if (!whole) return;",
    "const bool whole = std::fread(AT, COUNT, 1, stream) == 1; if (!whole) return;",
    "if (!is_whole(file, AT, COUNT)) return;",
    "if (status_of(file, AT, COUNT) != 0) return;",
    "if (status_of(file, AT, COUNT) < 0) return;",
    "if (!is_some(file, AT, COUNT)) return;",
    "if (!is_whole_in_parts(file, AT, COUNT)) return;",
    "if (!is_whole(file, AT, COUNT / 2) || !is_whole(file, AT + COUNT / 2, COUNT - COUNT / 2)) "
    "return;",
    "if (const bool whole = is_whole(file, AT, COUNT); !whole) throw 1;",
    "if (CALL(AT, COUNT) < 0) std::memset(AT, 2, COUNT);",
    "if (CALL(AT, COUNT) != COUNT) std::memset(AT, 2, COUNT);",
    "while (CALL(AT, COUNT) < 0) { if (errno != EINTR) return; }",
    "while (CALL(AT, COUNT) != COUNT) { if (next() == 0) return; }",
    "do { if (next() == 1) return; } while (CALL(AT, COUNT) == -1);",
};

/// Calls that give their result in another way.
struct outcome {
    const char* text;
    const char* succeeded;
    const char* got;
};
const std::vector<outcome> outcomes = {
    {"const outcome o = part_of(file, AT, COUNT);", "o.ok", "o.size"},
    {"const outcome o = all_of(file, AT, COUNT);", "o.ok", "o.size"},
    {"const auto [ok, got] = part_of(file, AT, COUNT);", "ok", "got"},
    {"const auto o = maybe(file, AT, COUNT);", "o.has_value()", "*o"},
    {"const auto o = maybe(file, AT, COUNT);", "o", "o.value_or(0)"},
    {"size_t got = 0; const bool ok = into(file, AT, COUNT, got);", "ok", "got"},
    {"size_t got = COUNT; const bool ok = by_pointer(file, AT, COUNT, &got);", "ok", "got"},
};
const std::vector<const char*> tests_of_outcome = {
    "if (!OK) return;",
    "if (!OK) return;",
    "if (!OK) throw 1;",
    "",
    "if (!OK || GOT != COUNT) return;",
    "if (!OK || GOT < COUNT) return;",
    "if (!OK && GOT == 0) return;",
    "if (OK && GOT < COUNT) return;",
};

/// Reads until there are COUNT bytes, or until something else ends it. DONE has the sum.
struct loop {
    const char* text;
    const char* done;
};
const std::vector<loop> loops = {
    {"SUM done = 0; while (done < COUNT) { RESULT got = CALL(AT + done, COUNT - done); STOP done "
     "+= got; }",
     "done"},
    {"SUM done = 0; while (done < COUNT) { RESULT got = CALL(AT + done, COUNT - done); STOP done "
     "+= got; }",
     "done"},
    {"SUM done = 0; while (done != COUNT) { RESULT got = CALL(AT + done, COUNT - done); STOP "
     "done += got; }",
     "done"},
    {"SUM done = 0; RESULT got = 0; while (done < COUNT && (got = CALL(AT + done, COUNT - done)) "
     "> 0) done += got;",
     "done"},
    {"SUM done = 0; RESULT got = 0; while ((got = CALL(AT + done, COUNT - done)) > 0) done += got;",
     "done"},
    {"SUM done = 0; RESULT got = 0; while ((got = CALL(AT + done, COUNT - done)) != 0) { STOP "
     "done += got; }",
     "done"},
    {"SUM done = 0; for (RESULT got = 1; got > 0 && done < COUNT; done += got) { got = CALL(AT + "
     "done, COUNT - done); STOP }",
     "done"},
    {"SUM done = 0; RESULT got = 0; do { got = CALL(AT + done, COUNT - done); STOP done += got; "
     "} while (got != 0 && done < COUNT);",
     "done"},
    {"SUM done = 0; for (;;) { RESULT got = CALL(AT + done, COUNT - done); STOP done += got; if "
     "(done == COUNT) break; }",
     "done"},
    {"SUM done = 0; for (;;) { RESULT got = CALL(AT + done, COUNT - done); STOP done += got; if "
     "(done >= COUNT) break; }",
     "done"},
    {"auto* to = AT; SUM left = COUNT; while (left > 0) { RESULT got = CALL(to, left); STOP to "
     "+= got; left -= got; }",
     "static_cast<size_t>(to - AT)"},
    {"auto* to = AT; SUM left = COUNT; while (left != 0) { RESULT got = CALL(to, left); STOP to "
     "+= got; left -= got; }",
     "(COUNT - left)"},
    {"auto* to = AT; const auto* const end = AT + COUNT; while (to < end) { RESULT got = "
     "CALL(to, end - to); STOP to += got; }",
     "static_cast<size_t>(to - AT)"},
    {"SUM done = 0; for (size_t at = 0; at < COUNT; at += 16) { const size_t wanted = "
     "std::min<size_t>(16, COUNT - at); RESULT got = CALL(AT + at, wanted); STOP_SHORT done += "
     "got; }",
     "done"},
    {"SUM done = 0; while (done + 16 <= COUNT) { RESULT got = CALL(AT + done, 16); STOP done += "
     "got; }",
     "done"},
    {"SUM done = 0; for (int tries = 0; tries < 3; ++tries) { RESULT got = CALL(AT + done, COUNT "
     "- done); STOP done += got; }",
     "done"},
    {"SUM done = 0; RESULT got = CALL(AT, COUNT / 2); STOP_ONCE done += got; RESULT more = "
     "CALL(AT + done, COUNT - done); STOP_MORE done += more;",
     "done"},
};
const std::vector<const char*> sums = {"size_t", "size_t", "size_t", "ssize_t",
                                       "int",    "u32",    "long"};
const std::vector<const char*> stops = {
    "if (got <= 0) break;",
    "if (got <= 0) return;",
    "if (got < 0) return; if (got == 0) break;",
    "if (got == 0) break;",
    "if (got < 0) break;",
    "if (got < 0) { if (errno == EINTR) continue; return; } if (got == 0) break;",
    "if (got == -1) continue; if (got == 0) break;",
    "if (got == 0) return;",
    "if (got < 1) throw 1;",
    "if (!got) break;",
    "if (got < 0) got = 0; if (got == 0) break;",
    "if (got <= 0 || next() == 0) break;",
    "",
};
/// The buffer is a member of a struct that another function makes.
const std::vector<const char*> records = {
    "one->size = got;",
    "one->size = static_cast<size_t>(got);",
    "one->size = got < 0 ? 0 : static_cast<size_t>(got);",
    "if (got < 0) return nullptr; one->size = static_cast<size_t>(got);",
    "if (got <= 0) return nullptr; one->size = got;",
    "one->size = sizeof one->bytes; if (got != 256) return nullptr;",
    "one->size = 256; if (got == 0) return nullptr;",
    "one->whole = got == 256; one->size = got > 0 ? got : 0;",
    "one->whole = got == 256; one->size = 256;",
    "one->size = std::min<size_t>(got, 256);",
    "one->size = got; if (one->size > 256) one->size = 0;",
    "if (got < 0) one->size = 0; else one->size = got;",
};
const std::vector<const char*> uses_of_record = {
    "take(one->bytes, one->size);",
    "take(one->bytes, one->size);",
    "for (size_t i = 0; i < one->size; ++i) note(one->bytes[i]);",
    "take(one->bytes, 256);",
    "if (one->whole) take(one->bytes, 256);",
    "if (one->size == 256) take(one->bytes, 256);",
    "if (one->size > 0) note(one->bytes[0]);",
    "take(one->bytes, std::min<size_t>(one->size, n));",
    "take(one->bytes, one->size / 2);",
    "one->size = std::min<size_t>(one->size, m); take(one->bytes, one->size);",
};

/// Arrays of 256 bytes.
const std::vector<holder> arrays = {
    {"u8 v[256] = {};", "u8* v = filled<u8>(256);", "v", ""},
    {"std::array<u8, 256> v{};", "std::span<u8> v(filled<u8>(256), 256);", "v.data()", ""},
};

/// The text with the call in place of each CALL(TO, SIZE).
std::string with_calls(std::string text, const std::string& call) {
    const std::string name = "CALL(";
    for (std::size_t begin = 0; (begin = text.find(name, begin)) != std::string::npos;) {
        const std::size_t first = begin + name.size();
        std::size_t comma = 0;
        std::size_t end = first;
        for (int depth = 1; depth != 0; ++end) {
            if (text[end] == '(') ++depth;
            if (text[end] == ')') --depth;
            if (text[end] == ',' && depth == 1) comma = end;
        }
        const std::string made = replaced(replaced(call, "TO", text.substr(first, comma - first)),
                                          "SIZE", text.substr(comma + 2, end - comma - 3));
        text.replace(begin, end - begin, made);
        begin += made.size();
    }
    return text;
}

std::string call_of(random_parts& random) {
    return random.one_of(random.once_in(3) ? unsigned_calls : signed_calls);
}

/// A function that makes a struct with a buffer, and one that uses the struct.
generated_function function_of_record(random_parts& random, std::size_t number) {
    std::string text =
        "/*NUMBER*/ struct recordNUMBER { u8 bytes[256]; size_t size; bool whole; }; static "
        "std::unique_ptr<recordNUMBER> newNUMBER() { auto one = "
        "std::make_unique<recordNUMBER>(); FILLING TYPE got = CALL(one->bytes, 256); STORE return "
        "one; } void runNUMBER(const u8*, size_t n, size_t m, header*, size_t*) { (void)n; "
        "(void)m; auto one = newNUMBER(); if (one == nullptr) return; USE }\n";
    text = with_calls(text, call_of(random));
    text = replaced(text, "TYPE", random.one_of(types));
    text = replaced(text, "STORE", random.one_of(records));
    text = replaced(text, "USE", random.one_of(uses_of_record));
    text = replaced(text, "NUMBER", std::to_string(number));
    return {replaced(text, "FILLING ", ""),
            replaced(text, "FILLING", "std::memset(one.get(), fill, sizeof *one);")};
}

struct reading {
    std::string text;
    std::string got;  ///< The number of bytes that were read.
};

reading loop_of(random_parts& random) {
    const loop& one = random.one_of(loops);
    const std::string stop = random.one_of(stops);
    const std::string once = replaced(replaced(stop, "break", "return"), "continue", "return");
    std::string type = random.one_of(types);
    if (type.find("auto") != std::string::npos) type = "ssize_t";
    std::string text = one.text;
    text = replaced(text, "STOP_SHORT", random.once_in(3) ? stop : "if (got != wanted) return;");
    text = replaced(text, "STOP_ONCE", once);
    text = replaced(text, "STOP_MORE", replaced(once, "got", "more"));
    text = replaced(text, "STOP", stop);
    text = replaced(text, "SUM", random.one_of(sums));
    text = replaced(text, "RESULT", replaced(type, "const ", ""));
    return {text + " " + replaced(random.one_of(tests), "GOT", one.done), one.done};
}

reading reading_of(random_parts& random) {
    if (random.once_in(2)) return loop_of(random);
    if (random.once_in(3)) return {random.one_of(conditions), "COUNT"};
    if (random.once_in(3)) {
        const outcome& one = random.one_of(outcomes);
        return {std::string(one.text) + " " +
                    replaced(replaced(random.one_of(tests_of_outcome), "OK", one.succeeded), "GOT",
                             one.got),
                one.got};
    }
    const std::string type = random.one_of(types);
    const bool is_changed = type.find("auto") == std::string::npos && random.once_in(8);
    return {(is_changed ? replaced(type, "const ", "") +
                              " got = -1; if (n % 2 == 0) got = CALL(AT, COUNT); "
                        : type + " got = CALL(AT, COUNT); ") +
                replaced(random.one_of(tests), "GOT", "got"),
            "got"};
}

}  // namespace
}  // namespace readers

generated_function function_of_readers(random_parts& random, std::size_t number) {
    using namespace readers;
    if (random.once_in(10)) return function_of_record(random, number);
    const bool is_array = random.once_in(8);
    const holder& held = random.one_of(is_array ? arrays : holders);
    const bool is_container = *held.size != '\0';
    const std::string wanted = is_array ? "256" : random.one_of(rooms);
    const bool has_name = random.once_in(2);
    const std::string room = is_container && random.once_in(4) ? held.size
                             : has_name                        ? "room"
                                                               : "(" + wanted + ")";
    const std::string count = random.one_of(counts);
    const reading read = reading_of(random);
    const computed_number& computed = random.one_of(numbers);
    const bool is_cut = is_container && random.once_in(3);
    const std::string use =
        replaced(random.one_of(is_cut ? uses_of_container : uses), "BYTES", computed.value);
    const std::string call = call_of(random);
    const std::string guard = random.one_of(guards);
    return function_of(number, held, "", [&](const char* buffer) {
        std::string text = guard;
        if (has_name) text += " const size_t room = " + wanted + ";";
        text += " " + replaced(buffer, "ROOM", has_name ? "room" : wanted) + " " + read.text + " " +
                computed.before + " " + use;
        text = with_calls(text, call);
        text = replaced(text, "GOT", read.got);
        text = replaced(text, "COUNT", count);
        text = replaced(text, "ROOM", room);
        text = replaced(text, "AT", held.at);
        return replaced(text, "TYPE", "u8");
    });
}

}  // namespace freehold::generated_cases
