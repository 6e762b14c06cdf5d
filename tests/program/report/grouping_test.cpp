// SPDX-License-Identifier: BSL-1.0
// What stands where among many competitors.
#include "report/grouping.hpp"

#include "program/report/result_fixture.hpp"
#include "report/sections/competitors.hpp"
#include "report/terminal.hpp"

#include <algorithm>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace {

using namespace freehold;
using namespace freehold::test;

const std::vector<std::string> many{"raw",
                                    "dumb",
                                    "simple counted",
                                    "special counted",
                                    "intrusive",
                                    "linked",
                                    "cyclic",
                                    "freehold::arc",
                                    "freehold::make_shared",
                                    "std::unique_ptr",
                                    "std::shared_ptr",
                                    "std::make_shared",
                                    "boost::shared_ptr",
                                    "boost::make_shared",
                                    "boost::local_shared_ptr",
                                    "QSharedPointer",
                                    "Arc"};

report_model report_with(std::size_t competitors) {
    results_builder results;
    for (std::size_t i = 0; i != competitors; ++i) {
        results.held(many[i], 20, 1 + static_cast<double>(i));
    }
    results.held("std::shared_ptr", 20, 2, "single");
    return report_on(results);
}

TEST(competitors, belong_to_families) {
    EXPECT_EQ(family_of("locked pair"), family::floor);
    EXPECT_EQ(family_of("intrusive, biased"), family::freehold);
    EXPECT_EQ(family_of("std::make_shared, libc++"), family::standard);
    EXPECT_EQ(family_of("triomphe::Arc"), family::other);
    EXPECT_EQ(family_name(family_of("linked")), "Strategies of 2000");
    EXPECT_EQ(family_of("rte_mempool, ring"), family::allocator);
    // What a handle is made from says more of it than the handle that all have in common.
    EXPECT_EQ(family_of("std::allocate_shared over glibc"), family::allocator);
    EXPECT_EQ(family_of("std::allocate_shared over freehold::pool"), family::freehold);
    EXPECT_TRUE(is_central("std::allocate_shared over glibc"));
    // Those that a newer lab has.
    EXPECT_EQ(family_of("freehold::new_ptr"), family::freehold);
    EXPECT_EQ(family_of("boost::new_ptr"), family::boost);
    EXPECT_EQ(family_of("another"), family::other);
    EXPECT_LT(order_of("freehold::new_ptr"), order_of("std::unique_ptr"));
    EXPECT_GT(order_of("freehold::new_ptr"), order_of("intrusive, atomic"));
}

TEST(competitors, share_ownership_or_not) {
    for (const auto* name : {"raw", "dumb", "plain pair", "new and delete", "std::unique_ptr",
                             "std::unique_ptr(new), kept", "std::make_unique"}) {
        EXPECT_FALSE(shares_ownership(name)) << name;
    }
    for (const auto* name : {"linked", "freehold::arc", "std::make_shared", "Rc"}) {
        EXPECT_TRUE(shares_ownership(name)) << name;
    }
}

TEST(competitors, are_controls_where_our_code_has_no_part_in_them) {
    for (const auto* name : {"raw", "locked pair", "new and delete", "std::shared_ptr", "Boehm",
                             "boost::make_shared", "llvm::IntrusiveRefCntPtr", "Arc", "floor",
                             "glibc", "std::allocate_shared over rte_mempool, ring"}) {
        EXPECT_TRUE(is_control(name)) << name;
    }
    for (const auto* name :
         {"dumb", "linked", "intrusive, atomic", "freehold::arc", "floor, arc",
          "std::allocate_shared(pool)", "std::allocate_shared over freehold::pool"}) {
        EXPECT_FALSE(is_control(name)) << name;
    }
}

TEST(grouping, is_for_tables_and_plots_of_many) {
    const auto small = report_with(12);
    EXPECT_FALSE(find_table(small, "operations-lines")->grouped);
    EXPECT_FALSE(find_plot(small, "operations-plot")->grouped);
    const auto large = report_with(many.size());
    EXPECT_TRUE(find_table(large, "operations-lines")->grouped);
    EXPECT_TRUE(find_plot(large, "operations-plot")->grouped);
    EXPECT_FALSE(find_table(large, "operations-then-now")->grouped);
    EXPECT_FALSE(find_plot(large, "operations-plot")->data.grouped);  // its rows are sizes
    const auto json = to_json(large);
    EXPECT_EQ(json.at("competitors").at(0).at("family"), "Floor");
    EXPECT_EQ(json.at("competitors").at(0).at("central"), true);
    EXPECT_EQ(json.at("sections").at(0).at("blocks").at(0).at("grouped"), true);
}

TEST(grouping, names_every_row_with_its_family) {
    const auto model = report_with(many.size());
    EXPECT_EQ(model.competitors.size(), many.size() + 1);
    const auto find = [&](const std::string& head) {
        return *std::find_if(model.competitors.begin(), model.competitors.end(),
                             [&](const auto& each) { return each.head == head; });
    };
    EXPECT_EQ(find("std::shared_ptr (one thread)").family, "Standard");
    EXPECT_TRUE(find("std::shared_ptr (one thread)").central);
    EXPECT_FALSE(find("QSharedPointer").central);
    EXPECT_EQ(find("Arc").family, "Others");
}

TEST(grouping, is_told_in_the_terminal) {
    const auto model = report_with(many.size());
    std::ostringstream out;
    print_table(out, *find_table(model, "operations-lines"), {}, model.competitors);
    const auto text = out.str();
    EXPECT_NE(text.find("\nStrategies of 2000\nsimple counted "), std::string::npos) << text;
    EXPECT_NE(text.find("\nOthers\nQSharedPointer "), std::string::npos) << text;
    const auto small = report_with(12);
    std::ostringstream plain;
    print_table(plain, *find_table(small, "operations-lines"), {}, small.competitors);
    EXPECT_EQ(plain.str().find("Strategies"), std::string::npos);
}

}  // namespace
