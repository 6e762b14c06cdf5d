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

/// By the pointee, the first advice to allocate an object and its counts together.
using made_together = std::map<std::string, std::string>;

class advised_making : public advised_code {
protected:
    made_together codes_for(const std::string& compiler, const std::vector<std::string>& flags) {
        std::vector<std::string> unit = flags;
        unit.insert(unit.end(), {"-c", "-DIS_ELSEWHERE"});
        const fs::path other = compiled("constructors", unit, compiler, "elsewhere.o");
        run_ = counted(compiled("constructors", flags, compiler, {}, {other.string()}));
        made_together result;
        for (const json& piece : run_.at("advice"))
            if (piece.at("kind") == "allocate_together")
                result.emplace(piece.at("pointee"), piece.at("code"));
        return result;
    }

    std::string code_of(const std::string& kind, const std::string& pointee) const {
        for (const json& piece : run_.at("advice"))
            if (piece.at("kind") == kind && piece.at("pointee") == pointee) return piece.at("code");
        return {};
    }

    /// Up to DWARF 4, clang++ does not tell that a constructor is deleted.
    static void expect_codes(made_together codes, bool tells_deleted = true) {
        constexpr const char* behind = "; or of the class behind new, if it derives from that";
        for (const std::string each : {"of_struct", "of_class", "undeclared", "heir", "keyed"})
            EXPECT_EQ(codes[each], "std::make_shared<" + each + ">(...) in place of new" + behind);
        for (const std::string each :
             {"elsewhere", "for_derived", "by_default", "of_template", "shapes::generic<int>",
              "shapes::outer::inner", "(anonymous namespace)::unnamed", "derived"})
            EXPECT_THAT(codes[each], HasSubstr(", after " + each + " gets a public constructor"));
        EXPECT_THAT(codes["without_default"],
                    HasSubstr(tells_deleted ? "gets a public constructor" : "if its constructor"));
        for (const std::string each : {"mixed", "mixed_heir"})
            EXPECT_THAT(codes[each], HasSubstr(", if its constructor is public;"));
    }

    json run_;
};

TEST_F(advised_making, is_by_constructors_that_make_shared_can_call) {
    for (const build& each : builds()) {
        SCOPED_TRACE(each.compiler + " " + each.level);
        expect_codes(codes_for(each.compiler, {each.level, "-g"}));
        EXPECT_THAT(code_of("one_thread", "for_derived"),
                    testing::StartsWith("freehold::local_shared_ptr<for_derived>, made by new"));
        EXPECT_THAT(code_of("one_owner", "lone"),
                    testing::StartsWith("std::unique_ptr<lone>, made by new"));
    }
}

TEST_F(advised_making, is_the_same_for_all_forms_of_debug_information) {
    for (const auto& [compiler, version] : formats()) {
        SCOPED_TRACE(compiler + " " + version);
        const bool tells_deleted =
            compiler != FREEHOLD_CLANG || version == std::string("-gdwarf-5");
        expect_codes(codes_for(compiler, {"-O2", "-g", version, "-fdebug-types-section"}),
                     tells_deleted);
    }
}

// There g++ writes the same for a private and for a public member of a class.
TEST_F(advised_making, has_its_condition_where_debug_information_does_not_tell) {
    auto codes = codes_for(FREEHOLD_COMPILER, {"-O2", "-g", "-gdwarf-2"});
    for (const char* each : {"of_class", "by_default"})
        EXPECT_THAT(codes[each], HasSubstr(", if its constructor is public;"));
}

}  // namespace
}  // namespace freehold::advised_code_test
