// SPDX-License-Identifier: BSL-1.0
// A real server of the S3 protocol on this machine's loopback, for as long as an object of this
// class lives: versitygw over a temporary folder, with made-up keys. It and its folder are gone
// afterwards also if this process is killed. Not thread-safe, but any number may live at once.
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

/// $FREEHOLD_VERSITYGW, else `versitygw` on $PATH, else the newest that scripts/lib/versitygw.sh
/// has put into the user's cache folder. None: nobody has installed it.
std::optional<std::filesystem::path> find_versitygw();

class s3_server {
public:
    /// What to do when find_versitygw() found none.
    static constexpr std::string_view how_to_install =
        "versitygw is not installed: scripts/test and scripts/report install it; else set "
        "FREEHOLD_VERSITYGW to its path";

    /// The folder goes below `below`, or below the system's folder for temporary files. Throws
    /// std::runtime_error with what the server said if it does not answer.
    explicit s3_server(const std::filesystem::path& executable,
                       const std::filesystem::path& below = {});
    ~s3_server();
    s3_server(const s3_server&) = delete;
    s3_server& operator=(const s3_server&) = delete;

    const std::string& endpoint() const noexcept { return endpoint_; }  // http://localhost:PORT
    const std::string& access_key() const noexcept { return access_key_; }
    const std::string& secret_key() const noexcept { return secret_key_; }
    static constexpr std::string_view region = "us-east-1";

    /// Of the server itself, for its processor time.
    pid_t process() const noexcept { return server_; }
    /// Where the server keeps this object: the bytes as they were put.
    std::filesystem::path file_of(std::string_view bucket, std::string_view object) const;
    /// How many GET requests for this object it has written into its log, which it may do a moment
    /// after it has answered.
    std::size_t reads_of(std::string_view object) const;

    /// Throw std::runtime_error with what the server answered.
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
    pid_t keeper_ = -1;  // the shell that ends the server when `order_` says so, or is closed
    pid_t server_ = -1;
    support::descriptor order_;
    support::descriptor
        alive_;  // a pipe that nobody can write to any more once the server has ended
};

}  // namespace lab
