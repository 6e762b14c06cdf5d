// SPDX-License-Identifier: BSL-1.0
#include "skip.hpp"

#include <cstdlib>

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

namespace freehold::tests::skip_test {
namespace {

// FREEHOLD_REQUIRE is what a test says, and afterwards what it was.
class skipping : public testing::Test {
protected:
    ~skipping() override {
        if (was_set_) {
            ::setenv("FREEHOLD_REQUIRE", before_.c_str(), 1);
        } else {
            ::unsetenv("FREEHOLD_REQUIRE");
        }
    }
    static void require(const char* list) { ::setenv("FREEHOLD_REQUIRE", list, 1); }

private:
    const bool was_set_ = std::getenv("FREEHOLD_REQUIRE") != nullptr;
    const std::string before_ = was_set_ ? std::getenv("FREEHOLD_REQUIRE") : "";
};

TEST_F(skipping, requires_nothing_if_nothing_is_demanded) {
    ::unsetenv("FREEHOLD_REQUIRE");
    EXPECT_FALSE(is_required("s3"));
    require("");
    EXPECT_FALSE(is_required("s3"));
}

TEST_F(skipping, requires_the_features_of_the_list) {
    require("s3 valgrind");
    EXPECT_TRUE(is_required("s3"));
    EXPECT_TRUE(is_required("valgrind"));
    EXPECT_FALSE(is_required("rust"));
    EXPECT_FALSE(is_required("s"));
}

TEST_F(skipping, requires_all_features_but_the_excepted) {
    require("all -rust");
    EXPECT_TRUE(is_required("s3"));
    EXPECT_FALSE(is_required("rust"));
    require("-rust all");
    EXPECT_FALSE(is_required("rust"));
}

TEST_F(skipping, fails_where_the_feature_is_required) {
    require("all");
    EXPECT_FATAL_FAILURE(skip_without("s3", "no server"), "demands s3: no server");
}

}  // namespace
}  // namespace freehold::tests::skip_test
