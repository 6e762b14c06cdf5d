// SPDX-License-Identifier: BSL-1.0
#include "side_effects.hpp"

#include "check/plugin/syntax/clang_version.hpp"
#include "check/plugin/syntax/syntax.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <clang/AST/DeclTemplate.h>

namespace freehold::check {
namespace {

using namespace clang;

const Type* plain_type(QualType type) {
    return type.getNonReferenceType().getCanonicalType().getTypePtr();
}

/// The type of what the path names. Null if it is not known.
const Type* type_of(const path& named) {
    if (named.members.empty()) {
        const VarDecl* variable = variable_of(named);
        return variable != nullptr ? plain_type(variable->getType()) : nullptr;
    }
    const step& last = named.members.back();
    if (last.field != nullptr) return plain_type(last.field->getType());
    path whole = named;
    whole.members.pop_back();
    const Type* outer = type_of(whole);
    if (outer == nullptr) return nullptr;
    if (outer->isPointerType()) return plain_type(outer->getPointeeType());
    if (const auto* array = outer->getAsArrayTypeUnsafe())
        return plain_type(array->getElementType());
    return nullptr;
}

bool is_callable(QualType type) {
    type = type.getNonReferenceType();
    if (type->isFunctionPointerType() || type->isFunctionType() || type->isMemberPointerType())
        return true;
    return name_of(type->getAsCXXRecordDecl()) == "function";
}

/// True for a class or a function of a library by which threads wait for one another, or tell one
/// another something. Another thread may then read and change what is shared.
bool lets_others_run(const Decl* of) {
    constexpr std::array classes = {"mutex",
                                    "recursive_mutex",
                                    "timed_mutex",
                                    "recursive_timed_mutex",
                                    "shared_mutex",
                                    "shared_timed_mutex",
                                    "lock_guard",
                                    "unique_lock",
                                    "scoped_lock",
                                    "shared_lock",
                                    "condition_variable",
                                    "condition_variable_any",
                                    "thread",
                                    "jthread",
                                    "future",
                                    "shared_future",
                                    "promise",
                                    "packaged_task",
                                    "counting_semaphore",
                                    "latch",
                                    "barrier",
                                    "atomic",
                                    "atomic_ref",
                                    "atomic_flag"};
    constexpr std::array functions = {
        "call_once", "async",      "yield",     "sleep_for", "sleep_until", "sched_yield",
        "sleep",     "usleep",     "nanosleep", "poll",      "ppoll",       "select",
        "pselect",   "epoll_wait", "wait",      "waitpid",   "syscall"};
    constexpr std::array readers = {"load", "test", "operator bool", "joinable", "get_id", "valid"};
    const auto* method = dyn_cast<CXXMethodDecl>(of);
    const auto* record = dyn_cast<CXXRecordDecl>(of);
    if (method != nullptr) {
        if (is_one_of(method->getDeclName().getAsString(), readers)) return false;
        record = method->getParent();
    }
    if (record != nullptr)
        return is_one_of(name_of(record), classes) ||
               view_of(name_of(record)).starts_with("__atomic");
    const llvm::StringRef name = name_of(dyn_cast<NamedDecl>(of));
    constexpr std::array prefixes = {"pthread_", "sem_", "mtx_", "cnd_", "atomic_"};
    return is_one_of(name, functions) ||
           std::any_of(prefixes.begin(), prefixes.end(),
                       [&](const char* each) { return view_of(name).starts_with(each); });
}

/// True for a byte that belongs to no known object. It may be part of an object of any type.
bool is_byte_behind_pointer(const Expr* target) {
    const QualType type = target->getType();
    const auto* number = type->getAs<EnumType>();
    const bool is_std_byte = number != nullptr && number->isStdByteType();
    if (!type->isCharType() && !is_std_byte) return false;
    if (const auto* element = dyn_cast<ArraySubscriptExpr>(target))
        return !strip_casts(element->getBase())->getType()->isArrayType();
    const auto* dereference = dyn_cast<UnaryOperator>(target);
    return dereference != nullptr && dereference->getOpcode() == UO_Deref;
}

void add_target(const Expr* target, side_effect& to) {
    target = strip_casts(target);
    if (const auto* name = dyn_cast<DeclRefExpr>(target)) {
        const auto* variable = dyn_cast<VarDecl>(name->getDecl());
        if (variable == nullptr) return;
        if (variable->getType()->isReferenceType())
            to.targets.insert(plain_type(variable->getType()));
        else
            to.names.insert(variable->getCanonicalDecl());
        if (variable->hasGlobalStorage()) to.parts.insert(plain_type(variable->getType()));
    } else if (const auto* member = dyn_cast<MemberExpr>(target)) {
        if (member->getMemberDecl()->getType()->isReferenceType())
            to.targets.insert(plain_type(member->getMemberDecl()->getType()));
        else
            to.names.insert(cast<ValueDecl>(member->getMemberDecl()->getCanonicalDecl()));
        to.parts.insert(plain_type(member->getType()));
    } else {
        to.targets.insert(plain_type(target->getType()));
        to.bytes = to.bytes || is_byte_behind_pointer(target);
    }
}

/// The object itself may have other names: references, or pointers to it.
void add_object(const Expr* object, side_effect& to) {
    object = strip_casts(object);
    const QualType type = object->getType();
    const auto* name = dyn_cast<DeclRefExpr>(object);
    const auto* variable = name != nullptr ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
    if (type->isPointerType())
        to.objects.insert(plain_type(type->getPointeeType()));
    else if (variable != nullptr && variable->hasLocalStorage() &&
             !variable->getType()->isReferenceType())
        to.names.insert(variable->getCanonicalDecl());
    else
        to.objects.insert(plain_type(type));
}

struct collector {
    const ASTContext& context;
    side_effect& own;
    std::set<const FunctionDecl*>& called;

