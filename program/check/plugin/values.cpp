// SPDX-License-Identifier: BSL-1.0
#include "values.hpp"

#include "clang_version.hpp"

#include <algorithm>
#include <array>

#include <clang/AST/Attr.h>
#include <clang/AST/RecordLayout.h>
#include <clang/Basic/SourceManager.h>

namespace freehold::check {
namespace {

using namespace clang;

constexpr std::array view_names = {"span",         "string_view",     "basic_string_view",
                                   "Span",         "StringPiece",     "StringRef",
                                   "ArrayRef",     "MutableArrayRef", "Slice",
                                   "wstring_view", "buffer_view"};

bool is_passed_through(const CallExpr* call) {
    const std::string name = name_of_callee(call);
    return call->getNumArgs() == 1 &&
           (name == "std::move" || name == "std::forward" || name == "std::as_const" ||
            name == "std::ref" || name == "std::launder" || name == "__builtin_launder" ||
            name == "std::addressof" || name == "std::to_address" || name == "std::assume_aligned");
}

}  // namespace

llvm::StringRef name_of(const NamedDecl* declaration) {
    return declaration != nullptr && declaration->getDeclName().isIdentifier()
               ? declaration->getName()
               : llvm::StringRef();
}

bool is_in_system_header(const Decl* declaration, const ASTContext& context) {
    return context.getSourceManager().isInSystemHeader(declaration->getLocation());
}

std::optional<unsigned> target_of_selection(llvm::StringRef name) {
    constexpr std::array of_one = {"std::copy_if", "std::remove_copy", "std::remove_copy_if",
                                   "std::unique_copy"};
    constexpr std::array of_two = {"std::set_union", "std::set_intersection", "std::set_difference",
                                   "std::set_symmetric_difference"};
    if (is_one_of(name, of_one)) return 2;
    if (is_one_of(name, of_two)) return 4;
    return std::nullopt;
}

std::optional<unsigned> returned_target(llvm::StringRef name, std::size_t arguments) {
    constexpr std::array of_one = {"std::copy",
                                   "std::move",
                                   "std::copy_n",
                                   "std::reverse_copy",
                                   "std::replace_copy",
                                   "std::partial_sum",
                                   "std::inclusive_scan",
                                   "std::exclusive_scan",
                                   "std::replace_copy_if",
                                   "std::uninitialized_copy",
                                   "std::uninitialized_copy_n",
                                   "std::adjacent_difference"};
    constexpr std::array counted = {"std::fill_n", "std::generate_n", "std::uninitialized_fill_n"};
    if (const auto target = target_of_selection(name)) return target;
    if (is_one_of(name, of_one) && arguments > 2) return 2;
    if (is_one_of(name, counted)) return 0;
    if (name == "std::transform") return arguments == 5 ? 3 : 2;
    if (name == "std::rotate_copy") return 3;
    if (name == "std::merge") return 4;
    return std::nullopt;
}

namespace {

/// The parameter of the function that the pointer is computed from; null if it is none.
const ParmVarDecl* base_parameter(const Expr* pointer) {
    for (;;) {
        pointer = strip(pointer);
        if (const auto* name = dyn_cast<DeclRefExpr>(pointer))
            return dyn_cast<ParmVarDecl>(name->getDecl());
        if (const auto* cast = dyn_cast<CastExpr>(pointer)) {
            pointer = cast->getSubExpr();
        } else if (const auto* sum = dyn_cast<BinaryOperator>(pointer)) {
            if (!sum->isAdditiveOp()) return nullptr;
            pointer = sum->getRHS()->getType()->isPointerType() ? sum->getRHS() : sum->getLHS();
        } else if (const auto* unary = dyn_cast<UnaryOperator>(pointer)) {
            if (!unary->isIncrementDecrementOp()) return nullptr;
            pointer = unary->getSubExpr();
        } else {
            return nullptr;
        }
    }
}

/// False if two return statements return what is computed from different parameters, or from none.
bool find_returned(const Stmt* part, const ParmVarDecl*& found) {
    if (part == nullptr || isa<LambdaExpr>(part)) return true;
    if (const auto* result = dyn_cast<ReturnStmt>(part)) {
        const auto* one =
            result->getRetValue() != nullptr ? base_parameter(result->getRetValue()) : nullptr;
        if (one == nullptr || (found != nullptr && found != one)) return false;
        found = one;
        return true;
    }
    return std::all_of(part->child_begin(), part->child_end(),
                       [&](const Stmt* each) { return find_returned(each, found); });
}

}  // namespace

std::optional<unsigned> returned_parameter(const CallExpr* call) {
    const auto* callee = dyn_cast_or_null<FunctionDecl>(call->getCalleeDecl());
    const FunctionDecl* definition = nullptr;
    const ParmVarDecl* found = nullptr;
    if (callee == nullptr || isa<CXXMemberCallExpr>(call) || isa<CXXOperatorCallExpr>(call) ||
        !call->getType()->isPointerType() || !callee->hasBody(definition) ||
        definition->isDependentContext() || callee->isInStdNamespace() ||
        !find_returned(definition->getBody(), found) || found == nullptr ||
        found->getFunctionScopeIndex() >= call->getNumArgs())
        return std::nullopt;
    return found->getFunctionScopeIndex();
}

std::int64_t step_of(const values& values, QualType type) {
    type = type.getNonReferenceType();
    if (type->isPointerType()) return values.size_of(type->getPointeeType());
    const auto* special =
        dyn_cast_or_null<ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
    if (special == nullptr || special->getTemplateArgs().size() == 0) return 0;
    // Others go backwards, or in steps that are no distances.
    constexpr std::array counted = {
        "_List_iterator",          "_List_const_iterator", "_Rb_tree_iterator",
        "_Rb_tree_const_iterator", "_Node_iterator",       "_Node_const_iterator",
        "_Deque_iterator",         "_Fwd_list_iterator",   "_Fwd_list_const_iterator"};
    // What is not contiguous counts in elements.
    if (is_one_of(name_of(special), counted)) return 1;
    if (name_of(special) != "__normal_iterator" && name_of(special) != "__wrap_iter") return 0;
    const auto& argument = special->getTemplateArgs()[0];
    if (argument.getKind() != TemplateArgument::Type || !argument.getAsType()->isPointerType())
        return 0;
    return values.size_of(argument.getAsType()->getPointeeType());
}

bool is_iterator(QualType type) {
    type = type.getNonReferenceType();
    if (type->isPointerType()) return true;
    const llvm::StringRef name = name_of(type->getAsCXXRecordDecl());
    return name.contains("iterator") || name.contains("wrap_iter");
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

bool path::starts_with(const path& other) const {
    return root == other.root && members.size() >= other.members.size() &&
           std::equal(other.members.begin(), other.members.end(), members.begin());
}

std::string qualified_name(const NamedDecl* declaration) {
    if (declaration == nullptr) return {};
    std::string result = declaration->getDeclName().isIdentifier() ? declaration->getName().str()
                                                                   : declaration->getNameAsString();
    for (const DeclContext* each = declaration->getDeclContext(); each != nullptr;
         each = each->getParent()) {
        if (const auto* space = dyn_cast<NamespaceDecl>(each)) {
            if (!space->isInline() && !space->isAnonymousNamespace())
                result = space->getName().str() + "::" + result;
        } else if (const auto* record = dyn_cast<RecordDecl>(each)) {
            result = record->getName().str() + "::" + result;
        }
    }
    return result;
}

std::string name_of_callee(const CallExpr* call) {
    return qualified_name(dyn_cast_or_null<NamedDecl>(call->getCalleeDecl()));
}

const CXXRecordDecl* class_of(QualType type) {
    if (type.isNull()) return nullptr;
    type = type.getNonReferenceType();
    if (type->isPointerType()) type = type->getPointeeType();
    return type->getAsCXXRecordDecl();
}

bool is_view_class(const CXXRecordDecl* record) {
    return record != nullptr && is_one_of(name_of(record), view_names);
}

QualType first_type_argument(QualType type) {
    const auto* special = dyn_cast_or_null<ClassTemplateSpecializationDecl>(class_of(type));
    if (special == nullptr || special->getTemplateArgs().size() == 0 ||
        special->getTemplateArgs()[0].getKind() != TemplateArgument::Type)
        return {};
    return special->getTemplateArgs()[0].getAsType();
}

bool is_stream(QualType type) {
    const CXXRecordDecl* record = class_of(type);
    if (record == nullptr) return false;
    for (int depth = 0; depth < 4; ++depth) {
        const llvm::StringRef name = name_of(record);
        if (name == "basic_istream" || name == "basic_ios" || name == "ios_base") return true;
        if (!record->hasDefinition() || record->getNumBases() == 0) return false;
        const auto* base = record->bases_begin()->getType()->getAsCXXRecordDecl();
        if (base == nullptr) return false;
        record = base;
    }
    return false;
}

const Expr* strip(const Expr* expression) {
    for (;;) {
        const Expr* inner = expression;
        if (const auto* each = dyn_cast<ParenExpr>(expression))
            inner = each->getSubExpr();
        else if (const auto* full = dyn_cast<FullExpr>(expression))
            inner = full->getSubExpr();
        else if (const auto* temporary = dyn_cast<MaterializeTemporaryExpr>(expression))
            inner = temporary->getSubExpr();
        else if (const auto* bound = dyn_cast<CXXBindTemporaryExpr>(expression))
            inner = bound->getSubExpr();
        else if (const auto* parameter = dyn_cast<SubstNonTypeTemplateParmExpr>(expression))
            inner = parameter->getReplacement();
        else if (const auto* rewritten = dyn_cast<CXXRewrittenBinaryOperator>(expression))
            inner = rewritten->getSemanticForm();
        else if (const auto* opaque = dyn_cast<OpaqueValueExpr>(expression))
            inner = opaque->getSourceExpr();
        else if (const auto* name = dyn_cast<DeclRefExpr>(expression)) {
            // A name of a structured binding stands for a part of what was bound.
            const auto* part = dyn_cast<BindingDecl>(name->getDecl());
            if (part != nullptr && part->getBinding() != nullptr) inner = part->getBinding();
        }
        if (inner == expression || inner == nullptr) return expression;
        expression = inner;
    }
}

std::int64_t values::size_of(QualType type) const {
    if (type.isNull()) return 1;
    type = type.getNonReferenceType();
    if (type->isDependentType() || type->isIncompleteType() || type->isFunctionType() ||
        type->isVariableArrayType())
        return 1;
    return context_.getTypeSizeInChars(type).getQuantity();
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
        // Elements that are classes: those have members to follow.
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

atom values::intern(role what, const std::string& key, std::vector<path> depends) {
    const auto [found, is_new] =
        atoms_.try_emplace({what, key}, static_cast<atom>(depends_.size()));
    if (is_new) {
        depends_.push_back(std::move(depends));
        if (what == role::result || what == role::count) of_calls_.insert(found->second);
        if (what == role::size || what == role::fresh)
            axioms.push_back(polynomial::of(found->second));
    }
    return found->second;
}

namespace {

std::string key_of(const path& of) {
    std::string key(reinterpret_cast<const char*>(&of.root), sizeof of.root);
    key.append(reinterpret_cast<const char*>(of.members.data()), of.members.size() * sizeof(step));
    return key;
}

std::string key_of(const Expr* expression) {
    return {reinterpret_cast<const char*>(&expression), sizeof expression};
}

}  // namespace

atom values::value_atom(const path& of) {
    return intern(role::value, key_of(of), {of});
}
atom values::size_atom(const path& of) {
    return intern(role::size, key_of(of), {of});
}
atom values::stream_atom(const path& of) {
    return intern(role::stream, key_of(of), {of});
}
atom values::stream_count_atom(const path& of) {
    return intern(role::stream_count, key_of(of), {of});
}
atom values::result_atom(const Expr* call) {
    return intern(role::result, key_of(call), {});
}
atom values::count_atom(const Expr* call, std::int64_t which) {
    return intern(role::count, key_of(call) + std::to_string(which), {});
}
atom values::fresh_atom() {
    return intern(role::fresh, std::to_string(depends_.size()), {});
}

std::vector<atom> values::atoms_of(const path& changed, bool itself) const {
    std::vector<atom> result;
    for (std::size_t i = 0; i < depends_.size(); ++i) {
        const bool depends =
            std::any_of(depends_[i].begin(), depends_[i].end(), [&](const path& each) {
                return each.starts_with(changed) && (itself || !(each == changed));
            });
        if (depends) result.push_back(static_cast<atom>(i));
    }
    return result;
}

std::vector<atom> values::atoms_within(const FunctionDecl* function) const {
    std::vector<atom> result;
    for (std::size_t i = 0; i < depends_.size(); ++i) {
        const bool within =
            std::any_of(depends_[i].begin(), depends_[i].end(), [&](const path& each) {
                if (each.root == function) return true;
                // A path's root is a function (for its `this`) or a variable.
                const auto* declaration = static_cast<const Decl*>(each.root);
                const auto* variable = dyn_cast_or_null<VarDecl>(declaration);
                return variable != nullptr && variable->getParentFunctionOrMethod() == function;
            });
        if (within) result.push_back(static_cast<atom>(i));
    }
    return result;
}

/// False if the expression has a part that no path names.
bool values::collect_paths(const Stmt* part, std::vector<path>& into, bool& pure) const {
    if (part == nullptr) return true;
    if (const auto* expression = dyn_cast<Expr>(part)) {
        expression = strip(expression);
        if (auto found = path_of(expression)) {
            into.push_back(std::move(*found));
            return true;
        }
        if (const auto* call = dyn_cast<CallExpr>(expression)) {
            const auto* callee = dyn_cast_or_null<FunctionDecl>(call->getCalleeDecl());
            const auto* method = dyn_cast_or_null<CXXMethodDecl>(callee);
            const std::string name = name_of_callee(call);
            constexpr std::array known = {"strlen",      "std::size",     "std::min", "std::max",
                                          "std::strlen", "std::distance", "wcslen"};
            const bool is_const = method != nullptr && method->isConst() &&
                                  !method->getReturnType()->isReferenceType() &&
                                  !method->getReturnType()->isVoidType();
            const bool is_operator = isa<CXXOperatorCallExpr>(call) && method != nullptr;
            if (!is_const && !is_operator && !is_one_of(name, known) &&
                !(callee != nullptr && callee->isConstexpr()))
                pure = false;
            for (const Expr* argument : call->arguments()) collect_paths(argument, into, pure);
            if (const auto* member = dyn_cast<CXXMemberCallExpr>(call))
                collect_paths(member->getImplicitObjectArgument(), into, pure);
            return true;
        }
        if (isa<CXXNewExpr>(expression) || isa<LambdaExpr>(expression)) pure = false;
        if (const auto* unary = dyn_cast<UnaryOperator>(expression))
            if (unary->isIncrementDecrementOp()) pure = false;
        if (const auto* binary = dyn_cast<BinaryOperator>(expression))
            if (binary->isAssignmentOp()) pure = false;
        part = expression;
    }
    for (const Stmt* child : part->children()) collect_paths(child, into, pure);
    return true;
}

atom values::opaque_atom(const Expr* expression) {
    std::vector<path> depends;
    bool pure = true;
    collect_paths(expression, depends, pure);
    if (!pure) return result_atom(expression);
    llvm::FoldingSetNodeID profile;
    expression->Profile(profile, context_, true);
    std::string key;
    // The same words in two functions mean two things.
    for (const path& each : depends) key += key_of(each);
    key += std::to_string(profile.ComputeHash());
    const auto before = depends_.size();
    const atom result = intern(role::opaque, key, std::move(depends));
    if (depends_.size() != before) {
        if (expression->getType()->isUnsignedIntegerType())
            axioms.push_back(polynomial::of(result));
        const auto* call = dyn_cast<CallExpr>(strip(expression));
        if (call != nullptr && call->getNumArgs() == 2 && name_of_callee(call) == "std::min")
            for (const Expr* argument : call->arguments())
                axioms.push_back(value_of(argument) - polynomial::of(result));
        if (const auto* choice = dyn_cast<ConditionalOperator>(strip(expression))) {
            // `a < b ? a : b`
            const auto* test = dyn_cast<BinaryOperator>(strip(choice->getCond()));
            if (test != nullptr && test->isRelationalOp()) {
                polynomial low = value_of(test->getLHS());
                polynomial high = value_of(test->getRHS());
                if (test->getOpcode() == BO_GT || test->getOpcode() == BO_GE) std::swap(low, high);
                if (value_of(choice->getTrueExpr()) == low &&
                    value_of(choice->getFalseExpr()) == high) {
                    axioms.push_back(low - polynomial::of(result));
                    axioms.push_back(high - polynomial::of(result));
                }
            }
        }
    }
    return result;
}

/// The same words with the same values take the same number of characters.
atom values::formatted_atom(const CallExpr* call) {
    std::vector<path> depends;
    bool pure = true;
    std::string key = "format";
    for (unsigned i = 2; i < call->getNumArgs(); ++i) {
        collect_paths(call->getArg(i), depends, pure);
        llvm::FoldingSetNodeID profile;
        call->getArg(i)->Profile(profile, context_, true);
        key += std::to_string(profile.ComputeHash()) + ",";
    }
    return pure ? intern(role::opaque, key, std::move(depends)) : result_atom(call);
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
            case CK_LValueToRValue:
            case CK_NoOp:
            case CK_IntegralCast:
            case CK_BitCast:
            case CK_IntegralToBoolean:
            case CK_PointerToBoolean:
            case CK_UserDefinedConversion:
            case CK_ConstructorConversion:
            case CK_DerivedToBase:
            case CK_UncheckedDerivedToBase:
            case CK_PointerToIntegral:
            case CK_BooleanToSignedIntegral:
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
    if (const auto* binary = dyn_cast<BinaryOperator>(expression)) {
        const auto scale = [&](const Expr* operand) -> polynomial {
            return operand->getType()->isPointerType()
                       ? size_of(operand->getType()->getPointeeType())
                       : 1;
        };
        const Expr* left = binary->getLHS();
        const Expr* right = binary->getRHS();
        switch (binary->getOpcode()) {
            case BO_Add:
                return value_of(left) * scale(right) + value_of(right) * scale(left);
            case BO_Sub: {
                if (!left->getType()->isPointerType()) return value_of(left) - value_of(right);
                if (!right->getType()->isPointerType())
                    return value_of(left) - value_of(right) * scale(left);
                const auto distance =
                    (value_of(left) - value_of(right)).divided(*scale(left).constant());
                if (distance) return *distance;
                break;
            }
            case BO_Mul:
                return value_of(left) * value_of(right);
            case BO_Shl:
                if (const auto bits = value_of(right).constant())
                    if (*bits >= 0 && *bits < 62)
                        return value_of(left) * polynomial(std::int64_t{1} << *bits);
                break;
            case BO_Div:
                if (const auto divisor = value_of(right).constant())
                    if (*divisor != 0)
                        if (const auto quotient = value_of(left).divided(*divisor))
                            return *quotient;
                break;
            case BO_Comma:
                return value_of(right);
            default:
                if (binary->isAssignmentOp()) return value_of(left);
        }
        return polynomial::of(opaque_atom(expression));
    }
    if (const auto* call = dyn_cast<CallExpr>(expression)) return call_value(call);
    if (const auto* name = dyn_cast<DeclRefExpr>(expression)) {
        const auto found = given_.find(name->getDecl()->getCanonicalDecl());
        if (found != given_.end()) return found->second;
    }
    if (const auto found = path_of(expression)) {
        const auto before = depends_.size();
        const atom result = value_atom(*found);
        const auto* variable = dyn_cast_or_null<VarDecl>(static_cast<const Decl*>(found->root));
        const bool wraps = found->members.empty() && may_wrap.count(variable) != 0;
        if (depends_.size() != before && !wraps && expression->getType()->isUnsignedIntegerType())
            axioms.push_back(polynomial::of(result));
        return polynomial::of(result);
    }
    return polynomial::of(opaque_atom(expression));
}

namespace {

/// What a call is made on, and its arguments: of a member function or an operator.
std::pair<const Expr*, std::vector<const Expr*>> split(const CallExpr* call) {
    std::vector<const Expr*> arguments(call->arg_begin(), call->arg_end());
    if (const auto* member = dyn_cast<CXXMemberCallExpr>(call))
        return {member->getImplicitObjectArgument(), std::move(arguments)};
    if (!isa<CXXOperatorCallExpr>(call) || arguments.empty()) return {nullptr, {}};
    const Expr* object = arguments.front();
    arguments.erase(arguments.begin());
    return {object, std::move(arguments)};
}

}  // namespace

const Expr* values::accessed(const CallExpr* call) const {
    constexpr std::size_t deepest = 6;
    const auto* method = dyn_cast_or_null<CXXMethodDecl>(call->getCalleeDecl());
    const FunctionDecl* definition = nullptr;
    if (method == nullptr || method->isStatic() || frames.size() >= deepest ||
        method->getParent()->isInStdNamespace() || method->getParent()->isLambda() ||
        isa<CXXConversionDecl>(method) || !method->hasBody(definition) ||
        definition->isDependentContext() ||
        (method->isVirtual() && !method->hasAttr<FinalAttr>() &&
         !method->getParent()->hasAttr<FinalAttr>()) ||
        std::find(frames.begin(), frames.end(), definition) != frames.end())
        return nullptr;
    const auto [object_argument, arguments] = split(call);
    if (object_argument == nullptr || arguments.size() != definition->getNumParams() ||
        std::any_of(definition->param_begin(), definition->param_end(),
                    [](const ParmVarDecl* each) { return !each->getType()->isIntegerType(); }))
        return nullptr;
    const auto* body = dyn_cast_or_null<CompoundStmt>(definition->getBody());
    const auto* result =
        body != nullptr && body->size() == 1 ? dyn_cast<ReturnStmt>(body->body_front()) : nullptr;
    return result != nullptr && object_path(object_argument) ? result->getRetValue() : nullptr;
}

template <class Translate>
auto values::within_accessor(const CallExpr* call, Translate translate)
    -> decltype(translate(static_cast<const Expr*>(nullptr))) {
    const FunctionDecl* definition = nullptr;
    cast<CXXMethodDecl>(call->getCalleeDecl())->hasBody(definition);
    const Expr* result = accessed(call);
    const auto [object_argument, arguments] = split(call);
    const auto old_bound = bound;
    const auto old_given = given_;
    std::vector<polynomial> given;
    for (const Expr* each : arguments) given.push_back(value_of(each));
    bound[definition] = *object_path(object_argument);
    for (unsigned i = 0; i < definition->getNumParams(); ++i)
        given_[definition->getParamDecl(i)->getCanonicalDecl()] = given[i];
    frames.push_back(definition);
    auto value = translate(result);
    frames.pop_back();
    bound = old_bound;
    given_ = old_given;
    return value;
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
            if (!is_stream(object_argument->getType())) return value_of(object_argument);
            const auto stream = stream_of(object_argument);
            return polynomial::of(stream ? stream_atom(*stream) : result_atom(call));
        }
        if (call->getType()->isIntegralOrEnumerationType() && accessed(call) != nullptr)
            return within_accessor(call, [&](const Expr* each) { return value_of(each); });
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
                const polynomial base =
                    polynomial::of(intern(role::base, key_of(*found), {*found}));
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
        // Arithmetic of iterators that do not point into the object.
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
        const auto* record = dyn_cast_or_null<ClassTemplateSpecializationDecl>(class_of(type));
        result.type = record != nullptr && record->getTemplateArgs().size() != 0 &&
                              record->getTemplateArgs()[0].getKind() == TemplateArgument::Type
                          ? record->getTemplateArgs()[0].getAsType()
                          : context_.CharTy;
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

/// A pointer, a reference or a view: what an accessor returns of a buffer.
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
            if (const auto* special =
                    dyn_cast_or_null<ClassTemplateSpecializationDecl>(class_of(from.type)))
                if (special->getTemplateArgs().size() != 0 &&
                    special->getTemplateArgs()[0].getKind() == TemplateArgument::Type)
                    return special->getTemplateArgs()[0].getAsType();
        return from.how == form::handle ? object.type : from.type;
    };
    // The number of bytes that the range of this place has.
    const auto extent = [&](const place& from) -> polynomial {
        if (from.how == form::view && from.size) return *from.size;
        if (from.how == form::object) return {size_of(from.type)};
        return polynomial(size_of(object.type)) * polynomial::of(size_atom(object.root));
    };
    const auto accessor_place = [&]() -> std::optional<place> {
        if (!has_place(type) && !call->isGLValue()) return std::nullopt;
        if (accessed(call) == nullptr) return std::nullopt;
        return within_accessor(call, [&](const Expr* each) { return place_of(each); });
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
            if (const auto* other =
                    dyn_cast_or_null<VarDecl>(static_cast<const Decl*>(to->second.root)))
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
            std::vector<const Expr*> arguments;
            for (const Expr* each : construct->arguments())
                if (!isa<CXXDefaultArgExpr>(each)) arguments.push_back(each);
            if (construct->getConstructor()->isCopyOrMoveConstructor())
                return place_of(construct->getArg(0));
            return view_from(arguments);
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
