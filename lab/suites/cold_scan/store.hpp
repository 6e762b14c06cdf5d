// SPDX-License-Identifier: BSL-1.0
// The objects that are scanned, on a server that is started here and ends with this object: the
// lab's own, or versitygw where the lab's scope is full. Or on an S3 server that the environment
// names.
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

    /// Writes at least so many bytes of data. FREEHOLD_S3_ENDPOINT names a server that exists
    /// already; the bucket is FREEHOLD_S3_BUCKET or `freehold-cold-scan`, the rest is in the
    /// variables that Amazon's tools read. Throws std::runtime_error, one line that says what to
    /// do.
    explicit object_store(std::uint64_t bytes);

    /// Removes the objects again from a server that stays.
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

    /// What the scan of all lines has to yield.
    std::int64_t expected_sum() const { return expected_sum_; }

    /// The server's file of that object; none where the server is not ours.
    std::optional<std::filesystem::path> file_of(std::size_t object) const;

    /// How many requests for that object the server has written down; none where it is not ours.
    std::optional<std::size_t> reads_of(std::size_t object) const;

private:
    void write_objects(std::uint64_t bytes);

    std::unique_ptr<own_server> server_;  // none: the server is not ours
    s3_access access_;
    std::vector<std::string> objects_;
    std::int64_t expected_sum_ = 0;
};

}  // namespace lab::cold_scan
