// SPDX-License-Identifier: BSL-1.0
// Asks the owner of a disk_tier's folder where lines are. Each question takes a connection of its
// own; idle connections are kept. All functions may be called by several threads at once.
#pragma once

#include <freehold/config.hpp>

#include "line/disk/node_messages.hpp"
#include "line/disk/node_socket.hpp"

#include <chrono>
#include <cstdint>
#include <cstring>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unistd.h>

namespace freehold::inline FREEHOLD_ABI::detail {

// The owner does not share its folder with this process.
class node_refusal : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

class node_guest {
public:
    // An owner that sends nothing for `patience` is taken to be stopped.
    node_guest(const node_address& address, std::uint64_t line_size,
               std::chrono::milliseconds patience);

    // Returns whether there is an owner that answers. Throws node_refusal and std::bad_alloc.
    [[nodiscard]] bool connect();
    // Closes the connections that no thread uses.
    void disconnect() noexcept {
        const std::lock_guard lock(mutex_);
        idle_.clear();
    }

    using receipt = node_socket::receipt;
    // Asks, and waits for the answer. Throws node_refusal and std::bad_alloc.
    [[nodiscard]] receipt ask(node_question question, std::string_view object,
                              std::string_view entity_tag, node_answer& answer,
                              const std::function<bool()>& is_wanted);

private:
    // Returns no socket if there is no owner, or if it does not answer.
    [[nodiscard]] node_socket greeted(const std::function<bool()>& is_wanted);
    [[noreturn]] void refuse(const std::string& why) const;
    [[nodiscard]] static std::string name_of(std::uint64_t version) {
        return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
               std::to_string(version % 100);
    }

    [[nodiscard]] node_socket take() noexcept;
    void give_back(node_socket socket) {
        const std::lock_guard lock(mutex_);
        idle_.push_back(std::move(socket));
    }

    const node_address& address_;
    const std::chrono::milliseconds patience_;
    node_hello hello_;
    std::mutex mutex_;
    std::vector<node_socket> idle_;  // guarded by mutex_
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