    /// True if another class may bring the function that is called. Those of libraries are known.
    [[nodiscard]] bool is_dispatched(const FunctionDecl* callee) const {
        const auto* method = dyn_cast_or_null<CXXMethodDecl>(callee);
        return method != nullptr && method->isVirtual() && !method->hasAttr<FinalAttr>() &&
               !is_in_system_header(method, context);
    }

    void call(const FunctionDecl* callee, bool is_virtual) {
        const FunctionDecl* body = nullptr;
        if (callee == nullptr || is_virtual) {
            own.anything = true;
            own.throws = own.throws || callee == nullptr || !is_noexcept(callee);
        } else if (is_in_system_header(callee, context) || callee->getBuiltinID() != 0 ||
                   callee->isImplicit() || callee->isDefaulted() || callee->hasAttr<PureAttr>() ||
                   callee->hasAttr<ConstAttr>()) {
            own.anything = own.anything || lets_others_run(callee);
        } else if (callee->hasBody(body)) {
            called.insert(body);
        } else {
            own.anything = true;
            own.throws = own.throws || !(callee->isExternC() || is_noexcept(callee));
        }
    }

    /// The destructors of an object's class, its members and its bases, and of the elements of the
    /// library's containers and pointers.
    // NOLINTNEXTLINE(misc-no-recursion): `seen` ends it.
    void end_of(QualType type, std::set<const CXXRecordDecl*>& seen) {
        const auto* record = context.getBaseElementType(type)->getAsCXXRecordDecl();
        if (record == nullptr || !seen.insert(record->getCanonicalDecl()).second) return;
        if (!record->hasDefinition()) {
            own.anything = own.throws = true;
            return;
        }
        record = record->getDefinition();
        const auto* destructor = record->getDestructor();
        if (destructor == nullptr || destructor->isTrivial()) return;
        if (is_in_system_header(record, context)) {
            own.anything = own.anything || lets_others_run(record);
            const auto* special = dyn_cast<ClassTemplateSpecializationDecl>(record);
            if (special == nullptr) return;
            for (const TemplateArgument& each : special->getTemplateArgs().asArray()) {
                if (each.getKind() == TemplateArgument::Pack)
                    for (const TemplateArgument& one : each.pack_elements())
                        if (one.getKind() == TemplateArgument::Type) end_of(one.getAsType(), seen);
                if (each.getKind() != TemplateArgument::Type) continue;
                const auto* target = each.getAsType()->getAsCXXRecordDecl();
                const auto* end = target != nullptr && target->hasDefinition()
                                      ? target->getDestructor()
                                      : nullptr;
                if (end != nullptr && end->isVirtual() && !is_in_system_header(target, context))
                    call(end, true);
                end_of(each.getAsType(), seen);
            }
            return;
        }
        if (destructor->isUserProvided()) call(destructor, false);
        for (const FieldDecl* each : record->fields()) end_of(each->getType(), seen);
        for (const CXXBaseSpecifier& each : record->bases()) end_of(each.getType(), seen);
    }

