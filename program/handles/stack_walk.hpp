// SPDX-License-Identifier: BSL-1.0
// Finds the callers of the function in which a sample was taken.
#pragma once

#include "handles/sampler.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

namespace freehold {

/// A mapped file. Its code is `bias` bytes after the addresses in the file.
struct mapped_file {
    std::filesystem::path path;
    std::uint64_t bias;
};

/// Uses the call frame information of one process's files.
class stack_walk {
public:
    explicit stack_walk(const std::vector<mapped_file>& files);
    stack_walk(const stack_walk&) = delete;
    stack_walk& operator=(const stack_walk&) = delete;
    ~stack_walk();

    /// Returns the return addresses, the innermost first, as far as the copied part of the stack
    /// shows them.
    [[nodiscard]] std::vector<std::uint64_t> callers(const sampled_event& sample);

private:
    class impl;
    std::unique_ptr<impl> impl_;
};

}  // namespace freehold
