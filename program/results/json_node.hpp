// SPDX-License-Identifier: BSL-1.0
// A place in a JSON document that knows its own path. So a message names a member that is missing
// or has the wrong type: `suites.operations.measurements[3].unit: ...`. Refers to the document,
// which must outlive it.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace freehold {

class json_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

class json_node {
public:
    explicit json_node(const nlohmann::json& value, std::string path = {});

    [[nodiscard]] json_node member(const std::string& name) const;
    [[nodiscard]] std::optional<json_node> find(const std::string& name) const;
    [[nodiscard]] std::vector<json_node> elements() const;
    [[nodiscard]] std::vector<std::pair<std::string, json_node>> members() const;

    [[nodiscard]] std::string string() const;
    [[nodiscard]] bool boolean() const;
    [[nodiscard]] double number() const;
    [[nodiscard]] std::int64_t integer() const;
    /// The value as JSON on one line.
    [[nodiscard]] std::string text() const { return value_->dump(); }

    /// Throws json_error with this place's path and the reason.
    [[noreturn]] void refuse(const std::string& why) const;

private:
    [[noreturn]] void expected(const char* type) const;

    const nlohmann::json* value_;
    std::string path_;
};

}  // namespace freehold
