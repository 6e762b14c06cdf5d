// SPDX-License-Identifier: BSL-1.0
// What each lab that is built makes of the peers beside it: their cells are measured among its own,
// and a peer that fails costs its own cells alone. The lab is copied, for its own peers lie beside
// it where it was built.
#include "lab/lab_output.hpp"
#include "lab/scripted_peers.hpp"
#include "lab_paths.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace {

using namespace lab_tests;
using nlohmann::json;

class peers_of : public testing::TestWithParam<built_lab> {
protected:
    peers_of() { std::filesystem::copy_file(GetParam().path, folder_ / "freehold-lab"); }

    void add(const std::string& name, const std::string& script) const {
        write_peer(folder_, name, script);
    }

    /// Of all competitors but the scripted ones only those that are always measured are run.
    std::vector<json> run(const std::string& more = "") const {
        const outcome ran = run_command(folder_ / "freehold-lab",
                                        "run construction --process threaded --repetitions 3 "
                                        "--min-time 0.00001 --filter '^scripted' " +
                                            more);
        EXPECT_EQ(ran.status, 0);
        std::vector<json> lines = parse_lines(ran.output);
        if (lines.empty()) throw std::runtime_error("the lab printed nothing");
        EXPECT_EQ(lines.back().at("event"), "done");
        return lines;
    }

    outcome describe() const { return run_command(folder_ / "freehold-lab", "describe"); }

private:
    freehold::temporary_folder folder_;
};

std::vector<json> with(const std::vector<json>& lines, const std::string& event,
                       const std::string& competitor) {
    std::vector<json> found;
    std::copy_if(lines.begin(), lines.end(), std::back_inserter(found), [&](const json& line) {
        return line.at("event") == event && line.at("competitor") == competitor;
    });
    return found;
}

/// What the lab planned is what it did, or said that it would not do.
void check_plan(const std::vector<json>& lines) {
    std::size_t runs = 0;
    for (const json& line : lines) {
        if (line.at("event") == "sample") ++runs;
        if (line.at("event") == "skipped") runs += line.value("runs", std::size_t{0});
    }
    EXPECT_EQ(lines.front().at("runs"), runs);
}

TEST_P(peers_of, are_measured_in_every_repetition_and_named) {
    add("shell", says(description_of(cell("scripted", "t", R"("n":5,"once":false)") + "," +
                                     cell("scripted", "u", R"("once":true)"))) +
                     answers_all);
    const auto lines = run();
    const auto samples = with(lines, "sample", "scripted");
    ASSERT_EQ(samples.size(), 6u);
    for (const json& sample : samples) {
        EXPECT_NEAR(sample.at("value").get<double>(), 1000, 1e-6) << sample;
        EXPECT_EQ(sample.at("unit"), "ns");
        EXPECT_EQ(sample.value("n", 0), sample.at("test") == "t" ? 5 : 0);
    }
    check_plan(lines);
    const json peers = json::parse(describe().output).at("peers");
    EXPECT_EQ(std::count(peers.begin(), peers.end(), json({{"name", "Shell"}, {"version", "7.8"}})),
              1);
}

TEST_P(peers_of, run_the_iterations_that_the_seed_s_tests_are_asked_for) {
    const std::string answers_the_count =
        "while read index iterations; do echo $iterations; done\n";
    add("shell", says(description_of(cell("scripted", "seed of it", R"("n":1,"once":false)"))) +
                     "read index iterations\n[ $iterations = 12345 ] || exit 1\necho 1\n" +
                     "read index iterations\n[ $iterations = 12345 ] || exit 1\necho 1\n" +
                     "read index iterations\n[ $iterations = 12345 ] || exit 1\necho 1\n" +
                     answers_the_count);
    EXPECT_EQ(with(run("--seed-iterations 12345"), "sample", "scripted").size(), 3u);
}

TEST_P(peers_of, that_fail_cost_their_own_cells_alone) {
    add("absent", "echo no memory >&2; exit 1\n");
    add("nonsense", "echo Hello\n");
    add("missing", [] {
        std::string line = description_of(cell("scripted missing", "t"));
        return says(line.insert(1, R"("missing":"install it",)"));
    }());
    add("mortal", says(description_of(cell("scripted mortal", "t", R"("once":true)"))) +
                      "read request; echo 0.5; read request; echo out of memory >&2; exit 1\n");
    add("short-lived", says(description_of(cell("scripted short-lived", "t"))) + "read request\n");
    add("healthy", says(description_of(cell("scripted healthy", "t"))) + answers_all);
    const auto lines = run();
    check_plan(lines);
    EXPECT_EQ(with(lines, "sample", "scripted healthy").size(), 3u);
    EXPECT_EQ(with(lines, "sample", "scripted mortal").size(), 1u);
    EXPECT_EQ(with(lines, "sample", "scripted short-lived").size(), 0u);

    const auto reason = [&](const std::string& competitor) {
        const auto skipped = with(lines, "skipped", competitor);
        return skipped.size() == 1 ? skipped.front().at("reason").get<std::string>() : "";
    };
    EXPECT_EQ(reason("absent"), "peer absent ended with status 1: no memory");
    EXPECT_EQ(reason("nonsense").rfind("peer nonsense does not describe itself", 0), 0u);
    EXPECT_EQ(reason("scripted missing"), "install it");
    EXPECT_EQ(reason("scripted mortal"), "peer mortal ended with status 1: out of memory");
    EXPECT_EQ(with(lines, "skipped", "scripted mortal").front().at("runs"), 2);
    EXPECT_EQ(reason("scripted short-lived"), "peer short-lived ended too early");
    EXPECT_EQ(describe().status, 0);
}

INSTANTIATE_TEST_SUITE_P(each, peers_of, testing::ValuesIn(built_labs), name_of_lab);

}  // namespace
