// SPDX-License-Identifier: BSL-1.0
// Which sources of freehold an executable is built from.
#pragma once

namespace support {

/// The library's version, such as "0.1.0".
extern const char* const version;

/// The commit, with "-dirty" behind it if files differ from it. "unknown" outside a git work tree.
extern const char* const commit;

}  // namespace support
