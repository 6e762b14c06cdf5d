// SPDX-License-Identifier: BSL-1.0
#include "member_uses.hpp"

#include "buffer_reads.hpp"
#include "check/plugin/syntax/syntax.hpp"
#include "count_changes.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>

#include <clang/AST/RecursiveASTVisitor.h>

namespace freehold::check {

using namespace clang;

namespace {

/// True for storage that a count beside it may describe.
bool is_buffer(QualType type) {
    if (type->isArrayType() || type->isPointerType()) return true;
    const auto* record = type->getAsCXXRecordDecl();
    constexpr std::array names = {"unique_ptr", "shared_ptr", "vector", "basic_string", "array"};
    return record != nullptr && record->isInStdNamespace() && is_one_of(name_of(record), names);
}

/// Looks at each use of each member, and at what leads to a whole object.
class reader_of_file : public RecursiveASTVisitor<reader_of_file> {
    using base = RecursiveASTVisitor<reader_of_file>;

public:
    reader_of_file(member_uses& into, ASTContext& context, const fillers_by_name& fillers)
        : into_(into),
          context_(context),
          changes_(into, context, above_),
          reads_(into, context, fillers, above_) {}
    bool shouldVisitTemplateInstantiations() const { return true; }
    bool shouldVisitImplicitCode() const { return true; }

    bool TraverseDecl(Decl* each) {
        if (each != nullptr && !isa<TranslationUnitDecl>(each) && each->getLocation().isValid() &&
            is_in_system_header(each, context_))
            return true;
        // What the compiler writes copies all members, and its copies keep their counts.
        auto* function = dyn_cast_or_null<FunctionDecl>(each);
        if (function != nullptr && function->isDefaulted()) return VisitFunctionDecl(function);
        return base::TraverseDecl(each);
    }
    bool TraverseStmt(Stmt* each) {
        if (each == nullptr) return true;
        above_.enter(each);
        look_at(each);
        const bool result = base::TraverseStmt(each);
        above_.leave();
        return result;
    }
    bool VisitFunctionDecl(FunctionDecl* each) {
        // A function of another file may look at whole objects.
        const bool is_elsewhere = !each->isDefined() && !each->isImplicit() && !each->isDeleted() &&
                                  !each->isVirtualAsWritten() && !each->isDependentContext();
        const bool is_comparison = each->isDefaulted() && each->isOverloadedOperator() &&
                                   each->getOverloadedOperator() != OO_Equal;
        if (is_comparison)
            if (const auto* method = dyn_cast<CXXMethodDecl>(each)) expose(method->getParent());
        if (is_elsewhere || is_comparison)
            for (const ParmVarDecl* parameter : each->parameters()) expose(parameter->getType());
        return true;
    }
    bool VisitDecompositionDecl(DecompositionDecl* each) {
        expose(each->getType());
        return true;
    }
    bool VisitRecordDecl(RecordDecl* each) {
        if (each->isUnion())
            for (const FieldDecl* member : each->fields()) expose(member->getType());
        return true;
    }

private:
    void expose(const CXXRecordDecl* record) {
        if (record == nullptr || !into_.exposed.insert(record->getCanonicalDecl()).second) return;
        if (const auto* special = dyn_cast<ClassTemplateSpecializationDecl>(record))
            for (const TemplateArgument& each : special->getTemplateArgs().asArray())
                if (each.getKind() == TemplateArgument::Type) expose(each.getAsType());
        if (!record->hasDefinition() || record->isInStdNamespace()) return;
        for (const FieldDecl* each : record->fields()) expose(each->getType());
        for (const CXXBaseSpecifier& each : record->bases()) expose(each.getType());
    }
    void expose(QualType type) {
        if (type.isNull()) return;
        type = type.getNonReferenceType();
        while (type->isPointerType() || type->isArrayType())
            type = type->isPointerType() ? type->getPointeeType()
                                         : QualType(type->getArrayElementTypeNoTypeQual(), 0);
        expose(type->getAsCXXRecordDecl());
    }

    void look_at(const Stmt* each) {
        if (const auto* cast = dyn_cast<CastExpr>(each)) {
            const bool is_raw = cast->getCastKind() == CK_BitCast ||
                                cast->getCastKind() == CK_LValueBitCast ||
                                cast->getCastKind() == CK_PointerToIntegral;
            const auto* call = dyn_cast_or_null<CallExpr>(above_.parent());
            if (is_raw && (call == nullptr || without_std(name_of_callee(call)) != "free"))
                expose(cast->getSubExpr()->getType());
        } else if (const auto* call = dyn_cast<CallExpr>(each)) {
            const std::string name = name_of_callee(call);
            if (name == "std::bit_cast" || name == "std::as_bytes" ||
                name == "std::as_writable_bytes" || name == "__builtin_bit_cast")
                for (const Expr* argument : call->arguments()) expose(argument->getType());
        } else if (const auto* list = dyn_cast<InitListExpr>(each)) {
            changes_.look_at(*list);
        } else if (llvm::StringRef(each->getStmtClassName()) == "CXXParenListInitExpr") {
            expose(static_cast<const Expr*>(each)->getType());
        } else if (const auto* name = dyn_cast<DeclRefExpr>(each)) {
            const auto* field = dyn_cast<FieldDecl>(name->getDecl());
            if (field != nullptr && !is_unevaluated())
                expose(dyn_cast<CXXRecordDecl>(field->getParent()));
        } else if (const auto* member = dyn_cast<MemberExpr>(each)) {
            const FieldDecl* field = field_of(member);
            if (field == nullptr || is_unevaluated()) return;
            if (field->getType()->isIntegerType())
                changes_.look_at(*member, field);
            else if (is_buffer(field->getType()))
                reads_.look_at(*member, field);
        }
    }
    [[nodiscard]] bool is_unevaluated() const {
        return std::any_of(above_.all().begin(), above_.all().end(), [](const Stmt* each) {
            return isa<UnaryExprOrTypeTraitExpr>(each) || isa<CXXNoexceptExpr>(each);
        });
    }

    member_uses& into_;
    ASTContext& context_;
    statements_above above_;
    count_changes changes_;
    buffer_reads reads_;
};

}  // namespace

void narrow(member_uses::sets_by_field& of, const FieldDecl* field, const field_set& by) {
    const auto [found, is_first] = of.try_emplace(field, by);
    if (is_first) return;
    field_set both;
    std::set_intersection(found->second.begin(), found->second.end(), by.begin(), by.end(),
                          std::inserter(both, both.end()));
    found->second = std::move(both);
}

member_uses uses_in_file(ASTContext& context, const fillers_by_name& fillers) {
    member_uses result;
    reader_of_file(result, context, fillers).TraverseDecl(context.getTranslationUnitDecl());
    return result;
}

}  // namespace freehold::check
