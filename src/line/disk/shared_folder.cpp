// SPDX-License-Identifier: BSL-1.0
#include "line/disk/shared_folder.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

void shared_folder::open(node_server::answer_function answer) {
    if (!options_.shared) {
        core_ = std::make_shared<disk_core>(options_, counters_, disk_core::role::owner);
        return core_->load();
    }
    answer_ = std::move(answer);
    std::error_code ignored;
    std::filesystem::create_directories(options_.folder, ignored);
    address_.emplace(options_.folder);
    guest_.emplace(*address_, options_.line_size, options_.patience);
    join([] { return true; });
}

void shared_folder::close() noexcept {
    const std::lock_guard joining(joining_);
    is_closed_ = true;
    server_.reset();
}

std::string shared_folder::fault() const {
    const std::lock_guard lock(mutex_);
    if (!core_->file().fault().empty()) return core_->file().fault();
    return core_->is_guest() && clock::now() >= ask_again_ ? std::string() : fault_;
}

std::optional<disk_core::acquired> shared_folder::locate(const std::shared_ptr<disk_core>& guest,
                                                         const node_question& question,
                                                         std::string_view object,
                                                         std::string_view tag,
                                                         const std::function<bool()>& is_wanted) {
    if (is_pausing() || core() != guest) return {};
    node_answer answer;
    if (!ask(guest, question, object, tag, answer, is_wanted)) return {};
    counters_.asked.add(1);
    if (answer.reply != node_reply::found) return {};
    return disk_core::acquired{
        answer.slot, answer.sequence, answer.content, {answer.object_size, std::string(tag)}};
}

void shared_folder::drop(std::string_view object) noexcept {
    const std::shared_ptr<disk_core> now = core();
    if (!now->is_guest()) return now->drop(object, {});
    try {
        node_answer ignored;
        const node_question question{.request = node_request::drop};
        if (!is_pausing()) ask(now, question, object, {}, ignored, [] { return true; });
    } catch (...) {
        return;
    }
}

bool shared_folder::ask(const std::shared_ptr<disk_core>& guest, const node_question& question,
                        std::string_view object, std::string_view tag, node_answer& answer,
                        const std::function<bool()>& is_wanted) {
    using receipt = node_socket::receipt;
    try {
        const receipt got = guest_->ask(question, object, tag, answer, is_wanted);
        if (got == receipt::silent) {
            pause("the process that owns the folder '" + options_.folder + "' does not answer");
        }
        if (got == receipt::ended) join_again(guest, is_wanted);
        return got == receipt::whole;
    } catch (const node_refusal& refused) {
        pause(refused.what());
    } catch (const folder_in_use& refused) {
        pause(refused.what());
    }
    return false;
}

void shared_folder::pause(const std::string& why) {
    constexpr int times = 6;
    const std::lock_guard lock(mutex_);
    fault_ = why;
    ask_again_ = clock::now() + times * options_.patience;
}

void shared_folder::join_again(const std::shared_ptr<disk_core>& guest,
                               const std::function<bool()>& is_wanted) {
    const std::lock_guard joining(joining_);
    if (is_closed_ || core() != guest || is_pausing()) return;
    guest_->disconnect();
    join(is_wanted);
}

void shared_folder::join(const std::function<bool()>& is_wanted) {
    const clock::time_point begin = clock::now();
    constexpr std::chrono::milliseconds longest{50};
    for (std::chrono::milliseconds wait{1}; is_wanted(); wait = std::min(2 * wait, longest)) {
        try {
            return own();
        } catch (const folder_in_use&) {
            if (guest_->connect()) return publish(make_core(disk_core::role::guest), {});
            if (clock::now() - begin > options_.patience) throw;
        }
        std::this_thread::sleep_for(wait);
    }
}

void shared_folder::own() {
    const std::shared_ptr<disk_core> made = make_core(disk_core::role::owner);
    std::unique_ptr<node_server> server;
    std::string fault;
    // Guests may connect before the headers are read, which takes a while.
    if (made->file().is_locked() && made->file().is_writable()) {
        server = std::make_unique<node_server>(
            *address_, options_.line_size,
            [this](const node_call& call) { return answer_when_open(call); });
        if (!server->is_open()) {
            fault = "disk_tier: '" + address_->path() + "' cannot be made, so the folder is " +
                    "not shared: " + std::generic_category().message(errno);
        }
    }
    made->load();
    server_ = std::move(server);
    publish(made, std::move(fault));
}

void shared_folder::publish(std::shared_ptr<disk_core> core, std::string fault) noexcept {
    {
        const std::lock_guard lock(mutex_);
        core_.swap(core);
        fault_ = std::move(fault);
    }
    published_.notify_all();
}

node_answer shared_folder::answer_when_open(const node_call& call) {
    {
        std::unique_lock lock(mutex_);
        while (core_ == nullptr || core_->is_guest()) {
            if (!call.is_wanted()) return {};
            published_.wait_for(lock, std::chrono::milliseconds(100));
        }
    }
    return answer_(call);
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
