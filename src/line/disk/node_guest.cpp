// SPDX-License-Identifier: BSL-1.0
#include "line/disk/node_guest.hpp"

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <unistd.h>

namespace freehold::inline FREEHOLD_ABI::detail {

node_guest::node_guest(const node_address& address, std::uint64_t line_size,
                       std::chrono::milliseconds patience)
    : address_(address), patience_(patience) {
    hello_.line_size = line_size;
}

bool node_guest::connect() {
    node_socket made = greeted([] { return true; });
    if (!made.is_open()) return false;
    give_back(std::move(made));
    return true;
}

node_guest::receipt node_guest::ask(node_question question, std::string_view object,
                                    std::string_view entity_tag, node_answer& answer,
                                    const std::function<bool()>& is_wanted) {
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

node_socket node_guest::greeted(const std::function<bool()>& is_wanted) {
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

void node_guest::refuse(const std::string& why) const {
    throw node_refusal(
        "disk_tier: the folder '" + std::filesystem::path(address_.path()).parent_path().string() +
        "' is not shared with this process: " + why + "; give each of them its own folder");
}

node_socket node_guest::take() noexcept {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return {};
    node_socket taken = std::move(idle_.back());
    idle_.pop_back();
    return taken;
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
