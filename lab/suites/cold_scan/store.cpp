// SPDX-License-Identifier: BSL-1.0
#include "suites/cold_scan/store.hpp"

#include "servers/running_file_server.hpp"
#ifdef FREEHOLD_LAB_FULL
#include "servers/s3_server.hpp"
#endif

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <fstream>
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

/// The lab's own.
class own_files final : public own_server {
public:
    s3_access access(const std::string& bucket) const override {
        std::filesystem::create_directories(server_.folder() / bucket);
        return {server_.endpoint(), "us-east-1", bucket, "made-up", "made-up"};
    }
    std::filesystem::path file_of(const std::string& bucket,
                                  const std::string& object) const override {
        return server_.folder() / bucket / object;
    }
    std::size_t reads_of(const std::string& bucket, const std::string& object) const override {
        const auto requests = server_.requests();
        return static_cast<std::size_t>(
            std::count_if(requests.begin(), requests.end(), [&](const auto& each) {
                return each.method == "GET" && each.path == "/" + bucket + "/" + object;
            }));
    }

private:
    file_server server_;
};

#ifdef FREEHOLD_LAB_FULL
class versitygw final : public own_server {
public:
    explicit versitygw(const std::filesystem::path& executable) : server_(executable) {}

    s3_access access(const std::string& bucket) const override {
        return {server_.endpoint(), std::string(s3_server::region), bucket, server_.access_key(),
                server_.secret_key()};
    }
    std::filesystem::path file_of(const std::string& bucket,
                                  const std::string& object) const override {
        return server_.file_of(bucket, object);
    }
    std::size_t reads_of(const std::string&, const std::string& object) const override {
        return server_.reads_of(object);
    }

private:
    s3_server server_;
};
#endif

std::unique_ptr<own_server> start_server() {
#ifdef FREEHOLD_LAB_FULL
    if (const auto executable = find_versitygw()) return std::make_unique<versitygw>(*executable);
#endif
    return std::make_unique<own_files>();
}

}  // namespace

object_store::object_store(std::uint64_t bytes) {
    if (const std::string endpoint = variable("FREEHOLD_S3_ENDPOINT", ""); !endpoint.empty()) {
        access_ = access_of_environment(endpoint);
    } else {
        server_ = start_server();
        access_ = server_->access("freehold-cold-scan");
    }
    write_objects(bytes);
}

/// Into the files of the lab's own server, which has no PUT, and by requests to any other.
void object_store::write_objects(std::uint64_t bytes) {
    constexpr std::uint64_t object_bytes = lines_of_an_object * line_bytes;
    const bool into_files = dynamic_cast<const own_files*>(server_.get()) != nullptr;
    s3_client client(access_);
    if (!into_files) client.make_bucket();
    const std::size_t objects = (bytes + object_bytes - 1) / object_bytes;
    for (std::size_t object = 0; object < objects; ++object) {
        objects_.push_back("cold_scan/" + std::to_string(object));
        std::uint64_t number = object * lines_of_an_object;
        const auto fill = [&](std::span<std::byte> line) {
            fill_row_group(line, number++);
            expected_sum_ += sum_of_prices(line);
        };
        if (!into_files) {
            client.put(objects_.back(), object_bytes, line_bytes, fill);
            continue;
        }
        const std::filesystem::path file = *file_of(object);
        std::filesystem::create_directories(file.parent_path());
        std::ofstream out(file, std::ios::binary);
        std::vector<std::byte> line(line_bytes);
        for (std::size_t i = 0; i < lines_of_an_object; ++i) {
            fill(line);
            out.write(reinterpret_cast<const char*>(line.data()), line_bytes);
        }
        if (!out.flush()) {
            throw std::runtime_error("cannot write " + file.string() +
                                     ": is there room for the data in the folder for temporary "
                                     "files? TMPDIR names another");
        }
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
    return server_->reads_of(access_.bucket, objects_[object]);
}

}  // namespace lab::cold_scan
