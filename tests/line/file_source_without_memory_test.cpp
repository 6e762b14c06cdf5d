// SPDX-License-Identifier: BSL-1.0
#include <freehold/line/file_source.hpp>

#include "line/sources_without_memory.hpp"
#include "program/temporary_folder.hpp"

#include <memory>
#include <string>

#include <gtest/gtest.h>

namespace freehold::tests::file_source_without_memory_test {
namespace {

TEST(file_source_out_of_memory, ends_every_read) {
    const temporary_folder folder;
    folder.write("present", std::string(1'000, 'x'));
    const auto make_source = [&] { return std::make_unique<file_source>(folder.path()); };
    EXPECT_GT(fetch_without_memory(make_source, "present"), 0);
    EXPECT_GT(fetch_without_memory(make_source, "absent"), 0);
}

}  // namespace
}  // namespace freehold::tests::file_source_without_memory_test
