// SPDX-License-Identifier: BSL-1.0
// The counts that are shipped, and the debts of atomic pointers, under GenMC, a second opinion on
// what Relacy finds: it tries all executions that the memory model RC11 has of a scenario, and not
// some of them. Every scenario passes with the headers as they are, and for every weakened order in
// them a scenario fails, except where it is written down why none can.
#include "model/excuse.hpp"
#include "model/mutation.hpp"
#include "model/scenarios.hpp"
#include "model/sharded_scenarios.hpp"
#include "support/process.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <regex>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

// The program that GenMC interprets has these from it. Here the scenarios only give their names.
int __VERIFIER_mutex_lock(__VERIFIER_mutex_t*) noexcept {
    std::abort();
}
int __VERIFIER_mutex_unlock(__VERIFIER_mutex_t*) noexcept {
    std::abort();
}
void __VERIFIER_assume(bool) noexcept {
    std::abort();
}
long __VERIFIER_thread_self() noexcept {
    std::abort();
}
void __VERIFIER_assert_fail(const char*, const char*, int) noexcept {
    std::abort();
}

namespace freehold::model::genmc_test {
namespace {

const std::filesystem::path source_folder = FREEHOLD_SOURCE_DIR;
const std::filesystem::path work_folder = FREEHOLD_GENMC_FOLDER;

using outcome = support::finished_process;

outcome run_command(const std::vector<std::string>& words) {
    return support::run({.command = words});
}

// What GenMC can begin a program with.
struct performance {
    std::string name;
    std::string function;
    // Whether it takes so long that mutants are not tried with it.
    bool is_long = false;
};

struct program {
    std::string name;
    std::string source;
    std::vector<std::string> definitions;
    std::vector<performance> performances;
};

// Scenarios with so many executions that GenMC takes more than ten seconds, or far more. Relacy
// takes some of each.
struct limit {
    std::string_view scenario;
    std::vector<std::string_view> counts;
};
const std::vector<limit> too_large = {
    {"each copies its own", {"atomic_count_with_weak", "biased_count", "biased_count_with_weak"}},
    {"the maker ends, another has its address",
     {"atomic_count_with_weak", "biased_count", "biased_count_with_weak"}},
    {"two copy unless disturbed, another drops", {"biased_count", "biased_count_with_weak"}},
    {"two objects of one bias", {"biased_count", "biased_count_with_weak"}},
    {"locked while the last owner lets go", {"atomic_count_with_weak", "biased_count_with_weak"}},
    {"locked by the maker", {"atomic_count_with_weak", "biased_count_with_weak"}},
    {"weak references outlive the owner", {"biased_count_with_weak"}},
    {"weak references of the maker's outlive the owner", {"biased_count_with_weak"}},
    {"each drops what it holds", {"biased_count", "biased_count_with_weak"}},
    {"what is held is copied after others let go", {"biased_count", "biased_count_with_weak"}},
    {"what is held is copied while others copy", {"biased_count", "biased_count_with_weak"}},
    {"copied while it is shared out and gathered", {"sharded_count", "sharded_count_with_weak"}},
    {"gathered by two", {"sharded_count", "sharded_count_with_weak"}},
    {"gathered by a thread that did not share it out",
     {"sharded_count", "sharded_count_with_weak"}},
    {"shared out again", {"sharded_count", "sharded_count_with_weak"}},
    {"two objects in one place, one after the other", {"sharded_count", "sharded_count_with_weak"}},
    {"written by who is alone", {"sharded_count", "sharded_count_with_weak"}},
    {"locked while it is shared out, gathered and dropped", {"sharded_count_with_weak"}},
    {"weak references are made while it is gathered", {"sharded_count_with_weak"}},
};

// Those of which a biased count has more than 10,000 executions, blocked ones included.
constexpr std::array<std::string_view, 2> long_scenarios = {
    "each drops its own",
    "two lock once, another shares",
};
bool is_long(const scenario& what) {
    return std::find(long_scenarios.begin(), long_scenarios.end(), what.name) !=
           long_scenarios.end();
}

bool is_taken(const kind& count, const scenario& what) {
    if (what.needs_weak && !count.has_weak) return false;
    return std::none_of(too_large.begin(), too_large.end(), [&](const limit& each) {
        return each.scenario == what.name &&
               std::find(each.counts.begin(), each.counts.end(), count.name) != each.counts.end();
    });
}

// A program for each count, with its scenarios. The names are those of the two arrays.
void add_counts(std::vector<program>& all, std::span<const kind> counts, const char* counts_name,
                std::span<const scenario> played, const char* played_name) {
    for (std::size_t i = 0; i != counts.size(); ++i) {
        program count{counts[i].name,
                      "genmc_counts_program.cpp",
                      {std::string("-DFREEHOLD_MODEL_KINDS=") + counts_name,
                       std::string("-DFREEHOLD_MODEL_SCENARIOS=") + played_name,
                       "-DFREEHOLD_MODEL_KIND=" + std::to_string(i)},
                      {}};
        for (std::size_t j = 0; j != played.size(); ++j) {
            if (is_taken(counts[i], played[j]))
                count.performances.push_back(
                    {played[j].name, "_ZN8freehold5model7performILm" + std::to_string(j) + "EEEvv",
                     is_long(played[j])});
        }
        all.push_back(count);
    }
}

std::vector<program> all_programs() {
    std::vector<program> all;
    add_counts(all, kinds, "kinds", scenarios, "scenarios");
    add_counts(all, sharded_kinds, "sharded_kinds", sharded_scenarios, "sharded_scenarios");
    program stack{"magazine_stack", "genmc_stack_program.cpp", {}, {}};
    for (const char* const name :
         {"magazines_are_handed_over", "a_magazine_is_made_meanwhile", "a_magazine_is_taken_by_two",
          "the_top_is_taken_and_put_back", "magazines_are_set_aside",
          "magazines_are_put_back_and_taken", "a_waiter_looks_or_is_woken",
          "a_waiter_takes_or_is_woken", "a_waiter_comes_too_late_or_is_woken"})
        stack.performances.push_back({name, name, false});
    all.push_back(stack);
    all.push_back({"debts",
                   "genmc_debts_program.cpp",
                   {},
                   {{"two_read_one_stores", "two_read_one_stores", true},
                    {"one_reads_two_store", "one_reads_two_store", true},
                    {"one_reads_one_stores_twice", "one_reads_one_stores_twice", true},
                    {"one_reads_without_a_slot", "one_reads_without_a_slot"},
                    {"two_store_what_they_expect", "two_store_what_they_expect"},
                    {"two_update", "two_update"},
                    {"one_reads_twice_one_stores", "one_reads_twice_one_stores"},
                    {"one_reads_twice_one_stores_with_a_barrier",
                     "one_reads_twice_one_stores_with_a_barrier"},
                    {"one_keeps_an_owner", "one_keeps_an_owner"},
                    {"one_keeps_an_owner_with_a_barrier", "one_keeps_an_owner_with_a_barrier"},
                    {"one_reads_one_stores_with_a_barrier", "one_reads_one_stores_with_a_barrier"},
                    {"one_reads_one_stores", "one_reads_one_stores"}}});
    return all;
}

const program& program_of(const std::vector<program>& all, std::string_view name) {
    return *std::find_if(all.begin(), all.end(),
                         [&](const program& each) { return each.name == name; });
}

// The program in LLVM's code, with headers from `changed` in the place of those of the library if
// there is such a folder.
std::filesystem::path compiled(const program& what, const std::filesystem::path& changed = {}) {
    std::filesystem::create_directories(work_folder);
    const std::filesystem::path module =
        work_folder / (what.name + (changed.empty() ? "" : " changed") + ".ll");
    // -fno-builtin: GenMC does not understand what stands in the place of loops over memory.
    std::vector<std::string> command = {FREEHOLD_GENMC_COMPILER,
                                        "-std=c++20",
                                        "-O1",
                                        "-fno-builtin",
                                        "-fno-vectorize",
                                        "-fno-slp-vectorize",
                                        "-fno-exceptions",
                                        "-fno-rtti",
                                        "-S",
                                        "-emit-llvm",
                                        "-DFREEHOLD_HEADER_ONLY=0",
                                        "-DFREEHOLD_MODEL_FOR_GENMC"};
    command.insert(command.end(), what.definitions.begin(), what.definitions.end());
    if (!changed.empty()) command.push_back("-I" + changed.string());
    command.push_back("-I" + (source_folder / "include").string());
    command.push_back("-I" + (source_folder / "tests").string());
    command.push_back((source_folder / "tests/model" / what.source).string());
    command.push_back("-o");
    command.push_back(module.string());
    const outcome result = run_command(command);
    if (result.status != 0) throw std::runtime_error("cannot compile:\n" + result.output);
    return module;
}

struct verdict {
    bool passes;
    long executions;
    std::string output;
};
verdict checked(const std::filesystem::path& module, const performance& what) {
    const outcome result = run_command(
        {FREEHOLD_GENMC, "--rc11", "--disable-estimation", "-v1", "--input-from-bitcode-file",
         "--program-entry-function=" + what.function, module.string()});
    std::smatch executions;
    if (!std::regex_search(result.output, executions,
                           std::regex("complete executions explored: (\\d+)")))
        throw std::runtime_error("GenMC gave up:\n" + result.output);
    return {
        result.status == 0 && result.output.find("No errors were detected") != std::string::npos,
        std::stol(executions[1]), result.output};
}

TEST(programs, pass_in_all_executions) {
    for (const program& each : all_programs()) {
        const std::filesystem::path module = compiled(each);
        for (const performance& performed : each.performances) {
            const verdict found = checked(module, performed);
            std::cout << each.name << ", " << performed.name << ": " << found.executions
                      << " executions" << std::endl;
            EXPECT_TRUE(found.passes) << found.output;
            EXPECT_GE(found.executions, 1);
        }
    }
}

// One change to one line of a header.
struct mutant {
    std::string header;
    std::size_t line;
    std::string code, changed_code;
    change by;
};

std::vector<std::string> lines_of(const std::filesystem::path& file) {
    std::ifstream source(file);
    std::vector<std::string> lines;
    for (std::string line; std::getline(source, line);) lines.push_back(line);
    return lines;
}

// What stands in the place of an order, or of what is left out.
std::string code_of(change by) {
    switch (by) {
        case change::acquire_release:
            return "memory_order_acq_rel";
        case change::acquire:
            return "memory_order_acquire";
        case change::release:
            return "memory_order_release";
        case change::relaxed:
            return "memory_order_relaxed";
        default:
            return "";
    }
}

std::vector<mutant> mutants_of(const std::string& header) {
    struct rule {
        std::regex on;
        std::regex from;
        std::vector<change> to;
    };
    static const std::vector<rule> rules = {
        {std::regex(""), std::regex("memory_order_(acquire|release)"), {change::relaxed}},
        {std::regex(""),
         std::regex("memory_order_acq_rel"),
         {change::acquire, change::release, change::relaxed}},
        {std::regex("load"),
         std::regex("memory_order_seq_cst"),
         {change::acquire, change::relaxed}},
        {std::regex("fetch_|cst,"),
         std::regex("memory_order_seq_cst"),
         {change::acquire_release, change::relaxed}},
        // The fence of the sequences, and what tells two pushes from one another.
        {std::regex(""), std::regex("Platform::restart_all\\(\\);"), {change::skipped}},
        {std::regex("tag_of"), std::regex(" \\+ one_tag"), {change::skipped}},
    };
    std::vector<mutant> all;
    const std::vector<std::string> lines = lines_of(source_folder / "include/freehold" / header);
    for (std::size_t i = 0; i != lines.size(); ++i) {
        const std::string& line = lines[i];
        if (line.find("//") != std::string::npos) continue;
        for (const rule& each : rules) {
            if (!std::regex_search(line, each.on) || !std::regex_search(line, each.from)) continue;
            for (const change by : each.to)
                all.push_back(
                    {header, i, line, std::regex_replace(line, each.from, code_of(by)), by});
        }
    }
    return all;
}

// Where a program finds a header: one of the model, or one of the library.
std::filesystem::path path_of(const std::string& header) {
    const std::filesystem::path path = header;
    return header.starts_with("model/") ? path : "freehold" / path;
}

// A folder in which the header stands so.
std::filesystem::path written(const std::string& header, const std::string& code) {
    const std::filesystem::path folder = work_folder / "changed";
    std::filesystem::remove_all(folder);
    const std::filesystem::path file = folder / path_of(header);
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << code;
    return folder;
}
std::filesystem::path written(const mutant& what) {
    std::vector<std::string> lines = lines_of(source_folder / "include/freehold" / what.header);
    lines.at(what.line) = what.changed_code;
    std::string code;
    for (const std::string& line : lines) code += line + '\n';
    return written(what.header, code);
}

// The performance that fails with the headers in this folder, or nothing. The last come first: they
// find most.
std::string failure_of(const std::filesystem::path& changed, const program& in) {
    const std::filesystem::path module = compiled(in, changed);
    for (auto performed = in.performances.rbegin(); performed != in.performances.rend();
         ++performed) {
        if (performed->is_long) continue;
        const verdict found = checked(module, *performed);
        if (!found.passes)
            return in.name + ", " + performed->name + ", after " +
                   std::to_string(found.executions) + " executions";
    }
    return {};
}
std::string failure_of(const mutant& what, const program& in) {
    return failure_of(written(what), in);
}

// Changes that nothing comes of.
constexpr const char* asleep = "to wake a thread that does not wait any more does no harm";
constexpr std::array excuses = {
    excuse{"tag_of(top) | next, std::memory_order_seq_cst,", change::acquire_release,
           "a thread that has got a magazine does not wait for one"},
    excuse{"waiters_.fetch_sub(1,", change::acquire_release, asleep},
    excuse{"waiters_.fetch_sub(1,", change::relaxed, asleep},
};

TEST(mutants, are_all_caught) {
    struct room {
        const char* header;
        std::vector<const char*> programs;
    };
    const std::vector<room> rooms = {
        {"count/atomic_count.hpp", {"atomic_count"}},
        {"count/detail/atomic_count_with_weak.hpp", {"atomic_count_with_weak"}},
        {"count/detail/bias.hpp", {"biased_count_with_weak"}},
        {"count/detail/biased_word.hpp",
         {"biased_count_with_weak, fresh", "biased_count_with_weak"}},
        {"count/detail/sharded_word.hpp", {"sharded_count", "sharded_count_with_weak"}},
        {"memory/detail/magazine_stack.hpp", {"magazine_stack"}},
        {"memory/detail/depot_layout.hpp", {"magazine_stack"}},
    };
    const std::vector<program> programs = all_programs();
    std::size_t caught = 0;
    std::set<const excuse*> used;
    for (const room& each : rooms) {
        for (const mutant& what : mutants_of(each.header)) {
            const excuse* const harmless = excuse_of(excuses, what.code, what.by);
            std::string found;
            for (const char* const name : each.programs) {
                if (found.empty()) found = failure_of(what, program_of(programs, name));
            }
            const std::string said =
                what.header + ":" + std::to_string(what.line + 1) + ": " + what.changed_code;
            std::cout << said << ": " << (found.empty() ? "nothing fails" : found) << std::endl;
            if (harmless == nullptr) {
                EXPECT_FALSE(found.empty()) << "nothing fails with " << said;
            } else {
                used.insert(harmless);
                EXPECT_TRUE(found.empty())
                    << "needs no excuse (" << harmless->reason << "): " << said;
            }
            if (!found.empty()) ++caught;
        }
    }
    EXPECT_EQ(used.size(), excuses.size()) << "an excuse is for code that is not there";
    EXPECT_GE(caught, 30U) << "most operations were not found";
}

// One change of more than an order or more than a line.
struct edit {
    const char* name;
    const char* header;
    std::string code, changed_code;
};
const std::vector<edit> edits_of_debts = {
    {"a reader does not order its debt before its second look", "handle/detail/atomic/debts.hpp",
     R"(
    Platform::keep_order();
    // Acquires what)",
     R"(
    // Acquires what)"},
    {"a reader does not order the end of its debt before its look for a payment",
     "handle/detail/atomic/debts.hpp",
     R"(
    Platform::keep_order();
    // acquire: an even)",
     R"(
    // acquire: an even)"},
    {"a debt is written without the one order of all", "handle/detail/atomic/debts_slow.hpp",
     "free.owed.exchange(key, std::memory_order_seq_cst)",
     "free.owed.exchange(key, std::memory_order_acq_rel)"},
    {"a payment is written without the one order of all", "handle/detail/atomic/debts_slow.hpp",
     "one.paid.exchange(key, std::memory_order_seq_cst)",
     "one.paid.exchange(key, std::memory_order_acq_rel)"},
    {"a place is changed without the one order of all", "handle/detail/atomic/one_word_place.hpp",
     "exchange(desired, std::memory_order_seq_cst)",
     "exchange(desired, std::memory_order_acq_rel)"},
    {"a writer does not look again whether what it paid was owed",
     "handle/detail/atomic/debts_slow.hpp",
     "if (one.owed.load(std::memory_order_seq_cst) == key) return;", "return;"},
    {"a reader looks at the place, and then owes", "handle/detail/atomic/debts_slow.hpp",
     R"(
        free.owed.exchange(key, std::memory_order_seq_cst);
        result = {place.load(), &free};
)",
     R"(
        result = {place.load(), &free};
        free.owed.exchange(key, std::memory_order_seq_cst);
)"},
    {"a writer pays, and then counts", "handle/detail/atomic/debts_slow.hpp",
     R"(
        kind.add(key);
        // relaxed: released by the exchange.
        one.payer.store(&kind, std::memory_order_relaxed);
        // seq_cst: pairs with the exchange in take_payment.
        one.paid.exchange(key, std::memory_order_seq_cst);
)",
     R"(
        one.payer.store(&kind, std::memory_order_relaxed);
        one.paid.exchange(key, std::memory_order_seq_cst);
        kind.add(key);
)"},
};

// The header with the change.
std::string changed_by(const edit& each) {
    const bool is_of_model = std::string_view(each.header).starts_with("model/");
    std::string code;
    for (const std::string& line :
         lines_of(source_folder / (is_of_model ? "tests" : "include") / path_of(each.header)))
        code += line + '\n';
    const std::size_t at = code.find(each.code);
    if (at == std::string::npos || code.find(each.code, at + 1) != std::string::npos)
        throw std::runtime_error(std::string(each.header) + " does not have once: " + each.code);
    return code.replace(at, each.code.size(), each.changed_code);
}

void expect_caught(std::span<const edit> edits, std::span<const char* const> names) {
    const std::vector<program> programs = all_programs();
    for (const edit& each : edits) {
        for (const char* const name : names) {
            const std::string found =
                failure_of(written(each.header, changed_by(each)), program_of(programs, name));
            std::cout << each.name << ": " << (found.empty() ? "nothing fails" : found)
                      << std::endl;
            EXPECT_FALSE(found.empty()) << "nothing fails in " << name << " if " << each.name;
        }
    }
}

TEST(mutants, of_debts_are_caught) {
    expect_caught(edits_of_debts, std::array{"debts"});
}

const std::vector<edit> edits_of_sharded_counts = {
    {"what the shards had counted is lost", "count/detail/sharded_word.hpp",
     "anchored_count::add(ordinary_, sum - anchor);", "anchored_count::add(ordinary_, -anchor);"},
    {"the anchor goes before the owners of the shards come", "count/detail/sharded_word.hpp",
     "anchored_count::add(ordinary_, sum - anchor);",
     "anchored_count::add(ordinary_, -anchor); anchored_count::add(ordinary_, sum);"},
    {"the sequences restart before the column is closed", "count/detail/sharded_word.hpp",
     R"(
        column_.store(0, std::memory_order_relaxed);
        Platform::restart_all();
)",
     R"(
        Platform::restart_all();
        column_.store(0, std::memory_order_relaxed);
)"},
    {"the column is closed after the shards are added up", "count/detail/sharded_word.hpp",
     R"(
        column_.store(0, std::memory_order_relaxed);
        Platform::restart_all();
        const std::int64_t sum = Platform::give_back_column(column);
)",
     R"(
        Platform::restart_all();
        const std::int64_t sum = Platform::give_back_column(column);
        column_.store(0, std::memory_order_relaxed);
)"},
    {"a sequence does not compare the column", "model/platform.hpp",
     "if (!is_column(present, column)) return false;", ""},
    {"a sequence compares the column, and does not acquire it", "model/platform.hpp",
     "present.load(std::memory_order_acquire) == column;",
     "present.load(std::memory_order_relaxed) == column;"},
};

TEST(mutants, of_sharded_counts_are_caught) {
    expect_caught(edits_of_sharded_counts, std::array{"sharded_count", "sharded_count_with_weak"});
}

}  // namespace
}  // namespace freehold::model::genmc_test
