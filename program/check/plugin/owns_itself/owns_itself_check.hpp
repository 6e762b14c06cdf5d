// SPDX-License-Identifier: BSL-1.0
// The check `freehold-owns-itself` of clang-tidy. See docs/check.md.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <clang-tidy/ClangTidyCheck.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

namespace freehold::check {

class owns_itself_check : public clang::tidy::ClangTidyCheck {
public:
    using ClangTidyCheck::ClangTidyCheck;
    bool isLanguageVersionSupported(const clang::LangOptions& options) const override {
        return options.CPlusPlus11;
    }
    void registerMatchers(clang::ast_matchers::MatchFinder* finder) override;
    void check(const clang::ast_matchers::MatchFinder::MatchResult& result) override;
    void onEndOfTranslationUnit() override;

private:
    /// An object: a variable or `this` (null), and the members from there through their handles.
    struct object {
        const clang::VarDecl* root = nullptr;
        std::vector<const clang::FieldDecl*> members;
    };
    /// How exactly an expression must name its object.
    enum class precision {
        exact,
        container,  ///< An element stands for its container.
    };
    /// An owner in a closure or a bound function, or a parameter that may have one.
    struct owner {
        object of;
        clang::QualType handle;
        const clang::Expr* callable = nullptr;  ///< Null for a parameter or a bare handle.
        clang::SourceRange written;             ///< The capture or the argument.
        const clang::VarDecl* captured = nullptr;
        bool is_written_here = true;  ///< In the function that makes the ring, and not in a callee.
    };
    struct store {
        object target;
        bool in_handle = false;  ///< The target is the handle itself, and not its object.
        bool replaces = false;   ///< What the target had before is gone.
        const clang::Expr* at = nullptr;
        std::vector<owner> owners;
    };

    [[nodiscard]] bool is_of_library(const clang::Decl* declaration) const;
    [[nodiscard]] bool has_library_type(const clang::Expr* expression) const;
    [[nodiscard]] const clang::FunctionDecl* visible(const clang::FunctionDecl* callee) const;
    [[nodiscard]] bool may_lead_elsewhere(const clang::VarDecl* variable) const;
    std::optional<object> object_of(const clang::Expr* expression, precision how, int depth = 0);
    std::optional<object> object_of_variable(const clang::VarDecl* variable, precision how,
                                             int depth = 0);
    std::optional<object> object_of_call(const clang::CallExpr* call, precision how, int depth);
    std::optional<object> in_caller(const object& inner, const clang::Expr* call, precision how,
                                    int depth = 0);
    std::optional<object> target_of(const clang::Expr* expression);
    void add_owners(const clang::Expr* value, std::vector<owner>& to, int depth = 0);
    void add_owners_of(const clang::VarDecl* variable, std::vector<owner>& to, int depth);
    void add_captured(const clang::LambdaExpr* lambda, std::vector<owner>& to, int depth);
    void add_constructed(const clang::Expr* creation, const clang::CXXConstructorDecl* constructor,
                         std::vector<owner>& to, int depth);
    void add_stored_by_callee(const clang::CallExpr* call, std::vector<store>& to);
    const std::vector<store>& stores_of(const clang::FunctionDecl* function);
    void add_stores(const clang::Stmt* part, std::vector<store>& to);
    void add_store(const clang::Expr* target, const std::vector<const clang::Expr*>& values,
                   bool replaces, const clang::Expr* at, std::vector<store>& to);
    void add_changed_variables(const clang::Stmt* part);
    void add_releases(const clang::Stmt* part);
    void add_releases_of_call(const clang::CallExpr* call);
    void release_by_assignment(const clang::Expr* target, const clang::Expr* value);
    void release(const clang::Expr* changed);
    void release(const object& changed);
    static const owner* own_owner(const store& what);
    [[nodiscard]] bool may_end(const clang::FieldDecl* member) const;
    void judge(const store& what);
    void report(const store& what, const owner& by);
    std::string advice_for(const store& what, const owner& by,
                           std::vector<clang::FixItHint>& replacements) const;

    clang::ASTContext* context_ = nullptr;
    std::vector<const clang::FunctionDecl*> functions_;
    const clang::FunctionDecl* current_ = nullptr;
    std::set<const clang::VarDecl*> changed_;
    std::set<const clang::Decl*> released_;
    std::map<const clang::FunctionDecl*, std::vector<store>> stores_;
    std::set<clang::SourceLocation> reported_;
};

}  // namespace freehold::check
