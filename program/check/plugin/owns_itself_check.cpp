// SPDX-License-Identifier: BSL-1.0
#include "owns_itself_check.hpp"

#include "clang_version.hpp"
#include "names.hpp"
#include "owning_handles.hpp"
#include "source_text.hpp"
#include "syntax.hpp"

#include <algorithm>
#include <array>

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/ASTMatchers/ASTMatchFinder.h>
#include <clang/Basic/SourceManager.h>

namespace freehold::check {
namespace {

using namespace clang;

constexpr int deepest_object = 12;

const Expr* receiver_of(const Expr* call) {
    if (const auto* member = dyn_cast<CXXMemberCallExpr>(call))
        return member->getImplicitObjectArgument();
    const auto* operation = dyn_cast<CXXOperatorCallExpr>(call);
    const bool is_member =
        operation != nullptr && isa_and_nonnull<CXXMethodDecl>(operation->getDirectCallee());
    return is_member ? operation->getArg(0) : nullptr;
}

const Expr* argument_of(const Expr* call, unsigned index) {
    if (const auto* construct = dyn_cast<CXXConstructExpr>(call))
        return index < construct->getNumArgs() ? construct->getArg(index) : nullptr;
    const auto* plain = cast<CallExpr>(call);
    if (isa<CXXOperatorCallExpr>(call) && receiver_of(call) != nullptr) ++index;
    return index < plain->getNumArgs() ? plain->getArg(index) : nullptr;
}

bool is_assignment(const Expr* expression) {
    if (const auto* binary = dyn_cast<BinaryOperator>(expression))
        return binary->getOpcode() == BO_Assign;
    const auto* operation = dyn_cast<CXXOperatorCallExpr>(expression);
    return operation != nullptr && operation->getOperator() == OO_Equal &&
           operation->getNumArgs() == 2;
}

const Expr* side_of(const Expr* assignment, unsigned index) {
    if (const auto* binary = dyn_cast<BinaryOperator>(assignment))
        return index == 0 ? binary->getLHS() : binary->getRHS();
    return cast<CXXOperatorCallExpr>(assignment)->getArg(index);
}

const VarDecl* variable_named(const Expr* expression) {
    const auto* name =
        expression != nullptr ? dyn_cast<DeclRefExpr>(strip_casts(expression)) : nullptr;
    return name != nullptr ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
}

/// The member of the template for a member of its instantiation.
const FieldDecl* as_written(const FieldDecl* field) {
    const auto* record = dyn_cast<CXXRecordDecl>(field->getParent());
    const auto* pattern = record != nullptr ? record->getTemplateInstantiationPattern() : nullptr;
    if (pattern != nullptr)
        for (const FieldDecl* each : pattern->fields())
            if (each->getFieldIndex() == field->getFieldIndex()) return each;
    return field;
}

/// True for `nullptr`, `{}`, `T()`, and a lambda that does nothing.
bool is_empty_value(const Expr* value) {
    if (const auto* standard = dyn_cast<CXXDefaultArgExpr>(value)) value = standard->getExpr();
    value = strip_casts(value);
    if (const auto* list = dyn_cast<InitListExpr>(value)) return list->getNumInits() == 0;
    if (const auto* lambda = dyn_cast<LambdaExpr>(value))
        return lambda->capture_size() == 0 && lambda->getBody()->children().empty();
    if (const auto* construct = dyn_cast<CXXConstructExpr>(value))
        return construct->getNumArgs() == 0 || isa<CXXDefaultArgExpr>(construct->getArg(0)) ||
               is_empty_value(construct->getArg(0));
    return isa<CXXNullPtrLiteralExpr, GNUNullExpr, CXXScalarValueInitExpr>(value);
}

bool is_moving(llvm::StringRef name) {
    return name == "move" || name == "swap" || name == "exchange";
}

/// True if the statement takes from the handle what it owns.
bool lets_go(const Stmt* part, const VarDecl* handle) {
    if (part == nullptr) return false;
    if (const auto* member = dyn_cast<CXXMemberCallExpr>(part)) {
        const auto* method = member->getMethodDecl();
        if (method != nullptr && !method->isConst() && variable_named(receiver_of(member)) == handle)
            return true;
    } else if (const auto* expression = dyn_cast<Expr>(part);
               expression != nullptr && is_assignment(expression)) {
        if (variable_named(side_of(expression, 0)) == handle) return true;
    } else if (const auto* call = dyn_cast<CallExpr>(part)) {
        if (is_moving(name_of(call->getDirectCallee())))
            for (const Expr* each : call->arguments())
                if (variable_named(each) == handle) return true;
    }
    return llvm::any_of(part->children(), [&](const Stmt* each) { return lets_go(each, handle); });
}

/// True if something other than the callable gets the handle or a copy of it.
bool is_given_away(const Stmt* part, const VarDecl* handle, const Stmt* callable) {
    if (part == nullptr || part == callable) return false;
    if (const auto* operation = dyn_cast<CXXOperatorCallExpr>(part))
        if (variable_named(operation->getArg(0)) == handle) return false;
    if (const auto* name = dyn_cast<DeclRefExpr>(part)) return name->getDecl() == handle;
    return llvm::any_of(part->children(), [&](const Stmt* each) {
        return is_given_away(each, handle, callable);
    });
}

/// True if the function takes whatever it gets, as `T&&`.
bool forwards(const FunctionDecl* callee, unsigned index) {
    const FunctionDecl* pattern = callee->getTemplateInstantiationPattern();
    if (pattern == nullptr) return false;
    index = std::min(index, pattern->getNumParams() - 1);
    QualType type = pattern->getParamDecl(index)->getType();
    if (const auto* pack = type->getAs<PackExpansionType>()) type = pack->getPattern();
    return type->isRValueReferenceType() && type->getPointeeType()->isTemplateTypeParmType();
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

bool owns_itself_check::is_of_library(const Decl* declaration) const {
    if (declaration == nullptr || is_in_system_header(declaration, *context_)) return true;
    const std::string name = qualified_name(dyn_cast<NamedDecl>(declaration));
    return llvm::any_of(std::array{"std::", "boost::", "freehold::"},
                        [&](const char* each) { return name.rfind(each, 0) == 0; });
}

bool owns_itself_check::has_library_type(const Expr* expression) const {
    const auto* record = expression->getType().getNonReferenceType()->getAsCXXRecordDecl();
    return record != nullptr && is_of_library(record);
}

/// The definition of a function of the project that is certainly the one that is called.
const FunctionDecl* owns_itself_check::visible(const FunctionDecl* callee) const {
    const FunctionDecl* definition = nullptr;
    if (callee == nullptr || !callee->hasBody(definition) || is_of_library(definition))
        return nullptr;
    const auto* method = dyn_cast<CXXMethodDecl>(definition);
    if (method != nullptr && (method->getParent()->isLambda() || may_be_overridden(*method)))
        return nullptr;
    return definition;
}

std::optional<owns_itself_check::object> owns_itself_check::object_of(const Expr* expression,
                                                                      precision how, int depth) {
    if (expression == nullptr || depth > deepest_object) return std::nullopt;
    expression = strip_casts(expression);
    if (isa<CXXThisExpr>(expression)) return object{};
    if (const auto* name = dyn_cast<DeclRefExpr>(expression)) {
        const auto* variable = dyn_cast<VarDecl>(name->getDecl());
        return variable != nullptr ? object_of_variable(variable, how, depth + 1) : std::nullopt;
    }
    if (const auto* member = dyn_cast<MemberExpr>(expression)) {
        if (const auto* variable = dyn_cast<VarDecl>(member->getMemberDecl()))
            return object_of_variable(variable, how, depth + 1);
        const auto* field = dyn_cast<FieldDecl>(member->getMemberDecl());
        auto result = object_of(member->getBase(), how, depth + 1);
        if (!result || field == nullptr) return std::nullopt;
        if (!is_of_library(field)) result->members.push_back(field);
        return result;
    }
    if (const auto* unary = dyn_cast<UnaryOperator>(expression)) {
        const bool leads = unary->getOpcode() == UO_Deref || unary->getOpcode() == UO_AddrOf;
        return leads ? object_of(unary->getSubExpr(), how, depth + 1) : std::nullopt;
    }
    if (const auto* element = dyn_cast<ArraySubscriptExpr>(expression))
        return how == precision::container ? object_of(element->getBase(), how, depth + 1)
                                           : std::nullopt;
    if (const auto* construct = dyn_cast<CXXConstructExpr>(expression)) {
        const auto arguments = written_arguments(construct);
        const bool is_copy = arguments.size() == 1 || owning_handle_of(construct->getType());
        return is_copy && !arguments.empty() && has_library_type(construct) &&
                       has_library_type(arguments[0])
                   ? object_of(arguments[0], how, depth + 1)
                   : std::nullopt;
    }
    const auto* call = dyn_cast<CallExpr>(expression);
    return call != nullptr ? object_of_call(call, how, depth) : std::nullopt;
}

std::optional<owns_itself_check::object> owns_itself_check::object_of_variable(
    const VarDecl* variable, precision how, int depth) {
    variable = variable->getCanonicalDecl();
    const QualType type = variable->getType();
    const bool leads = type->isReferenceType() || type->isPointerType() ||
                       owning_handle_of(type) != nullptr || is_iterator(type);
    if (leads && !isa<ParmVarDecl>(variable) && variable->isLocalVarDecl() &&
        variable->getInit() != nullptr &&
        (type->isReferenceType() || is_iterator(type) ||
         changed_.find(variable) == changed_.end()))
        if (auto result = object_of(variable->getInit(), how, depth)) return result;
    return object{variable, {}};
}

std::optional<owns_itself_check::object> owns_itself_check::object_of_call(const CallExpr* call,
                                                                           precision how,
                                                                           int depth) {
    const FunctionDecl* callee = call->getDirectCallee();
    const llvm::StringRef name = name_of(callee);
    const Expr* receiver = receiver_of(call);
    if (name == "shared_from_this") return object_of(receiver, how, depth + 1);
    if (receiver == nullptr && call->getNumArgs() != 0 &&
        (is_passed_through(call) || is_casting(name)))
        return object_of(call->getArg(0), how, depth + 1);
    if (receiver != nullptr && is_of_library(callee)) {
        const auto* operation = dyn_cast<CXXOperatorCallExpr>(call);
        const bool leads = operation != nullptr && (operation->getOperator() == OO_Star ||
                                                    operation->getOperator() == OO_Arrow);
        const bool is_one = leads_to_one_object(receiver->IgnoreImpCasts()->getType()) &&
                            (leads || name == "get" || name == "value");
        const bool is_element = operation != nullptr
                                    ? leads || operation->getOperator() == OO_Subscript
                                    : is_element_access(name);
        return is_one || (is_element && how == precision::container)
                   ? object_of(receiver, how, depth + 1)
                   : std::nullopt;
    }
    const FunctionDecl* definition = visible(callee);
    if (definition == nullptr) return std::nullopt;
    const QualType returned = definition->getReturnType();
    const auto* body = dyn_cast<CompoundStmt>(definition->getBody());
    if (body == nullptr || body->size() != 1 ||
        !(returned->isReferenceType() || returned->isPointerType() || owning_handle_of(returned)))
        return std::nullopt;
    const auto* last = dyn_cast<ReturnStmt>(body->body_back());
    const auto inner =
        last != nullptr ? object_of(last->getRetValue(), how, depth + 1) : std::nullopt;
    return inner ? in_caller(*inner, call, how, depth + 1) : std::nullopt;
}

std::optional<owns_itself_check::object> owns_itself_check::in_caller(const object& inner,
                                                                      const Expr* call,
                                                                      precision how, int depth) {
    if (inner.root != nullptr && !inner.root->hasLocalStorage()) return inner;
    const auto* parameter = dyn_cast_or_null<ParmVarDecl>(inner.root);
    if (inner.root != nullptr && parameter == nullptr) return std::nullopt;
    const Expr* from = parameter != nullptr
                           ? argument_of(call, parameter->getFunctionScopeIndex())
                           : receiver_of(call);
    auto result = object_of(from, how, depth + 1);
    if (result)
        result->members.insert(result->members.end(), inner.members.begin(), inner.members.end());
    return result;
}

/// The object that keeps what is assigned. An element stands for its container.
std::optional<owns_itself_check::object> owns_itself_check::target_of(const Expr* expression) {
    for (;;) {
        expression = strip_casts(expression);
        const auto* operation = dyn_cast<CXXOperatorCallExpr>(expression);
        const auto* call = dyn_cast<CXXMemberCallExpr>(expression);
        const bool is_element =
            operation != nullptr
                ? operation->getOperator() == OO_Subscript
                : call != nullptr && is_element_access(name_of(call->getDirectCallee())) &&
                      !leads_to_one_object(receiver_of(call)->IgnoreImpCasts()->getType());
        if (!is_element || receiver_of(expression) == nullptr ||
            !has_library_type(receiver_of(expression)))
            return object_of(expression, precision::exact);
        expression = receiver_of(expression);
    }
}

void owns_itself_check::add_captured(const LambdaExpr* lambda, std::vector<owner>& to, int depth) {
    for (const LambdaCapture& each : lambda->captures()) {
        if (!is_copy(each)) continue;
        const auto* variable = dyn_cast<VarDecl>(each.getCapturedVar());
        if (variable == nullptr) continue;
        const bool is_new = variable->isInitCapture();
        if (owning_handle_of(variable->getType()) == nullptr) {
            if (is_new)
                add_owners(variable->getInit(), to, depth + 1);
            else if (isa<ParmVarDecl>(variable))
                to.push_back({{variable->getCanonicalDecl(), {}}, {}, nullptr, {}, nullptr});
            else if (variable->isLocalVarDecl() && changed_.find(variable) == changed_.end())
                add_owners(variable->getInit(), to, depth + 1);
            continue;
        }
        const auto of = is_new ? object_of(variable->getInit(), precision::exact)
                               : object_of_variable(variable, precision::exact);
        if (!of || (lambda->isMutable() && lets_go(lambda->getBody(), variable))) continue;
        const SourceLocation begin = each.getLocation();
        to.push_back({*of, variable->getType(), lambda,
                      {begin, is_new ? variable->getInit()->getEndLoc() : begin}, variable});
    }
}

/// Adds what the constructor stores of its arguments in the new object.
void owns_itself_check::add_constructed(const Expr* creation,
                                        const CXXConstructorDecl* constructor,
                                        std::vector<owner>& to, int depth) {
    const auto arguments = written_arguments(creation);
    const auto* record = constructor->getParent();
    if (!keeps_its_objects(creation->getType()) && is_of_library(record)) return;
    if (is_of_library(record) || constructor->isCopyOrMoveConstructor() ||
        (arguments.size() == 1 && isa<LambdaExpr>(strip_casts(arguments[0])))) {
        for (const Expr* each : arguments) add_owners(each, to, depth + 1);
        return;
    }
    if (visible(constructor) == nullptr) return;
    const std::vector<store> all = stores_of(visible(constructor));
    for (const store& one : all)
        for (const owner& each : one.owners)
            if (const auto* parameter = dyn_cast_or_null<ParmVarDecl>(each.of.root);
                one.target.root == nullptr && parameter != nullptr && each.callable == nullptr)
                add_owners(argument_of(creation, parameter->getFunctionScopeIndex()), to,
                           depth + 1);
}

void owns_itself_check::add_owners(const Expr* value, std::vector<owner>& to, int depth) {
    if (value == nullptr || depth > deepest_object || value->isTypeDependent()) return;
    value = strip_casts(value);
    if (const auto* lambda = dyn_cast<LambdaExpr>(value)) return add_captured(lambda, to, depth);
    if (owning_handle_of(value->getType()) != nullptr)
        if (auto of = object_of(value, precision::exact)) {
            to.push_back({*of, value->getType(), nullptr, value->getSourceRange(), nullptr});
            return;
        }
    if (const auto* list = dyn_cast<InitListExpr>(value)) {
        for (const Expr* each : list->inits()) add_owners(each, to, depth + 1);
    } else if (const auto* construct = dyn_cast<CXXConstructExpr>(value)) {
        add_constructed(construct, construct->getConstructor(), to, depth);
    } else if (const auto* creation = dyn_cast<CXXNewExpr>(value)) {
        add_owners(creation->getConstructExpr(), to, depth + 1);
    } else if (const VarDecl* variable = variable_named(value)) {
        if (isa<ParmVarDecl>(variable))
            to.push_back({{variable->getCanonicalDecl(), {}}, {}, nullptr, {}, nullptr});
        else if (variable->isLocalVarDecl() && changed_.find(variable) == changed_.end())
            add_owners(variable->getInit(), to, depth + 1);
    } else if (const auto* call = dyn_cast<CallExpr>(value)) {
        const llvm::StringRef name = name_of(call->getDirectCallee());
        if (is_passed_through(call)) return add_owners(call->getArg(0), to, depth + 1);
        if (is_binding(name)) {
            const std::size_t before = to.size();
            for (const Expr* each : call->arguments()) add_owners(each, to, depth + 1);
            for (std::size_t i = before; i < to.size(); ++i)
                if (to[i].callable == nullptr && !to[i].handle.isNull()) to[i].callable = call;
        } else if (is_making(name) && !call->getType()->isDependentType()) {
            const auto* made = class_of(first_type_argument(call->getType()));
            if (made == nullptr || is_of_library(made))
                for (const Expr* each : call->arguments()) add_owners(each, to, depth + 1);
            else if (made->hasDefinition())
                for (const CXXConstructorDecl* each : made->ctors())
                    if (each->getNumParams() == call->getNumArgs() &&
                        !each->isCopyOrMoveConstructor())
                        return add_constructed(call, each, to, depth);
        }
    }
}

void owns_itself_check::add_store(const Expr* target, const std::vector<const Expr*>& values,
                                  bool replaces, const Expr* at, std::vector<store>& to) {
    store result{{}, owning_handle_of(target->getType()) != nullptr, replaces, at, {}};
    for (const Expr* each : values) add_owners(each, result.owners);
    if (result.owners.empty()) return;
    const auto keeper = target_of(target);
    if (!keeper) return;
    result.target = *keeper;
    to.push_back(std::move(result));
}

void owns_itself_check::add_stored_by_callee(const CallExpr* call, std::vector<store>& to) {
    const FunctionDecl* definition = visible(call->getDirectCallee());
    if (definition == nullptr) return;
    const std::vector<store> all = stores_of(definition);
    for (const store& inner : all) {
        if (own_owner(inner) != nullptr) continue;
        const auto target = in_caller(inner.target, call, precision::exact);
        if (!target) continue;
        store outer{*target, inner.in_handle, inner.replaces, inner.at, {}};
        for (const owner& each : inner.owners) {
            const auto* parameter = dyn_cast_or_null<ParmVarDecl>(each.of.root);
            if (parameter != nullptr && each.callable == nullptr && each.of.members.empty()) {
                add_owners(argument_of(call, parameter->getFunctionScopeIndex()), outer.owners);
            } else if (const auto of = in_caller(each.of, call, precision::exact)) {
                outer.owners.push_back(each);
                outer.owners.back().of = *of;
                outer.owners.back().is_written_here = false;
            }
        }
        if (!outer.owners.empty()) to.push_back(std::move(outer));
    }
}

const std::vector<owns_itself_check::store>& owns_itself_check::stores_of(
    const FunctionDecl* function) {
    const auto [found, is_new] = stores_.try_emplace(function);
    if (!is_new) return found->second;
    std::vector<store> all;
    if (const auto* constructor = dyn_cast<CXXConstructorDecl>(function))
        for (const CXXCtorInitializer* each : constructor->inits()) {
            store one{{nullptr, {}}, true, true, each->getInit(), {}};
            if (each->getMember() != nullptr) one.target.members.push_back(each->getMember());
            add_owners(each->getInit(), one.owners);
            if (!one.owners.empty()) all.push_back(std::move(one));
        }
    add_stores(function->getBody(), all);
    return stores_[function] = std::move(all);
}

void owns_itself_check::add_stores(const Stmt* part, std::vector<store>& to) {
    if (part == nullptr) return;
    for (const Stmt* each : part->children()) add_stores(each, to);
    const auto* expression = dyn_cast<Expr>(part);
    if (expression == nullptr || expression->isTypeDependent()) return;
    if (is_assignment(expression))
        return add_store(side_of(expression, 0), {side_of(expression, 1)}, true, expression, to);
    const auto* call = dyn_cast<CallExpr>(expression);
    if (call == nullptr) return;
    if (isa<CXXMemberCallExpr>(call) && is_of_library(call->getDirectCallee())) {
        if (is_storing(name_of(call->getDirectCallee())))
            add_store(receiver_of(call), written_arguments(call), false, call, to);
        return;
    }
    add_stored_by_callee(call, to);
}

void owns_itself_check::add_changed_variables(const Stmt* part) {
    if (part == nullptr) return;
    const Expr* changed = nullptr;
    const auto* expression = dyn_cast<Expr>(part);
    if (expression != nullptr && is_assignment(expression)) changed = side_of(expression, 0);
    if (const auto* unary = dyn_cast<UnaryOperator>(part))
        if (unary->isIncrementDecrementOp() || unary->getOpcode() == UO_AddrOf)
            changed = unary->getSubExpr();
    if (const auto* call = dyn_cast<CXXMemberCallExpr>(part))
        if (call->getMethodDecl() != nullptr && !call->getMethodDecl()->isConst())
            changed = receiver_of(call);
    if (changed != nullptr)
        if (const auto* name = dyn_cast<DeclRefExpr>(strip(changed)))
            if (const auto* variable = dyn_cast<VarDecl>(name->getDecl()))
                changed_.insert(variable->getCanonicalDecl());
    for (const Stmt* each : part->children()) add_changed_variables(each);
}

void owns_itself_check::release(const object& changed) {
    const bool is_own = changed.root == nullptr && changed.members.size() == 1;
    // A constructor has nothing to release, and a ring keeps the destructor from running.
    if (is_own && isa<CXXConstructorDecl, CXXDestructorDecl>(current_)) return;
    if (!changed.members.empty()) released_.insert(as_written(changed.members.back()));
}

void owns_itself_check::release(const Expr* changed) {
    if (changed == nullptr) return;
    const auto of = object_of(changed, precision::container);
    if (!of) return;
    release(*of);
    if (of->members.empty() && of->root != nullptr &&
        owning_handle_of(changed->getType()) == nullptr)
        released_.insert(of->root);
}

void owns_itself_check::release_by_assignment(const Expr* target, const Expr* value) {
    if (is_empty_value(value)) return release(target);
    if (value->isTypeDependent() || leads_to_one_object(target->getType())) return;
    store assigned{{}, false, true, nullptr, {}};
    add_owners(value, assigned.owners);
    if (const auto of = target_of(target)) assigned.target = *of;
    const bool is_given = llvm::any_of(assigned.owners, [](const owner& each) {
        return each.callable == nullptr && isa_and_nonnull<ParmVarDecl>(each.of.root);
    });
    if (!is_given && own_owner(assigned) == nullptr) release(target);
}

void owns_itself_check::add_releases_of_call(const CallExpr* call) {
    const FunctionDecl* callee = call->getDirectCallee();
    if (callee == nullptr) {  // In a template that is not instantiated.
        const Expr* named = call->getCallee()->IgnoreImpCasts();
        if (const auto* member = dyn_cast<CXXDependentScopeMemberExpr>(named)) {
            const std::string name = member->getMember().getAsString();
            if (!member->isImplicitAccess() && !is_storing(name) && !is_reading(name))
                release(member->getBase());
        } else if (const auto* lookup = dyn_cast<UnresolvedLookupExpr>(named)) {
            if (is_moving(lookup->getName().getAsString()))
                for (const Expr* each : call->arguments()) release(each);
        }
        return;
    }
    const llvm::StringRef name = name_of(callee);
    const auto* method = dyn_cast<CXXMethodDecl>(callee);
    if (isa<CXXMemberCallExpr>(call) && method != nullptr && !method->isConst() &&
        is_of_library(method) && !is_storing(name) && !is_reading(name))
        release(receiver_of(call));
    const FunctionDecl* definition = visible(callee);
    for (const ParmVarDecl* each : callee->parameters()) {
        const unsigned index = each->getFunctionScopeIndex();
        const Expr* argument = argument_of(call, index);
        const QualType type = each->getType();
        if (argument == nullptr || !type->isReferenceType() ||
            type->getPointeeType().isConstQualified() || is_reading(name))
            continue;
        if (is_moving(name) || (!forwards(callee, index) && !argument->isXValue() &&
                                (has_library_type(argument) || !callee->hasBody())))
            release(argument);
    }
    if (definition == nullptr) return;
    const std::vector<store> all = stores_of(definition);
    for (const store& one : all)
        for (const owner& each : one.owners)
            if (const auto* parameter = dyn_cast_or_null<ParmVarDecl>(each.of.root);
                one.replaces && parameter != nullptr && each.callable == nullptr) {
                const Expr* value = argument_of(call, parameter->getFunctionScopeIndex());
                if (value != nullptr && is_empty_value(value)) release(one.target);
            }
}

void owns_itself_check::add_releases(const Stmt* part) {
    if (part == nullptr) return;
    if (const auto* expression = dyn_cast<Expr>(part);
        expression != nullptr && is_assignment(expression))
        release_by_assignment(side_of(expression, 0), side_of(expression, 1));
    else if (const auto* call = dyn_cast<CallExpr>(part))
        add_releases_of_call(call);
    else if (const auto* unary = dyn_cast<UnaryOperator>(part);
             unary != nullptr && unary->getOpcode() == UO_AddrOf &&
             has_library_type(unary->getSubExpr()))
        release(unary->getSubExpr());
    for (const Stmt* each : part->children()) add_releases(each);
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

/// True if the member may let go of what it has, as far as the file tells.
bool owns_itself_check::may_end(const FieldDecl* member) const {
    if (!keeps_its_objects(member->getType()) ||
        released_.find(as_written(member)) != released_.end())
        return true;
    const auto* record = dyn_cast<CXXRecordDecl>(member->getParent());
    if (record == nullptr || is_of_library(record)) return true;
    return llvm::any_of(record->decls(), [](const Decl* each) {
        const auto* method = dyn_cast<CXXMethodDecl>(each);
        if (const auto* general = dyn_cast<FunctionTemplateDecl>(each))
            method = dyn_cast<CXXMethodDecl>(general->getTemplatedDecl());
        if (method == nullptr || method->isImplicit() || method->isDefaulted() ||
            method->isDeleted() || method->isConst() || is_pure(*method) ||
            isa<CXXConstructorDecl, CXXDestructorDecl>(method))
            return false;
        const FunctionDecl* pattern = method->getTemplateInstantiationPattern();
        return !method->hasBody() && (pattern == nullptr || !pattern->hasBody());
    });
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
    const SourceLocation where =
        context_->getSourceManager().getFileLoc(by->written.getBegin());
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
    const bool has_other_owner =
        root == nullptr || isa<ParmVarDecl>(root) || !by.of.members.empty() ||
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
    const std::string keeper =
        between.empty() ? "*" + owned : name_of_object(nullptr, between);
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
