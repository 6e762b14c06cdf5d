// SPDX-License-Identifier: BSL-1.0
// The scanned objects, and the server that holds them. The lab starts its own server or, if the
// lab's scope is full, versitygw; the server ends with this object. Or the environment names an S3
// server.
#pragma once

#include "suites/cold_scan/columns.hpp"
#include "suites/cold_scan/s3_client.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lab::cold_scan {

/// A server that ends with this object, and keeps its objects in files.
class own_server {
public:
    virtual ~own_server() = default;
    virtual s3_access access(const std::string& bucket) const = 0;
    virtual std::filesystem::path file_of(const std::string& bucket,
                                          const std::string& object) const = 0;
    virtual std::size_t reads_of(const std::string& bucket, const std::string& object) const = 0;
};

class object_store {
public:
    static constexpr std::size_t lines_of_an_object = 8;

    /// Writes at least `bytes` bytes of data. FREEHOLD_S3_ENDPOINT names a server that exists
    /// already. The bucket is FREEHOLD_S3_BUCKET or `freehold-cold-scan`. The other settings are in
    /// the variables that Amazon's tools read. Throws std::runtime_error with one line that says
    /// what to do.
    explicit object_store(std::uint64_t bytes);

    /// Removes the objects from a server that stays.
    ~object_store();
    object_store(const object_store&) = delete;
    object_store& operator=(const object_store&) = delete;

    const s3_access& access() const { return access_; }
    std::size_t lines() const { return objects_.size() * lines_of_an_object; }
    double gibibytes() const {
        return static_cast<double>(lines() * line_bytes) / static_cast<double>(1 << 30);
    }
    const std::vector<std::string>& objects() const { return objects_; }

    struct place {
        std::size_t object;  // its number
        std::uint64_t offset;
    };
    static place place_of(std::size_t line) {
        return {line / lines_of_an_object, line % lines_of_an_object * line_bytes};
    }

    /// The sum that a scan of all lines must return.
    std::int64_t expected_sum() const { return expected_sum_; }

    /// Returns the server's file of that object, or none if the lab did not start the server.
    std::optional<std::filesystem::path> file_of(std::size_t object) const;

    /// Returns how many requests for that object the server has logged, or none if the lab did not
    /// start it.
    std::optional<std::size_t> reads_of(std::size_t object) const;

private:
    void write_objects(std::uint64_t bytes);

    std::unique_ptr<own_server> server_;  // null if the lab did not start the server
    s3_access access_;
    std::vector<std::string> objects_;
    std::int64_t expected_sum_ = 0;
};

}  // namespace lab::cold_scan
