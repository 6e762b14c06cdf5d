// SPDX-License-Identifier: BSL-1.0
// Finds where in the zeroed object an expression points.
#include "check/plugin/syntax/syntax.hpp"
#include "returned_pointers.hpp"
#include "values.hpp"

#include <array>

#include <clang/AST/RecordLayout.h>

namespace freehold::check {

using namespace clang;

std::optional<place> values::root_place() {
    switch (object.kind) {
        case object_kind::storage:
            return place{form::object, {}, object.type, {}};
        case object_kind::pointer:
        case object_kind::container:
            return place{form::handle, {}, object.type, {}};
    }
    return std::nullopt;
}

std::optional<place> values::place_of_name(const VarDecl* variable, QualType type) {
    const auto found = aliases.find(variable->getCanonicalDecl());
    if (found == aliases.end()) return std::nullopt;
    const path name{variable->getCanonicalDecl(), {}};
    place result{found->second, polynomial::of(value_atom(name)), type.getNonReferenceType(), {}};
    if (result.how == form::address)
        result.type = type.getNonReferenceType()->isPointerType()
                          ? type.getNonReferenceType()->getPointeeType()
                          : object.type;
    if (result.how == form::view) {
        result.type = first_type_argument(type);
        if (result.type.isNull()) result.type = context_.CharTy;
        result.size = polynomial(size_of(result.type)) * polynomial::of(size_atom(name));
    }
    return result;
}

std::optional<place> values::dereferenced(std::optional<place> from, QualType type) {
    if (!from) return std::nullopt;
    if (from->how == form::handle || from->how == form::address)
        return place{form::object, from->offset, type.getNonReferenceType(), {}};
    return std::nullopt;
}

std::optional<place> values::view_from(llvm::ArrayRef<const Expr*> arguments) {
    if (arguments.empty()) return std::nullopt;
    auto from = place_of(arguments[0]);
    if (!from) return std::nullopt;
    if (arguments.size() == 2) {
        if (from->how != form::address) return std::nullopt;
        if (const auto end = place_of(arguments[1]))
            from->size = end->offset - from->offset;
        else
            from->size = polynomial(size_of(from->type)) * value_of(arguments[1]);
    } else if (from->how == form::handle) {
        from->size = polynomial(size_of(object.type)) * polynomial::of(size_atom(object.root));
    } else if (from->how == form::object) {
        from->size = size_of(from->type);
        if (const auto* array = context_.getAsArrayType(from->type))
            from->type = array->getElementType();
    } else if (from->how == form::address) {
        return std::nullopt;  // A C string's length is not known.
    }
    from->how = form::view;
    return from;
}

namespace {

/// True for a pointer, a reference or a view, as an accessor of a buffer returns.
bool has_place(QualType type) {
    return type->isPointerType() || type->isReferenceType() || is_view_class(class_of(type)) ||
           name_of(class_of(type)) == "__normal_iterator";
}

}  // namespace

std::optional<place> values::place_of_call(const CallExpr* call) {
    const QualType type = call->getType();
    const auto element_type = [&](const place& from) -> QualType {
        if (type->isPointerType()) return type->getPointeeType();
        if (from.how == form::object)
            if (const QualType first = first_type_argument(from.type); !first.isNull())
                return first;
        return from.how == form::handle ? object.type : from.type;
    };
    // The number of bytes in the range that begins at this place.
    const auto extent = [&](const place& from) -> polynomial {
        if (from.how == form::view && from.size) return *from.size;
        if (from.how == form::object) return {size_of(from.type)};
        return polynomial(size_of(object.type)) * polynomial::of(size_atom(object.root));
    };
    const auto accessor_place = [&]() -> std::optional<place> {
        if (!has_place(type) && !call->isGLValue()) return std::nullopt;
        if (accessed(call) == nullptr) return std::nullopt;
        const accessor_frame inside(*this, call);
        return place_of(inside.result);
    };
    if (const auto* operation = dyn_cast<CXXOperatorCallExpr>(call)) {
        auto from = place_of(operation->getArg(0));
        if (!from) return accessor_place();
        const QualType result = type.getNonReferenceType();
        switch (operation->getOperator()) {
            case OO_Subscript: {
                if (from->how == form::object && class_of(from->type) != nullptr &&
                    name_of(class_of(from->type)) != "array")
                    return accessor_place();
                const polynomial index = value_of(operation->getArg(1));
                return place{
                    form::object, from->offset + polynomial(size_of(result)) * index, result, {}};
            }
            case OO_Star:
                if (operation->getNumArgs() == 1) return dereferenced(from, type);
                return std::nullopt;
            case OO_Arrow:
                if (from->how == form::handle)
                    return place{form::address,
                                 from->offset,
                                 type->isPointerType() ? type->getPointeeType() : object.type,
                                 {}};
                return from->how == form::address ? from : std::nullopt;
            case OO_Plus:
            case OO_Minus: {
                if (from->how != form::address || operation->getNumArgs() != 2 ||
                    place_of(operation->getArg(1)))
                    return std::nullopt;
                const polynomial step =
                    polynomial(size_of(from->type)) * value_of(operation->getArg(1));
                from->offset =
                    operation->getOperator() == OO_Plus ? from->offset + step : from->offset - step;
                return from;
            }
            case OO_PlusPlus:
            case OO_MinusMinus: {
                if (from->how != form::address) return std::nullopt;
                const polynomial step = size_of(from->type);
                if (operation->getNumArgs() == 2)
                    from->offset = operation->getOperator() == OO_PlusPlus ? from->offset - step
                                                                           : from->offset + step;
                return from;
            }
            case OO_PlusEqual:
            case OO_MinusEqual:
                return from->how == form::address ? from : std::nullopt;
            default:
                return std::nullopt;
        }
    }
    if (const auto* member = dyn_cast<CXXMemberCallExpr>(call)) {
        const auto* method = member->getMethodDecl();
        if (method == nullptr || member->getImplicitObjectArgument() == nullptr)
            return std::nullopt;
        auto from = place_of(member->getImplicitObjectArgument());
        if (!from) return accessor_place();
        if (from->how == form::address &&
            member->getImplicitObjectArgument()->getType()->isPointerType())
            from = dereferenced(from, from->type);
        const llvm::StringRef name = name_of(method);
        const bool library =
            method->getParent() != nullptr &&
            (method->isInStdNamespace() || method->getParent()->isInStdNamespace() ||
             from->how == form::handle || from->how == form::view);
        if (!library) return accessor_place();
        if (isa<CXXConversionDecl>(method)) {
            const auto* to = class_of(type);
            if (is_view_class(to)) {
                place view{form::view, from->offset, element_type(*from), extent(*from)};
                return view;
            }
            return std::nullopt;
        }
        if (call->getNumArgs() == 0) {
            if (name == "data" || name == "begin" || name == "cbegin" || name == "c_str" ||
                (name == "get" && from->how == form::handle))
                return place{form::address, from->offset, element_type(*from), {}};
            if (name == "end" || name == "cend")
                return place{form::address, from->offset + extent(*from), element_type(*from), {}};
            if (name == "front")
                return place{form::object, from->offset, type.getNonReferenceType(), {}};
            if (name == "value" && from->how == form::handle)
                return place{form::object, from->offset, type.getNonReferenceType(), {}};
            if (name == "emplace" && from->how == form::handle)
                return place{form::object, from->offset, type.getNonReferenceType(), {}};
            if (name == "back" || name == "emplace_back")
                return place{form::object,
                             from->offset + extent(*from) - polynomial(size_of(type)),
                             type.getNonReferenceType(),
                             {}};
        }
        if (name == "at" && call->getNumArgs() == 1)
            return place{form::object,
                         from->offset + polynomial(size_of(type)) * value_of(call->getArg(0)),
                         type.getNonReferenceType(),
                         {}};
        if (from->how == form::view) {
            const polynomial unit = size_of(from->type);
            if ((name == "subspan" || name == "substr") && call->getNumArgs() >= 1) {
                const polynomial skipped = unit * value_of(call->getArg(0));
                from->offset += skipped;
                const Expr* count = call->getNumArgs() > 1 ? call->getArg(1) : nullptr;
                if (count != nullptr && !isa<CXXDefaultArgExpr>(count))
                    from->size = unit * value_of(count);
                else if (from->size)
                    *from->size -= skipped;
                return from;
            }
            if (name == "first" && call->getNumArgs() == 1) {
                from->size = unit * value_of(call->getArg(0));
                return from;
            }
        }
        return std::nullopt;
    }
    const std::string name = name_of_callee(call);
    if (call->getNumArgs() == 0) return std::nullopt;
    constexpr std::array searches = {"strchr",      "strrchr",      "strstr",      "strpbrk",
                                     "std::strchr", "std::strrchr", "std::strstr", "std::strpbrk"};
    if (is_one_of(name, searches)) {
        const auto from = place_of(call->getArg(0));
        if (!is_address(from) || !type->isPointerType()) return std::nullopt;
        return place{form::address, polynomial::of(result_atom(call)), type->getPointeeType(), {}};
    }
    if (is_passed_through(call)) {
        auto from = place_of(call->getArg(0));
        if (from && name == "std::addressof" && from->how == form::object)
            from->how = form::address;
        return from;
    }
    const bool begin = name == "std::begin" || name == "std::cbegin" || name == "std::data" ||
                       name == "std::ranges::begin" || name == "std::ranges::data";
    const bool end = name == "std::end" || name == "std::cend";
    if ((begin || end) && call->getNumArgs() == 1) {
        auto from = place_of(call->getArg(0));
        if (!from) return std::nullopt;
        const polynomial offset = end ? from->offset + extent(*from) : from->offset;
        QualType element = element_type(*from);
        return place{form::address, offset, element, {}};
    }
    if ((name == "std::next" || name == "std::prev")) {
        auto from = place_of(call->getArg(0));
        if (!from || from->how != form::address) return std::nullopt;
        const polynomial count =
            call->getNumArgs() == 2 ? value_of(call->getArg(1)) : polynomial(1);
        const polynomial step = polynomial(size_of(from->type)) * count;
        from->offset = name == "std::next" ? from->offset + step : from->offset - step;
        return from;
    }
    if (const auto parameter = returned_parameter(call)) {
        const auto from = place_of(call->getArg(*parameter));
        if (!is_address(from)) return std::nullopt;
        return place{form::address, polynomial::of(result_atom(call)), type->getPointeeType(), {}};
    }
    if (const auto target = returned_target(name, call->getNumArgs())) {
        const auto from =
            *target < call->getNumArgs() ? place_of(call->getArg(*target)) : std::nullopt;
        if (!is_address(from)) return std::nullopt;
        const polynomial bytes = polynomial(size_of(from->type)) * polynomial::of(count_atom(call));
        return place{form::address, from->offset + bytes, from->type, {}};
    }
    if (name == "std::as_writable_bytes" || name == "std::as_bytes") {
        auto from = place_of(call->getArg(0));
        if (from && from->how == form::view) from->type = context_.CharTy;
        return from;
    }
    return std::nullopt;
}

std::optional<place> values::place_of(const Expr* expression) {
    expression = strip(expression);
    // A pointer to the container itself.
    if (object.kind == object_kind::container && expression->getType()->isPointerType() &&
        expression->getType()->getPointeeType()->isRecordType()) {
        const auto pointee = pointee_of(expression);
        if (pointee && *pointee == object.root) return root_place();
    }
    if (const auto* cast = dyn_cast<CastExpr>(expression)) {
        auto from = place_of(cast->getSubExpr());
        if (!from) return std::nullopt;
        const QualType type = cast->getType();
        switch (cast->getCastKind()) {
            case CK_LValueToRValue:
                return from->how == form::object ? std::nullopt : from;
            case CK_ArrayToPointerDecay:
                if (from->how != form::object) return std::nullopt;
                return place{form::address, from->offset, type->getPointeeType(), {}};
            case CK_NoOp:
            case CK_BitCast:
            case CK_LValueBitCast:
            case CK_DerivedToBase:
            case CK_UncheckedDerivedToBase:
            case CK_BaseToDerived:
                if (from->how == form::address && type->isPointerType())
                    from->type = type->getPointeeType();
                else if (from->how == form::handle && type->isPointerType())
                    from = place{form::address, from->offset, type->getPointeeType(), {}};
                else if (from->how == form::object)
                    from->type = type.getNonReferenceType();
                return from;
            case CK_UserDefinedConversion:
            case CK_ConstructorConversion:
                return from;
            default:
                return std::nullopt;
        }
    }
    if (const auto* name = dyn_cast<DeclRefExpr>(expression)) {
        const auto* variable = dyn_cast<VarDecl>(name->getDecl());
        if (variable == nullptr) return std::nullopt;
        if (const auto alias = place_of_name(variable, variable->getType())) return alias;
        // A reference to a pointer.
        const auto to = bound.find(variable->getCanonicalDecl());
        if (to != bound.end() && to->second.members.empty())
            if (const VarDecl* other = variable_of(to->second))
                if (const auto alias = place_of_name(other, other->getType())) return alias;
    }
    if (!pointers.empty() && expression->isGLValue()) {
        const auto named = path_of(expression);
        if (named && pointers.count(*named) != 0)
            return place{form::address,
                         polynomial::of(value_atom(*named)),
                         expression->getType()->getPointeeType(),
                         {}};
    }
    if (object.root.root != nullptr && expression->isGLValue()) {
        const auto named = path_of(expression);
        if (named && *named == object.root) return root_place();
    }
    if (isa<CXXThisExpr>(expression)) {
        const auto self = path_of(expression);
        const auto found = self ? this_places.find(self->root) : this_places.end();
        if (found == this_places.end()) return std::nullopt;
        return place{form::address, found->second, expression->getType()->getPointeeType(), {}};
    }
    if (const auto* unary = dyn_cast<UnaryOperator>(expression)) {
        auto from = place_of(unary->getSubExpr());
        if (!from) return std::nullopt;
        const polynomial step = size_of(from->type);
        switch (unary->getOpcode()) {
            case UO_AddrOf:
                if (from->how != form::object) return std::nullopt;
                from->how = form::address;
                return from;
            case UO_Deref:
                return dereferenced(from, unary->getType());
            case UO_PreInc:
            case UO_PreDec:
                return from->how == form::address ? from : std::nullopt;
            case UO_PostInc:
                from->offset -= step;
                return from->how == form::address ? from : std::nullopt;
            case UO_PostDec:
                from->offset += step;
                return from->how == form::address ? from : std::nullopt;
            default:
                return std::nullopt;
        }
    }
    if (const auto* subscript = dyn_cast<ArraySubscriptExpr>(expression)) {
        auto from = place_of(subscript->getBase());
        if (!from || (from->how != form::address && from->how != form::handle)) return std::nullopt;
        const QualType type = subscript->getType();
        return place{form::object,
                     from->offset + polynomial(size_of(type)) * value_of(subscript->getIdx()),
                     type,
                     {}};
    }
    if (const auto* binary = dyn_cast<BinaryOperator>(expression)) {
        if (binary->isAssignmentOp() && binary->getType()->isPointerType()) {
            auto from = place_of(binary->getLHS());
            return from && from->how == form::address ? from : std::nullopt;
        }
        if (!binary->isAdditiveOp() || !binary->getType()->isPointerType()) return std::nullopt;
        const bool swapped = binary->getRHS()->getType()->isPointerType();
        const Expr* pointer = swapped ? binary->getRHS() : binary->getLHS();
        const Expr* count = swapped ? binary->getLHS() : binary->getRHS();
        auto from = place_of(pointer);
        if (!from || (from->how != form::address && from->how != form::handle)) return std::nullopt;
        from->how = form::address;
        from->type = pointer->getType()->getPointeeType();
        const polynomial step = polynomial(size_of(from->type)) * value_of(count);
        from->offset = binary->getOpcode() == BO_Add ? from->offset + step : from->offset - step;
        return from;
    }
    if (const auto* member = dyn_cast<MemberExpr>(expression)) {
        const auto* field = dyn_cast<FieldDecl>(member->getMemberDecl());
        if (field == nullptr || field->isBitField()) return std::nullopt;
        auto from = place_of(member->getBase());
        if (!from) return std::nullopt;
        if (member->isArrow() && from->how != form::address && from->how != form::handle)
            return std::nullopt;
        if (!member->isArrow() && from->how != form::object) return std::nullopt;
        const auto* record = field->getParent();
        if (record->isInvalidDecl() || record->isDependentContext()) return std::nullopt;
        const auto& layout = context_.getASTRecordLayout(record);
        const auto bits = layout.getFieldOffset(field->getFieldIndex());
        return place{form::object,
                     from->offset + polynomial(static_cast<std::int64_t>(bits / 8)),
                     field->getType().getNonReferenceType(),
                     {}};
    }
    if (const auto* construct = dyn_cast<CXXConstructExpr>(expression)) {
        const auto* record = construct->getConstructor()->getParent();
        if (is_view_class(record)) {
            if (construct->getConstructor()->isCopyOrMoveConstructor())
                return place_of(construct->getArg(0));
            return view_from(written_arguments(construct));
        }
        // A copied iterator.
        if (construct->getNumArgs() >= 1) {
            auto from = place_of(construct->getArg(0));
            if (from && from->how == form::address) {
                for (unsigned i = 1; i < construct->getNumArgs(); ++i)
                    if (!isa<CXXDefaultArgExpr>(construct->getArg(i))) return std::nullopt;
                const llvm::StringRef name = name_of(record);
                if (name == "__normal_iterator" || name == "__wrap_iter" ||
                    construct->getConstructor()->isCopyOrMoveConstructor())
                    return from;
            }
        }
        return std::nullopt;
    }
    if (const auto* list = dyn_cast<InitListExpr>(expression)) {
        if (list->getNumInits() == 1 && (list->getType()->isPointerType()))
            return place_of(list->getInit(0));
        return std::nullopt;
    }
    if (const auto* call = dyn_cast<CallExpr>(expression)) return place_of_call(call);
    return std::nullopt;
}

}  // namespace freehold::check
