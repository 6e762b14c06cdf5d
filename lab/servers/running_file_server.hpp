// SPDX-License-Identifier: BSL-1.0
// The lab's own server, file_server.cpp, as a child process from the executable's folder. It ends
// with this object, and so do its files.
#pragma once

#include "runner/child_process.hpp"
#include "support/programs.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace lab {

class file_server {
public:
    struct request {
        std::string method;
        std::string path;         // /BUCKET/OBJECT
        std::uint64_t bytes = 0;  // of the answer's body
    };

    /// Throws process_error if it does not start.
    explicit file_server(std::chrono::milliseconds delay = {})
        : process_(support::own_folder() / "file_server", {std::to_string(delay.count())},
                   patience) {
        std::istringstream line(process_.read_line(patience));
        std::string folder;
        if (!(line >> port_ >> folder)) process_.fail("does not print its port and folder");
        folder_ = folder;
    }

    std::string endpoint() const { return "http://localhost:" + port_; }
    /// A file in it is an object; its folder is the bucket.
    const std::filesystem::path& folder() const { return folder_; }
    /// All that it has answered so far.
    std::vector<request> requests() const {
        std::vector<request> all;
        std::ifstream log(folder_ / "requests");
        for (request each; log >> each.method >> each.path >> each.bytes;) all.push_back(each);
        return all;
    }

private:
    static constexpr std::chrono::milliseconds patience = std::chrono::seconds(10);

    child_process process_;
    std::string port_;
    std::filesystem::path folder_;
};

}  // namespace lab
