// SPDX-License-Identifier: BSL-1.0
// Finds the path that an expression names.
#include "paths.hpp"

#include "check/plugin/syntax/syntax.hpp"
#include "values.hpp"

#include <algorithm>
#include <utility>

namespace freehold::check {

using namespace clang;

bool path::starts_with(const path& other) const {
    return root == other.root && members.size() >= other.members.size() &&
           std::equal(other.members.begin(), other.members.end(), members.begin());
}

const VarDecl* variable_of(const path& of) {
    // A root is a variable, or the function that has the `this`.
    return dyn_cast_or_null<VarDecl>(static_cast<const Decl*>(of.root));
}

std::vector<std::pair<path, const Expr*>> parts_of_list(const path& within,
                                                        const InitListExpr& list) {
    std::vector<std::pair<path, const Expr*>> result;
    const auto* record = list.getType()->getAsRecordDecl();
    const auto* derived = dyn_cast_or_null<CXXRecordDecl>(record);
    if ((record != nullptr && record->isUnion()) ||
        (derived != nullptr && derived->getNumBases() != 0))
        return result;
    auto field = record != nullptr ? record->field_begin() : RecordDecl::field_iterator();
    for (unsigned i = 0; i < list.getNumInits(); ++i) {
        path part = within;
        if (record == nullptr)
            part.members.emplace_back(std::int64_t{i});
        else
            part.members.emplace_back((field++)->getCanonicalDecl());
        result.emplace_back(std::move(part), list.getInit(i));
    }
    return result;
}

std::optional<path> values::pointee_of(const Expr* pointer) const {
    pointer = strip(pointer);
    // `this` as a pointer to a base class.
    while (const auto* cast = dyn_cast<CastExpr>(pointer)) {
        if (cast->getCastKind() != CK_DerivedToBase &&
            cast->getCastKind() != CK_UncheckedDerivedToBase)
            break;
        pointer = strip(cast->getSubExpr());
    }
    if (isa<CXXThisExpr>(pointer)) {
        auto self = path_of(pointer);
        if (!self) return std::nullopt;
        const auto found = bound.find(self->root);
        if (found != bound.end()) return found->second;
        self->members.push_back(nullptr);
        return self;
    }
    if (const auto* address = dyn_cast<UnaryOperator>(pointer))
        if (address->getOpcode() == UO_AddrOf) return path_of(address->getSubExpr());
    auto from = path_of(pointer);
    if (!from) return std::nullopt;
    if (from->members.empty()) {
        const auto found = bound_pointees.find(from->root);
        if (found != bound_pointees.end()) return found->second;
    }
    from->members.push_back(nullptr);
    return from;
}

std::optional<path> values::path_of(const Expr* expression) const {
    expression = strip(expression);
    if (const auto* cast = dyn_cast<CastExpr>(expression)) {
        switch (cast->getCastKind()) {
            case CK_LValueToRValue:
            case CK_NoOp:
            case CK_DerivedToBase:
            case CK_UncheckedDerivedToBase:
            case CK_BaseToDerived:
                return path_of(cast->getSubExpr());
            default:
                return std::nullopt;
        }
    }
    if (const auto* name = dyn_cast<DeclRefExpr>(expression)) {
        const auto* variable = dyn_cast<VarDecl>(name->getDecl());
        if (variable == nullptr) return std::nullopt;
        variable = variable->getCanonicalDecl();
        const auto found = bound.find(variable);
        return found != bound.end() ? found->second : path{variable, {}};
    }
    if (isa<CXXThisExpr>(expression)) {
        for (auto each = frames.rbegin(); each != frames.rend(); ++each) {
            const auto* method = dyn_cast<CXXMethodDecl>(*each);
            if (method != nullptr && method->getParent()->isLambda()) continue;
            return path{*each, {}};
        }
        return std::nullopt;
    }
    if (const auto* member = dyn_cast<MemberExpr>(expression)) {
        const auto* field = dyn_cast<FieldDecl>(member->getMemberDecl());
        if (field == nullptr) {
            const auto* variable = dyn_cast<VarDecl>(member->getMemberDecl());
            return variable == nullptr ? std::nullopt
                                       : std::optional<path>({variable->getCanonicalDecl(), {}});
        }
        auto base = member->isArrow() ? pointee_of(member->getBase()) : path_of(member->getBase());
        if (base) base->members.push_back(field->getCanonicalDecl());
        return base;
    }
    if (const auto* unary = dyn_cast<UnaryOperator>(expression)) {
        if (unary->getOpcode() == UO_Deref) return pointee_of(unary->getSubExpr());
        return std::nullopt;
    }
    if (const auto* subscript = dyn_cast<ArraySubscriptExpr>(expression)) {
        // Only elements of class types have members to follow.
        const auto* array = dyn_cast<ImplicitCastExpr>(subscript->getBase());
        Expr::EvalResult index;
        if (array == nullptr || array->getCastKind() != CK_ArrayToPointerDecay ||
            !subscript->getType()->isRecordType() || subscript->getIdx()->isValueDependent() ||
            !subscript->getIdx()->EvaluateAsInt(index, context_))
            return std::nullopt;
        auto whole = path_of(array->getSubExpr());
        if (whole) whole->members.emplace_back(index.Val.getInt().getExtValue());
        return whole;
    }
    if (const auto* call = dyn_cast<CXXOperatorCallExpr>(expression)) {
        if (call->getNumArgs() == 1 && call->getOperator() == OO_Star)
            return pointee_of(call->getArg(0));
        if (call->getNumArgs() == 1 && call->getOperator() == OO_Arrow)
            return path_of(call->getArg(0));
        return std::nullopt;
    }
    if (const auto* call = dyn_cast<CXXMemberCallExpr>(expression)) {
        const auto* method = call->getMethodDecl();
        if (method != nullptr && name_of(method) == "get" && call->getNumArgs() == 0)
            return path_of(call->getImplicitObjectArgument());
        return std::nullopt;
    }
    if (const auto* call = dyn_cast<CallExpr>(expression))
        return is_passed_through(call) && name_of_callee(call) != "std::addressof"
                   ? path_of(call->getArg(0))
                   : std::nullopt;
    return std::nullopt;
}

std::optional<path> values::stream_of(const Expr* expression) const {
    expression = strip(expression);
    while (const auto* cast = dyn_cast<ImplicitCastExpr>(expression))
        expression = strip(cast->getSubExpr());
    // `in >> number` and `in.read(...)` return the stream.
    if (const auto* operation = dyn_cast<CXXOperatorCallExpr>(expression))
        if (operation->getOperator() == OO_GreaterGreater && is_stream(operation->getType()))
            return stream_of(operation->getArg(0));
    if (const auto* call = dyn_cast<CXXMemberCallExpr>(expression))
        if (is_stream(call->getType()) && call->getImplicitObjectArgument() != nullptr)
            return stream_of(call->getImplicitObjectArgument());
    auto found = path_of(expression);
    return found;
}

}  // namespace freehold::check
