// SPDX-License-Identifier: BSL-1.0
#include "allocator_fix.hpp"

#include "check/plugin/syntax/names.hpp"
#include "check/plugin/syntax/source_text.hpp"
#include "check/plugin/syntax/syntax.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include <clang/AST/ParentMapContext.h>
#include <clang/AST/StmtCXX.h>
#include <clang/AST/TypeLoc.h>
#include <clang/Basic/FileManager.h>
#include <clang/Lex/HeaderSearch.h>
#include <clang/Lex/Preprocessor.h>

namespace freehold::check {
namespace {

using namespace clang;

/// The innermost expression or statement around an expression that is not only a conversion of it.
struct use {
    const Stmt* around = nullptr;
    const Expr* operand = nullptr;  ///< Its part that contains the expression.
};

use use_of(const Expr* expression, ASTContext& context) {
    const Expr* operand = expression;
    for (;;) {
        const auto above = context.getParents(*operand);
        if (above.size() != 1) return {};
        if (const auto* variable = above[0].get<VarDecl>()) {
            // The variable is the range of a loop.
            const auto outer = context.getParents(*variable);
            const auto* declaration = outer.size() == 1 ? outer[0].get<DeclStmt>() : nullptr;
            if (declaration == nullptr || !variable->isImplicit()) return {};
            const auto loop = context.getParents(*declaration);
            return {loop.size() == 1 ? loop[0].get<CXXForRangeStmt>() : nullptr, operand};
        }
        const auto* part = above[0].get<Stmt>();
        if (part == nullptr) return {};
        const auto* construct = dyn_cast<CXXConstructExpr>(part);
        const bool passes =
            isa<ImplicitCastExpr>(part) || isa<ParenExpr>(part) || isa<ExprWithCleanups>(part) ||
            isa<MaterializeTemporaryExpr>(part) || isa<CXXBindTemporaryExpr>(part) ||
            (construct != nullptr &&
             name_of(construct->getConstructor()->getParent()) == "__normal_iterator");
        if (!passes) return {part, operand};
        operand = cast<Expr>(part);
    }
}

bool names_vector(const Expr* expression, const VarDecl* variable) {
    const auto* name = dyn_cast<DeclRefExpr>(strip(expression)->IgnoreImplicit());
    return name != nullptr && name->getDecl() == variable;
}

bool is_std_template(const FunctionDecl* callee) {
    if (callee == nullptr || callee->getPrimaryTemplate() == nullptr) return false;
    const auto* method = dyn_cast<CXXMethodDecl>(callee);
    return method != nullptr ? method->getParent()->isInStdNamespace() : callee->isInStdNamespace();
}

/// True if an iterator of another type can replace this one: its user is a function template of the
/// library, or the vector itself.
bool any_iterator_will_do(const Expr* iterator, const VarDecl* variable, ASTContext& context) {
    const auto [around, operand] = use_of(iterator, context);
    if (around == nullptr) return false;
    if (const auto* operation = dyn_cast<CXXOperatorCallExpr>(around)) {
        switch (operation->getOperator()) {
            case OO_Star:
            case OO_Subscript:
                return true;
            case OO_Plus:
                return any_iterator_will_do(operation, variable, context);
            case OO_Minus:
                return operation->getType()->isIntegerType() ||
                       any_iterator_will_do(operation, variable, context);
            default:
                return false;
        }
    }
    if (const auto* call = dyn_cast<CXXMemberCallExpr>(around))
        return names_vector(call->getImplicitObjectArgument(), variable) ||
               is_std_template(call->getMethodDecl());
    if (const auto* call = dyn_cast<CallExpr>(around))
        return is_std_template(call->getDirectCallee());
    if (const auto* construct = dyn_cast<CXXConstructExpr>(around))
        return is_std_template(construct->getConstructor());
    return false;
}

/// Whether the use of a vector still works with another allocator.
enum class bearing { well, badly, zeroes };

bearing bearing_of(const DeclRefExpr* reference, const VarDecl* variable, ASTContext& context,
                   const Expr*& zeroing) {
    const auto [around, operand] = use_of(reference, context);
    if (around == nullptr) return bearing::badly;
    const auto is_iterator = [](llvm::StringRef name) {
        constexpr std::array names = {"begin", "end", "cbegin", "cend"};
        return is_one_of(name, names);
    };
    if (isa<CXXForRangeStmt>(around)) return bearing::well;
    if (const auto* member = dyn_cast<MemberExpr>(around)) {
        const auto calls = context.getParents(*member);
        const auto* call = calls.size() == 1 ? calls[0].get<CXXMemberCallExpr>() : nullptr;
        if (call == nullptr || member->isArrow()) return bearing::badly;
        const llvm::StringRef name = name_of(call->getMethodDecl());
        constexpr std::array harmless = {
            "data",      "size",     "empty", "capacity",      "at",    "front", "back", "reserve",
            "push_back", "pop_back", "clear", "shrink_to_fit", "assign"};
        if (is_one_of(name, harmless)) return bearing::well;
        if (is_iterator(name))
            return any_iterator_will_do(call, variable, context) ? bearing::well : bearing::badly;
        const unsigned written = call->getNumArgs();
        if (name == "emplace_back" && written != 0) return bearing::well;
        if (name == "emplace_back" || name == "resize") {
            zeroing = call;
            return bearing::zeroes;
        }
        const bool drops = name == "insert" || name == "erase";
        const auto results = use_of(call, context);
        // The result of these functions is an iterator, which must be unused.
        if (drops && (results.around == nullptr || !isa<Expr>(results.around)))
            return bearing::well;
        return bearing::badly;
    }
    if (const auto* operation = dyn_cast<CXXOperatorCallExpr>(around))
        return operation->getOperator() == OO_Subscript && operation->getArg(0) == operand
                   ? bearing::well
                   : bearing::badly;
    if (const auto* call = dyn_cast<CallExpr>(around)) {
        const std::string name = name_of_callee(call);
        constexpr std::array harmless = {"std::size", "std::ssize", "std::data", "std::empty"};
        if (is_one_of(name, harmless)) return bearing::well;
        const bool is_std = name.compare(0, 5, "std::") == 0;
        if (is_std && call->getNumArgs() == 1 && is_iterator(name_of(call->getDirectCallee())))
            return any_iterator_will_do(call, variable, context) ? bearing::well : bearing::badly;
        return bearing::badly;
    }
    if (const auto* construct = dyn_cast<CXXConstructExpr>(around)) {
        const bool is_span = name_of(construct->getConstructor()->getParent()) == "span";
        return is_span && is_std_template(construct->getConstructor()) ? bearing::well
                                                                       : bearing::badly;
    }
    if (isa<UnaryExprOrTypeTraitExpr>(around)) return bearing::well;
    return bearing::badly;
}

/// The type `std::vector<T>` as the user writes it, with one argument. Null otherwise.
TemplateSpecializationTypeLoc spelled_vector(const VarDecl* variable) {
    const auto* info = variable->getTypeSourceInfo();
    if (info == nullptr) return {};
    TypeLoc where = info->getTypeLoc().getUnqualifiedLoc();
    if (const auto elaborated = where.getAs<ElaboratedTypeLoc>())
        where = elaborated.getNamedTypeLoc();
    const auto result = where.getAs<TemplateSpecializationTypeLoc>();
    if (!result || result.getNumArgs() != 1) return {};
    const auto* named = result.getTypePtr()->getTemplateName().getAsTemplateDecl();
    return named != nullptr && name_of(named) == "vector" ? result
                                                          : TemplateSpecializationTypeLoc();
}

}  // namespace

bool finds_header(Preprocessor& preprocessor, const char* header) {
    const HeaderSearch& search = preprocessor.getHeaderSearchInfo();
    auto& files = preprocessor.getFileManager();
    for (auto each = search.angled_dir_begin(); each != search.search_dir_end(); ++each)
        if (each->isNormalDir() && files.getOptionalFileRef(each->getName().str() + "/" + header))
            return true;
    return false;
}

const VarDecl* resized_variable(const construct& what) {
    if (what.kind != construct_kind::resize) return nullptr;
    const auto* call = cast<CXXMemberCallExpr>(what.expression);
    const auto* name =
        dyn_cast<DeclRefExpr>(strip(call->getImplicitObjectArgument())->IgnoreImplicit());
    return name != nullptr ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
}

std::vector<FixItHint> allocator_fix(const construct& what, const VarDecl* variable,
                                     const FunctionDecl* within, values& names,
                                     const needs_no_zeroes& other, bool with_type) {
    ASTContext& context = names.context();
    if (variable == nullptr || !variable->hasLocalStorage() || isa<ParmVarDecl>(variable) ||
        variable->getType()->isReferenceType() || variable->getType().isConstQualified() ||
        variable->isInitCapture() || within->isTemplateInstantiation())
        return {};
    const auto spelled = spelled_vector(variable);
    if (!spelled || in_macro(spelled.getSourceRange())) return {};
    // The variable is alone in its declaration, so no other variable has this type.
    const auto declarations = context.getParents(*variable);
    const auto* declaration = declarations.size() == 1 ? declarations[0].get<DeclStmt>() : nullptr;
    if (declaration == nullptr || !declaration->isSingleDecl()) return {};
    const Expr* initial = variable->getInit();
    const auto* construction =
        initial != nullptr ? dyn_cast<CXXConstructExpr>(strip(initial)->IgnoreImplicit()) : nullptr;
    if (construction == nullptr || variable->getInitStyle() == VarDecl::CInit) {
        const bool is_empty = construction != nullptr && construction->getNumArgs() == 0;
        if (!is_empty) return {};
    }
    // `vector(n)` zeroes. `vector(n, value)` and `vector(first, last)` write the values of their
    // arguments.
    const std::vector<const Expr*> written = written_arguments(construction);
    if (written.size() == 1 && written[0]->getType()->isIntegerType() &&
        construction != what.expression && !other(construction))
        return {};
    if (written.size() == 1 && !written[0]->getType()->isIntegerType() &&
        !construction->isStdInitListInitialization())
        return {};  // A copy of another vector.

    const function_names used = names_of(within);
    if (used.copied.count(variable) != 0) return {};
    for (const DeclRefExpr* each : used.references) {
        if (each->getDecl() != variable) continue;
        const Expr* zeroing = nullptr;
        switch (bearing_of(each, variable, context, zeroing)) {
            case bearing::well:
                break;
            case bearing::badly:
                return {};
            case bearing::zeroes: {
                const auto* call = cast<CXXMemberCallExpr>(zeroing);
                const bool writes_value =
                    call->getNumArgs() == 2 && !isa<CXXDefaultArgExpr>(call->getArg(1));
                if (zeroing != what.expression && !writes_value && !other(zeroing)) return {};
                break;
            }
        }
    }

    std::vector<FixItHint> result;
    if (with_type) {
        // Clang's range of `const T*` begins after `const`.
        const SourceLocation begin = spelled.getLAngleLoc().getLocWithOffset(1);
        if (in_macro({begin, spelled.getRAngleLoc()})) return {};
        const std::string text =
            text_of(CharSourceRange::getCharRange(begin, spelled.getRAngleLoc()), context);
        if (text.empty()) return {};
        result.push_back(FixItHint::CreateInsertion(
            spelled.getRAngleLoc(), ", freehold::default_init_allocator<" + text + ">"));
    }
    std::vector<const Expr*> arguments;
    if (const auto* call = dyn_cast<CXXMemberCallExpr>(what.expression))
        arguments.assign(call->arg_begin(), call->arg_end());
    else
        arguments.assign(construction->arg_begin(), construction->arg_end());
    if (arguments.size() >= 2 && !isa<CXXDefaultArgExpr>(arguments[1])) {
        if (in_macro(arguments[0]->getSourceRange()) || in_macro(arguments[1]->getSourceRange()) ||
            arguments[1]->HasSideEffects(context))
            return {};
        result.push_back(FixItHint::CreateRemoval(
            CharSourceRange::getCharRange(end_of(arguments[0]->getEndLoc(), context),
                                          end_of(arguments[1]->getEndLoc(), context))));
    }
    return result;
}

}  // namespace freehold::check
