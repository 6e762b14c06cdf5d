// SPDX-License-Identifier: BSL-1.0
#include "line/disk/node_server.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace freehold::inline FREEHOLD_ABI::detail {

node_server::node_server(const node_address& address, std::uint64_t line_size,
                         answer_function answer)
    : answer_(std::move(answer)), listener_(node_socket::listening(address)) {
    hello_.line_size = line_size;
    if (!listener_.is_open()) return;
    std::array<int, 2> ends{-1, -1};
    wake_ = unforked_descriptor([&] { return ::pipe(ends.data()) == 0 ? ends[1] : -1; });
    woken_ = unforked_descriptor([&] { return ends[0]; });
    if (!wake_.is_open()) {
        listener_.close();
        return;
    }
    for (const int each : ends) ::fcntl(each, F_SETFD, FD_CLOEXEC);
    accepting_ = std::thread([this] { accept_all(); });
}

void node_server::end() noexcept {
    // relaxed: a flag that threads poll; the joins order the rest.
    is_ending_.store(true, std::memory_order_relaxed);
    if (!accepting_.joinable()) return;
    while (::write(wake_.number(), "", 1) < 0 && errno == EINTR) continue;
    accepting_.join();
    listener_.close();
    for (connection& each : connections_) each.socket.shut_down();
    for (connection& each : connections_) each.thread.join();
    connections_.clear();
}

void node_server::accept_all() noexcept {
    std::array<pollfd, 2> ready{pollfd{listener_.number(), POLLIN, 0},
                                pollfd{woken_.number(), POLLIN, 0}};
    while (!is_ending()) {
        constexpr int milliseconds = 250;
        ::poll(ready.data(), ready.size(), connections_.empty() ? -1 : milliseconds);
        if ((ready[0].revents & POLLIN) != 0) accept_one();
        tend();
    }
}

void node_server::accept_one() noexcept {
    node_socket accepted = listener_.accepted();
    if (!accepted.is_open()) return;
    try {
        connection& added = connections_.emplace_back(std::move(accepted));
        try {
            added.thread = std::thread([this, &added] { serve(added); });
        } catch (...) {
            connections_.pop_back();
        }
    } catch (...) {
        return;
    }
}

void node_server::tend() noexcept {
    constexpr node_answer working{.reply = node_reply::working};
    for (auto at = connections_.begin(); at != connections_.end();) {
        {
            const std::lock_guard lock(at->mutex);
            if (at->is_busy && !at->socket.send(&working, sizeof working)) {
                at->is_gone.store(true, std::memory_order_relaxed);  // relaxed: it is polled
            }
        }
        // acquire: the thread has ended its use of the connection.
        if (at->has_ended.load(std::memory_order_acquire)) {
            at->thread.join();
            at = connections_.erase(at);
        } else {
            ++at;
        }
    }
}

void node_server::serve(connection& with) noexcept {
    try {
        if (has_greeted(with.socket)) answer_all(with);
    } catch (...) {
        // There is no memory: the guest finds its connection ended.
        with.socket.shut_down();
    }
    with.has_ended.store(true, std::memory_order_release);  // release: see tend
}

bool node_server::has_greeted(const node_socket& with) const noexcept {
    node_hello theirs;
    return with.receive(&theirs, sizeof theirs) && with.send(&hello_, sizeof hello_) &&
           theirs.version == hello_.version && theirs.line_size == hello_.line_size &&
           theirs.magic == hello_.magic && with.user() == ::geteuid();
}

void node_server::answer_all(connection& with) {
    constexpr std::uint32_t longest_name = 1 << 16;
    node_call call;
    // relaxed: flags that are polled.
    call.is_wanted = [&] { return !is_ending() && !with.is_gone.load(std::memory_order_relaxed); };
    std::string names;
    node_question& asked = call.question;
    while (with.socket.receive(&asked, sizeof asked)) {
        if (asked.object_length > longest_name || asked.tag_length > longest_name) return;
        names.resize(asked.object_length + asked.tag_length);
        if (!with.socket.receive(names.data(), names.size())) return;
        call.object = std::string_view(names).substr(0, asked.object_length);
        call.entity_tag = std::string_view(names).substr(asked.object_length);
        set_busy(with, true);
        const node_answer answer = answer_(call);
        set_busy(with, false);
        if (!with.socket.send(&answer, sizeof answer)) return;
    }
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
