// SPDX-License-Identifier: BSL-1.0
// file_server [DELAY]: makes a folder for temporary files and serves the files in it over HTTP, on
// a free port of the loopback device. It answers GET and HEAD as an S3 server does, ranges
// included, and ignores the request's signature. It prints one line, "PORT FOLDER". At the end of
// its standard input it removes the folder and ends. A thread serves each connection, by sendfile
// from the system's file cache. Each answer begins DELAY milliseconds after its request, by default
// at once.
//
// FOLDER/requests has a line for each request that is answered: METHOD PATH BYTES, the size of the
// answer's body.
#include "support/descriptor.hpp"
#include "support/temporary_folder.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <exception>
#include <fstream>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

[[noreturn]] void fail(const char* call) {
    throw std::system_error(errno, std::generic_category(), call);
}

bool send_all(int to, std::string_view text, int flags) {
    while (!text.empty()) {
        const ssize_t sent = send(to, text.data(), text.size(), flags | MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        text.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

bool send_file(int to, int file, off_t offset, std::uint64_t left) {
    while (left > 0) {
        const ssize_t sent = sendfile(to, file, &offset, left);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        left -= static_cast<std::uint64_t>(sent);
    }
    return true;
}

std::string http_date(std::time_t when) {
    std::tm parts{};
    char text[64];
    gmtime_r(&when, &parts);
    return {text, std::strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", &parts)};
}

/// The value of a header, or an empty text.
std::string header_of(const std::string& request, std::string_view name) {
    for (std::size_t begin = request.find("\r\n"); begin != std::string::npos;
         begin = request.find("\r\n", begin + 2)) {
        const std::string_view line = std::string_view(request).substr(begin + 2);
        if (line.size() <= name.size() || line[name.size()] != ':') continue;
        const bool same = std::equal(name.begin(), name.end(), line.begin(), [](char a, char b) {
            return a == std::tolower(static_cast<unsigned char>(b));
        });
        if (!same) continue;
        std::string_view value = line.substr(name.size() + 1);
        value = value.substr(0, value.find("\r\n"));
        while (value.starts_with(' ')) value.remove_prefix(1);
        return std::string(value);
    }
    return "";
}

struct byte_range {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;  // one past the last byte
    bool partial = false;
    bool satisfiable = true;
};

/// Reads `bytes=BEGIN-END` or `bytes=BEGIN-`. Any other range means the whole file, as HTTP allows.
byte_range range_of(const std::string& header, std::uint64_t size) {
    constexpr std::string_view unit = "bytes=";
    byte_range range{0, size};
    if (!header.starts_with(unit)) return range;
    const char* const end = header.data() + header.size();
    std::uint64_t first = 0;
    const auto [dash, error] = std::from_chars(header.data() + unit.size(), end, first);
    if (error != std::errc() || dash == end || *dash != '-') return range;
    std::uint64_t last = size - 1;
    if (dash + 1 != end &&
        (std::from_chars(dash + 1, end, last).ec != std::errc() || last < first)) {
        return range;
    }
    return {first, std::min(last, size - 1) + 1, true, first < size};
}

class server {
public:
    server(std::string folder, std::chrono::milliseconds delay)
        : folder_(std::move(folder)), delay_(delay), log_(folder_ + "/requests", std::ios::app) {}

    /// One connection, until the client closes it or asks for what is none of this server's.
    void serve(int connection) {
        const support::descriptor closing(connection);
        std::string pending;
        while (true) {
            const std::size_t end = pending.find("\r\n\r\n");
            if (end != std::string::npos) {
                if (!answer(connection, pending.substr(0, end + 2))) return;
                pending.erase(0, end + 4);
                continue;
            }
            char buffer[4096];
            const ssize_t got = recv(connection, buffer, sizeof buffer, 0);
            if (got < 0 && errno == EINTR) continue;
            if (got <= 0 || pending.size() > longest_request) return;
            pending.append(buffer, static_cast<std::size_t>(got));
        }
    }

private:
    static constexpr std::size_t longest_request = 64 << 10;

    /// Whether the connection stays open.
    bool answer(int to, const std::string& request) {
        std::this_thread::sleep_for(delay_);
        const bool get = request.starts_with("GET /");
        if (!get && !request.starts_with("HEAD /")) return refuse(to, "405 Method Not Allowed");
        const std::size_t begin = request.find('/');
        const std::string path = request.substr(begin, request.find_first_of(" ?", begin) - begin);
        if (path.find("..") != std::string::npos) return refuse(to, "400 Bad Request");
        const support::descriptor file(open((folder_ + path).c_str(), O_RDONLY | O_CLOEXEC));
        struct stat status {};
        if (file.get() < 0 || fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
            return refuse(to, "404 Not Found");
        }
        const auto size = static_cast<std::uint64_t>(status.st_size);
        const byte_range range = range_of(header_of(request, "range"), size);
        if (!range.satisfiable) return refuse(to, "416 Range Not Satisfiable");
        write_down(get ? "GET" : "HEAD", path, get ? range.end - range.begin : 0);
        std::string head =
            range.partial ? "HTTP/1.1 206 Partial Content\r\n" : "HTTP/1.1 200 OK\r\n";
        head += "Content-Length: " + std::to_string(range.end - range.begin) +
                "\r\nAccept-Ranges: bytes\r\nETag: \"" + std::to_string(status.st_mtim.tv_sec) +
                "-" + std::to_string(status.st_mtim.tv_nsec) +
                "\"\r\nLast-Modified: " + http_date(status.st_mtim.tv_sec) + "\r\n";
        if (range.partial) {
            head += "Content-Range: bytes " + std::to_string(range.begin) + "-" +
                    std::to_string(range.end - 1) + "/" + std::to_string(size) + "\r\n";
        }
        head += "\r\n";
        if (!get) return send_all(to, head, 0);
        return send_all(to, head, MSG_MORE) &&
               send_file(to, file.get(), static_cast<off_t>(range.begin), range.end - range.begin);
    }

    static bool refuse(int to, const std::string& status) {
        return send_all(to, "HTTP/1.1 " + status + "\r\nContent-Length: 0\r\n\r\n", 0);
    }

    void write_down(const char* method, const std::string& path, std::uint64_t bytes) {
        const std::lock_guard lock(mutex_);
        log_ << method << ' ' << path << ' ' << bytes << std::endl;
    }

    const std::string folder_;
    const std::chrono::milliseconds delay_;
    std::mutex mutex_;
    std::ofstream log_;
};

int listen_on_loopback(std::uint16_t& port) {
    const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0) fail("socket");
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        fail("bind");
    }
    if (getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
        fail("getsockname");
    }
    if (listen(listener, SOMAXCONN) != 0) fail("listen");
    port = ntohs(address.sin_port);
    return listener;
}

std::chrono::milliseconds delay_from(int argc, char** argv) {
    if (argc == 1) return {};
    unsigned delay = 0;
    const char* const end = argv[1] + std::strlen(argv[1]);
    if (const auto read = std::from_chars(argv[1], end, delay);
        argc != 2 || read.ec != std::errc() || read.ptr != end) {
        throw std::runtime_error("call it with no argument, or with the milliseconds of a delay");
    }
    return std::chrono::milliseconds(delay);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const std::chrono::milliseconds delay = delay_from(argc, argv);
        std::optional<support::temporary_folder> folder(std::in_place, "lab");
        std::uint16_t port = 0;
        const int listener = listen_on_loopback(port);
        // Never destroyed: connections are served until the process ends.
        auto& files = *new server(folder->path(), delay);
        std::thread([listener, &files] {
            while (true) {
                const int connection = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
                if (connection < 0) continue;
                const int on = 1;
                setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
                std::thread([connection, &files] { files.serve(connection); }).detach();
            }
        }).detach();
        std::printf("%u %s\n", static_cast<unsigned>(port), folder->path().c_str());
        std::fflush(stdout);
        char ignored[64];
        ssize_t got = 0;
        while ((got = read(STDIN_FILENO, ignored, sizeof ignored)) > 0 ||
               (got < 0 && errno == EINTR)) {
        }
        folder.reset();  // _exit calls no destructor
        _exit(0);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "file_server: %s\n", error.what());
        return 1;
    }
}
