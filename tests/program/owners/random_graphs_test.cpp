// SPDX-License-Identifier: BSL-1.0
// `freehold owners` over random graphs of owners, which print themselves what is alive and leaks.
#include "looked_at_program.hpp"

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

namespace freehold::random_graphs_test {
namespace {

class random_graphs : public looked_at_program {
protected:
    /// How many graphs another build than the first is attacked with.
    static int some() { return is_for_every_build() ? 1000 : 200; }

    /// What the program printed: for each type, how many are alive and how many leak.
    static std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> truth_in(
        const std::string& output) {
        std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> result;
        std::istringstream lines(output);
        for (std::string type; lines >> type && type != "end";)
            lines >> result[type].first >> result[type].second;
        return result;
    }
    static std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> numbers_of(
        const json& found) {
        std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> result;
        for (const json& each : found.at("types")) {
            EXPECT_EQ(each.at("lost"), 0) << each;
            result[each.at("type")] = {each.at("alive"), each.at("leaked")};
        }
        return result;
    }

    static constexpr int graphs = 50;  // in each process

    void expect_exact_at_end(const fs::path& program, int from, int to) {
        std::uint64_t leaked = 0;
        for (int seed = from; seed < to; seed += graphs) {
            SCOPED_TRACE(seed);
            const json found =
                found_at_end({program.string(), std::to_string(seed), std::to_string(graphs)});
            const auto truth = truth_in(end_.output);
            EXPECT_EQ(numbers_of(found), truth);
            for (const auto& [type, numbers] : truth) leaked += numbers.second;
        }
        EXPECT_GT(leaked, 0U);
    }
};

TEST_F(random_graphs, are_told_exactly_at_their_end) {
    expect_exact_at_end(compiled("random_graph", {"-O2", "-g"}), 0, 1000);
}

TEST_F(random_graphs, are_told_exactly_without_optimisation) {
    expect_exact_at_end(compiled("random_graph", {"-O0", "-g"}), 1000, 1000 + some());
}

TEST_F(random_graphs, are_told_exactly_with_the_second_compiler) {
    if (*FREEHOLD_CLANG == '\0') return tests::skip_without("clang", "clang++ is not installed");
    expect_exact_at_end(compiled("random_graph", {"-O2", "-g"}, FREEHOLD_CLANG), 2000,
                        2000 + some());
}

TEST_F(random_graphs, are_told_exactly_while_they_run) {
    const fs::path program = compiled("random_graph", {"-O2", "-g"});
    for (int seed = 7000; seed < 7000 + some(); seed += graphs) {
        SCOPED_TRACE(seed);
        waiting_program waits(
            {program.string(), std::to_string(seed), std::to_string(graphs), "wait"});
        const std::string output = waits.read_until("end");
        EXPECT_EQ(numbers_of(found_in(waits.id())), truth_in(output));
        EXPECT_EQ(waits.finish(), 0);
    }
}

TEST_F(random_graphs, are_told_exactly_with_the_second_library) {
    if (*FREEHOLD_CLANG == '\0' || *FREEHOLD_LIBCXX == '\0')
        return tests::skip_without("libcxx", "libc++ is not installed");
    expect_exact_at_end(compiled("random_graph", {"-O1", "-g", "-stdlib=libc++"}, FREEHOLD_CLANG),
                        3000, 3000 + some());
}

TEST_F(random_graphs, of_boosts_handles_are_told_exactly) {
    if (!fs::exists("/usr/include/boost/smart_ptr.hpp"))
        return tests::skip_without("boost", "Boost is not installed");
    expect_exact_at_end(compiled("random_graph", {"-O1", "-g", "-DHANDLES=boost",
                                                  "-DHEADER=<boost/smart_ptr.hpp>"}),
                        5000, 5000 + some());
}

TEST_F(random_graphs, without_debug_information_are_never_called_leaked_wrongly) {
    const fs::path program = compiled("random_graph", {"-O2"});
    for (int seed = 8000; seed < 8000 + some(); seed += graphs) {
        SCOPED_TRACE(seed);
        const json found =
            found_at_end({program.string(), std::to_string(seed), std::to_string(graphs)});
        auto told = numbers_of(found);
        for (const auto& [type, numbers] : truth_in(end_.output)) {
            EXPECT_EQ(told[type].first, numbers.first) << type;
            EXPECT_LE(told[type].second, numbers.second) << type;
        }
    }
}

}  // namespace
}  // namespace freehold::random_graphs_test
