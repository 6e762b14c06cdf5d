// SPDX-License-Identifier: BSL-1.0
// The table of the queries in three stores, and the processes that query it.
#pragma once

#include "servers/running_file_server.hpp"
#include "servers/s3_server.hpp"
#include "suites/cold_query/engine/lineitem.hpp"
#include "suites/cold_query/way.hpp"
#include "support/temporary_folder.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lab::cold_query {

/// How long the far store waits before it answers.
inline constexpr std::chrono::milliseconds distance{20};

enum class place {
    near,      // the lab's own server
    far,       // the same, but it answers late
    versitygw  // another S3 server
};

/// What one answer took.
struct run_cost {
    double wall = 0;       // seconds
    double processor = 0;  // seconds, of which `system` in the kernel
    double system = 0;
    std::vector<double> user_in_parts;  // processors used in each part of the time; empty: unknown
    std::vector<double> system_in_parts;
    double memory = 0;          // bytes, above what the process had before
    double bytes = 0;           // sent by the lab's own server
    double requests = 0;        // answered by it
    double bytes_in_place = 0;  // that Parquet got without a copy, where the way counts them
    double bytes_copied = 0;
};

struct answered_query {
    run_cost cold;
    run_cost warm;
};

struct question {
    int threads;
    place at = place::near;
    std::filesystem::path disk = {};  // the folder of the disk tier, where the way has one
};

/// A folder for a disk tier, or nothing.
class disk_folder {
public:
    explicit disk_folder(bool wanted);
    std::filesystem::path path() const;
    /// Writes its files out, and drops them from the page cache.
    void forget_pages() const;

private:
    std::optional<support::temporary_folder> folder_;
};

class query_store {
public:
    /// Writes at least so many bytes of data. Throws std::runtime_error. Plain files are not put
    /// into versitygw.
    query_store(std::uint64_t bytes, encoding files);

    /// Why this way cannot be measured over that store, or empty.
    const std::string& why_missing(const way& how, place at) const;

    /// In a new process: cold, and then warm. Throws std::runtime_error if the process fails, if
    /// it finds anything but what was written, or if a cache held more than its capacity.
    answered_query answer(const way& how, const std::string& query, const question& about) const;

private:
    std::vector<std::string> arguments(const way& how, const std::string& query,
                                       const question& about, std::uint64_t capacity) const;
    void start_versitygw();
    /// The lab's own server there, or nullptr.
    const file_server* own_server(place at) const;
    std::string endpoint(place at) const;
    /// The keys, in the variables of Amazon's tools.
    std::vector<std::string> environment(place at) const;

    file_server near_;
    file_server far_{distance};
    std::optional<s3_server> versitygw_;
    std::string why_no_versitygw_;
    std::uint64_t bytes_ = 0;
    std::vector<std::string> names_;
    std::map<std::string, std::vector<std::int64_t>> expected_;  // by query
    std::string why_no_python_;
};

}  // namespace lab::cold_query
