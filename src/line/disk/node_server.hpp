// SPDX-License-Identifier: BSL-1.0
// Answers the questions of guests, in the owner of a disk_tier's folder. One thread accepts
// connections, and each connection has a thread of its own. While an answer takes time, the first
// thread sends node_reply::working several times a second. So a guest notices an owner that is
// stopped, and the owner notices a guest that is gone.
#pragma once

#include <freehold/config.hpp>

#include "line/disk/node_messages.hpp"
#include "line/disk/node_socket.hpp"
#include "line/unforked_descriptor.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace freehold::inline FREEHOLD_ABI::detail {

// What a guest asks, as the function that answers sees it.
struct node_call {
    node_question question;
    std::string_view object;
    std::string_view entity_tag;
    std::function<bool()> is_wanted;  // false if the guest is gone, or the server is ending
};

class node_server {
public:
    using answer_function = std::function<node_answer(const node_call&)>;

    // The caller has locked the folder. Throws std::bad_alloc, or std::system_error if there is no
    // thread. If there is no socket, is_open() is false and errno says why.
    node_server(const node_address& address, std::uint64_t line_size, answer_function answer);
    node_server(const node_server&) = delete;
    node_server& operator=(const node_server&) = delete;
    ~node_server() { end(); }

    [[nodiscard]] bool is_open() const noexcept { return listener_.is_open(); }

    // Ends all connections, and waits for their threads.
    void end() noexcept;

private:
    struct connection {
        explicit connection(node_socket from) noexcept : socket(std::move(from)) {}

        node_socket socket;
        std::mutex mutex;  // guards is_busy, and what is sent while it is true
        bool is_busy = false;
        std::atomic<bool> is_gone{false};
        std::atomic<bool> has_ended{false};
        std::thread thread;
    };

    [[nodiscard]] bool is_ending() const noexcept {
        return is_ending_.load(std::memory_order_relaxed);  // relaxed: as in end
    }

    void accept_all() noexcept;
    // Without memory or a thread, the guest finds its connection ended.
    void accept_one() noexcept;
    // Tells waiting guests that the owner is alive, and forgets those that are gone.
    void tend() noexcept;

    void serve(connection& with) noexcept;
    [[nodiscard]] bool has_greeted(const node_socket& with) const noexcept;
    void answer_all(connection& with);
    static void set_busy(connection& with, bool is_busy) noexcept {
        const std::lock_guard lock(with.mutex);
        with.is_busy = is_busy;
    }

    const answer_function answer_;
    node_hello hello_;
    node_socket listener_;
    unforked_descriptor wake_;
    unforked_descriptor woken_;
    std::atomic<bool> is_ending_{false};
    std::list<connection> connections_;  // of the accepting thread, and then of end()
    std::thread accepting_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
