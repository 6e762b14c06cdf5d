// SPDX-License-Identifier: BSL-1.0
#include "syntax.hpp"

#include <algorithm>
#include <array>

#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceManager.h>

namespace freehold::check {

using namespace clang;

llvm::StringRef name_of(const NamedDecl* declaration) {
    return declaration != nullptr && declaration->getDeclName().isIdentifier()
               ? declaration->getName()
               : llvm::StringRef();
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

bool is_in_system_header(const Decl* declaration, const ASTContext& context) {
    const SourceLocation where = declaration->getLocation();
    return where.isValid() && context.getSourceManager().isInSystemHeader(where);
}

std::int64_t size_in_bytes(QualType type, const ASTContext& context) {
    return type.isNull() || type->isDependentType() || type->isIncompleteType()
               ? 0
               : context.getTypeSizeInChars(type).getQuantity();
}

bool is_constant(const Expr* value, Expr::EvalResult& into, const ASTContext& context) {
    return !value->isValueDependent() && !value->isTypeDependent() &&
           value->EvaluateAsInt(into, context);
}

bool may_be_overridden(const CXXMethodDecl& method) {
    return method.isVirtual() && !method.hasAttr<FinalAttr>() &&
           !method.getParent()->hasAttr<FinalAttr>();
}

bool is_copy(const LambdaCapture& capture) {
    return capture.capturesVariable() && capture.getCaptureKind() != LCK_ByRef;
}

bool is_changed(const Stmt* part, const VarDecl* variable) {
    const auto names = [&](const Expr* target) {
        const auto* name = dyn_cast<DeclRefExpr>(strip(target));
        return name != nullptr && name->getDecl() == variable;
    };
    if (part == nullptr) return false;
    if (const auto* binary = dyn_cast<BinaryOperator>(part))
        if (binary->isAssignmentOp() && names(binary->getLHS())) return true;
    if (const auto* unary = dyn_cast<UnaryOperator>(part))
        if ((unary->isIncrementDecrementOp() || unary->getOpcode() == UO_AddrOf) &&
            names(unary->getSubExpr()))
            return true;
    return std::any_of(part->child_begin(), part->child_end(),
                       [&](const Stmt* each) { return is_changed(each, variable); });
}

// NOLINTNEXTLINE(misc-no-recursion): statements are finite.
bool is_copied_by_lambda(const Stmt* part, const VarDecl* variable) {
    if (part == nullptr) return false;
    if (const auto* lambda = dyn_cast<LambdaExpr>(part))
        for (const LambdaCapture& each : lambda->captures())
            if (is_copy(each) && each.getCapturedVar() == variable) return true;
    return std::any_of(part->child_begin(), part->child_end(),
                       [&](const Stmt* each) { return is_copied_by_lambda(each, variable); });
}

bool is_noexcept(const FunctionDecl* function) {
    const auto* type = function->getType()->getAs<FunctionProtoType>();
    if (type == nullptr) return false;
    if (isUnresolvedExceptionSpec(type->getExceptionSpecType()))
        return isa<CXXDestructorDecl>(function);
    return type->isNothrow();
}

namespace {

/// The `std::basic_ios` of the class. Null if the class is no stream.
// NOLINTNEXTLINE(misc-no-recursion): classes have a finite number of bases.
const CXXRecordDecl* stream_state_of(const CXXRecordDecl* record) {
    if (record == nullptr || !record->hasDefinition()) return nullptr;
    if (name_of(record) == "basic_ios") return record->getDefinition();
    for (const CXXBaseSpecifier& each : record->bases())
        if (const auto* state = stream_state_of(each.getType()->getAsCXXRecordDecl())) return state;
    return nullptr;
}

/// True if the file calls `exceptions(mask)` of such a stream.
bool is_told_to_throw(const CXXRecordDecl* stream) {
    const CXXRecordDecl* state = stream_state_of(stream);
    return state != nullptr &&
           std::any_of(state->method_begin(), state->method_end(), [](const CXXMethodDecl* each) {
               return name_of(each) == "exceptions" && each->getNumParams() == 1 && each->isUsed();
           });
}

}  // namespace

bool throws_as_stream(const FunctionDecl* function) {
    if (function == nullptr || is_noexcept(function)) return false;
    const auto* method = dyn_cast<CXXMethodDecl>(function);
    if (method != nullptr && !method->isConst() && !isa<CXXConstructorDecl>(method) &&
        is_told_to_throw(method->getParent()))
        return true;
    return std::any_of(function->param_begin(), function->param_end(), [](const ParmVarDecl* each) {
        const QualType type = each->getType();
        return type->isReferenceType() && !type->getPointeeType().isConstQualified() &&
               is_told_to_throw(type->getPointeeType()->getAsCXXRecordDecl());
    });
}

bool throws_by_contract(const FunctionDecl* function) {
    constexpr std::array names = {
        "at",   "value", "substr", "get",   "any_cast", "visit",
        "stoi", "stol",  "stoll",  "stoul", "stoull",   "stof",
        "stod", "stold", "format", "lock",  "bad_cast", "rethrow_exception"};
    return function != nullptr && !is_noexcept(function) &&
           (is_one_of(name_of(function), names) || throws_as_stream(function));
}

const CXXRecordDecl* class_of(QualType type) {
    if (type.isNull()) return nullptr;
    type = type.getNonReferenceType();
    if (type->isPointerType()) type = type->getPointeeType();
    return type->getAsCXXRecordDecl();
}

bool is_view_class(const CXXRecordDecl* record) {
    constexpr std::array view_names = {"span",         "string_view",     "basic_string_view",
                                       "Span",         "StringPiece",     "StringRef",
                                       "ArrayRef",     "MutableArrayRef", "Slice",
                                       "wstring_view", "buffer_view"};
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

bool is_atomic(QualType type) {
    type = type.getNonReferenceType();
    const llvm::StringRef name = name_of(class_of(type));
    return type.isVolatileQualified() || type->isAtomicType() || name == "atomic" ||
           name == "__atomic_base" || name == "atomic_ref";
}

bool is_iterator(QualType type) {
    type = type.getNonReferenceType();
    if (type->isPointerType()) return true;
    const llvm::StringRef name = name_of(type->getAsCXXRecordDecl());
    return name.contains("iterator") || name.contains("wrap_iter");
}

bool is_passed_through(const CallExpr* call) {
    const std::string name = name_of_callee(call);
    return call->getNumArgs() == 1 &&
           (name == "std::move" || name == "std::forward" || name == "std::as_const" ||
            name == "std::ref" || name == "std::launder" || name == "__builtin_launder" ||
            name == "std::addressof" || name == "std::to_address" || name == "std::assume_aligned");
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
            // The name of a structured binding refers to a part of the bound object.
            const auto* part = dyn_cast<BindingDecl>(name->getDecl());
            if (part != nullptr && part->getBinding() != nullptr) inner = part->getBinding();
        }
        if (inner == expression || inner == nullptr) return expression;
        expression = inner;
    }
}

const Expr* strip_casts(const Expr* expression) {
    expression = strip(expression);
    while (const auto* cast = dyn_cast<CastExpr>(expression))
        expression = strip(cast->getSubExpr());
    return expression;
}

std::vector<const Expr*> written_arguments(const Expr* expression) {
    std::vector<const Expr*> result;
    const auto add = [&](const auto& arguments) {
        for (const Expr* each : arguments)
            if (!isa<CXXDefaultArgExpr>(each)) result.push_back(each);
    };
    if (const auto* call = dyn_cast<CallExpr>(expression)) add(call->arguments());
    if (const auto* construct = dyn_cast<CXXConstructExpr>(expression)) add(construct->arguments());
    return result;
}

const Expr* receiver_of(const Expr* call) {
    if (const auto* member = dyn_cast<CXXMemberCallExpr>(call))
        return member->getImplicitObjectArgument();
    const auto* operation = dyn_cast<CXXOperatorCallExpr>(call);
    const bool is_member =
        operation != nullptr && isa_and_nonnull<CXXMethodDecl>(operation->getDirectCallee());
    return is_member ? operation->getArg(0) : nullptr;
}

std::vector<const Expr*> arguments_of_call(const CallExpr* call) {
    const bool begins_with_receiver =
        isa<CXXOperatorCallExpr>(call) && receiver_of(call) != nullptr;
    return {call->arg_begin() + (begins_with_receiver ? 1 : 0), call->arg_end()};
}

const Expr* argument_of(const Expr* call, unsigned parameter) {
    if (const auto* construct = dyn_cast<CXXConstructExpr>(call))
        return parameter < construct->getNumArgs() ? construct->getArg(parameter) : nullptr;
    const auto arguments = arguments_of_call(cast<CallExpr>(call));
    return parameter < arguments.size() ? arguments[parameter] : nullptr;
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

}  // namespace freehold::check
