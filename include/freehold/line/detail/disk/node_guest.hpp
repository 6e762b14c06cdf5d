// SPDX-License-Identifier: BSL-1.0
// Asks the owner of a disk_tier's folder where lines are. Each question takes a connection of its
// own; idle connections are kept. All functions may be called by several threads at once.
#pragma once

#include <freehold/config.hpp>
#include <freehold/line/detail/disk/node_messages.hpp>
#include <freehold/line/detail/disk/node_socket.hpp>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
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
               std::chrono::milliseconds patience)
        : address_(address), patience_(patience) {
        hello_.line_size = line_size;
    }

    // Returns whether there is an owner that answers. Throws node_refusal and std::bad_alloc.
    [[nodiscard]] bool connect() {
        node_socket made = greeted([] { return true; });
        if (!made.is_open()) return false;
        give_back(std::move(made));
        return true;
    }
    // Closes the connections that no thread uses.
    void disconnect() noexcept {
        const std::lock_guard lock(mutex_);
        idle_.clear();
    }

    using receipt = node_socket::receipt;
    // Asks, and waits for the answer. Throws node_refusal and std::bad_alloc.
    template <class Wanted>
    [[nodiscard]] receipt ask(node_question question, std::string_view object,
                              std::string_view entity_tag, node_answer& answer, Wanted is_wanted) {
        question.object_length = static_cast<std::uint32_t>(object.size());
        question.tag_length = static_cast<std::uint32_t>(entity_tag.size());
        std::string message(sizeof question, '\0');
        std::memcpy(message.data(), &question, sizeof question);
        message.append(object).append(entity_tag);

        node_socket with = take();
        if (!with.is_open()) with = greeted(is_wanted);
        if (!with.is_open() || !with.send(message.data(), message.size())) return receipt::ended;
        do {
            const receipt got = with.receive(&answer, sizeof answer, patience_, is_wanted);
            if (got != receipt::whole) return got;
        } while (answer.reply == node_reply::working);
        give_back(std::move(with));
        return receipt::whole;
    }

private:
    // Returns no socket if there is no owner, or if it does not answer.
    template <class Wanted>
    [[nodiscard]] node_socket greeted(Wanted is_wanted) {
        node_socket made = node_socket::connected(address_);
        if (!made.is_open()) {
            if (errno == EACCES || errno == EPERM) {
                refuse("its socket cannot be opened: " + std::generic_category().message(errno));
            }
            return made;
        }
        const std::optional<uid_t> owner = made.user();
        if (owner && *owner != ::geteuid()) {
            refuse("it is in use by a process of the user " + std::to_string(*owner) +
                   ", and this process belongs to the user " + std::to_string(::geteuid()));
        }
        node_hello theirs;
        if (!made.send(&hello_, sizeof hello_) ||
            made.receive(&theirs, sizeof theirs, patience_, is_wanted) != receipt::whole) {
            made.close();
            return made;
        }
        if (theirs.magic != hello_.magic || theirs.version != hello_.version) {
            refuse("it is in use by Freehold " + name_of(theirs.version) + ", and this is " +
                   name_of(hello_.version));
        }
        if (theirs.line_size != hello_.line_size) {
            refuse("it is in use with a line_size of " + std::to_string(theirs.line_size) +
                   ", and this disk_tier has " + std::to_string(hello_.line_size));
        }
        return made;
    }
    [[noreturn]] void refuse(const std::string& why) const {
        throw node_refusal("disk_tier: the folder '" +
                           std::filesystem::path(address_.path()).parent_path().string() +
                           "' is not shared with this process: " + why +
                           "; give each of them its own folder");
    }
    [[nodiscard]] static std::string name_of(std::uint64_t version) {
        return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
               std::to_string(version % 100);
    }

    [[nodiscard]] node_socket take() noexcept {
        const std::lock_guard lock(mutex_);
        if (idle_.empty()) return {};
        node_socket taken = std::move(idle_.back());
        idle_.pop_back();
        return taken;
    }
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
