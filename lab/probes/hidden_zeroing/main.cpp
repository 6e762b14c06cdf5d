// SPDX-License-Identifier: BSL-1.0
// Runs each construct in memory that is full of a pattern, the heap's as well as the stack's. The
// first line that it prints names the compiler, the standard library and, where there is one, the
// clang-tidy that fixed the files in lint/. Then there is a line for each construct: group, symbol,
// code, remark, how many of its bytes are zero, and how many are neither zero nor of the pattern;
// or a `-` in place of the two where there is no such construct. All are divided by tabs.
#include "probes/hidden_zeroing/construct.hpp"
#include "probes/hidden_zeroing/lines.hpp"
#include "probes/patterned_heap.hpp"

#include <cstdio>
#include <exception>
#include <string>

namespace {

struct counted {
    std::size_t zero = 0;
    std::size_t other = 0;
};

counted seen;

void count(const void* memory) {
    const auto* const bytes = static_cast<const volatile unsigned char*>(memory);
    seen = {};
    for (std::size_t i = 0; i < n; ++i) {
        const unsigned char byte = bytes[i];
        if (byte == 0) {
            ++seen.zero;
        } else if (byte != lab::pattern) {
            ++seen.other;
        }
    }
}

/// As deep as any construct reaches.
[[gnu::noinline]] void fill_the_stack() {
    volatile unsigned char frame[n + n / 2];
    for (std::size_t i = 0; i < sizeof frame; ++i) frame[i] = lab::pattern;
}

/// Keeps what it calls below the first few words of the stack that fill_the_stack() leaves.
[[gnu::noinline]] void run_deeper(const lab::construct& one) {
    volatile unsigned char unused[256];
    unused[0] = lab::pattern;
    one.run(count);
    unused[1] = unused[0];
}

void run(const lab::construct& one) {
    std::printf("%s\t%s\t%s\t%s\t", one.group, one.symbol, one.code, one.remark);
    if (one.run == nullptr) {
        std::puts("-");
        return;
    }
    fill_the_stack();
    run_deeper(one);
    std::printf("%zu\t%zu\n", seen.zero, seen.other);
}

std::string compiler() {
#if defined(__clang__)
    return "clang++ " + std::to_string(__clang_major__) + '.' + std::to_string(__clang_minor__);
#else
    return "g++ " + std::to_string(__GNUC__) + '.' + std::to_string(__GNUC_MINOR__);
#endif
}

std::string library() {
#if defined(_LIBCPP_VERSION)
    constexpr int unit = _LIBCPP_VERSION > 100000 ? 10000 : 1000;
    return "libc++ " + std::to_string(_LIBCPP_VERSION / unit);
#else
    return "libstdc++ " + std::to_string(_GLIBCXX_RELEASE);
#endif
}

#if defined(FREEHOLD_LAB_CLANG_TIDY)
constexpr const char* clang_tidy = "\t" FREEHOLD_LAB_CLANG_TIDY;
#else
constexpr const char* clang_tidy = "";
#endif

}  // namespace

int main() {
    try {
        std::printf("%s\t%s%s\n", compiler().c_str(), library().c_str(), clang_tidy);
        for (const lab::construct& one : lab::all_constructs()) run(one);
        return std::fflush(stdout) == 0 ? 0 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "the probe of hidden zeroing failed: %s\n", error.what());
        return 1;
    }
}
