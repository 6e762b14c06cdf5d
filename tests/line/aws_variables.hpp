// SPDX-License-Identifier: BSL-1.0
// The variables of the environment that AWS's tools read, for one test.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

namespace freehold {

// Unsets all of them, sets what the test says, and restores them.
class aws_variables {
public:
    aws_variables() {
        std::vector<std::string> names;
        for (char** one = environ; *one != nullptr; ++one) {
            const std::string line = *one;
            if (line.starts_with("AWS_")) names.push_back(line.substr(0, line.find('=')));
        }
        for (const std::string& name : names) set(name, std::nullopt);
        // No test asks the machine that it runs on, nor reads its user's files.
        set("AWS_EC2_METADATA_DISABLED", "true");
        set("HOME", "/nonexistent");
    }
    aws_variables(const aws_variables&) = delete;
    aws_variables& operator=(const aws_variables&) = delete;
    ~aws_variables() {
        for (auto one = before_.rbegin(); one != before_.rend(); ++one)
            put(one->first, one->second);
    }

    void set(const std::string& name, const std::optional<std::string>& value) {
        const char* const old = std::getenv(name.c_str());
        before_.emplace_back(name, old == nullptr ? std::nullopt : std::optional<std::string>(old));
        put(name, value);
    }

private:
    static void put(const std::string& name, const std::optional<std::string>& value) {
        if (value) {
            ::setenv(name.c_str(), value->c_str(), 1);
        } else {
            ::unsetenv(name.c_str());
        }
    }

    std::vector<std::pair<std::string, std::optional<std::string>>> before_;
};

}  // namespace freehold
