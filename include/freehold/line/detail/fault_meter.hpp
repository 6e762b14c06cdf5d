// SPDX-License-Identifier: BSL-1.0
// Attributes page faults of threads to fetches. A system call of 0.2 us reads the thread's count
// when it switches between requests and when a line is complete. Faults in between count for the
// request that the thread used last.
#pragma once

#include <freehold/config.hpp>
#include <freehold/detail/platform/page_faults.hpp>
#include <freehold/handle/arc.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

struct fault_account {
    // From the heap, because a common pool would fault in pages for the few that there are.
    using ptr = arc<fault_account, atomic_count, std::allocator<fault_account>>;
    [[nodiscard]] static ptr make() {
        return allocate_arc<fault_account>(std::allocator<fault_account>());
    }

    std::atomic<std::uint64_t> faults{0};
};

// The calling thread's meter.
class fault_meter {
public:
    // Charges the thread's faults to this account, until the thread enters another account or
    // leaves this one.
    static void enter(const fault_account::ptr& account) noexcept {
        fault_meter& meter = here();
        if (meter.account_ == account) return;
        meter.charge();
        meter.account_ = account;
    }
    static void leave(const fault_account::ptr& account) noexcept {
        fault_meter& meter = here();
        if (meter.account_ != account) return;
        meter.charge();
        meter.account_ = nullptr;
    }

private:
    static fault_meter& here() noexcept {
        thread_local fault_meter meter;
        return meter;
    }
    void charge() noexcept {
        const std::uint64_t now = page_faults_of_this_thread();
        // relaxed: read by this thread, or by one that has seen the complete line.
        if (account_) account_->faults.fetch_add(now - since_, std::memory_order_relaxed);
        since_ = now;
    }

    // Shared, because the request may end before the thread comes back.
    fault_account::ptr account_;
    std::uint64_t since_ = 0;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
