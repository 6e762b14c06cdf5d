// SPDX-License-Identifier: BSL-1.0
// The disk of a tier, in the process that owns its folder or in a guest. An owner has the lock,
// writes lines, and answers guests. A guest asks the owner, and becomes the owner when the lock is
// free.
//
// The system releases the lock of a process that ends in any way, and ends its connections. A
// guest then tries both to lock the folder and to connect to a new owner, until one of them
// succeeds. There is no state that could be left half changed: the new owner knows what the
// headers in the file say.
//
// All functions may be called by several threads at once, except open().
#pragma once

#include <freehold/config.hpp>
#include <freehold/line/detail/disk/disk_core.hpp>
#include <freehold/line/detail/disk/node_guest.hpp>
#include <freehold/line/detail/disk/node_messages.hpp>
#include <freehold/line/detail/disk/node_server.hpp>
#include <freehold/line/detail/disk/node_socket.hpp>
#include <freehold/line/detail/disk/slot_file.hpp>
#include <freehold/line/disk_tier_options.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

class tier_disk {
public:
    using clock = std::chrono::steady_clock;

    explicit tier_disk(const disk_tier_options& options) : options_(validated(options)) {}

    // `answer` is called in the owner of a shared folder, until close(). Throws std::runtime_error
    // if the folder is in use and not shared with this process, std::bad_alloc, and
    // std::system_error if there is no thread.
    void open(node_server::answer_function answer) {
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
    // No answer is called afterwards. Waits for those that were called. A guest stays one.
    void close() noexcept {
        const std::lock_guard joining(joining_);
        is_closed_ = true;
        server_.reset();
    }

    [[nodiscard]] const disk_tier_options& options() const noexcept { return options_; }
    [[nodiscard]] std::shared_ptr<disk_core> core() const noexcept {
        const std::lock_guard lock(mutex_);
        return core_;
    }
    // Throws std::bad_alloc.
    [[nodiscard]] std::string fault() const {
        const std::lock_guard lock(mutex_);
        if (!core_->file().fault().empty()) return core_->file().fault();
        return core_->is_guest() && clock::now() >= ask_again_ ? std::string() : fault_;
    }

    // Asks the owner for a line; see node_question. Returns none if the source must be asked, or if
    // this process is no longer a guest with this core. Throws std::bad_alloc.
    template <class Wanted>
    [[nodiscard]] std::optional<disk_core::acquired> locate(const std::shared_ptr<disk_core>& guest,
                                                            const node_question& question,
                                                            std::string_view object,
                                                            std::string_view tag,
                                                            Wanted is_wanted) {
        if (is_pausing() || core() != guest) return {};
        node_answer answer;
        if (!ask(guest, question, object, tag, answer, is_wanted)) return {};
        counters_.asked.add(1);
        if (answer.reply != node_reply::found) return {};
        return disk_core::acquired{
            answer.slot, answer.sequence, answer.content, {answer.object_size, std::string(tag)}};
    }
    // Drops the object's lines. Those of an owner that does not answer may stay.
    void drop(std::string_view object) noexcept {
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

private:
    // Returns whether the owner has answered. If it is gone, finds another one.
    template <class Wanted>
    bool ask(const std::shared_ptr<disk_core>& guest, const node_question& question,
             std::string_view object, std::string_view tag, node_answer& answer, Wanted is_wanted) {
        using receipt = node_socket::receipt;
        try {
            const receipt got = guest_->ask(question, object, tag, answer, is_wanted);
            if (got == receipt::silent) {
                pause("the process that owns the folder '" + options_.folder.string() +
                      "' does not answer");
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

    // The source serves all reads for a while.
    void pause(const std::string& why) {
        constexpr int times = 6;
        const std::lock_guard lock(mutex_);
        fault_ = why;
        ask_again_ = clock::now() + times * options_.patience;
    }
    [[nodiscard]] bool is_pausing() const noexcept {
        const std::lock_guard lock(mutex_);
        return clock::now() < ask_again_;
    }

    // The first thread does it, and the others wait.
    template <class Wanted>
    void join_again(const std::shared_ptr<disk_core>& guest, Wanted is_wanted) {
        const std::lock_guard joining(joining_);
        if (is_closed_ || core() != guest || is_pausing()) return;
        guest_->disconnect();
        join(is_wanted);
    }
    // Becomes the owner or a guest, unless is_wanted() becomes false. While an owner begins or
    // ends, there is neither a lock nor a connection to be had.
    template <class Wanted>
    void join(Wanted is_wanted) {
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
    void own() {
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
    [[nodiscard]] std::shared_ptr<disk_core> make_core(disk_core::role as) {
        return std::make_shared<disk_core>(options_, counters_, as);
    }
    void publish(std::shared_ptr<disk_core> core, std::string fault) noexcept {
        {
            const std::lock_guard lock(mutex_);
            core_.swap(core);
            fault_ = std::move(fault);
        }
        published_.notify_all();
    }
    [[nodiscard]] node_answer answer_when_open(const node_call& call) {
        {
            std::unique_lock lock(mutex_);
            while (core_ == nullptr || core_->is_guest()) {
                if (!call.is_wanted()) return {};
                published_.wait_for(lock, std::chrono::milliseconds(100));
            }
        }
        return answer_(call);
    }

    const disk_tier_options options_;
    disk_counters counters_;
    node_server::answer_function answer_;
    std::optional<node_address> address_;
    std::optional<node_guest> guest_;
    std::mutex joining_;

    mutable std::mutex mutex_;  // guards the members below
    std::condition_variable published_;
    std::shared_ptr<disk_core> core_;
    std::string fault_;
    clock::time_point ask_again_ = clock::time_point::min();

    // guarded by joining_
    std::unique_ptr<node_server> server_;
    bool is_closed_ = false;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
