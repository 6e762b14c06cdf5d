// SPDX-License-Identifier: BSL-1.0
#include <freehold/line/line_source.hpp>

#include "line/reads.hpp"

#include <cstdint>
#include <exception>
#include <string>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {

source_error::source_error(source_failure reason, const std::string& message)
    : std::runtime_error(message), reason_(reason) {}

source_error::~source_error() = default;

line_read::line_read(std::string object, std::uint64_t offset, std::uint64_t size,
                     std::string entity_tag)
    : object_(std::move(object)),
      offset_(offset),
      size_(size),
      entity_tag_(std::move(entity_tag)) {}

line_read::~line_read() = default;

any_line_source::~any_line_source() = default;

std::string detail::read_name(const line_read& read) {
    std::string name = "object '" + std::string(read.object()) + "'";
    if (read.size() == 0) return name;
    const std::uint64_t last = read.offset() + read.size() - 1;
    return name + ", bytes " + std::to_string(read.offset()) + "-" + std::to_string(last);
}

bool detail::is_of_a_change(const std::exception_ptr& failure) noexcept {
    try {
        std::rethrow_exception(failure);
    } catch (const source_error& error) {
        return error.reason() == source_failure::changed;
    } catch (...) {
        return false;
    }
}

}  // namespace freehold::inline FREEHOLD_ABI
