// SPDX-License-Identifier: BSL-1.0
#include "suites/zeroing/fillers.hpp"

#include "suites/zeroing/line.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

namespace lab::lines {
namespace {

/// The bytes of a copy or a receive: the buffer size that an object store's client is configured
/// with.
constexpr std::size_t piece_bytes = std::size_t{512} << 10;

[[noreturn]] void fail(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
}

std::vector<std::byte> made_data(std::size_t bytes) {
    // Made once, outside the measurement.
    std::vector<std::byte> data(bytes);  // NOLINT(freehold-hidden-zeroing)
    for (std::size_t i = 0; i < bytes; ++i) data[i] = static_cast<std::byte>(i * 7 + i / 251 + 1);
    return data;
}

/// Returns a socket that listens on a port that the system chooses.
int listening_socket() {
    const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0) return listener;
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        listen(listener, 1) != 0) {
        fail("listening on the loopback device");
    }
    return listener;
}

int connected_socket(int listener) {
    sockaddr_in address{};
    socklen_t length = sizeof address;
    if (getsockname(listener, reinterpret_cast<sockaddr*>(&address), &length) != 0) {
        fail("getsockname");
    }
    const int connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connection < 0) return connection;
    if (connect(connection, reinterpret_cast<const sockaddr*>(&address), length) != 0) {
        fail("connecting to the loopback device");
    }
    return connection;
}

/// Ends early if the receiver has closed the connection. The receiver reports the missing bytes.
void send_all(int listener, std::size_t bytes) {
    const std::vector<std::byte> data = made_data(piece_bytes);
    const int connection = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0) return;
    while (bytes > 0) {
        const ssize_t sent =
            send(connection, data.data(), std::min(bytes, data.size()), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) break;
        bytes -= static_cast<std::size_t>(sent);
    }
    close(connection);
}

/// Fills a line. `read(at)` is the system call `name`, which reads bytes to that place of the line.
template <class Read>
void fill_from(const Read& read, const char* name, const char* ended_early) {
    for (std::size_t at = 0; at < line_bytes;) {
        const ssize_t got = read(at);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) fail(name);
        if (got == 0) throw std::runtime_error(ended_early);
        at += static_cast<std::size_t>(got);
    }
}

/// Closes the descriptor at the end.
class file_descriptor {
public:
    /// `what` names the call that failed if `number` is negative.
    file_descriptor(int number, const char* what) : number_(number) {
        if (number < 0) fail(what);
    }
    ~file_descriptor() { close(number_); }
    file_descriptor(const file_descriptor&) = delete;
    file_descriptor& operator=(const file_descriptor&) = delete;

    int number() const noexcept { return number_; }

private:
    int number_;
};

class copying_filler : public filler {
public:
    void fill(std::byte* line) const override {
        static_assert(line_bytes % piece_bytes == 0);
        for (std::size_t at = 0; at < line_bytes; at += piece_bytes) {
            std::memcpy(line + at, source_.data(), piece_bytes);
        }
    }

private:
    const std::vector<std::byte> source_ = made_data(piece_bytes);
};

class reading_filler : public filler {
public:
    // Writes by pieces: glibc raises its threshold when a block as large as a line is freed, and
    // then maps no line separately.
    reading_filler() : file_(memfd_create("line", MFD_CLOEXEC), "memfd_create") {
        const std::vector<std::byte> data = made_data(piece_bytes);
        for (std::size_t at = 0; at < line_bytes;) {
            const std::size_t begin = at % piece_bytes;
            const ssize_t written = write(file_.number(), data.data() + begin, piece_bytes - begin);
            if (written < 0 && errno != EINTR) fail("writing a file in memory");
            if (written > 0) at += static_cast<std::size_t>(written);
        }
    }

    void fill(std::byte* line) const override {
        const auto read = [&](std::size_t at) {
            return pread(file_.number(), line + at, line_bytes - at, static_cast<off_t>(at));
        };
        fill_from(read, "pread", "a file in memory ended early");
    }

private:
    file_descriptor file_;
};

class receiving_filler : public filler {
public:
    explicit receiving_filler(std::size_t bytes)
        : listener_(listening_socket(), "socket"),
          connection_(connected_socket(listener_.number()), "socket"),
          sender_(send_all, listener_.number(), bytes) {}
    ~receiving_filler() override {
        shutdown(connection_.number(), SHUT_RDWR);
        sender_.join();
    }
    receiving_filler(const receiving_filler&) = delete;
    receiving_filler& operator=(const receiving_filler&) = delete;

    void fill(std::byte* line) const override {
        const auto receive = [&](std::size_t at) {
            return recv(connection_.number(), line + at, std::min(piece_bytes, line_bytes - at), 0);
        };
        fill_from(receive, "recv", "a connection ended early");
    }

private:
    file_descriptor listener_;
    file_descriptor connection_;
    std::thread sender_;
};

}  // namespace

std::unique_ptr<filler> make_copying(std::size_t) {
    return std::make_unique<copying_filler>();
}

std::unique_ptr<filler> make_reading(std::size_t) {
    return std::make_unique<reading_filler>();
}

std::unique_ptr<filler> make_receiving(std::size_t bytes) {
    return std::make_unique<receiving_filler>(bytes);
}

}  // namespace lab::lines