    void end_of_deleted(const CXXDeleteExpr& ended) {
        const QualType type = ended.getDestroyedType();
        if (type.isNull()) return;
        const auto* record = type->getAsCXXRecordDecl();
        const auto* destructor =
            record != nullptr && record->hasDefinition() ? record->getDestructor() : nullptr;
        if (destructor != nullptr && destructor->isVirtual()) call(destructor, true);
        std::set<const CXXRecordDecl*> seen;
        end_of(type, seen);
    }

    /// A function of a library writes only to what its arguments name.
    void library_call(const FunctionDecl* callee, const Expr* object,
                      llvm::ArrayRef<const Expr*> arguments) {
        if (object != nullptr && is_callable(object->getType())) own.anything = own.throws = true;
        own.throws = own.throws || throws_by_contract(callee);
        for (const Expr* each : arguments)
            if (is_callable(each->getType())) own.anything = own.throws = true;
        own.add(side_effects::of_library_call(callee, object, arguments));
    }

    // NOLINTNEXTLINE(misc-no-recursion): statements are finite.
    void collect(const Stmt* part) {
        if (part == nullptr) return;
        if (const auto* binary = dyn_cast<BinaryOperator>(part)) {
            if (binary->isAssignmentOp()) add_target(binary->getLHS(), own);
        } else if (const auto* unary = dyn_cast<UnaryOperator>(part)) {
            if (unary->isIncrementDecrementOp()) add_target(unary->getSubExpr(), own);
        } else if (const auto* each = dyn_cast<CallExpr>(part)) {
            const FunctionDecl* callee = each->getDirectCallee();
            call(callee, is_dispatched(callee));
            if (callee != nullptr && is_in_system_header(callee, context))
                library_call(callee, receiver_of(each), arguments_of_call(each));
        } else if (const auto* construct = dyn_cast<CXXConstructExpr>(part)) {
            call(construct->getConstructor(), false);
        } else if (const auto* lambda = dyn_cast<LambdaExpr>(part)) {
            collect(lambda->getBody());
        } else if (isa<CXXThrowExpr>(part)) {
            own.throws = true;
        } else if (const auto* ended = dyn_cast<CXXDeleteExpr>(part)) {
            end_of_deleted(*ended);
        } else if (const auto* statement = dyn_cast<DeclStmt>(part)) {
            for (const Decl* declared : statement->decls())
                if (const auto* variable = dyn_cast<VarDecl>(declared))
                    if (std::set<const CXXRecordDecl*> seen; variable->hasLocalStorage())
                        end_of(variable->getType(), seen);
        } else if (isa<UnaryExprOrTypeTraitExpr>(part) || isa<CXXNoexceptExpr>(part)) {
            return;
        }
        for (const Stmt* child : part->children()) collect(child);
    }
};

}  // namespace

bool keeps_object(const CXXMethodDecl& method) {
    constexpr std::array<std::string_view, 18> harmless = {
        "data",  "begin",  "end",  "at",      "front", "back", "get",  "read",     "gcount",
        "c_str", "rbegin", "rend", "reserve", "value", "good", "fill", "readsome", "getline"};
    if (method.isConst() || method.isStatic()) return true;
    if (method.isOverloadedOperator())
        return method.getOverloadedOperator() != OO_Equal &&
               method.getOverloadedOperator() != OO_PlusEqual;
    return is_one_of(name_of(&method), harmless);
}

void side_effect::add(const side_effect& other) {
    anything = anything || other.anything;
    throws = throws || other.throws;
    bytes = bytes || other.bytes;
    names.insert(other.names.begin(), other.names.end());
    targets.insert(other.targets.begin(), other.targets.end());
    parts.insert(other.parts.begin(), other.parts.end());
    objects.insert(other.objects.begin(), other.objects.end());
}

bool side_effect::may_change(const path& of, const ASTContext&) const {
    if (anything) return true;
    const Type* type = type_of(of);
    const VarDecl* variable = variable_of(of);
    if (variable != nullptr && names.count(variable->getCanonicalDecl()) != 0) return true;
    for (const step& each : of.members)
        if (each.field != nullptr && names.count(each.field) != 0) return true;
    if (bytes && (type == nullptr || type->isScalarType())) return true;
    const bool is_other_name = of.members.empty()
                                   ? variable != nullptr && variable->getType()->isReferenceType()
                                   : of.members.back().field == nullptr;
    if (is_other_name && parts.count(type) != 0) return true;
    if (!objects.empty())
        for (path whole = of;; whole.members.pop_back()) {
            const Type* each = type_of(whole);
            if (each != nullptr && objects.count(each) != 0) return true;
            if (whole.members.empty()) break;
        }
    if (targets.empty()) return false;
    return type == nullptr || targets.count(type) != 0 ||
           std::any_of(targets.begin(), targets.end(),
                       [](const Type* each) { return each->isRecordType(); });
}

side_effect side_effects::of_assignment(const Expr* target, const ASTContext&) {
    side_effect result;
    add_target(target, result);
    return result;
}

side_effect side_effects::of_library_call(const FunctionDecl* callee, const Expr* object,
                                          llvm::ArrayRef<const Expr*> arguments) {
    side_effect result;
    const auto* method = dyn_cast<CXXMethodDecl>(callee);
    if (object != nullptr && method != nullptr && !keeps_object(*method))
        add_object(object, result);
    for (unsigned i = 0; i < arguments.size(); ++i) {
        const QualType type =
            i < callee->getNumParams() ? callee->getParamDecl(i)->getType() : QualType();
        const bool is_reference = !type.isNull() && type->isLValueReferenceType();
        if (!type.isNull() && !is_reference && !type->isPointerType()) continue;
        if (!type.isNull() && type->getPointeeType().isConstQualified()) continue;
        const auto* address = dyn_cast<UnaryOperator>(strip_casts(arguments[i]));
        if (is_reference && type->getPointeeType()->isRecordType())
            add_object(arguments[i], result);
        else if (is_reference)
            add_target(arguments[i], result);
        else if (address != nullptr && address->getOpcode() == UO_AddrOf)
            add_target(address->getSubExpr(), result);
    }
    return result;
}

const side_effects::direct_effect& side_effects::direct(const FunctionDecl* function,
                                                        const ASTContext& context) {
    const auto [found, is_new] = direct_.try_emplace(function);
    direct_effect& result = found->second;
    if (!is_new) return result;
    collector of{context, result.own, result.called};
    of.collect(function->getBody());
    if (const auto* constructor = dyn_cast<CXXConstructorDecl>(function))
        for (const CXXCtorInitializer* each : constructor->inits()) of.collect(each->getInit());
    return result;
}

const side_effect& side_effects::of(const FunctionDecl* function, const ASTContext& context) {
    const auto [found, is_new] = all_.try_emplace(function);
    side_effect& result = found->second;
    if (!is_new) return result;
    std::set<const FunctionDecl*> called;
    collector outer{context, result, called};
    outer.call(function, outer.is_dispatched(function));
    add_called(std::move(called), context, result);
    return result;
}

const side_effect& side_effects::of_end(QualType type, const ASTContext& context) {
    const auto [found, is_new] = ends_.try_emplace(plain_type(type));
    side_effect& result = found->second;
    if (!is_new) return result;
    std::set<const FunctionDecl*> called;
    std::set<const CXXRecordDecl*> seen;
    collector{context, result, called}.end_of(type, seen);
    add_called(std::move(called), context, result);
    return result;
}

void side_effects::add_called(std::set<const FunctionDecl*> called, const ASTContext& context,
                              side_effect& to) {
    std::set<const FunctionDecl*> seen;
    while (!called.empty() && !(to.anything && to.throws)) {
        const FunctionDecl* next = *called.begin();
        called.erase(called.begin());
        if (!seen.insert(next).second) continue;
        const direct_effect& each = direct(next, context);
        const bool throws = to.throws || (each.own.throws && !is_noexcept(next));
        to.add(each.own);
        to.throws = throws;
        called.insert(each.called.begin(), each.called.end());
    }
}

namespace {

struct escapes {
    const ASTContext& context;
    std::set<const VarDecl*>& found;

