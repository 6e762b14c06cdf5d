// SPDX-License-Identifier: BSL-1.0
#include "owns_itself_check.hpp"

#include "check/plugin/syntax/names.hpp"
#include "check/plugin/syntax/project.hpp"
#include "check/plugin/syntax/source_text.hpp"
#include "check/plugin/syntax/syntax.hpp"
#include "owning_handles.hpp"

#include <algorithm>

#include <clang/AST/ASTContext.h>
#include <clang/ASTMatchers/ASTMatchFinder.h>
#include <clang/Basic/SourceManager.h>

namespace freehold::check {
namespace {

using namespace clang;

/// True if something other than the callable gets the handle or a copy of it.
bool is_given_away(const Stmt* part, const VarDecl* handle, const Stmt* callable) {
    if (part == nullptr || part == callable) return false;
    if (const auto* operation = dyn_cast<CXXOperatorCallExpr>(part))
        if (variable_named(operation->getArg(0)) == handle) return false;
    if (const auto* name = dyn_cast<DeclRefExpr>(part)) return name->getDecl() == handle;
    return llvm::any_of(part->children(),
                        [&](const Stmt* each) { return is_given_away(each, handle, callable); });
}

std::string name_of_object(const VarDecl* root, llvm::ArrayRef<const FieldDecl*> members) {
    std::string result = root != nullptr ? root->getNameAsString() : "";
    for (const FieldDecl* each : members)
        result += (result.empty() ? "" : ".") + each->getNameAsString();
    return result.empty() ? "*this" : result;
}

}  // namespace

void owns_itself_check::registerMatchers(ast_matchers::MatchFinder* finder) {
    using namespace ast_matchers;
    finder->addMatcher(
        functionDecl(isDefinition(), unless(isExpansionInSystemHeader())).bind("function"), this);
}

void owns_itself_check::check(const ast_matchers::MatchFinder::MatchResult& result) {
    context_ = result.Context;
    const auto* function = result.Nodes.getNodeAs<FunctionDecl>("function");
    const auto* method = dyn_cast<CXXMethodDecl>(function);
    const bool is_lambda = method != nullptr && method->getParent()->isLambda();
    if (!is_lambda && !function->isInvalidDecl() && function->doesThisDeclarationHaveABody())
        functions_.push_back(function);
}

void owns_itself_check::onEndOfTranslationUnit() {
    for (const FunctionDecl* each : functions_) add_changed_variables(each->getBody());
    for (const FunctionDecl* each : functions_) {
        current_ = each;
        add_releases(each->getBody());
    }
    for (const FunctionDecl* each : functions_) {
        current_ = each;
        if (!each->isDependentContext())
            for (const store& one : stores_of(each)) judge(one);
    }
}

/// The owner in the stored callable of the object that stores it. Null if there is none.
const owns_itself_check::owner* owns_itself_check::own_owner(const store& what) {
    const auto& kept_in = what.target.members;
    for (const owner& each : what.owners) {
        const auto& of = each.of.members;
        if (each.callable != nullptr && each.of.root == what.target.root &&
            of.size() <= kept_in.size() && (of.size() < kept_in.size() || !what.in_handle) &&
            std::equal(of.begin(), of.end(), kept_in.begin()))
            return &each;
    }
    return nullptr;
}

void owns_itself_check::judge(const store& what) {
    const owner* by = own_owner(what);
    if (by == nullptr) return;
    const VarDecl* root = what.target.root;
    if (root != nullptr && !root->hasLocalStorage()) return;
    const llvm::ArrayRef<const FieldDecl*> between =
        llvm::ArrayRef<const FieldDecl*>(what.target.members).drop_front(by->of.members.size());
    if (between.empty() && released_.find(root) != released_.end()) return;
    if (llvm::any_of(between, [&](const FieldDecl* each) { return may_end(each); })) return;
    const auto& sources = context_->getSourceManager();
    const SourceLocation where = sources.getFileLoc(by->written.getBegin());
    if (!is_in_project(where, sources)) return;
    if (reported_.insert(where).second) report(what, *by);
}

/// What to write instead, and its replacements where the object surely has another owner.
std::string owns_itself_check::advice_for(const store& what, const owner& by,
                                          std::vector<FixItHint>& replacements) const {
    const auto* lambda = dyn_cast<LambdaExpr>(by.callable);
    const owning_handle* handle = owning_handle_of(by.handle);
    PrintingPolicy policy(context_->getLangOpts());
    policy.SuppressUnwrittenScope = true;
    const std::string type =
        by.handle.getNonReferenceType().getUnqualifiedType().getCanonicalType().getAsString(policy);
    const std::string weak = std::string(handle->weak) + type.substr(type.find('<'));
    const bool is_itself = what.target.members.size() == by.of.members.size();
    const std::string last =
        is_itself ? "; the owner that stays must be elsewhere"
                  : "; or empty '" + what.target.members.back()->getNameAsString() + "' at the end";
    if (lambda == nullptr || by.captured == nullptr)
        return "bind a '" + weak + "' and lock it in the function" + last;
    const std::string name = by.captured->getNameAsString();
    const std::string weak_name = "weak_" + name;
    const bool is_new = by.captured->isInitCapture();
    const std::string from =
        is_new ? text_of(by.captured->getInit()->getSourceRange(), *context_) : name;
    const std::string capture = weak_name + " = " + weak + "(" + from + ")";
    const std::string lock =
        "auto " + name + " = " + weak_name + ".lock(); if (!" + name + ") return;";
    const std::string advice = "capture '" + capture + "', and begin with '" + lock + "'" + last;

    const auto is_explicit = [&](const LambdaCapture& each) {
        return each.isExplicit() && each.getCapturedVar() == by.captured;
    };
    const auto* body = dyn_cast<CompoundStmt>(lambda->getBody());
    const VarDecl* root = by.of.root;
    const bool has_other_owner = root == nullptr || isa<ParmVarDecl>(root) ||
                                 !by.of.members.empty() ||
                                 is_given_away(current_->getBody(), root, lambda);
    const bool is_plain = llvm::any_of(lambda->captures(), is_explicit) &&
                          (!is_new || by.captured->getInitStyle() == VarDecl::CInit) &&
                          type.find_first_of("(") == std::string::npos && body != nullptr &&
                          !in_macro(by.written) && !in_macro(body->getSourceRange());
    if (is_itself || !by.is_written_here || !has_other_owner || !is_plain ||
        !getLangOpts().CPlusPlus14 || current_->isTemplateInstantiation() ||
        !lambda->getCallOperator()->getReturnType()->isVoidType() ||
        names_of(current_).unqualified.count(weak_name) != 0)
        return advice;
    replacements.push_back(
        FixItHint::CreateReplacement(CharSourceRange::getTokenRange(by.written), capture));
    replacements.push_back(FixItHint::CreateInsertion(
        body->getLBracLoc().getLocWithOffset(1),
        (lambda->isMutable() ? " " : " const ") + lock + (body->body_empty() ? " " : "")));
    return advice;
}

void owns_itself_check::report(const store& what, const owner& by) {
    std::vector<FixItHint> replacements;
    const std::string advice = advice_for(what, by, replacements);
    const std::string owned = name_of_object(by.of.root, by.of.members);
    const llvm::ArrayRef<const FieldDecl*> between =
        llvm::ArrayRef<const FieldDecl*>(what.target.members).drop_front(by.of.members.size());
    const std::string keeper = between.empty() ? "*" + owned : name_of_object(nullptr, between);
    {
        auto warning = diag(by.written.getBegin(),
                            "this %0 owns '%1', which keeps it in '%2': neither is ever destroyed");
        warning << (isa<LambdaExpr>(by.callable) ? "closure" : "bound function") << owned << keeper;
        for (const FixItHint& each : replacements) warning << each;
    }
    diag(what.at->getBeginLoc(), "'%0' keeps it here, in '%1'", DiagnosticIDs::Note)
        << owned << keeper;
    diag(by.written.getBegin(), "%0", DiagnosticIDs::Note) << advice;
}

}  // namespace freehold::check
