// SPDX-License-Identifier: BSL-1.0
// Which request the page faults of a thread are put down to.
//
// A system call, 0.2 us, each time that a thread turns to a request, from one to another, or has
// filled a line; none as long as it stays with one. What a thread faults in between, it faults for
// the request it had last.
#pragma once

#include <freehold/handle/arc.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include <sys/resource.h>

namespace freehold::inline FREEHOLD_ABI::detail {

struct fault_account {
    // From the heap: there are few at once, and a common pool would fault in pages of its own.
    using ptr = arc<fault_account, atomic_count, std::allocator<fault_account>>;
    [[nodiscard]] static ptr make() {
        return allocate_arc<fault_account>(std::allocator<fault_account>());
    }

    std::atomic<std::uint64_t> faults{0};
};

// Of the calling thread.
class fault_meter {
public:
    // From now on, and until this thread enters another or leaves this account.
    static void enter(const fault_account::ptr& account) noexcept {
        fault_meter& meter = here();
        if (meter.account_ == account) return;
        meter.settle();
        meter.account_ = account;
    }
    static void leave(const fault_account::ptr& account) noexcept {
        fault_meter& meter = here();
        if (meter.account_ != account) return;
        meter.settle();
        meter.account_ = nullptr;
    }

private:
    static fault_meter& here() noexcept {
        thread_local fault_meter meter;
        return meter;
    }
    void settle() noexcept {
        const std::uint64_t now = faults_of_thread();
        // relaxed: read by this thread, or by one that saw the line complete.
        if (account_) account_->faults.fetch_add(now - since_, std::memory_order_relaxed);
        since_ = now;
    }
    static std::uint64_t faults_of_thread() noexcept {
        rusage usage{};
        if (::getrusage(RUSAGE_THREAD, &usage) != 0) return 0;
        return static_cast<std::uint64_t>(usage.ru_minflt + usage.ru_majflt);
    }

    // Shared, for the request may be gone before the thread comes back here.
    fault_account::ptr account_;
    std::uint64_t since_ = 0;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