    void add(const Expr* expression) {
        for (expression = strip_casts(expression);;) {
            if (const auto* member = dyn_cast<MemberExpr>(expression)) {
                if (member->isArrow()) return;
                expression = strip_casts(member->getBase());
                continue;
            }
            break;
        }
        if (const auto* name = dyn_cast<DeclRefExpr>(expression))
            if (const auto* variable = dyn_cast<VarDecl>(name->getDecl()))
                found.insert(variable->getCanonicalDecl());
    }

    void add_if_referenced(const Expr* initial, QualType type) {
        if (type->isLValueReferenceType() && !type->getPointeeType().isConstQualified())
            add(initial);
    }

    /// True if callers may change the object by what the function returns.
    static bool returns_way_into_object(const CXXMethodDecl& method) {
        const QualType type = method.getReturnType();
        if (method.isStatic() || method.isConst()) return false;
        return type->isRecordType() || ((type->isPointerType() || type->isReferenceType()) &&
                                        !type->getPointeeType().isConstQualified());
    }

    /// References in members may live longer than the statement.
    void collect_members(const Stmt* part) {
        if (const auto* list = dyn_cast<InitListExpr>(part)) {
            for (const auto& [member, value] : parts_of_list({}, *list))
                if (const FieldDecl* field = member.members.back().field)
                    add_if_referenced(value, field->getType());
        } else if (const auto* construct = dyn_cast<CXXConstructExpr>(part)) {
            const auto* constructor = construct->getConstructor();
            for (unsigned i = 0; i < construct->getNumArgs() && i < constructor->getNumParams();
                 ++i)
                if (construct->getArg(i)->getType()->isIntegralOrEnumerationType())
                    add_if_referenced(construct->getArg(i),
                                      constructor->getParamDecl(i)->getType());
        }
    }

