// SPDX-License-Identifier: BSL-1.0
// The program of "Memory and Performance Overhead of Smart Pointers" (Rainer Grimm, 2016): an int's
// owner is constructed and dropped, over and over. Each loop is written out, as there, for without
// optimisation a call around it would be measured with it. Where the compiler sees that nobody
// looks at the int it may leave out the allocation, and the loop with it: that is what was written.
// The loops named `kept` show the int's address to code that the compiler does not know.
#include <freehold/handle/arc.hpp>
#include <freehold/handle/shared_ptr.hpp>

#include "peers/host.hpp"
#include "suites/barrier.hpp"

#include <cstdint>
#include <memory>

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

int main(int argc, char** argv) {
    const auto cell = [](const char* competitor, double (*measure)(std::int64_t)) {
        return lab::hosted_cell{"construction", competitor, SEED_TEST, "ns", 1e9, measure};
    };
    return lab::host(argc, argv,
                     {
                         cell("new and delete", new_and_delete),
                         cell("new and delete, kept", new_and_delete_kept),
                         cell("std::unique_ptr(new)", unique_ptr_new),
                         cell("std::unique_ptr(new), kept", unique_ptr_new_kept),
                         cell("std::make_unique", make_unique),
                         cell("std::shared_ptr(new)", shared_ptr_new),
                         cell("std::make_shared", make_shared),
                         cell("freehold::shared_ptr(new)", freehold_shared_ptr_new),
                         cell("freehold::make_shared", freehold_make_shared),
                         cell("freehold::make_arc", make_arc),
                     });
}
