// SPDX-License-Identifier: BSL-1.0
// The check `freehold-hidden-zeroing` of clang-tidy. See docs/check.md.
#pragma once

#include "check/plugin/zeroing/fillers/possible_fillers.hpp"
#include "constant_evaluation.hpp"
#include "constructs.hpp"
#include "fixes.hpp"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <clang-tidy/ClangTidyCheck.h>
#include <clang-tidy/utils/IncludeInserter.h>

namespace freehold::check {

class hidden_zeroing_check : public clang::tidy::ClangTidyCheck {
public:
    hidden_zeroing_check(llvm::StringRef name, clang::tidy::ClangTidyContext* context);
    bool isLanguageVersionSupported(const clang::LangOptions& options) const override {
        return options.CPlusPlus;
    }
    void storeOptions(clang::tidy::ClangTidyOptions::OptionMap& options) override;
    void registerPPCallbacks(const clang::SourceManager& sources, clang::Preprocessor* preprocessor,
                             clang::Preprocessor* expander) override;
    void registerMatchers(clang::ast_matchers::MatchFinder* finder) override;
    void check(const clang::ast_matchers::MatchFinder::MatchResult& result) override;
    void onEndOfTranslationUnit() override;

private:
    struct function {
        const clang::FunctionDecl* declaration = nullptr;
        std::unique_ptr<parents> contents;
    };
    struct call_site {
        const function* caller = nullptr;
        const clang::Expr* call = nullptr;
    };
    /// What is known about one expression, over all instantiations and callers.
    struct opinion {
        construct what;
        const clang::VarDecl* variable = nullptr;
        const clang::CXXCtorInitializer* initializer = nullptr;
        clang::SourceLocation filled_at;
        // The function that zeroes the object for one of its own variables.
        const clang::FunctionDecl* within = nullptr;
        zeroing followed;
        std::map<const clang::Stmt*, bool> shrinks;
        bool hidden = false;
        bool needed = false;
    };

    /// A possible filler that made zeroes needed.
    struct proposal {
        possible_filler what;
        std::set<const clang::FunctionDecl*> declarations;
        std::set<const function*> functions;  ///< Those with the zeroes.
    };
    using opinions = std::map<clang::SourceLocation, opinion>;

    void add(const clang::FunctionDecl* declaration);
    opinion& opinion_on(const construct& what);
    verdict follow(const zeroing& what, const clang::FunctionDecl* within, bool is_zeroed = false);
    static void note_overwriting(const verdict& found, opinion& about);
    void judge_all(const function& within);
    void judge(const function& within);
    void judge_members(const function& within);
    void judge_creations(const clang::FieldDecl* field, const construct& what, opinion& about);
    void judge_bound(const function& within, const construct& what, const binding& bound,
                     opinion& about, int depth);
    void judge_field(const function& constructor, const clang::FieldDecl* field,
                     const construct& what, const binding& bound, opinion& about);
    void judge_class(const function& constructor, const clang::FieldDecl* field,
                     const construct& what, const binding& bound, opinion& about);
    void judge_owned(const function& constructor, const clang::FieldDecl* field,
                     const construct& what, const binding& bound, opinion& about);
    void judge_callers(const function& factory, const construct& what, const binding& returned,
                       opinion& about, int depth);
    void report(const opinion& about);
    void report_macro(clang::SourceLocation written, const std::vector<const opinion*>& uses);
    void tell_that_it_gave_up(const clang::FunctionDecl& within) const;
    void note_proposal(const unknown_reader& by);
    void propose_fillers();
    void propose(const proposal& each, const std::set<clang::SourceLocation>& before);
    /// The zeroings of which a filler may change the judgement.
    [[nodiscard]] std::set<clang::SourceLocation> zeroings_for(const proposal& each) const;
    [[nodiscard]] std::set<clang::SourceLocation> findings() const;
    void tell_proposal(const std::string& entry, clang::SourceLocation finding) const;
    [[nodiscard]] std::string with_line_ends_of(clang::SourceLocation where,
                                                llvm::StringRef text) const;
    fix fix_of(const opinion& about);
    [[nodiscard]] bool is_hidden(const clang::Stmt* zeroing) const;
    [[nodiscard]] bool grows_by_zeroes(const opinion& about) const;
    void fix_string(const opinion& about, fix& how);
    void fix_vector(const opinion& about, fix& how);

    /// The steps of the analysis of one file: a few seconds.
    static constexpr std::int64_t most_work = 12'000'000;

    const unsigned min_bytes_;
    const std::string fill_functions_;
    std::vector<filler> more_fillers_;
    clang::ASTContext* context_ = nullptr;
    std::int64_t work_left_ = most_work;
    bool gave_up_ = false;  ///< For an object of the function that was judged last.
    graphs graphs_;
    filled_counts filled_counts_{{}};
    constant_evaluation constants_;
    std::vector<std::unique_ptr<function>> functions_;
    std::set<const clang::FunctionDecl*> seen_;
    std::map<const clang::FunctionDecl*, std::vector<call_site>> calls_;
    std::map<const clang::CXXRecordDecl*, std::vector<call_site>> creations_;
    opinions opinions_;
    const function* judged_ = nullptr;
    // The functions that were judged for each zeroing.
    std::map<clang::SourceLocation, std::set<const function*>> judged_for_;
    bool notes_proposals_ = false;
    std::map<std::string, proposal> proposals_;
    clang::tidy::utils::IncludeInserter includes_;
    bool has_allocator_ = false;  ///< The file can include freehold's.
    /// Vectors with a type that has been changed.
    std::set<const clang::VarDecl*> other_allocator_;
};

}  // namespace freehold::check
