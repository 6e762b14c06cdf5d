// SPDX-License-Identifier: BSL-1.0
// Finds the object files of probe.cpp, which are built beside this executable, and has objdump
// print them.
#pragma once

#include "probes/disassembly.hpp"

#include <string>

namespace lab {

enum class probed_types { one, nine };

/// Empty, or why no probe can be disassembled here.
std::string why_no_probes();

/// Throws std::runtime_error if the file is missing or objdump fails.
disassembly disassemble_probe(const std::string& competitor, probed_types types);

}  // namespace lab
