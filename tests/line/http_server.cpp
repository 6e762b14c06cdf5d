// SPDX-License-Identifier: BSL-1.0
#include "line/http_server.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <limits>
#include <sstream>
#include <system_error>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace freehold {
namespace {

constexpr int poll_interval = 20;  // milliseconds between two checks of whether the server stops

// Returns false if the server stops first.
bool wait_for(int socket, short events, const std::atomic<bool>& ending) {
    while (!ending) {
        pollfd one{socket, events, 0};
        if (::poll(&one, 1, poll_interval) > 0) return true;
    }
    return false;
}

std::string lower_case(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

}  // namespace

std::string http_request::header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? "" : found->second;
}

std::uint64_t http_request::first() const {
    const std::string range = header("range");
    return range.empty() ? 0 : std::stoull(range.substr(range.find('=') + 1));
}

std::uint64_t http_request::last() const {
    const std::string range = header("range");
    return range.empty() ? std::numeric_limits<std::uint64_t>::max()
                         : std::stoull(range.substr(range.find('-') + 1));
}

void http_connection::send(std::string_view text) {
    while (!text.empty() && open_) {
        if (!wait_for(socket_, POLLOUT, ending_)) {
            close();
            return;
        }
        const ssize_t sent = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno != EAGAIN && errno != EINTR) close();
        if (sent > 0) text.remove_prefix(static_cast<std::size_t>(sent));
    }
}

void http_connection::answer(std::string_view status, const std::vector<std::string>& headers,
                             std::string_view body) {
    std::string text = "HTTP/1.1 " + std::string(status) + "\r\n";
    for (const std::string& header : headers) text += header + "\r\n";
    text += "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n";
    send(text);
    send(body);
}

void http_connection::serve(const http_request& request, std::string_view object,
                            std::string_view tag) {
    const std::string tag_line = "ETag: " + std::string(tag);
    if (request.method == "HEAD") {
        send("HTTP/1.1 200 OK\r\n" + tag_line +
             "\r\nContent-Length: " + std::to_string(object.size()) + "\r\n\r\n");
        return;
    }
    const std::string wanted = request.header("if-match");
    if (!wanted.empty() && wanted != tag) {
        answer("412 Precondition Failed", {}, "");
        return;
    }
    const std::uint64_t first = request.first();
    if (first >= object.size()) {
        answer("416 Range Not Satisfiable", {}, "");
        return;
    }
    const std::uint64_t last = std::min<std::uint64_t>(request.last(), object.size() - 1);
    answer("206 Partial Content",
           {tag_line, "Content-Range: bytes " + std::to_string(first) + "-" + std::to_string(last) +
                          "/" + std::to_string(object.size())},
           object.substr(first, last - first + 1));
}

void http_connection::say_nothing() {
    std::array<char, 512> dropped{};
    while (wait_for(socket_, POLLIN, ending_) &&
           ::recv(socket_, dropped.data(), dropped.size(), 0) > 0) {
    }
    close();
}

http_server::http_server(handler answer, loopback where)
    : answer_(std::move(answer)), host_(where == loopback::ipv6 ? "[::1]" : "127.0.0.1") {
    const bool is_6 = where == loopback::ipv6;
    listener_ = ::socket(is_6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_storage address{};
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    auto* const of_4 = reinterpret_cast<sockaddr_in*>(&address);
    auto* const of_6 = reinterpret_cast<sockaddr_in6*>(&address);
    socklen_t size = is_6 ? sizeof *of_6 : sizeof *of_4;
    if (is_6) {
        of_6->sin6_family = AF_INET6;
        of_6->sin6_addr = in6addr_loopback;
    } else {
        of_4->sin_family = AF_INET;
        of_4->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    }
    if (listener_ < 0 || ::bind(listener_, generic, size) != 0 || ::listen(listener_, 64) != 0 ||
        ::getsockname(listener_, generic, &size) != 0) {
        const int why = errno;
        if (listener_ >= 0) ::close(listener_);
        throw std::system_error(why, std::generic_category(), "a server on the loopback");
    }
    port_ = ntohs(is_6 ? of_6->sin6_port : of_4->sin_port);
    thread_ = std::thread([this] { accept_all(); });
}

http_server::~http_server() {
    ending_ = true;
    thread_.join();
    for (std::thread& client : clients_) client.join();
    ::close(listener_);
}

std::vector<http_request> http_server::requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
}

void http_server::accept_all() {
    while (wait_for(listener_, POLLIN, ending_)) {
        const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        if (socket < 0) continue;
        ++connections_;
        most_ = std::max<std::size_t>(most_, ++open_);
        clients_.emplace_back([this, socket] {
            serve(socket);
            --open_;
            ::close(socket);
        });
    }
}

void http_server::serve(int socket) {
    std::string buffer;
    http_connection connection(socket, ending_);
    for (http_request request; connection.is_open() && read_request(socket, buffer, request);) {
        answer_(request, connection);
    }
}

bool http_server::receive(int socket, std::string& buffer) {
    std::array<char, 4096> piece;
    if (!wait_for(socket, POLLIN, ending_)) return false;
    const ssize_t got = ::recv(socket, piece.data(), piece.size(), 0);
    if (got > 0) buffer.append(piece.data(), static_cast<std::size_t>(got));
    return got > 0;
}

bool http_server::read_request(int socket, std::string& buffer, http_request& request) {
    constexpr std::string_view end_of_headers = "\r\n\r\n";
    std::size_t end = buffer.find(end_of_headers);
    for (; end == std::string::npos; end = buffer.find(end_of_headers)) {
        if (!receive(socket, buffer)) return false;
    }
    std::istringstream lines(buffer.substr(0, end + 2));
    buffer.erase(0, end + end_of_headers.size());

    request = {};
    std::string line;
    std::getline(lines, line);
    std::istringstream(line) >> request.method >> request.path;
    while (std::getline(lines, line) && line.size() > 1) {
        line.pop_back();
        const std::size_t colon = line.find(':');
        if (colon == std::string::npos) continue;
        const std::size_t value = line.find_first_not_of(' ', colon + 1);
        request.headers[lower_case(line.substr(0, colon))] =
            value == std::string::npos ? "" : line.substr(value);
    }
    const std::string length = request.header("content-length");
    const std::size_t body = length.empty() ? 0 : std::stoul(length);
    while (buffer.size() < body) {
        if (!receive(socket, buffer)) return false;
    }
    request.body = buffer.substr(0, body);
    buffer.erase(0, body);
    const std::lock_guard lock(mutex_);
    request.number = requests_.size() + 1;
    requests_.push_back(request);
    return true;
}

}  // namespace freehold
