// SPDX-License-Identifier: BSL-1.0
#include "fixes.hpp"

#include "check/plugin/syntax/source_text.hpp"
#include "check/plugin/syntax/syntax.hpp"
#include "overwrite_fix.hpp"

#include <algorithm>

namespace freehold::check {
namespace {

using namespace clang;

constexpr const char* put_back =
    "; cppcoreguidelines-pro-type-member-init and modernize-use-equals-default would put the "
    "zeroing back";

/// Removes an initialiser `{}` or `= {}`.
std::vector<FixItHint> without_initialiser(SourceRange range, const ASTContext& context) {
    if (in_macro(range)) return {};
    SourceLocation begin = range.getBegin();
    const auto [before, where] = neighbour(begin, -1, context);
    if (before == '=') begin = where;
    const auto [space, unused] = neighbour(begin, -1, context);
    (void)space;
    if (before == '=') begin = unused.getLocWithOffset(1);
    return {FixItHint::CreateRemoval(
        CharSourceRange::getCharRange(begin, end_of(range.getEnd(), context)))};
}

fix of_make(const CallExpr* call, const ASTContext& context) {
    const std::string name = name_of_callee(call);
    const bool boost = name.compare(0, 7, "boost::") == 0;
    const std::string better = name + (boost ? "_noinit" : "_for_overwrite");
    const std::string last = better.substr(better.rfind(':') + 1);
    const auto* callee = call->getDirectCallee();
    const auto& identifiers = context.Idents;
    const auto identifier = identifiers.find(last);
    const bool exists =
        identifier != identifiers.end() &&
        !callee->getDeclContext()->lookup(DeclarationName(identifier->second)).empty();
    const std::string standard = boost ? "" : " (C++20)";
    if (!exists) return {{}, "'" + better + "'" + standard + " leaves the bytes as they are"};
    const auto* reference = dyn_cast<DeclRefExpr>(call->getCallee()->IgnoreImpCasts());
    fix result{{}, "use '" + better + "', which leaves the bytes as they are"};
    if (reference == nullptr || in_macro(reference->getSourceRange())) return result;
    const SourceLocation token = reference->getNameInfo().getLoc();
    result.replacements.push_back(FixItHint::CreateReplacement(
        CharSourceRange::getTokenRange(token), reference->hasQualifier() ? last : better));
    return result;
}

fix uninitialised() {
    return {{}, std::string("without an initialiser the bytes are left as they are") + put_back};
}

/// Before C++20, a constexpr function must initialise all its variables, and a constructor all
/// members.
bool must_initialise(const FunctionDecl* function, const ASTContext& context) {
    const auto* method = dyn_cast_or_null<CXXMethodDecl>(function);
    const bool is_lambda = method != nullptr && method->getParent()->isLambda();
    return function != nullptr && function->isConstexpr() && !function->isDefaulted() &&
           !is_lambda && !context.getLangOpts().CPlusPlus20;
}

fix initialised_until_cpp20() {
    return {{}, "C++20 lets a constexpr function leave the bytes as they are"};
}

fix of_variable(const construct& what, const VarDecl* variable, const ASTContext& context) {
    if (must_initialise(dyn_cast<FunctionDecl>(variable->getDeclContext()), context))
        return initialised_until_cpp20();
    fix result = uninitialised();
    if (variable->getType().isConstQualified() || variable->getTypeSourceInfo() == nullptr ||
        variable->getTypeSourceInfo()->getType()->getContainedAutoType() != nullptr)
        return result;
    const Expr* initial = variable->getInit();
    SourceRange range = initial->getSourceRange();
    if (const auto* construct_expression = dyn_cast<CXXConstructExpr>(what.expression))
        if (range.getBegin() == variable->getLocation())
            range = construct_expression->getParenOrBraceRange();
    if (range.isInvalid()) return result;
    result.replacements = without_initialiser(range, context);
    return result;
}

fix of_member(const construct& what, const CXXCtorInitializer* initializer,
              const ASTContext& context) {
    const auto* field = initializer != nullptr ? initializer->getMember() : nullptr;
    const auto* record = field != nullptr ? dyn_cast<CXXRecordDecl>(field->getParent()) : nullptr;
    if (record != nullptr &&
        std::any_of(record->ctor_begin(), record->ctor_end(),
                    [&](const auto* each) { return must_initialise(each, context); }))
        return initialised_until_cpp20();
    fix result = uninitialised();
    if (initializer == nullptr || !initializer->isWritten()) {
        result.replacements = without_initialiser(what.expression->getSourceRange(), context);
        return result;
    }
    const SourceRange range = initializer->getSourceRange();
    if (in_macro(range)) return result;
    SourceLocation begin = range.getBegin();
    SourceLocation end = end_of(range.getEnd(), context);
    const auto [after, after_at] = neighbour(end, +1, context);
    const auto [before, before_at] = neighbour(begin, -1, context);
    if (after == ',') {
        end = neighbour(after_at.getLocWithOffset(1), +1, context).second;
    } else if (before == ',' || before == ':') {
        begin = neighbour(before_at, -1, context).second.getLocWithOffset(1);
    } else {
        return result;
    }
    result.replacements.push_back(
        FixItHint::CreateRemoval(CharSourceRange::getCharRange(begin, end)));
    return result;
}

fix of_calloc(const CallExpr* call, const ASTContext& context) {
    fix result{{}, "'malloc' leaves the bytes as they are; keep calloc's check of the product"};
    const auto* reference = dyn_cast<DeclRefExpr>(call->getCallee()->IgnoreImpCasts());
    Expr::EvalResult size;
    if (reference == nullptr || in_macro(call->getSourceRange())) return result;
    const auto is_one = [&](unsigned index) {
        return call->getArg(index)->EvaluateAsInt(size, context) && size.Val.getInt() == 1;
    };
    CharSourceRange removed;
    if (is_one(1))
        removed = CharSourceRange::getCharRange(end_of(call->getArg(0)->getEndLoc(), context),
                                                call->getRParenLoc());
    else if (is_one(0))
        removed = CharSourceRange::getCharRange(call->getArg(0)->getBeginLoc(),
                                                call->getArg(1)->getBeginLoc());
    else
        return result;
    result.advice = "'malloc' leaves the bytes as they are";
    result.replacements = {
        FixItHint::CreateReplacement(
            CharSourceRange::getTokenRange(reference->getNameInfo().getLoc()), "malloc"),
        FixItHint::CreateRemoval(removed)};
    return result;
}

const CXXRecordDecl* container_of(const construct& what) {
    return class_of(
        what.kind == construct_kind::resize
            ? cast<CXXMemberCallExpr>(what.expression)->getImplicitObjectArgument()->getType()
            : what.expression->getType());
}

}  // namespace

bool is_string(const construct& what) {
    return name_of(container_of(what)) == "basic_string";
}

fix fix_for(const construct& what, const VarDecl* variable, const CXXCtorInitializer* initializer,
            const ASTContext& context) {
    switch (what.kind) {
        case construct_kind::make:
            return of_make(cast<CallExpr>(what.expression), context);
        case construct_kind::calloc:
            return of_calloc(cast<CallExpr>(what.expression), context);
        case construct_kind::variable:
            return of_variable(what, variable, context);
        case construct_kind::member:
            return of_member(what, initializer, context);
        case construct_kind::new_object: {
            const auto* expression = cast<CXXNewExpr>(what.expression);
            SourceRange range = expression->getDirectInitRange();
            if (range.isInvalid()) range = expression->getInitializer()->getSourceRange();
            fix result{{}, "without '()' the bytes are left as they are"};
            if (!in_macro(range))
                result.replacements.push_back(
                    FixItHint::CreateRemoval(CharSourceRange::getTokenRange(range)));
            return result;
        }
        case construct_kind::container:
        case construct_kind::resize: {
            if (is_string(what))
                return {{},
                        has_resize_and_overwrite(container_of(what), context)
                            ? "let 'resize_and_overwrite' do the overwriting"
                            : "C++23 has 'resize_and_overwrite'; before, use an array of "
                              "'std::make_unique_for_overwrite'"};
            return {{},
                    "a vector with 'freehold::default_init_allocator', or an array of "
                    "'std::make_unique_for_overwrite', leaves the elements as they are"};
        }
        case construct_kind::emplace_back:
        case construct_kind::emplace:
            return {{},
                    std::string("a constructor with an empty body, '") +
                        "T() {}', leaves the members as they are" + put_back};
    }
    return {};
}

}  // namespace freehold::check
