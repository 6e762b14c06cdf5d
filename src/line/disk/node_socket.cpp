// SPDX-License-Identifier: BSL-1.0
#include "line/disk/node_socket.hpp"

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace freehold::inline FREEHOLD_ABI::detail {

node_address::node_address(const std::filesystem::path& folder) {
    static constexpr const char* name = "freehold-socket";
    path_ = (folder / name).string();
    std::string reached = path_;
    if (reached.size() >= sizeof address_.sun_path) {
        folder_ = descriptor(folder, O_RDONLY);
        reached = "/proc/self/fd/" + std::to_string(folder_.number()) + "/" + name;
    }
    address_.sun_family = AF_UNIX;
    std::memcpy(address_.sun_path, reached.c_str(), reached.size() + 1);
}

node_socket node_socket::listening(const node_address& at) noexcept {
    ::unlink(at.path().c_str());
    node_socket made(create());
    constexpr int most_waiting = 128;
    if (made.is_open() && (::fcntl(made.number(), F_SETFL, O_NONBLOCK) != 0 ||
                           ::bind(made.number(), at.get(), at.size()) != 0 ||
                           ::listen(made.number(), most_waiting) != 0)) {
        made.close();
    }
    return made;
}

node_socket node_socket::connected(const node_address& to) noexcept {
    node_socket made(create());
    // A listener whose queue is full would block a connect without O_NONBLOCK.
    if (made.is_open() && (::fcntl(made.number(), F_SETFL, O_NONBLOCK) != 0 ||
                           ::connect(made.number(), to.get(), to.size()) != 0)) {
        made.close();
    }
    return made;
}

node_socket node_socket::accepted() const noexcept {
    node_socket made(
        unforked_descriptor([this] { return with_flags(::accept(number(), nullptr, nullptr)); }));
    // Some systems copy the listener's O_NONBLOCK.
    if (made.is_open()) ::fcntl(made.number(), F_SETFL, 0);
    return made;
}

void node_socket::close() noexcept {
    const int error = errno;
    descriptor_.close();
    errno = error;
}

std::optional<uid_t> node_socket::user() const noexcept {
#if defined(SO_PEERCRED)
    ucred found{};
    socklen_t size = sizeof found;
    if (::getsockopt(number(), SOL_SOCKET, SO_PEERCRED, &found, &size) != 0) return {};
    return found.uid;
#else
    uid_t user = 0;
    gid_t group = 0;
    if (::getpeereid(number(), &user, &group) != 0) return {};
    return user;
#endif
}

bool node_socket::send(const void* bytes, std::size_t size) const noexcept {
#if defined(MSG_NOSIGNAL)
    constexpr int flags = MSG_NOSIGNAL | MSG_DONTWAIT;
#else
    constexpr int flags = MSG_DONTWAIT;
#endif
    ssize_t sent = 0;
    do {
        sent = ::send(number(), bytes, size, flags);
    } while (sent < 0 && errno == EINTR);
    return sent == static_cast<ssize_t>(size);
}

node_socket::receipt node_socket::receive(void* to, std::size_t size,
                                          std::chrono::milliseconds patience,
                                          const std::function<bool()>& is_wanted) const noexcept {
    using clock = std::chrono::steady_clock;
    auto* at = static_cast<std::byte*>(to);
    clock::time_point last = clock::now();
    while (size != 0) {
        pollfd readable{number(), POLLIN, 0};
        const int ready = ::poll(&readable, 1, 100);
        if (ready <= 0) {
            if (!is_wanted()) return receipt::unwanted;
            if (clock::now() - last > patience) return receipt::silent;
            continue;
        }
        const ssize_t got = ::recv(number(), at, size, 0);
        if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (got <= 0) return receipt::ended;
        at += got;
        size -= static_cast<std::size_t>(got);
        last = clock::now();
    }
    return receipt::whole;
}

bool node_socket::receive(void* to, std::size_t size) const noexcept {
    auto* at = static_cast<std::byte*>(to);
    while (size != 0) {
        const ssize_t got = ::recv(number(), at, size, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        at += got;
        size -= static_cast<std::size_t>(got);
    }
    return true;
}

int node_socket::with_flags(int number) noexcept {
    if (number < 0) return number;
    ::fcntl(number, F_SETFD, FD_CLOEXEC);
#if defined(SO_NOSIGPIPE)
    const int on = 1;
    ::setsockopt(number, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
    return number;
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
