// SPDX-License-Identifier: BSL-1.0
// Who called the function in which a sample was taken.
#pragma once

#include "handles/sampler.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

namespace freehold {

/// A file whose code lies `bias` bytes behind the addresses that the file gives it.
struct mapped_file {
    std::filesystem::path path;
    std::uint64_t bias;
};

/// By the call frame information of one process's files.
class stack_walk {
public:
    explicit stack_walk(const std::vector<mapped_file>& files);
    stack_walk(const stack_walk&) = delete;
    stack_walk& operator=(const stack_walk&) = delete;
    ~stack_walk();

    /// Return addresses, the innermost first; as many as the copy of the stack leads to.
    [[nodiscard]] std::vector<std::uint64_t> callers(const sampled_event& sample);

private:
    class impl;
    std::unique_ptr<impl> impl_;
};

}  // namespace freehold
