// SPDX-License-Identifier: BSL-1.0
// The counts that are shipped, under Relacy: every scenario passes as they are written, and for
// every way to weaken one operation there is a scenario that fails, except where it is written down
// why it does no harm.
#include "model/excuse.hpp"
#include "model/mutation.hpp"
#include "model/platform.hpp"
#include "model/relacy.hpp"
#include "model/scenarios.hpp"
#include "model/sharded_scenarios.hpp"
#include "model/world.hpp"

namespace freehold::model::counts_model_test {
namespace {

const kind* counted_as = nullptr;
const scenario* performed = nullptr;

struct performance : rl::test_suite<performance, threads> {
    std::unique_ptr<world> stage;

    void before() {
        stage = std::make_unique<world>(*counted_as, performed->objects);
        begin(*stage, *performed);
    }
    void thread(unsigned index) { performed->run[index](*stage); }
    void after() {
        finish(*stage, *performed);
        stage.reset();
    }
};

// A count that terminates, because it was used at rest, fails the scenario.
class counts_model : public testing::Test {
protected:
    void SetUp() override {
        former_ = std::set_terminate([] {
            require(false, "a count terminated the program");
            std::abort();
        });
    }
    void TearDown() override { std::set_terminate(former_); }

private:
    std::terminate_handler former_ = nullptr;
};

// What Relacy found in so many random interleavings.
rl::test_result_e perform(const kind& count, const scenario& what, unsigned iterations) {
    counted_as = &count;
    performed = &what;
    rl::test_params parameters;
    parameters.iteration_count = iterations;
    parameters.search_type = rl::random_scheduler_type;
    std::ostream ignored(nullptr);
    parameters.output_stream = &ignored;
    parameters.progress_stream = &ignored;
    return rl::run_test<performance, rl::random_scheduler<threads>>(parameters, ignored, false);
}

// The first scenario that fails, if one does.
struct failure {
    const kind* count = nullptr;
    const scenario* what = nullptr;
    const char* how = "";
};
failure first_failure(std::span<const kind> counts, std::span<const scenario> all,
                      unsigned iterations) {
    for (const kind& count : counts) {
        for (const scenario& what : all) {
            if (what.needs_weak && !count.has_weak) continue;
            const rl::test_result_e result = perform(count, what, iterations);
            if (result != rl::test_result_success)
                return {&count, &what, rl::test_result_str(result)};
        }
    }
    return {};
}
failure first_failure(unsigned iterations) {
    const failure found = first_failure(kinds, scenarios, iterations);
    if (found.what != nullptr) return found;
    return first_failure(sharded_kinds, sharded_scenarios, iterations);
}

// Weakened operations that no scenario can catch. Each has to be needed: it is run too.
constexpr const char* execution_order =
    "puts the atomic changes of a word behind the plain ones where the language would let them be "
    "in any order; Relacy, like every machine, has them in the order in which they run; GenMC has "
    "not, and finds it";
constexpr const char* hint = "leaves out a hint, without which a release looks at the word";
constexpr std::array<excuse, 7> excuses = {{
    {"owner_.load(std::memory_order_acquire)", change::relaxed, execution_order},
    {"owner_.store(shared, std::memory_order_release)", change::relaxed, execution_order},
    {"record.revoked.load(std::memory_order_acquire)", change::relaxed, execution_order},
    {"record.revoked.store(true, std::memory_order_release)", change::relaxed, execution_order},
    {"present.load(std::memory_order_acquire) == column;", change::relaxed, execution_order},
    {"word_.fetch_sub(weak_word::owner, std::memory_order_relaxed)", change::skipped,
     "takes back what a failed lock added; it would take 2^34 of them to be seen"},
    {"hint_.store(copied, std::memory_order_relaxed)", change::skipped, hint},
}};

std::vector<change> changes_of(const site& of) {
    switch (of.what) {
        case operation::load:
            if (of.order == std::memory_order_relaxed) return {};
            return {change::relaxed};
        case operation::store:
            if (of.order == std::memory_order_relaxed) return {change::skipped};
            return {change::relaxed, change::skipped};
        case operation::read_modify_write:
            if (of.order == std::memory_order_relaxed) return {change::in_two, change::skipped};
            if (of.order == std::memory_order_acquire)
                return {change::relaxed, change::in_two, change::skipped};
            return {change::acquire, change::release, change::relaxed, change::in_two,
                    change::skipped};
        case operation::step:
            return {change::skipped};
    }
    return {};
}

unsigned interleavings() {
    const char* const asked = std::getenv("FREEHOLD_MODEL_INTERLEAVINGS");
    return asked == nullptr ? 10'000 : static_cast<unsigned>(std::stoul(asked));
}

TEST_F(counts_model, every_scenario_passes) {
    mutation = change::none;
    const failure found = first_failure(interleavings());
    EXPECT_EQ(found.what, nullptr)
        << found.count->name << ", " << found.what->name << ": " << found.how;
}

TEST_F(counts_model, every_mutant_is_caught) {
    mutation = change::none;
    site_count = 0;
    ASSERT_EQ(first_failure(100).what, nullptr);
    const std::vector<site> all(sites.begin(), sites.begin() + site_count);
    std::size_t mutants = 0;
    std::set<const excuse*> used;
    for (const site& each : all) {
        for (const change by : changes_of(each)) {
            const std::string code = code_at(each);
            const excuse* const harmless = excuse_of(excuses, code, by);
            mutated = each;
            mutation = by;
            ++mutants;
            // Most mutants fail soon in some scenario, but not in the first.
            failure found = first_failure(300);
            if (found.what == nullptr && harmless == nullptr) found = first_failure(5000);
            mutation = change::none;
            const std::string mutant = each.name() + " " + name_of(by) + ": " + code;
            if (harmless == nullptr) {
                EXPECT_NE(found.what, nullptr) << "no scenario fails with " << mutant;
            } else {
                used.insert(harmless);
                EXPECT_EQ(found.what, nullptr)
                    << "needs no excuse (" << harmless->reason << "), for '" << found.what->name
                    << "' fails with " << mutant;
            }
        }
    }
    EXPECT_EQ(used.size(), excuses.size()) << "an excuse is for code that is not there";
    RecordProperty("mutants", static_cast<int>(mutants));
    EXPECT_GE(mutants, 50U) << "most operations were not found";
}

// The one mutant that a sequence stopped on the machine cannot show: whoever stops a thread
// restarts its sequence. Each scenario has to show it, or no thread of that scenario counts in a
// shard while another one adds it up.
TEST_F(counts_model, a_gathering_that_restarts_no_sequence_fails_in_each_scenario) {
    mutation = change::none;
    site_count = 0;
    ASSERT_EQ(first_failure(sharded_kinds, sharded_scenarios, 100).what, nullptr);
    const std::vector<site> all(sites.begin(), sites.begin() + site_count);
    const auto in_gather = std::find_if(all.begin(), all.end(), [](const site& each) {
        return each.what == operation::step && code_at(each) == "Platform::restart_all();";
    });
    ASSERT_NE(in_gather, all.end());
    for (const kind& count : sharded_kinds) {
        for (const scenario& what : sharded_scenarios) {
            if (what.needs_weak && !count.has_weak) continue;
            mutated = *in_gather;
            mutation = change::skipped;
            const rl::test_result_e result = perform(count, what, 5000);
            mutation = change::none;
            EXPECT_NE(result, rl::test_result_success) << count.name << ", " << what.name;
        }
    }
}

}  // namespace
}  // namespace freehold::model::counts_model_test
