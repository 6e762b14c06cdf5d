// SPDX-License-Identifier: BSL-1.0
// Peers that are shell scripts: what each does is written in the test that uses it.
#pragma once

#include "program/temporary_folder.hpp"

#include <filesystem>
#include <string>

namespace lab_tests {

/// One line of a description with these cells.
inline std::string description_of(const std::string& cells) {
    return R"({"format":"freehold-peer","version":1,"compiler":"sh 1","flags":"-e",)"
           R"("standard_library":"none","peers":[{"name":"Shell","version":"7.8"}],"cells":[)" +
           cells + "]}";
}

inline std::string cell(const std::string& competitor, const std::string& test,
                        const std::string& more = R"("once":false)") {
    return R"({"suite":"construction","competitor":")" + competitor + R"(","test":")" + test +
           R"(","unit":"ns","scale":1e9,)" + more + "}";
}

inline std::string says(const std::string& line) {
    return "echo '" + line + "'\n";
}

/// Answers every request with a microsecond for each iteration.
inline const std::string answers_all =
    "while read index iterations; do echo \"${iterations}e-6\"; done\n";

inline std::filesystem::path write_peer(const freehold::temporary_folder& folder,
                                        const std::string& name, const std::string& script) {
    const auto path = folder.write("peers/" + name, "#!/bin/sh\n" + script);
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
}

}  // namespace lab_tests
