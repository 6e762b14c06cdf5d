// SPDX-License-Identifier: BSL-1.0
// Local sockets in a folder. Messages are sent and received whole.
#pragma once

#include <freehold/config.hpp>

#include "line/descriptor.hpp"
#include "line/unforked_descriptor.hpp"

#include <chrono>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>
#include <unistd.h>

namespace freehold::inline FREEHOLD_ABI::detail {

// The address of the socket in a folder. The path in an address is at most about 100 bytes long; a
// longer one is reached through a descriptor of the folder, where the system has /proc.
class node_address {
public:
    explicit node_address(const std::filesystem::path& folder);

    [[nodiscard]] const std::string& path() const noexcept { return path_; }
    [[nodiscard]] const sockaddr* get() const noexcept {
        return reinterpret_cast<const sockaddr*>(&address_);
    }
    [[nodiscard]] static socklen_t size() noexcept { return sizeof(sockaddr_un); }

private:
    std::string path_;
    descriptor folder_;
    sockaddr_un address_{};
};

class node_socket {
public:
    node_socket() = default;

    // Replaces a socket that a process left behind. If it fails, is_open() is false and errno says
    // why.
    [[nodiscard]] static node_socket listening(const node_address& at) noexcept;
    // The same.
    [[nodiscard]] static node_socket connected(const node_address& to) noexcept;
    [[nodiscard]] node_socket accepted() const noexcept;

    [[nodiscard]] bool is_open() const noexcept { return descriptor_.is_open(); }
    [[nodiscard]] int number() const noexcept { return descriptor_.number(); }
    // Leaves errno as it is.
    void close() noexcept;
    // Both sides find the end of the connection, also threads that wait for a message.
    void shut_down() const noexcept { ::shutdown(number(), SHUT_RDWR); }

    // The effective user of the process at the other end.
    [[nodiscard]] std::optional<uid_t> user() const noexcept;

    // Does not wait for the receiver: its messages are few and small. Returns false if it is gone,
    // or takes none.
    [[nodiscard]] bool send(const void* bytes, std::size_t size) const noexcept;
    enum class receipt {
        whole,
        ended,    // the sender is gone
        silent,   // no byte came for that time
        unwanted  // is_wanted(), which is asked every tenth of a second, returned false
    };
    [[nodiscard]] receipt receive(void* to, std::size_t size, std::chrono::milliseconds patience,
                                  const std::function<bool()>& is_wanted) const noexcept;
    // Waits as long as the connection lasts.
    [[nodiscard]] bool receive(void* to, std::size_t size) const noexcept;

private:
    explicit node_socket(unforked_descriptor from) noexcept : descriptor_(std::move(from)) {}

    [[nodiscard]] static unforked_descriptor create() noexcept {
        return unforked_descriptor([] { return with_flags(::socket(AF_UNIX, SOCK_STREAM, 0)); });
    }
    static int with_flags(int number) noexcept;

    unforked_descriptor descriptor_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
