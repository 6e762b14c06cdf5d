// SPDX-License-Identifier: BSL-1.0
// hidden_zeroing_page FILE: writes the page.
#include "lab/hidden_zeroing_page.hpp"

#include <cstdio>
#include <exception>

int main(int count, char** arguments) {
    if (count != 2) {
        std::fputs("usage: hidden_zeroing_page FILE\n", stderr);
        return 1;
    }
    try {
        const std::string page =
            lab::hidden_zeroing_page(lab_tests::sources_of_page(FREEHOLD_HIDDEN_ZEROING));
        std::ofstream out(arguments[1]);
        out << page << std::flush;
        if (!out) throw std::runtime_error(std::string("cannot write ") + arguments[1]);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "hidden_zeroing_page: %s\n", error.what());
        return 1;
    }
}
