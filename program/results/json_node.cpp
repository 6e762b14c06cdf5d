// SPDX-License-Identifier: BSL-1.0
#include "results/json_node.hpp"

#include <cstddef>
#include <limits>

#include <fmt/format.h>

namespace freehold {

json_node::json_node(const nlohmann::json& value, std::string path)
    : value_(&value), path_(std::move(path)) {}

void json_node::refuse(const std::string& why) const {
    throw json_error(path_.empty() ? why : fmt::format("{}: {}", path_, why));
}

void json_node::expected(const char* type) const {
    refuse(fmt::format("expected {}, found {}", type, value_->type_name()));
}

std::optional<json_node> json_node::find(const std::string& name) const {
    if (!value_->is_object()) expected("an object");
    const auto found = value_->find(name);
    if (found == value_->end()) return std::nullopt;
    return json_node(*found, path_.empty() ? name : path_ + "." + name);
}

json_node json_node::member(const std::string& name) const {
    auto found = find(name);
    if (!found) refuse(fmt::format("the member \"{}\" is missing", name));
    return *std::move(found);
}

std::vector<json_node> json_node::elements() const {
    if (!value_->is_array()) expected("an array");
    std::vector<json_node> all;
    all.reserve(value_->size());
    for (std::size_t i = 0; i < value_->size(); ++i)
        all.emplace_back((*value_)[i], fmt::format("{}[{}]", path_, i));
    return all;
}

std::vector<std::pair<std::string, json_node>> json_node::members() const {
    if (!value_->is_object()) expected("an object");
    std::vector<std::pair<std::string, json_node>> all;
    for (const auto& item : value_->items()) all.emplace_back(item.key(), member(item.key()));
    return all;
}

std::string json_node::string() const {
    if (!value_->is_string()) expected("a string");
    return value_->get<std::string>();
}

bool json_node::boolean() const {
    if (!value_->is_boolean()) expected("true or false");
    return value_->get<bool>();
}

double json_node::number() const {
    if (!value_->is_number()) expected("a number");
    return value_->get<double>();
}

std::int64_t json_node::integer() const {
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (!value_->is_number_integer()) expected("an integer");
    if (value_->is_number_unsigned() && value_->get<std::uint64_t>() > most)
        refuse("the integer is too large");
    return value_->get<std::int64_t>();
}

}  // namespace freehold
