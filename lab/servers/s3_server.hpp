// SPDX-License-Identifier: BSL-1.0
// A real server of the S3 protocol on this machine's loopback device, which runs as long as the
// object lives. It is versitygw with a temporary folder and made-up keys. The server and its folder
// are removed even if this process is killed. Not thread-safe, but any number of objects may live
// at once.
#pragma once

#include "support/descriptor.hpp"
#include "support/temporary_folder.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <sys/types.h>

namespace lab {

/// Returns $FREEHOLD_VERSITYGW, else `versitygw` on $PATH, else the newest version that
/// scripts/lib/versitygw.sh has put into the user's cache folder. Returns none if versitygw is not
/// installed.
std::optional<std::filesystem::path> find_versitygw();

class s3_server {
public:
    /// Tells the user what to do if find_versitygw() returns none.
    static constexpr std::string_view how_to_install =
        "versitygw is not installed: scripts/test and scripts/report install it; else set "
        "FREEHOLD_VERSITYGW to its path";

    /// Makes its folder below `below`, or below the system's folder for temporary files. Throws
    /// std::runtime_error with the server's messages if it does not answer.
    explicit s3_server(const std::filesystem::path& executable,
                       const std::filesystem::path& below = {});
    ~s3_server();
    s3_server(const s3_server&) = delete;
    s3_server& operator=(const s3_server&) = delete;

    const std::string& endpoint() const noexcept { return endpoint_; }  // http://localhost:PORT
    const std::string& access_key() const noexcept { return access_key_; }
    const std::string& secret_key() const noexcept { return secret_key_; }
    static constexpr std::string_view region = "us-east-1";

    /// The process of the server itself. Callers read its processor time.
    pid_t process() const noexcept { return server_; }
    /// Returns the file in which the server keeps this object. Its bytes are those that were put.
    std::filesystem::path file_of(std::string_view bucket, std::string_view object) const;
    /// Returns the number of GET requests for this object in the server's log. The server may write
    /// the log a moment after it has answered.
    std::size_t reads_of(std::string_view object) const;

    /// These functions throw std::runtime_error with the server's answer.
    void make_bucket(std::string_view bucket) const;
    void put(std::string_view bucket, std::string_view object,
             std::span<const std::byte> bytes) const;
    void remove(std::string_view bucket, std::string_view object) const;

private:
    void start(const std::filesystem::path& executable, std::uint16_t port);
    void stop() noexcept;
    bool answers() const;
    bool has_ended() const;
    std::string last_words() const;

    std::optional<support::temporary_folder> folder_;
    std::string access_key_;
    std::string secret_key_;
    std::string endpoint_;
    pid_t keeper_ = -1;  // the shell that ends the server when `order_` gets a line or is closed
    pid_t server_ = -1;
    support::descriptor order_;
    support::descriptor alive_;  // a pipe whose write end is closed when the server ends
};

}  // namespace lab
