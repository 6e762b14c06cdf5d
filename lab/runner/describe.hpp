// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace lab {

/// Prints what this lab was built with and which suites it has, as lab/README.md specifies.
void describe();

}  // namespace lab
