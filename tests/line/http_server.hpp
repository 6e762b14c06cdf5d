// SPDX-License-Identifier: BSL-1.0
// A server on the loopback that speaks as much HTTP as a test needs, and as badly. Each connection
// has a thread, on which the test's handler answers one request after the other. The connection
// stays open unless the handler closes it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace freehold {

struct http_request {
    std::string method;
    std::string path;
    std::map<std::string, std::string> headers;  // names in lower case
    std::string body;
    std::size_t number = 0;  // of all requests to this server, from 1

    // From "Range: bytes=FIRST-LAST"; without it, of all bytes.
    std::uint64_t first() const;
    std::uint64_t last() const;
    std::string header(const std::string& name) const;  // empty if it is missing
};

class http_connection {
public:
    http_connection(int socket, const std::atomic<bool>& ending)
        : socket_(socket), ending_(ending) {}

    void send(std::string_view text);
    // A complete answer. The headers are lines without line ends.
    void answer(std::string_view status, const std::vector<std::string>& headers,
                std::string_view body);
    // The S3 answer to a GET of a range, or to a HEAD, of this object.
    void serve(const http_request& request, std::string_view object, std::string_view tag);
    void close() { open_ = false; }
    // Until the client closes the connection, or the server stops.
    void say_nothing();

    bool is_open() const { return open_; }

private:
    int socket_;
    const std::atomic<bool>& ending_;
    bool open_ = true;
};

class http_server {
public:
    using handler = std::function<void(const http_request&, http_connection&)>;

    enum class loopback { ipv4, ipv6 };
    // Throws std::system_error, e.g. where there is no IPv6.
    explicit http_server(handler answer, loopback where = loopback::ipv4);
    ~http_server();
    http_server(const http_server&) = delete;
    http_server& operator=(const http_server&) = delete;

    std::string endpoint() const { return "http://" + host_ + ":" + std::to_string(port_); }
    std::vector<http_request> requests() const;
    std::size_t connections() const { return connections_; }  // in total
    std::size_t most_connections_at_once() const { return most_; }

private:
    void accept_all();
    void serve(int socket);
    // Adds what comes next. Returns false if nothing comes any more.
    bool receive(int socket, std::string& buffer);
    // Reads the next request of this connection. Returns false if there is none.
    bool read_request(int socket, std::string& buffer, http_request& request);

    const handler answer_;
    const std::string host_;
    int listener_ = -1;
    std::uint16_t port_ = 0;
    std::atomic<bool> ending_{false};
    std::atomic<std::size_t> connections_{0};
    std::atomic<std::size_t> open_{0};
    std::atomic<std::size_t> most_{0};
    mutable std::mutex mutex_;
    std::vector<http_request> requests_;
    std::vector<std::thread> clients_;
    std::thread thread_;
};

}  // namespace freehold
