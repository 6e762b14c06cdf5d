// SPDX-License-Identifier: BSL-1.0
// A store of several nodes on loopback addresses, for as long as an object of this class lives:
// SeaweedFS with three volume servers, each object's data on two of them, behind one S3 gateway. A
// node can be killed, started again, stopped and continued. Not thread-safe.
#pragma once

#include "support/temporary_folder.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace freehold::testing_support {

/// $FREEHOLD_WEED, or `weed` on $PATH.
std::optional<std::filesystem::path> find_weed();

class seaweed_cluster {
public:
    static constexpr std::size_t nodes = 3;
    static constexpr const char* how_to_install =
        "weed is not installed: `go install` SeaweedFS (github.com/seaweedfs/seaweedfs), and set "
        "FREEHOLD_WEED to its path";

    /// Returns when the gateway takes an object. Throws std::runtime_error with the last words of
    /// the program that did not start.
    explicit seaweed_cluster(std::filesystem::path weed);
    ~seaweed_cluster();
    seaweed_cluster(const seaweed_cluster&) = delete;
    seaweed_cluster& operator=(const seaweed_cluster&) = delete;

    const std::string& endpoint() const noexcept { return endpoint_; }

    /// As by a power cut of the machine: no data is lost, and nothing is said.
    void kill(std::size_t node);
    /// After kill. Returns at once; the node serves a moment later.
    void start(std::size_t node);
    /// Takes its time from it, so that its connections stay open and are silent.
    void stop(std::size_t node);
    void go_on(std::size_t node);

private:
    pid_t run(const std::string& name, std::vector<std::string> words);
    std::string last_words(const std::string& name) const;
    void wait_until_it_takes_objects();

    std::filesystem::path weed_;
    support::temporary_folder folder_{"cluster"};
    std::uint16_t master_port_;
    std::uint16_t volume_port_;
    std::string endpoint_;
    pid_t master_ = -1;
    pid_t gateway_ = -1;
    std::array<pid_t, nodes> volumes_{-1, -1, -1};
};

}  // namespace freehold::testing_support
