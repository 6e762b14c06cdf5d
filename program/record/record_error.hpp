// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <stdexcept>

namespace freehold {

class record_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace freehold
