// SPDX-License-Identifier: BSL-1.0
#include <freehold/version.hpp>

#include <string>

#include <gtest/gtest.h>

namespace version_test {
namespace {

TEST(version, agrees_with_the_package) {
    EXPECT_EQ(std::to_string(FREEHOLD_VERSION_MAJOR) + "." +
                  std::to_string(FREEHOLD_VERSION_MINOR) + "." +
                  std::to_string(FREEHOLD_VERSION_PATCH),
              PROJECT_VERSION_OF_CMAKE);
}

TEST(version, compares_as_a_number) {
#if FREEHOLD_VERSION < 200 || FREEHOLD_VERSION >= 1000000
    FAIL() << FREEHOLD_VERSION;
#endif
    EXPECT_EQ(FREEHOLD_VERSION, FREEHOLD_VERSION_MAJOR * 10000 + FREEHOLD_VERSION_MINOR * 100 +
                                    FREEHOLD_VERSION_PATCH);
}

}  // namespace
}  // namespace version_test
