// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <stdexcept>

namespace freehold {

/// what() is one line, which says what to do.
class owners_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace freehold
