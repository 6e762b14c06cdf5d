// SPDX-License-Identifier: BSL-1.0
// The folder of a tier, in the process that owns it or in a guest. An owner has the lock, writes
// lines, and answers guests. A guest asks the owner, and becomes the owner when the lock is free. A
// folder that is not shared has no guests.
//
// The system releases the lock of a process that ends in any way, and ends its connections. A
// guest then tries both to lock the folder and to connect to a new owner, until one of them
// succeeds. There is no state that could be left half changed: the new owner knows what the
// headers in the file say.
//
// All functions may be called by several threads at once, except open().
#pragma once

#include <freehold/config.hpp>
#include <freehold/line/disk_tier_options.hpp>

#include "line/disk/disk_core.hpp"
#include "line/disk/node_guest.hpp"
#include "line/disk/node_messages.hpp"
#include "line/disk/node_server.hpp"
#include "line/disk/node_socket.hpp"
#include "line/disk/slot_file.hpp"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace freehold::inline FREEHOLD_ABI::detail {

class shared_folder {
public:
    using clock = std::chrono::steady_clock;

    explicit shared_folder(const disk_tier_options& options) : options_(validated(options)) {}

    // `answer` is called in the owner of a shared folder, until close(). Throws std::runtime_error
    // if the folder is in use and not shared with this process, std::bad_alloc, and
    // std::system_error if there is no thread.
    void open(node_server::answer_function answer);
    // No answer is called afterwards. Waits for those that were called. A guest stays one.
    void close() noexcept;

    [[nodiscard]] const disk_tier_options& options() const noexcept { return options_; }
    [[nodiscard]] std::shared_ptr<disk_core> core() const noexcept {
        const std::lock_guard lock(mutex_);
        return core_;
    }
    // Throws std::bad_alloc.
    [[nodiscard]] std::string fault() const;

    // Asks the owner for a line; see node_question. Returns none if the source must be asked, or if
    // this process is no longer a guest with this core. Throws std::bad_alloc.
    [[nodiscard]] std::optional<disk_core::acquired> locate(const std::shared_ptr<disk_core>& guest,
                                                            const node_question& question,
                                                            std::string_view object,
                                                            std::string_view tag,
                                                            const std::function<bool()>& is_wanted);
    // Drops the object's lines. Those of an owner that does not answer may stay.
    void drop(std::string_view object) noexcept;

private:
    // Returns whether the owner has answered. If it is gone, finds another one.
    bool ask(const std::shared_ptr<disk_core>& guest, const node_question& question,
             std::string_view object, std::string_view tag, node_answer& answer,
             const std::function<bool()>& is_wanted);

    // The source serves all reads for a while.
    void pause(const std::string& why);
    [[nodiscard]] bool is_pausing() const noexcept {
        const std::lock_guard lock(mutex_);
        return clock::now() < ask_again_;
    }

    // The first thread does it, and the others wait.
    void join_again(const std::shared_ptr<disk_core>& guest,
                    const std::function<bool()>& is_wanted);
    // Becomes the owner or a guest, unless is_wanted() becomes false. While an owner begins or
    // ends, there is neither a lock nor a connection to be had.
    void join(const std::function<bool()>& is_wanted);
    void own();
    [[nodiscard]] std::shared_ptr<disk_core> make_core(disk_core::role as) {
        return std::make_shared<disk_core>(options_, counters_, as);
    }
    void publish(std::shared_ptr<disk_core> core, std::string fault) noexcept;
    [[nodiscard]] node_answer answer_when_open(const node_call& call);

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
