// SPDX-License-Identifier: BSL-1.0
#include "suites/cold_scan/store.hpp"

#include <cstdlib>
#include <exception>
#include <iostream>
#include <span>
#include <stdexcept>

namespace lab::cold_scan {
namespace {

std::string variable(const char* name, const char* otherwise) {
    const char* const value = std::getenv(name);
    return value == nullptr || *value == '\0' ? otherwise : value;
}

std::string wanted_variable(const char* name) {
    const std::string value = variable(name, "");
    if (value.empty()) {
        throw std::runtime_error(std::string("FREEHOLD_S3_ENDPOINT is set, but not ") + name +
                                 ": set it, or neither");
    }
    return value;
}

s3_access access_of_environment(std::string endpoint) {
    while (endpoint.ends_with('/')) endpoint.pop_back();
    return {endpoint, variable("AWS_REGION", "us-east-1"),
            variable("FREEHOLD_S3_BUCKET", "freehold-cold-scan"),
            wanted_variable("AWS_ACCESS_KEY_ID"), wanted_variable("AWS_SECRET_ACCESS_KEY")};
}

std::filesystem::path installed_server() {
    if (const auto executable = find_versitygw()) return *executable;
    throw std::runtime_error(std::string(s3_server::how_to_install) +
                             ", or FREEHOLD_S3_ENDPOINT to a server that is there");
}

}  // namespace

object_store::object_store(std::uint64_t bytes) {
    constexpr std::uint64_t object_bytes = lines_of_an_object * line_bytes;
    if (const std::string endpoint = variable("FREEHOLD_S3_ENDPOINT", ""); !endpoint.empty()) {
        access_ = access_of_environment(endpoint);
    } else {
        server_.emplace(installed_server());
        access_ = {server_->endpoint(), std::string(s3_server::region), "freehold-cold-scan",
                   server_->access_key(), server_->secret_key()};
    }
    s3_client client(access_);
    client.make_bucket();
    const std::size_t objects = (bytes + object_bytes - 1) / object_bytes;
    for (std::size_t object = 0; object < objects; ++object) {
        objects_.push_back("cold_scan/" + std::to_string(object));
        std::uint64_t number = object * lines_of_an_object;
        client.put(objects_.back(), object_bytes, line_bytes, [&](std::span<std::byte> line) {
            fill_row_group(line, number++);
            expected_sum_ += sum_of_prices(line);
        });
    }
}

object_store::~object_store() {
    if (server_) return;
    try {
        s3_client client(access_);
        for (const std::string& object : objects_) client.remove(object);
    } catch (const std::exception& error) {
        std::cerr << "freehold-lab: the data stays on the server: " << error.what() << '\n';
    }
}

std::optional<std::filesystem::path> object_store::file_of(std::size_t object) const {
    if (!server_) return std::nullopt;
    return server_->file_of(access_.bucket, objects_[object]);
}

std::optional<std::size_t> object_store::reads_of(std::size_t object) const {
    if (!server_) return std::nullopt;
    return server_->reads_of(objects_[object]);
}

}  // namespace lab::cold_scan
