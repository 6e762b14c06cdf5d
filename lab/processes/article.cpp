// SPDX-License-Identifier: BSL-1.0
// The program of "Memory and Performance Overhead of Smart Pointers" (Rainer Grimm, 2016). It
// repeatedly constructs and drops an int's owner. Each loop is written out, as in the article:
// without optimisation, the figure would include a call around it. If no code reads the int, the
// compiler may remove the allocation and then the loop. That is the article's code. The loops named
// `kept` pass the int's address to code that the compiler does not know.
#include <freehold/handle/arc.hpp>
#include <freehold/handle/shared_ptr.hpp>

#include "processes/host.hpp"
#include "subjects/handles/freehold_make_shared.hpp"
#include "subjects/handles/std_make_shared.hpp"
#include "subjects/shared_identities.hpp"
#include "suites/common/barrier.hpp"

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using lab::stopwatch;

double new_and_delete(std::int64_t iterations) {
    const stopwatch time;
    for (std::int64_t i = 0; i < iterations; ++i) {
        int* tmp(new int(i));
        delete tmp;
    }
    return time.seconds();
}

double new_and_delete_kept(std::int64_t iterations) {
    const stopwatch time;
    for (std::int64_t i = 0; i < iterations; ++i) {
        int* tmp(new int(i));
        lab::escape(tmp);
        delete tmp;
    }
    return time.seconds();
}

double unique_ptr_new(std::int64_t iterations) {
    const stopwatch time;
    for (std::int64_t i = 0; i < iterations; ++i) {
        std::unique_ptr<int> tmp(new int(i));
    }
    return time.seconds();
}

double unique_ptr_new_kept(std::int64_t iterations) {
    const stopwatch time;
    for (std::int64_t i = 0; i < iterations; ++i) {
        std::unique_ptr<int> tmp(new int(i));
        lab::escape(tmp.get());
    }
    return time.seconds();
}

double make_unique(std::int64_t iterations) {
    const stopwatch time;
    for (std::int64_t i = 0; i < iterations; ++i) {
        std::unique_ptr<int> tmp(std::make_unique<int>(i));
    }
    return time.seconds();
}

double shared_ptr_new(std::int64_t iterations) {
    const stopwatch time;
    for (std::int64_t i = 0; i < iterations; ++i) {
        std::shared_ptr<int> tmp(new int(i));
    }
    return time.seconds();
}

double make_shared(std::int64_t iterations) {
    const stopwatch time;
    for (std::int64_t i = 0; i < iterations; ++i) {
        std::shared_ptr<int> tmp(std::make_shared<int>(i));
    }
    return time.seconds();
}

double freehold_shared_ptr_new(std::int64_t iterations) {
    const stopwatch time;
    for (std::int64_t i = 0; i < iterations; ++i) {
        freehold::shared_ptr<int> tmp(new int(i));
    }
    return time.seconds();
}

double freehold_make_shared(std::int64_t iterations) {
    const stopwatch time;
    for (std::int64_t i = 0; i < iterations; ++i) {
        freehold::shared_ptr<int> tmp(freehold::make_shared<int>(i));
    }
    return time.seconds();
}

double make_arc(std::int64_t iterations) {
    const stopwatch time;
    for (std::int64_t i = 0; i < iterations; ++i) {
        freehold::arc<int> tmp(freehold::make_arc<int>(i));
    }
    return time.seconds();
}

}  // namespace

namespace {

struct loop {
    lab::identity of;
    double (*measure)(std::int64_t);
};

using lab::family;

/// Sorted by their families.
const loop loops[] = {
    {lab::identities::new_and_delete, new_and_delete},
    {{.name = "new and delete, kept", .family = family::lower_bound, .order = 7, .single = true},
     new_and_delete_kept},
    {{.name = "std::unique_ptr(new)", .family = family::standard, .order = 2, .single = true},
     unique_ptr_new},
    {{.name = "std::unique_ptr(new), kept", .family = family::standard, .order = 3, .single = true},
     unique_ptr_new_kept},
    {{.name = "std::make_unique", .family = family::standard, .order = 4, .single = true},
     make_unique},
    {lab::identities::std_shared_ptr_new, shared_ptr_new},
    {lab::handles::std_make_shared::is, make_shared},
    {{.name = "freehold::shared_ptr(new)", .family = family::freehold, .order = 4, .single = true},
     freehold_shared_ptr_new},
    {lab::handles::freehold_make_shared::is, freehold_make_shared},
    {{.name = "freehold::make_arc", .family = family::freehold, .order = 11, .single = true},
     make_arc},
};

lab::hosted_process start(lab::process_kind, const std::vector<std::string>& words) {
    if (words.empty()) throw std::runtime_error("call it with the key of its case");
    lab::hosted_process process;
    for (const loop& each : loops) {
        process.subjects.push_back(lab::subject_of(each.of));
        process.subjects.back().single = true;
        if (words.size() > 1) process.subjects.back().missing = words[1];
        process.cells.push_back(
            {"construction", process.subjects.back().key, words[0], 1e9, each.measure});
    }
    return process;
}

}  // namespace

int main(int argc, char** argv) {
    return lab::host(argc, argv, LAB_PROCESS_FLAGS, start);
}
