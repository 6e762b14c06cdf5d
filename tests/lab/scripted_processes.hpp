// SPDX-License-Identifier: BSL-1.0
// External processes that are shell scripts: what each does is written in the test that uses it.
#pragma once

#include "program/temporary_folder.hpp"

#include <filesystem>
#include <string>

namespace lab_tests {

inline std::string subject(const std::string& name, const std::string& more = "") {
    return R"({"name":")" + name + R"(","family":"other")" + more + "}";
}

/// One line of a description with these subjects and cells.
inline std::string description_of(const std::string& subjects, const std::string& cells) {
    return R"({"format":"freehold-process","version":2,"compiler":"sh 1","flags":"-e",)"
           R"("standard_library":"none","subjects":[)" +
           subjects + R"(],"cells":[)" + cells + "]}";
}

inline std::string cell(const std::string& subject, const std::string& case_key,
                        const std::string& more = "") {
    return R"({"suite":"construction","subject":")" + subject + R"(","case":")" + case_key +
           R"(","scale":1e9)" + more + "}";
}

/// With one subject and one cell of it.
inline std::string description_of_one(const std::string& name) {
    return description_of(subject(name), cell(name, "one"));
}

inline std::string says(const std::string& line) {
    return "echo '" + line + "'\n";
}

/// Answers every request with a microsecond for each iteration.
inline const std::string answers_all =
    "while read index iterations; do echo \"${iterations}e-6\"; done\n";

inline std::filesystem::path write_process(const freehold::temporary_folder& folder,
                                           const std::string& name, const std::string& script) {
    const auto path = folder.write("freehold-lab.processes/" + name, "#!/bin/sh\n" + script);
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
}

}  // namespace lab_tests
