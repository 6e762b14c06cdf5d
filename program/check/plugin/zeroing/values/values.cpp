// SPDX-License-Identifier: BSL-1.0
// Translates expressions into their values.
#include "values.hpp"

#include "check/plugin/syntax/syntax.hpp"

#include <algorithm>
#include <array>

namespace freehold::check {

using namespace clang;

std::int64_t values::size_of(QualType type) const {
    if (type.isNull()) return 1;
    type = type.getNonReferenceType();
    if (type->isDependentType() || type->isIncompleteType() || type->isFunctionType() ||
        type->isVariableArrayType())
        return 1;
    return context_.getTypeSizeInChars(type).getQuantity();
}

std::int64_t step_of(const values& values, QualType type) {
    type = type.getNonReferenceType();
    if (type->isPointerType()) return values.size_of(type->getPointeeType());
    const auto* special =
        dyn_cast_or_null<ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
    if (special == nullptr || special->getTemplateArgs().size() == 0) return 0;
    // Other iterators go backwards, or in steps that are no distances.
    constexpr std::array counted = {
        "_List_iterator",          "_List_const_iterator", "_Rb_tree_iterator",
        "_Rb_tree_const_iterator", "_Node_iterator",       "_Node_const_iterator",
        "_Deque_iterator",         "_Fwd_list_iterator",   "_Fwd_list_const_iterator"};
    // The positions of iterators that are not contiguous are counted in elements.
    if (is_one_of(name_of(special), counted)) return 1;
    if (name_of(special) != "__normal_iterator" && name_of(special) != "__wrap_iter") return 0;
    const auto& argument = special->getTemplateArgs()[0];
    if (argument.getKind() != TemplateArgument::Type || !argument.getAsType()->isPointerType())
        return 0;
    return values.size_of(argument.getAsType()->getPointeeType());
}

bool values::fits(const polynomial& value, QualType from, unsigned width, bool is_signed) const {
    const unsigned old_width = context_.getIntWidth(from);
    const bool was_signed = from->isSignedIntegerOrEnumerationType();
    if (was_signed == is_signed && width >= old_width) return true;
    // No object has 2^63 bytes, and no size is negative.
    constexpr unsigned widest = 64;
    constexpr unsigned least_of_sizes = 32;
    // What 32 bits hold of a negative number is a large one in 64 bits.
    if (!was_signed && width > old_width && may_be_result_below_zero(value)) return false;
    if (is_signed && (width > old_width || (width == widest && old_width == widest))) return true;
    if (was_signed && !is_signed && width >= old_width && width >= least_of_sizes) return true;
    if (width >= widest) return false;
    const std::int64_t most = (std::int64_t{1} << (is_signed ? width - 1 : width)) - 1;
    const std::int64_t least = is_signed ? -most - 1 : 0;
    facts only_axioms;
    only_axioms.axioms = &axioms;
    const facts& now = known != nullptr ? *known : only_axioms;
    return now.at_least_zero(polynomial(most) - value) &&
           now.at_least_zero(value - polynomial(least));
}

/// True if the number contains the signed result of a call, and nothing says that it is not -1.
bool values::may_be_result_below_zero(const polynomial& value) const {
    const polynomial exact = known != nullptr ? known->normal(value) : value;
    const auto atoms = exact.atoms();
    return std::any_of(atoms.begin(), atoms.end(), [&](atom each) {
        return is_of_signed_call(each) &&
               (known == nullptr || !known->is_tested_at_least_zero(each));
    });
}

/// The value of an integer that is converted to another type.
polynomial values::converted(const CastExpr* conversion) {
    const Expr* operand = conversion->getSubExpr();
    const QualType from = operand->getType();
    const QualType to = conversion->getType();
    const polynomial value = value_of(operand);
    if (to->isBooleanType()) return value;
    const bool is_signed = to->isSignedIntegerOrEnumerationType();
    const unsigned width = context_.getIntWidth(to);
    // 32 bits keep a negative number. 64 bits that get it from them have a large one.
    const unsigned old_width = context_.getIntWidth(from);
    const auto constant = (known != nullptr ? known->normal(value) : value).constant();
    if (from->isUnsignedIntegerType() && width > old_width && constant && *constant < 0)
        return {*constant + (std::int64_t{1} << old_width)};
    // A bool may have got a number, of which it only says that it is not 0.
    if (!from->isBooleanType() && fits(value, from, width, is_signed)) return value;
    const auto before = depends_.size();
    const polynomial result = polynomial::of(opaque_atom(conversion));
    if (depends_.size() == before || from->isBooleanType()) return result;
    if (!is_signed) axioms.push_back(result);
    if (from->isUnsignedIntegerType() && width > old_width) return result;
    // Without its upper bits, a number is not larger.
    const evaluation nowhere(*this, nullptr);
    const polynomial anywhere = value_of(operand);
    const std::int64_t least = is_signed ? -(std::int64_t{1} << (width - 1)) : 0;
    if (is_never_negative(anywhere - polynomial(least))) axioms.push_back(anywhere - result);
    return result;
}

bool values::is_exact(const polynomial& value, QualType type) const {
    constexpr unsigned width_of_sizes = 64;
    if (!type->isUnsignedIntegerType() || is_size_narrow || value.constant()) return true;
    const unsigned width = context_.getIntWidth(type);
    if (width >= width_of_sizes) return true;
    std::vector<polynomial> bounded = axioms;
    bounded.insert(bounded.end(), narrow_bounds_.begin(), narrow_bounds_.end());
    facts here = known != nullptr ? *known : facts();
    here.axioms = &bounded;
    return here.at_least_zero(polynomial((std::int64_t{1} << width) - 1) - value);
}

/// The exact result of an operation. Empty if it is no polynomial.
std::optional<polynomial> values::arithmetic(const BinaryOperator& operation) {
    const auto scale = [&](const Expr* operand) -> polynomial {
        return operand->getType()->isPointerType() ? size_of(operand->getType()->getPointeeType())
                                                   : 1;
    };
    const Expr* left = operation.getLHS();
    const Expr* right = operation.getRHS();
    switch (operation.getOpcode()) {
        case BO_Add:
            return value_of(left) * scale(right) + value_of(right) * scale(left);
        case BO_Sub:
            if (!left->getType()->isPointerType()) return value_of(left) - value_of(right);
            if (!right->getType()->isPointerType())
                return value_of(left) - value_of(right) * scale(left);
            return (value_of(left) - value_of(right)).divided(*scale(left).constant());
        case BO_Mul:
            return value_of(left) * value_of(right);
        case BO_Shl:
            if (const auto bits = value_of(right).constant())
                if (*bits >= 0 && *bits < 62)
                    return value_of(left) * polynomial(std::int64_t{1} << *bits);
            break;
        case BO_Div:
            if (const auto divisor = value_of(right).constant())
                if (*divisor != 0) return value_of(left).divided(*divisor);
            break;
        case BO_Comma:
            return value_of(right);
        default:
            if (operation.isAssignmentOp()) return value_of(left);
    }
    return std::nullopt;
}

polynomial values::result_of(const BinaryOperator& operation) {
    const auto exact = arithmetic(operation);
    const bool may_be_larger = operation.getOpcode() == BO_Add || operation.getOpcode() == BO_Mul ||
                               operation.getOpcode() == BO_Shl;
    if (exact && (!may_be_larger || is_exact(*exact, operation.getType()))) return *exact;
    const auto before = depends_.size();
    const atom result = opaque_atom(&operation);
    if (exact && depends_.size() != before && !is_of_call(result)) {
        // Without its upper bits, a number is not larger.
        const evaluation nowhere(*this, nullptr);
        const auto anywhere = arithmetic(operation);
        if (anywhere && is_never_negative(*anywhere))
            axioms.push_back(*anywhere - polynomial::of(result));
    }
    return polynomial::of(result);
}

bool values::is_stale_copy(const DeclRefExpr& name) {
    const auto* variable = dyn_cast<VarDecl>(name.getDecl());
    if (variable == nullptr || !name.refersToEnclosingVariableOrCapture()) return false;
    const auto [found, is_new] = stale_copies_.try_emplace(variable, false);
    const auto* within = dyn_cast_or_null<FunctionDecl>(variable->getParentFunctionOrMethod());
    if (is_new && within != nullptr)
        found->second = is_copied_by_lambda(within->getBody(), variable) &&
                        is_changed(within->getBody(), variable);
    return found->second;
}

polynomial values::value_of(const Expr* expression) {
    expression = strip(expression);
    if (expression->isValueDependent() || expression->isTypeDependent())
        return polynomial::of(result_atom(expression));
    if (expression->getType()->isIntegralOrEnumerationType()) {
        Expr::EvalResult constant;
        if (expression->isPRValue() && expression->EvaluateAsInt(constant, context_)) {
            const auto& number = constant.Val.getInt();
            if (number.getBitWidth() <= 64 && (number.isSigned() || number.getActiveBits() < 64))
                return {number.getExtValue()};
        }
    }
    if (const auto place = place_of(expression))
        if (place->how == form::address) return place->offset;
    if (const auto* cast = dyn_cast<CastExpr>(expression)) {
        switch (cast->getCastKind()) {
            case CK_IntegralCast:
                return converted(cast);
            case CK_LValueToRValue:
                if (cast->getSubExpr()->getType().isVolatileQualified())
                    return polynomial::of(result_atom(cast));
                return value_of(cast->getSubExpr());
            case CK_NoOp:
            case CK_BitCast:
            case CK_IntegralToBoolean:
            case CK_PointerToBoolean:
            case CK_UserDefinedConversion:
            case CK_ConstructorConversion:
            case CK_DerivedToBase:
            case CK_UncheckedDerivedToBase:
            case CK_PointerToIntegral:
            case CK_ArrayToPointerDecay:
                return value_of(cast->getSubExpr());
            case CK_NullToPointer:
                return {0};
            default:
                return polynomial::of(opaque_atom(expression));
        }
    }
    if (const auto* construct = dyn_cast<CXXConstructExpr>(expression)) {
        if (construct->getNumArgs() == 1) return value_of(construct->getArg(0));
        return polynomial::of(result_atom(construct));
    }
    if (const auto* list = dyn_cast<InitListExpr>(expression)) {
        if (list->getNumInits() == 1 && list->getType()->isScalarType())
            return value_of(list->getInit(0));
        if (list->getNumInits() == 0 && list->getType()->isScalarType()) return {0};
        return polynomial::of(result_atom(list));
    }
    if (isa<ImplicitValueInitExpr>(expression) || isa<CXXScalarValueInitExpr>(expression))
        return {0};
    if (const auto* initial = dyn_cast<CXXDefaultInitExpr>(expression))
        return value_of(initial->getExpr());
    if (const auto* argument = dyn_cast<CXXDefaultArgExpr>(expression))
        return value_of(argument->getExpr());
    if (const auto* unary = dyn_cast<UnaryOperator>(expression)) {
        const polynomial step =
            unary->getType()->isPointerType() ? size_of(unary->getType()->getPointeeType()) : 1;
        switch (unary->getOpcode()) {
            case UO_Minus:
                return polynomial() - value_of(unary->getSubExpr());
            case UO_Plus:
            case UO_PreInc:
            case UO_PreDec:
                return value_of(unary->getSubExpr());
            case UO_PostInc:
                return value_of(unary->getSubExpr()) - step;
            case UO_PostDec:
                return value_of(unary->getSubExpr()) + step;
            default:
                break;
        }
    }
    if (const auto* binary = dyn_cast<BinaryOperator>(expression)) return result_of(*binary);
    if (const auto* call = dyn_cast<CallExpr>(expression)) return call_value(call);
    if (const auto* name = dyn_cast<DeclRefExpr>(expression)) {
        const auto found = given_.find(name->getDecl()->getCanonicalDecl());
        if (found != given_.end()) return found->second;
        if (is_stale_copy(*name)) return polynomial::of(result_atom(expression));
    }
    if (const auto found = path_of(expression)) {
        const auto before = depends_.size();
        const atom result = value_atom(*found);
        const VarDecl* variable = variable_of(*found);
        const bool wraps = found->members.empty() && may_wrap.count(variable) != 0;
        if (depends_.size() != before && !wraps && expression->getType()->isUnsignedIntegerType()) {
            axioms.push_back(polynomial::of(result));
            const unsigned width = context_.getIntWidth(expression->getType());
            constexpr unsigned width_of_int = 32;
            if (width < width_of_int)
                axioms.push_back(polynomial((std::int64_t{1} << width) - 1) -
                                 polynomial::of(result));
            else if (width == width_of_int)
                narrow_bounds_.push_back(polynomial((std::int64_t{1} << width) - 1) -
                                         polynomial::of(result));
        }
        return polynomial::of(result);
    }
    return polynomial::of(opaque_atom(expression));
}

/// `i + n`, `i - n` and `i - j`, where iterators count bytes.
std::optional<polynomial> values::iterator_arithmetic(const CXXOperatorCallExpr* operation) {
    const bool minus = operation->getOperator() == OO_Minus;
    if ((!minus && operation->getOperator() != OO_Plus) || operation->getNumArgs() != 2)
        return std::nullopt;
    const Expr* left = operation->getArg(0);
    const Expr* right = operation->getArg(1);
    const std::int64_t step = step_of(*this, left->getType());
    if (step == 0 || !is_iterator(left->getType())) return std::nullopt;
    if (right->getType()->isIntegerType()) {
        const polynomial distance = polynomial(step) * value_of(right);
        return minus ? value_of(left) - distance : value_of(left) + distance;
    }
    if (!minus || step_of(*this, right->getType()) != step) return std::nullopt;
    return (value_of(left) - value_of(right)).divided(step);
}

std::optional<polynomial> values::count_between(const Expr* first, const Expr* last) {
    const auto container = [&](const Expr* iterator, llvm::ArrayRef<const char*> names) {
        iterator = strip(iterator->IgnoreImplicit());
        while (const auto* copy = dyn_cast<CXXConstructExpr>(iterator)) {
            if (copy->getNumArgs() != 1) break;
            iterator = strip(copy->getArg(0)->IgnoreImplicit());
        }
        const auto* call = dyn_cast<CXXMemberCallExpr>(iterator);
        const bool is_it = call != nullptr && is_one_of(name_of(call->getMethodDecl()), names);
        return is_it ? call->getImplicitObjectArgument() : nullptr;
    };
    const Expr* begun = container(first, {"begin", "cbegin", "rbegin", "crbegin"});
    const Expr* ended = container(last, {"end", "cend", "rend", "crend"});
    if (begun != nullptr && ended != nullptr) {
        const auto from = object_path(begun);
        if (from && from == object_path(ended)) return count_of(begun);
    }
    const std::int64_t step = step_of(*this, first->getType());
    return step != 0 ? (value_of(last) - value_of(first)).divided(step) : std::nullopt;
}

std::optional<polynomial> values::count_of(const Expr* range) {
    if (const auto* array = context_.getAsConstantArrayType(range->getType()))
        return polynomial(array->getSize().getSExtValue());
    const auto* record = class_of(range->getType());
    if (record == nullptr) return std::nullopt;
    const auto* special = dyn_cast<ClassTemplateSpecializationDecl>(record);
    if (special != nullptr && name_of(record) == "array" && special->getTemplateArgs().size() == 2)
        return polynomial(special->getTemplateArgs()[1].getAsIntegral().getExtValue());
    const auto of = place_of(range);
    if (of && of->how == form::view && of->size)
        if (const auto count = of->size->divided(size_of(of->type))) return count;
    if (!record->isInStdNamespace()) return std::nullopt;
    const auto found = object_path(range);
    return found ? std::optional(polynomial::of(size_atom(*found))) : std::nullopt;
}

polynomial values::call_value(const CallExpr* call) {
    const std::string name = name_of_callee(call);
    const auto is_array = [](QualType type) {
        const auto* record = class_of(type);
        return record != nullptr && name_of(record) == "array";
    };
    if (const auto* member = dyn_cast<CXXMemberCallExpr>(call)) {
        const auto* method = member->getMethodDecl();
        const Expr* object_argument = member->getImplicitObjectArgument();
        if (method == nullptr || object_argument == nullptr)
            return polynomial::of(result_atom(call));
        if (isa<CXXConversionDecl>(method)) {
            if (is_atomic(object_argument->getType())) return polynomial::of(result_atom(call));
            if (!is_stream(object_argument->getType())) return value_of(object_argument);
            const auto stream = stream_of(object_argument);
            return polynomial::of(stream ? stream_atom(*stream) : result_atom(call));
        }
        if (call->getType()->isIntegralOrEnumerationType() && accessed(call) != nullptr) {
            const accessor_frame inside(*this, call);
            return value_of(inside.result);
        }
        const llvm::StringRef method_name = name_of(method);
        if (method_name == "gcount")
            if (const auto stream = path_of(object_argument))
                return polynomial::of(stream_count_atom(*stream));
        const bool is_size =
            method_name == "size" || method_name == "length" || method_name == "size_bytes";
        const auto* record = class_of(object_argument->getType());
        if (is_size && call->getNumArgs() == 0)
            if (const auto count = count_of(object_argument)) {
                if (method_name != "size_bytes") return *count;
                return *count *
                       polynomial(size_of(first_type_argument(object_argument->getType())));
            }
        if (record != nullptr && record->isInStdNamespace() && call->getNumArgs() == 0) {
            const bool first = method_name == "begin" || method_name == "cbegin" ||
                               method_name == "data" || method_name == "c_str";
            const bool last = method_name == "end" || method_name == "cend";
            const auto found = object_path(object_argument);
            if ((first || last) && found) {
                const polynomial base = polynomial::of(base_atom(*found));
                const std::int64_t unit =
                    std::max<std::int64_t>(step_of(*this, call->getType()), 1);
                if (first) return base;
                if (is_array(object_argument->getType()))
                    return base + polynomial(size_of(object_argument->getType()));
                return base + polynomial(unit) * polynomial::of(size_atom(*found));
            }
        }
        return polynomial::of(opaque_atom(call));
    }
    if (const auto* operation = dyn_cast<CXXOperatorCallExpr>(call)) {
        // Arithmetic on iterators that do not point into the object.
        if (operation->getNumArgs() == 1 && operation->getOperator() == OO_Star)
            if (const auto found = path_of(operation)) return polynomial::of(value_atom(*found));
        if (const auto result = iterator_arithmetic(operation)) return *result;
        return polynomial::of(opaque_atom(call));
    }
    if ((name == "snprintf" || name == "std::snprintf") && call->getNumArgs() > 2)
        return polynomial::of(formatted_atom(call));
    constexpr std::array sizes = {"std::size", "std::ssize", "std::ranges::size",
                                  "std::ranges::ssize"};
    if (call->getNumArgs() == 1 && is_one_of(name, sizes))
        if (const auto count = count_of(call->getArg(0))) return *count;
    if (is_passed_through(call)) return value_of(call->getArg(0));
    if ((name == "std::next" || name == "std::prev") && call->getNumArgs() == 2) {
        const Expr* from = call->getArg(0);
        const std::int64_t step = step_of(*this, from->getType());
        if (step != 0 && is_iterator(from->getType())) {
            const polynomial distance = polynomial(step) * value_of(call->getArg(1));
            return name == "std::next" ? value_of(from) + distance : value_of(from) - distance;
        }
    }
    return polynomial::of(opaque_atom(call));
}

}  // namespace freehold::check
