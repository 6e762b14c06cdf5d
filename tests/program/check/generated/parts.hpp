// SPDX-License-Identifier: BSL-1.0
// Functions made of random parts, whose need for zeroes the harness finds out.
#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <vector>

namespace freehold::generated_cases {

/// The same function twice, each on one line. Both lines begin with the function's number.
struct generated_function {
    std::string checked;  ///< It zeroes its buffer.
    std::string tested;   ///< It gets its buffer from the harness, with bytes of the harness.
};

/// A kind of buffer, in the function's text: ROOM is the number of elements of the type TYPE.
struct holder {
    const char* zeroed;
    const char* tested;
    const char* at;        ///< A pointer to its first element.
    const char* size;      ///< The container's own number of elements. Empty if it has none.
    const char* end = "";  ///< What the function does at last, if the buffer was zeroed.
};

/// Buffers of bytes on the heap that the harness can replace.
extern const std::vector<holder> holders;

class random_parts {
public:
    explicit random_parts(std::size_t seed) : random_(seed) {}

    template <class Part>
    const Part& one_of(const std::vector<Part>& parts) {
        return parts[random_() % parts.size()];
    }
    bool once_in(std::size_t times) { return random_() % times == 0; }

private:
    std::mt19937_64 random_;
};

/// The text with each occurrence of the name replaced.
std::string replaced(std::string text, const std::string& name, const std::string& by);

/// Both lines for a function whose body is written around the zeroing.
template <class Body>
generated_function function_of(std::size_t number, const holder& held, const std::string& before,
                               Body body) {
    const auto line = [&](const char* buffer, const char* end) {
        return "/*" + std::to_string(number) + "*/ " + before + " void run" +
               std::to_string(number) +
               "(const u8* in, size_t n, size_t m, header* of, size_t* p) { (void)in; (void)n; "
               "(void)m; (void)of; (void)p; " +
               body(buffer) + end + " }\n";
    };
    return {line(held.zeroed, held.end), line(held.tested, "")};
}

/// A guard, a number of bytes, a change of numbers, one filling and one use.
generated_function function_of_sizes(random_parts& random, std::size_t number);
/// Up to three nested loops, which write several elements in each pass, or in some of them.
generated_function function_of_loops(random_parts& random, std::size_t number);
/// Reads that may be short or may fail, in a loop or once, and tests of their results.
generated_function function_of_readers(random_parts& random, std::size_t number);

/// What the checked functions include and declare.
extern const char* const prelude;
/// What replaces the buffers of the tested functions.
extern const char* const tested_prelude;
/// The program that runs the tested functions. Its argument is the kind: sizes, loops or readers.
/// It prints each function's number, and `same`, `differs` or `unused`.
extern const char* const harness;

}  // namespace freehold::generated_cases
