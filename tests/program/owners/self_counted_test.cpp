// SPDX-License-Identifier: BSL-1.0
// `freehold owners` over objects that count their own owners and have no virtual functions, beside
// memory that looks the same.
#include "looked_at_program.hpp"

#include <string>
#include <utility>
#include <vector>

namespace freehold::self_counted_test {
namespace {

using testing::HasSubstr;
using testing::Not;

class owners_of_self_counted : public looked_at_program {
protected:
    static numbers_by_type truth() {
        return {{"node", {210, 200, 0, 210, 0}},     {"leaf", {73, 60, 0, 98, 0}},
                {"tree", {25, 20, 0, 25, 0}},        {"own", {65, 60, 0, 65, 0}},
                {"in_shared", {4, 4, 0, 4, 0}},      {"shares", {4, 4, 0, 4, 0}},
                {"like_tree_node", {4, 4, 0, 4, 0}}, {"large", {4, 0, 0, 4, 0}}};
    }
    json found_of(const std::string& compiler, std::vector<std::string> flags,
                  bool only_others = false) {
        flags.insert(flags.end(), {"-g", "-std=c++20", "-I" FREEHOLD_INCLUDE});
        std::vector<std::string> command = {
            compiled("self_counted", flags, compiler, {FREEHOLD_CORE}).string()};
        if (only_others) command.emplace_back("others");
        waiting_program waits(command);
        waits.read_until("built");
        json found = found_in(waits.id());
        if (is_for_every_build() && support::find_program("gcore")) {
            EXPECT_EQ(numbers_in(found_in_core_of(waits.id())), numbers_in(found));
        }
        EXPECT_EQ(waits.finish(), 0);
        return found;
    }
    void expect_truth(const std::vector<std::string>& flags) {
        for (const std::string compiler : {FREEHOLD_COMPILER, FREEHOLD_CLANG})
            for (const char* const level : {"-O0", "-O2"}) {
                if (compiler.empty() || (!is_for_every_build() && is_left_out(compiler, level)))
                    continue;
                SCOPED_TRACE(compiler + " " + level);
                std::vector<std::string> all = flags;
                all.emplace_back(level);
                const json found = found_of(compiler, all);
                EXPECT_EQ(numbers_in(found), truth());
                EXPECT_EQ(numbers_in(found_of(compiler, all, true)), numbers_by_type());
                EXPECT_THAT(found.at("incomplete").dump(),
                            testing::AllOf(HasSubstr("misnamed seems to count"),
                                           Not(HasSubstr("no virtual functions"))));
                EXPECT_THAT(found.at("cycles").dump(),
                            testing::AllOf(HasSubstr("next"), HasSubstr("call.made")));
            }
    }

private:
    static bool is_left_out(const std::string& compiler, const std::string& level) {
        return (compiler == FREEHOLD_COMPILER) != (level == "-O2");
    }
};

TEST_F(owners_of_self_counted, without_virtual_functions_are_told_exactly) {
    expect_truth({});
}

TEST_F(owners_of_self_counted, of_boost_are_told_exactly) {
    if (!fs::exists("/usr/include/boost/smart_ptr.hpp"))
        return tests::skip_without("boost", "Boost is not installed");
    expect_truth({"-DBOOST"});
}

TEST_F(owners_of_self_counted, that_another_class_looks_like_are_told_only_by_handles) {
    numbers_by_type expected = truth();
    expected["node"] = {10, 0, 0, 10, 0};
    // Both have handles at the same place.
    expected["one_or_other or other"] = {15, 15, 0, 15, 0};
    expected["held_by_other"] = {5, 5, 0, 5, 0};
    const json found = found_of(FREEHOLD_COMPILER, {"-O2", "-DLIKE"});
    EXPECT_EQ(numbers_in(found), expected);
    for (const char* const type :
         {"of node,", "like_with_void", "like_in_function", "like_with_map"})
        EXPECT_THAT(found.at("incomplete").dump(), HasSubstr(type));
}

}  // namespace
}  // namespace freehold::self_counted_test
