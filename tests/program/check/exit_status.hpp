// SPDX-License-Identifier: BSL-1.0
// The exit statuses of `freehold check`.
#pragma once

namespace freehold {

constexpr int nothing_found = 0;
constexpr int not_checked = 1;
constexpr int something_found = 2;

}  // namespace freehold
