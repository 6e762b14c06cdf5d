// SPDX-License-Identifier: BSL-1.0
// Runs `freehold handles` over programs and checks that the user can write what is advised.
#include "counted_program.hpp"

namespace freehold::advised_code_test {
namespace {

using testing::HasSubstr;
using testing::Not;

class advised_code : public counted_program {
protected:
    /// Returns the code of all pieces, by the pointee.
    std::map<std::string, std::string> codes_of(const fs::path& program) {
        std::map<std::string, std::string> result;
        const json run = counted(program);
        for (const json& piece : run.at("advice"))
            if (piece.at("kind") == "removable_pair" || piece.at("kind") == "repeated_lock")
                result[piece.at("pointee")] += piece.at("code").get<std::string>() + "\n";
        return result;
    }
};

/// Returns the number of the first line with this text.
int line_with(const char* text, const std::string& name) {
    std::ifstream file(fs::path(FREEHOLD_HANDLES_CASES) / (name + ".cpp"));
    std::string line;
    int number = 1;
    while (std::getline(file, line) && line.find(text) == std::string::npos) ++number;
    return number;
}

TEST_F(advised_code, is_at_the_lambda_that_captures_the_copy) {
    for (const build& each : builds()) {
        SCOPED_TRACE(each.compiler + " " + each.level);
        const json run = counted(compiled("captures", {each.level, "-g"}, each.compiler));
        std::map<int, std::uint64_t> copies;
        for (const json& line : run.at("lines"))
            if (line.at("copies") != 0 && line.at("pointee") == "captured")
                copies[line.at("line").get<int>()] += line.at("copies").get<std::uint64_t>();
        EXPECT_EQ(copies,
                  (std::map<int, std::uint64_t>{{line_with("// the copy", "captures"), 100}}));
    }
}

TEST_F(advised_code, is_none_for_a_copy_that_may_keep_the_object) {
    for (const build& each : builds()) {
        SCOPED_TRACE(each.compiler + " " + each.level);
        auto codes = codes_of(compiled("kept_alive", {each.level, "-g"}, each.compiler));
        EXPECT_EQ(codes["session"], "");
        EXPECT_NE(codes["message"], "");
    }
}

// No function on the stack names the type, because the last member's destructor was a jump.
TEST_F(advised_code, counts_what_a_destructor_of_the_compiler_releases_by_its_own_type) {
    for (const build& each : builds()) {
        SCOPED_TRACE(each.compiler + " " + each.level);
        const json run = counted(compiled("parts", {each.level, "-g"}, each.compiler));
        std::map<std::string, std::uint64_t> releases;
        for (const json& line : run.at("lines"))
            releases[line.at("pointee")] += line.at("releases").get<std::uint64_t>();
        EXPECT_EQ(releases, (std::map<std::string, std::uint64_t>{
                                {"branch", 101}, {"leaf", 101}, {"whole", 200}}));
    }
}

TEST_F(advised_code, is_no_reference_for_an_element_of_an_initializer_list) {
    for (const build& each : builds()) {
        SCOPED_TRACE(each.compiler + " " + each.level);
        auto codes = codes_of(compiled("lists", {each.level, "-g"}, each.compiler));
        for (const char* const pointee : {"contained", "listed", "looped"}) {
            EXPECT_THAT(codes[pointee], HasSubstr("in place of the list in braces")) << pointee;
            EXPECT_THAT(codes[pointee], Not(HasSubstr("const std::shared_ptr"))) << pointee;
        }
        EXPECT_THAT(codes["mapped"], HasSubstr("std::move of the std::shared_ptr<mapped>"));
    }
}

TEST_F(advised_code, is_a_parameter_of_a_function_that_an_algorithm_calls) {
    for (const build& each : builds()) {
        SCOPED_TRACE(each.compiler + " " + each.level);
        const std::string code =
            codes_of(compiled("lists", {each.level, "-g"}, each.compiler))["compared"];
        EXPECT_THAT(code, HasSubstr("a parameter of the function that line"));
        EXPECT_THAT(code, Not(HasSubstr("std::move")));
    }
}

TEST_F(advised_code, is_a_parameter_of_the_own_type_where_an_algorithm_converts) {
    const std::string code = codes_of(compiled("lists", {"-O2", "-g"}))["converted_base"];
    EXPECT_THAT(code, HasSubstr("const auto& as a parameter of the function that line"));
}

TEST_F(advised_code, is_a_range_that_moves_where_the_library_copies_one) {
    auto codes = codes_of(compiled("lists", {"-O2", "-g"}));
    for (const char* const pointee : {"hashed", "ordered", "ranged"}) {
        EXPECT_THAT(codes[pointee], HasSubstr("std::make_move_iterator")) << pointee;
        EXPECT_THAT(codes[pointee], Not(HasSubstr("std::move of"))) << pointee;
    }
}

// A reference to a member of a local variable would refer to nothing.
TEST_F(advised_code, is_first_to_move_what_is_returned) {
    const std::string code = codes_of(compiled("lists", {"-O2", "-g"}))["returned"];
    EXPECT_THAT(code, testing::StartsWith("std::move into the std::shared_ptr<returned>"));
}

}  // namespace
}  // namespace freehold::advised_code_test
