// SPDX-License-Identifier: BSL-1.0
// Which lines are being requested from the source, so that no other read requests them.
#include "line/disk/disk_core.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string_view>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

disk_core::claim_result disk_core::claim(std::string_view object, std::string_view tag,
                                         std::uint64_t first, std::uint64_t end, bool may_wait,
                                         const std::function<bool()>& is_wanted) {
    using outcome = claim_result::outcome;
    line_claims made;
    std::unique_lock lock(mutex_);
    for (;;) {
        if (!may_wait_for_disk()) return {};
        if (index_.holds(object, tag, first)) return {outcome::in_use};
        const std::uint64_t lines = claimable(object, tag, first, end);
        if (lines != 0 && (reserved_ == 0 || reserved_ + lines <= options_.write_buffers)) {
            if (made.empty()) {
                lock.unlock();
                made.emplace_back().object = object;
                lock.lock();
                continue;
            }
            made.front().first = first;
            made.front().end = first + lines;
            reserved_ += lines;
            claims_.splice(claims_.end(), made);
            return {outcome::claimed, &claims_.back()};
        }
        if (!may_wait || !is_wanted()) return {outcome::in_use};
        wait_for_claims(lock);
    }
}

void disk_core::end_claim(line_claim*& claim) noexcept {
    if (claim == nullptr) return;
    const std::lock_guard lock(mutex_);
    leave_claim(claim);
}

void disk_core::wait_for_line(std::string_view object, std::string_view tag, std::uint64_t number,
                              const std::function<bool()>& is_wanted) noexcept {
    std::unique_lock lock(mutex_);
    while (may_wait_for_disk() && is_claimed(object, number) &&
           !index_.holds(object, tag, number) && is_wanted()) {
        wait_for_claims(lock);
    }
}

std::uint64_t disk_core::claimable(std::string_view object, std::string_view tag,
                                   std::uint64_t first, std::uint64_t end) const noexcept {
    std::uint64_t last = index_.next(object, tag, first, end);
    for (const line_claim& each : claims_) {
        if (each.object != object || each.end <= first) continue;
        last = std::min(last, std::max(first, each.first));
    }
    return std::min<std::uint64_t>(last - first, options_.write_buffers);
}

void disk_core::leave_claim(line_claim*& claim) noexcept {
    line_claim* const left = std::exchange(claim, nullptr);
    if (left == nullptr || --left->users != 0) return;
    reserved_ -= left->end - left->first;
    claims_.remove_if([&](const line_claim& each) { return &each == left; });
    claims_changed_.notify_all();
}

bool disk_core::is_claimed(std::string_view object, std::uint64_t number) const noexcept {
    return std::any_of(claims_.begin(), claims_.end(), [&](const line_claim& each) {
        return each.first <= number && number < each.end && each.object == object;
    });
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
