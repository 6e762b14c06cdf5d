// SPDX-License-Identifier: BSL-1.0
#include "repository/include_arrows.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace freehold::repository::include_arrows_test {
namespace {

TEST(include_arrows, hold_in_the_repository) {
    const std::vector<source_file> files = read_repository();
    EXPECT_TRUE(std::any_of(files.begin(), files.end(), [](const source_file& file) {
        return file.path.rfind("include/freehold/handle/", 0) == 0;
    })) << "the library was not found, so nothing was judged";
    for (const std::string& line : broken_arrows(files)) ADD_FAILURE() << line;
}

struct planted {
    std::string path;
    std::string line;
};

// So that a message names the case.
void PrintTo(const planted& arrow, std::ostream* stream) {
    *stream << arrow.path << ": " << arrow.line;
}

std::vector<std::string> judge(const planted& arrow) {
    return broken_arrows({{"lab/runner/clock.hpp", {}},
                          {"program/check/plugin/syntax/names.hpp", {}},
                          {"program/check/plugin/zeroing/flow/flow.hpp", {}},
                          {"program/measure/clock.hpp", {}},
                          {"program/report/page.hpp", {}},
                          {"program/results/file.hpp", {}},
                          {arrow.path, {"// a comment", arrow.line}}});
}

class forbidden_arrow : public testing::TestWithParam<planted> {};

TEST_P(forbidden_arrow, is_found) {
    const std::vector<std::string> found = judge(GetParam());
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].rfind(GetParam().path + ":2: ", 0), 0u) << found[0];
}

INSTANTIATE_TEST_SUITE_P(
    planted, forbidden_arrow,
    testing::Values(
        planted{"include/freehold/memory/a.hpp", "#include <freehold/count/local_count.hpp>"},
        planted{"include/freehold/count/a.hpp", "#include <freehold/memory/pool.hpp>"},
        planted{"include/freehold/count/a.hpp", "#include <freehold/freehold.hpp>"},
        planted{"include/freehold/handle/detail/cyclic/a.hpp",
                "#  include <freehold/line/line_cache.hpp>"},
        planted{"include/freehold/line/a.hpp", "#include <freehold/line/s3_source.hpp>"},
        planted{"include/freehold/buffer/a.hpp", "#include <freehold/line/line_cache.hpp>"},
        planted{"lab/suites/a.cpp", "#include <freehold/cache/line_cache.hpp>"},
        planted{"include/freehold/line/a.hpp", "#include <curl/curl.h>"},
        planted{"include/freehold/freehold.hpp", "#include <freehold/line/s3_source.hpp>"},
        planted{"include/freehold/handle/a.hpp", "#include <freehold/memory/detail/depot.hpp>"},
        planted{"lab/suites/a.cpp", "#include <freehold/memory/detail/depot.hpp>"},
        planted{"lab/suites/a.cpp", "#include <freehold/detail/spin_lock.hpp>"},
        planted{"examples/a.cpp", "#include <freehold/detail/platform/pages.hpp>"},
        planted{"include/freehold/detail/platform/a.hpp", "#include <freehold/memory/pool.hpp>"},
        planted{"include/freehold/handle/a.hpp", "#include \"../../../lab/runner/clock.hpp\""},
        planted{"include/freehold/handle/a.hpp", "#include <boost/config.hpp>"},
        planted{"include/freehold/handle/a.hpp", "#include <gc.h>"},
        planted{"examples/a.cpp", "#include <fmt/format.h>"},
        planted{"lab/runner/a.cpp", "#include \"../../program/measure/clock.hpp\""},
        planted{"program/measure/a.cpp", "#include \"../../lab/runner/clock.hpp\""},
        planted{"program/analyse/a.cpp", "#include \"report/page.hpp\""},
        planted{"program/analyse/a.cpp", "#include \"measure/clock.hpp\""},
        planted{"program/results/a.cpp", "#include \"measure/clock.hpp\""},
        planted{"program/report/a.cpp", "#include \"measure/clock.hpp\""},
        planted{"program/check/a.cpp", "#include \"check/plugin/syntax/names.hpp\""},
        planted{"program/check/plugin/syntax/a.cpp",
                "#include \"check/plugin/zeroing/flow/flow.hpp\""},
        planted{"program/check/plugin/owns_itself/a.cpp",
                "#include \"check/plugin/zeroing/flow/flow.hpp\""},
        planted{"program/check/plugin/zeroing/values/a.cpp",
                "#include \"check/plugin/zeroing/flow/flow.hpp\""}));

class allowed_arrow : public testing::TestWithParam<planted> {};

TEST_P(allowed_arrow, is_not_reported) {
    EXPECT_EQ(judge(GetParam()), std::vector<std::string>{});
}

INSTANTIATE_TEST_SUITE_P(
    planted, allowed_arrow,
    testing::Values(
        planted{"include/freehold/handle/a.hpp", "#include <freehold/count/local_count.hpp>"},
        planted{"include/freehold/memory/a.hpp", "#include <sys/mman.h>"},
        planted{"include/freehold/buffer/a.hpp", "#include <freehold/detail/spin_lock.hpp>"},
        planted{"include/freehold/line/a.hpp", "#include <freehold/buffer/buffer_cache.hpp>"},
        planted{"include/freehold/cache/a.hpp", "#include <freehold/line/line_cache.hpp>"},
        planted{"src/a.cpp", "#include <freehold/memory/detail/depot.hpp>"},
        planted{"src/line/s3/a.hpp", "#include <curl/curl.h>"},
        planted{"include/freehold/memory/a.hpp", "#include <freehold/memory/detail/depot.hpp>"},
        planted{"tests/memory/a.cpp", "#include <freehold/memory/detail/depot.hpp>"},
        planted{"lab/runner/a.cpp", "#include \"clock.hpp\""},
        planted{"lab/suites/a.cpp", "#include <boost/config.hpp>"},
        planted{"program/report/a.cpp", "#include \"results/file.hpp\""},
        planted{"program/check/plugin/zeroing/flow/a.cpp",
                "#include \"check/plugin/syntax/names.hpp\""},
        planted{"program/check/plugin/zeroing/a.cpp",
                "#include \"check/plugin/zeroing/flow/flow.hpp\""},
        planted{"program/main.cpp", "#include \"measure/clock.hpp\""},
        planted{"tests/a.cpp", "#include \"report/page.hpp\""}));

}  // namespace
}  // namespace freehold::repository::include_arrows_test
