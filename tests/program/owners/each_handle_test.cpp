// SPDX-License-Identifier: BSL-1.0
// `freehold owners` over programs with each of Freehold's handles: one that holds them in the usual
// ways, and one of random graphs. Compilers need minutes for each with all counts, so each build of
// each is a suite, which ctest runs by itself. All but one build are only in the long form.
#include "looked_at_program.hpp"

#include <string>
#include <vector>

namespace freehold::each_handle_test {
namespace {

using testing::HasSubstr;

struct build {
    std::string compiler;
    std::string level;
};

class owners_by_each_handle : public looked_at_program, public testing::WithParamInterface<build> {
protected:
    void SetUp() override {
        looked_at_program::SetUp();
        if (GetParam().compiler.empty())
            return tests::skip_without("clang", "clang++ is not installed");
        if (!is_for_every_build() &&
            (GetParam().compiler != FREEHOLD_COMPILER || GetParam().level != "-O2"))
            tests::does_not_apply("only the long form has this build");
    }
    static fs::path compiled_case(const std::string& name) {
        std::vector<std::string> flags = {GetParam().level, "-g", "-std=c++20",
                                          "-I" FREEHOLD_INCLUDE};
        if (!is_for_every_build()) flags.emplace_back("-DONE_COUNT");
        return compiled(name, flags, GetParam().compiler, {FREEHOLD_CORE});
    }
    void expect_exact_while_it_runs(const std::vector<std::string>& program,
                                    const numbers_by_type& other_truth) {
        waiting_program waits(program);
        const numbers_by_type truth = truth_in(waits.read_until("end"));
        EXPECT_NE(truth, other_truth);
        EXPECT_EQ(numbers_in(found_in(waits.id())), truth);
        if (support::find_program("gcore")) {
            EXPECT_EQ(numbers_in(found_in_core_of(waits.id())), truth);
        }
        EXPECT_EQ(waits.finish(), 0);
    }
};

TEST_P(owners_by_each_handle, is_told_exactly) {
    const std::string program = compiled_case("freehold_handles").string();
    const json at_end = found_at_end({program});
    const numbers_by_type truth = truth_in(end_.output);
    EXPECT_EQ(numbers_in(at_end), truth);
    EXPECT_THAT(at_end.at("cycles").dump(),
                testing::AllOf(HasSubstr("ring<arc_plain_local>"), HasSubstr("children"),
                               HasSubstr("on_close.self")));
    expect_exact_while_it_runs({program, "wait"}, truth);
}

class owners_in_graphs_of_each_handle : public owners_by_each_handle {};

TEST_P(owners_in_graphs_of_each_handle, is_told_exactly) {
    const std::string program = compiled_case("random_handles").string();
    const std::string graphs = "1000";
    const json at_end = found_at_end({program, "1", graphs});
    const numbers_by_type truth = truth_in(end_.output);
    EXPECT_EQ(numbers_in(at_end), truth);
    EXPECT_GT(truth.size(), 15U);
    expect_exact_while_it_runs({program, "2", graphs, "wait"}, truth);
}

#define OF_BUILD(name, compiler, level)                                \
    INSTANTIATE_TEST_SUITE_P(name, owners_by_each_handle,              \
                             testing::Values(build{compiler, level})); \
    INSTANTIATE_TEST_SUITE_P(name, owners_in_graphs_of_each_handle,    \
                             testing::Values(build{compiler, level}))
OF_BUILD(gcc_O0, FREEHOLD_COMPILER, "-O0");
OF_BUILD(gcc_O2, FREEHOLD_COMPILER, "-O2");
OF_BUILD(clang_O0, FREEHOLD_CLANG, "-O0");
OF_BUILD(clang_O2, FREEHOLD_CLANG, "-O2");
#undef OF_BUILD

}  // namespace
}  // namespace freehold::each_handle_test
