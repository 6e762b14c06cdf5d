// SPDX-License-Identifier: BSL-1.0
// The names of variables that `freehold owners` gives to holders on stacks and in registers.
#include "looked_at_program.hpp"

#include <map>
#include <string>
#include <string_view>

namespace freehold::stack_names_test {
namespace {

class owners_in_variables : public looked_at_program {
protected:
    /// Returns who holds the objects of a type, and of how many owners each. Places are left out,
    /// and for g++ whether a name is only probable: some of its versions do not say where a handle
    /// is that they keep in parts.
    std::map<std::string, int> holders_of(const std::string& type, pid_t process,
                                          const std::string& compiler) {
        const json found = found_by({std::to_string(process), "--who", type});
        std::map<std::string, int> result;
        for (const json& each : found.at("who").at("holders")) {
            auto what = each.at("holder").get<std::string>();
            const std::size_t place = what.find(" (");
            const std::size_t function = what.find(" in ");
            if (place != std::string::npos && function != std::string::npos)
                what = what.substr(0, place) + what.substr(function);
            constexpr std::string_view probably = "probably ";
            if (compiler != FREEHOLD_CLANG && what.starts_with(probably))
                what.erase(0, probably.size());
            result[what.substr(0, what.find(" ("))] += each.at("owners").get<int>();
        }
        return result;
    }
};

TEST_F(owners_in_variables, in_registers_are_named_with_optimisation) {
    for (const std::string compiler : {FREEHOLD_COMPILER, FREEHOLD_CLANG}) {
        if (compiler.empty()) continue;
        SCOPED_TRACE(compiler);
        waiting_program waits(
            {compiled("in_registers", {"-O2", "-g", "-std=c++20", "-I" FREEHOLD_INCLUDE}, compiler,
                      {FREEHOLD_CORE})
                 .string()});
        waits.read_until("built");
        using names = std::map<std::string, int>;
        EXPECT_EQ(holders_of("divided", waits.id(), compiler),
                  (names{{"`in_parts` in middle", 1}}));
        EXPECT_EQ(holders_of("further_out", waits.id(), compiler),
                  (names{{"`kept_outside` in outer", 1}}));
        // Beside these, something may be left over.
        const names of_two = holders_of("alone", waits.id(), compiler);
        EXPECT_EQ(of_two.count("`in_one` in middle"), 1U);
        EXPECT_EQ(of_two.count("`given` in inner"), 1U);
        EXPECT_EQ(waits.finish(), 0);
    }
}

TEST_F(owners_in_variables, on_stacks_of_threads_are_named_with_optimisation) {
    for (const std::string compiler : {FREEHOLD_COMPILER, FREEHOLD_CLANG}) {
        if (compiler.empty()) continue;
        SCOPED_TRACE(compiler);
        waiting_program waits({compiled("many_threads", {"-O2", "-g"}, compiler).string()});
        waits.read_until("built");
        // Beside these, words may be left over on the stacks. A few threads do not sleep when they
        // are stopped, and where the variable is may not be described for each instruction.
        EXPECT_GE(holders_of("local", waits.id(), compiler)["`kept` in work"], 190);
        EXPECT_EQ(waits.finish(), 0);
    }
}

}  // namespace
}  // namespace freehold::stack_names_test
