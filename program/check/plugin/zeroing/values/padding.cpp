// SPDX-License-Identifier: BSL-1.0
#include "padding.hpp"

#include <algorithm>

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecordLayout.h>

namespace freehold::check {

using namespace clang;

namespace {

// NOLINTNEXTLINE(misc-no-recursion): types are finite.
void add_padding(QualType type, std::int64_t offset, const values& values,
                 std::map<std::int64_t, std::int64_t>& into) {
    const auto* record = type.isNull() ? nullptr : type->getAsCXXRecordDecl();
    if (record == nullptr || !record->hasDefinition() || record->isUnion() ||
        record->isDependentContext() || record->isInvalidDecl())
        return;
    const auto& layout = values.context().getASTRecordLayout(record);
    std::int64_t end = -1;
    for (const FieldDecl* field : record->fields()) {
        if (field->isBitField()) return;
        const auto begin =
            static_cast<std::int64_t>(layout.getFieldOffset(field->getFieldIndex()) / 8);
        if (end >= 0 && begin > end) into[offset + end] = begin - end;
        add_padding(field->getType(), offset + begin, values, into);
        end = begin + values.size_of(field->getType());
    }
    const std::int64_t size = values.size_of(type);
    if (end >= 0 && size > end && into.count(offset + end) == 0) into[offset + end] = size - end;
}

}  // namespace

std::map<std::int64_t, std::int64_t> padding_of(QualType type, const values& values) {
    std::map<std::int64_t, std::int64_t> result;
    add_padding(type, 0, values, result);
    return result;
}

bool has_padded_numbers(QualType type, const ASTContext& context) {
    if (type.isNull()) return false;
    if (type->isArrayType())
        return has_padded_numbers(QualType(type->getArrayElementTypeNoTypeQual(), 0), context);
    if (const auto* complex = type->getAs<ComplexType>())
        return has_padded_numbers(complex->getElementType(), context);
    if (type->isRealFloatingType())
        return &context.getFloatTypeSemantics(type) == &llvm::APFloat::x87DoubleExtended();
    const auto* record = type->getAsCXXRecordDecl();
    return record != nullptr && record->hasDefinition() &&
           std::any_of(record->field_begin(), record->field_end(), [&](const FieldDecl* each) {
               return has_padded_numbers(each->getType(), context);
           });
}

bool assigns_padding(const Stmt* statement, const values& values) {
    QualType type;
    if (const auto* assignment = dyn_cast<BinaryOperator>(statement))
        type = assignment->getType();
    else if (const auto* call = dyn_cast<CXXOperatorCallExpr>(statement))
        type = call->getOperator() == OO_Equal ? call->getArg(0)->getType() : QualType();
    else if (const auto* made = dyn_cast<CXXNewExpr>(statement))
        type = made->getAllocatedType();
    return !type.isNull() && !type->isDependentType() &&
           (has_padded_numbers(type, values.context()) || !padding_of(type, values).empty());
}

}  // namespace freehold::check
