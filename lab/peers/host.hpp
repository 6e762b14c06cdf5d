// SPDX-License-Identifier: BSL-1.0
// What a peer written in C++ is made of: it lists its cells, and `host` speaks for it the protocol
// of lab/README.md. It needs nothing but the standard library, whichever that is, and is compiled
// anew into each peer with that peer's own flags: an inline function that is in two object files is
// linked once, as either of them has it.
#pragma once

#include "suites/process_kind.hpp"
#include "suites/timing.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lab {

struct hosted_cell {
    const char* suite;
    std::string competitor;
    const char* test;
    const char* unit;
    /// From seconds for each iteration to the figure.
    double scale;
    /// The seconds that so many iterations take.
    std::function<double(std::int64_t iterations)> measure;
    /// The size, where the test has several.
    std::optional<std::int64_t> n = {};
};

/// One that yields several figures at once.
struct hosted_joint_cell {
    struct figure {
        std::string test;
        const char* unit;
    };
    const char* suite;
    std::string competitor;
    std::vector<figure> figures;
    /// As many values, in that order and in those units.
    std::function<std::vector<double>(std::int64_t iterations)> measure;
};

/// What is found out when the peer has started.
struct hosted_peer {
    /// What it measures besides the standard library.
    struct part {
        const char* name;
        std::string version;
    };
    std::vector<hosted_cell> cells;
    std::vector<part> parts = {};
    /// They are numbered after all others.
    std::vector<hosted_joint_cell> joint_cells = {};
    /// Why its cells cannot be measured here; otherwise empty.
    std::string missing = {};
};

/// Runs from its making on: processor time of this thread, so that another program's turn is not
/// counted.
class stopwatch {
public:
    stopwatch() : clock_(processor_clock::of::thread), begin_(clock_.seconds()) {}
    double seconds() const { return clock_.seconds() - begin_; }

private:
    processor_clock clock_;
    double begin_;
};

/// To the kernels of the suites' headers what Google Benchmark's State is to them in the lab.
class hosted_state {
public:
    explicit hosted_state(std::int64_t iterations) noexcept : iterations_(iterations) {}

    class iterator {
    public:
        struct iteration {};
        explicit iterator(std::int64_t left) noexcept : left_(left) {}
        iteration operator*() const noexcept { return {}; }
        iterator& operator++() noexcept {
            --left_;
            return *this;
        }
        bool operator!=(const iterator& other) const noexcept { return left_ != other.left_; }

    private:
        std::int64_t left_;
    };
    iterator begin() const noexcept { return iterator(iterations_); }
    iterator end() const noexcept { return iterator(0); }

    void SetIterationTime(double seconds) noexcept { seconds_ += seconds; }
    double seconds() const noexcept { return seconds_; }

private:
    std::int64_t iterations_;
    double seconds_ = 0;
};

/// The whole of a peer's `main`. PEER_FLAGS says what it is compiled with. `start` is called once,
/// when the process is of the kind that it is told.
int host(int argc, char** argv, hosted_peer (*start)(process_kind)) noexcept;

/// The same for a peer that needs no start. PEER_MISSING, if that is defined, says why its cells
/// cannot be measured here.
int host(int argc, char** argv, const std::vector<hosted_cell>& cells) noexcept;

}  // namespace lab
