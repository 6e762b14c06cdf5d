// SPDX-License-Identifier: BSL-1.0
#include <freehold/line/disk_tier.hpp>

#include "line/disk/tier_read.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace freehold::inline FREEHOLD_ABI {

any_disk_tier::any_disk_tier(any_line_source& source, const disk_tier_options& options)
    : state_(std::make_unique<detail::tier_state>(source, options)) {}

any_disk_tier::~any_disk_tier() {
    state_->operations.close();
    state_->disk.close();
}

void any_disk_tier::fetch(line_read& read) noexcept {
    detail::tier_read::fetch(*state_, read);
}

void any_disk_tier::start(line_read& read) noexcept {
    detail::tier_read::start(*state_, read);
}

object_info any_disk_tier::describe(std::string_view object) {
    return state_->describe(object);
}

void any_disk_tier::invalidate(std::string_view object) noexcept {
    state_->disk.drop(object);
}

void any_disk_tier::flush() noexcept {
    state_->disk.core()->flush();
}

void any_disk_tier::stop_serving() noexcept {
    state_->disk.close();
}

std::string any_disk_tier::fault() const {
    return state_->disk.fault();
}

disk_tier_statistics any_disk_tier::statistics() noexcept {
    return state_->disk.core()->statistics();
}

const disk_tier_options& any_disk_tier::options() const noexcept {
    return state_->disk.options();
}

}  // namespace freehold::inline FREEHOLD_ABI