    // NOLINTNEXTLINE(misc-no-recursion): statements are finite.
    void collect(const Stmt* part, bool in_library_call) {
        if (part == nullptr) return;
        collect_members(part);
        if (const auto* unary = dyn_cast<UnaryOperator>(part)) {
            if (unary->getOpcode() == UO_AddrOf && !in_library_call) add(unary->getSubExpr());
        } else if (const auto* lambda = dyn_cast<LambdaExpr>(part)) {
            for (const LambdaCapture& each : lambda->captures())
                if (each.capturesVariable() && each.getCaptureKind() == LCK_ByRef)
                    if (const auto* variable = dyn_cast<VarDecl>(each.getCapturedVar()))
                        found.insert(variable->getCanonicalDecl());
        } else if (const auto* statement = dyn_cast<DeclStmt>(part)) {
            for (const Decl* each : statement->decls()) {
                const auto* variable = dyn_cast<VarDecl>(each);
                // Only the loop itself can use the reference to its range.
                if (variable != nullptr && !variable->isImplicit() &&
                    variable->getInit() != nullptr &&
                    variable->getType()->isLValueReferenceType() &&
                    !variable->getType()->getPointeeType().isConstQualified())
                    add(variable->getInit());
            }
        } else if (const auto* call = dyn_cast<CallExpr>(part)) {
            const FunctionDecl* callee = call->getDirectCallee();
            const bool is_library = callee != nullptr && is_in_system_header(callee, context);
            const unsigned skipped =
                isa<CXXOperatorCallExpr>(call) && isa_and_nonnull<CXXMethodDecl>(callee) ? 1 : 0;
            for (unsigned i = skipped; i < call->getNumArgs() && callee != nullptr && !is_library;
                 ++i) {
                if (i - skipped >= callee->getNumParams()) break;
                const QualType type = callee->getParamDecl(i - skipped)->getType();
                if (type->isLValueReferenceType() && !type->getPointeeType().isConstQualified())
                    add(call->getArg(i));
            }
            const auto* method = dyn_cast_or_null<CXXMethodDecl>(callee);
            if (method != nullptr && !is_library && returns_way_into_object(*method))
                if (const Expr* receiver = receiver_of(call)) add(receiver);
            for (const Stmt* child : part->children()) collect(child, is_library);
            return;
        }
        const bool passes = isa<CastExpr>(part) || isa<ParenExpr>(part) || isa<FullExpr>(part);
        for (const Stmt* child : part->children()) collect(child, passes && in_library_call);
    }
};

}  // namespace

std::set<const VarDecl*> escaping_variables(const Stmt* body, const ASTContext& context) {
    std::set<const VarDecl*> result;
    escapes{context, result}.collect(body, false);
    return result;
}

}  // namespace freehold::check
