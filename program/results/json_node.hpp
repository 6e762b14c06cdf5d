// SPDX-License-Identifier: BSL-1.0
// A place in a JSON document that knows its own path, so that a member that is missing or of the
// wrong type is reported as `suites.operations.measurements[3].unit: ...`. Refers to the document,
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

    /// Throws json_error: this place's path, then what is wrong with it.
    [[noreturn]] void refuse(const std::string& why) const;

private:
    [[noreturn]] void expected(const char* type) const;

    const nlohmann::json* value_;
    std::string path_;
};

}  // namespace freehold
