// SPDX-License-Identifier: BSL-1.0
// Some kernels cannot live in the lab's own executable: another standard library, no optimisation,
// another language. They live in executables of their own, its peers, which the lab starts and
// drives over their standard input and output, so that their cells are interleaved with all others.
// lab/README.md specifies what they say to each other.
#pragma once

#include "suites/process_kind.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace lab {

class peer_process;

/// What a peer does not do as specified: one line that names the peer.
struct peer_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct peer_cell {
    std::string suite;
    std::string competitor;
    std::string test;
    std::optional<std::int64_t> n;
    std::string unit;
    double scale;
    bool once;
};

struct peer_joint_cell {
    struct figure {
        std::string test;
        std::string unit;
    };
    std::string suite;
    std::string competitor;
    std::vector<figure> figures;
};

struct peer_description {
    /// Something that is measured, as the lab's description names it.
    struct part {
        std::string name;
        std::string version;
        bool operator==(const part&) const = default;
    };
    std::string compiler;
    std::string flags;
    std::string standard_library;
    std::vector<part> peers;
    std::vector<peer_cell> cells;
    /// They stand behind the others.
    std::vector<peer_joint_cell> joint_cells;
    /// Why none of its cells can be measured here; otherwise empty.
    std::string missing;
};

/// How long a peer is waited for.
struct peer_patience {
    std::chrono::milliseconds to_describe_itself = std::chrono::seconds(10);
    std::chrono::milliseconds to_measure = std::chrono::minutes(10);
    std::chrono::milliseconds to_end = std::chrono::seconds(5);
};

/// A peer's process, from its start to the end of this object. After a peer_error it has ended, and
/// every further call throws the same.
class peer {
public:
    /// Starts it and reads its description. Throws peer_error.
    peer(const std::filesystem::path& executable, process_kind kind, peer_patience patience = {});
    ~peer();
    peer(const peer&) = delete;
    peer& operator=(const peer&) = delete;

    [[nodiscard]] const peer_description& description() const { return description_; }

    /// The seconds that so many iterations of a cell take. Throws peer_error.
    double measure(std::size_t cell, std::int64_t iterations);

    /// The figures that so many iterations of a joint cell yield. Throws peer_error.
    std::vector<double> measure_jointly(std::size_t joint_cell, std::int64_t iterations);

    /// What its peer_error said, once there was one; otherwise empty.
    [[nodiscard]] const std::string& failure() const { return failure_; }

private:
    /// What `read` makes of the line that is answered, if it can make anything.
    template <class Read>
    auto ask(std::size_t cell, std::int64_t iterations, const char* wanted, Read&& read);

    std::unique_ptr<peer_process> process_;
    peer_patience patience_;
    peer_description description_;
    std::string failure_;
};

}  // namespace lab
