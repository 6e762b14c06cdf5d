// SPDX-License-Identifier: BSL-1.0
// Reads a core dump.
#pragma once

#include "owners/memory_image.hpp"

#include <filesystem>

namespace freehold {

/// The program is `program`, or the one that the core names if it is empty. Throws owners_error if
/// the file is no complete core of this program.
memory_image image_of_core(const std::filesystem::path& core, const std::filesystem::path& program);

}  // namespace freehold
