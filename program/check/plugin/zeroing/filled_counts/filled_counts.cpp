// SPDX-License-Identifier: BSL-1.0
#include "filled_counts.hpp"

#include <algorithm>

#include <clang/Basic/SourceManager.h>

namespace freehold::check {

using namespace clang;

namespace {

bool is_plain_number(QualType type) {
    return !type.isNull() && type->isScalarType() && !type.isVolatileQualified() &&
           !type->isSpecificBuiltinType(BuiltinType::LongDouble);
}

/// True if each constructor gives the member the value 0.
bool begins_at_zero(const FieldDecl* count, const CXXRecordDecl& record, ASTContext& context) {
    const Expr* in_class = count->getInClassInitializer();
    if (count->hasInClassInitializer() &&
        (in_class == nullptr || !is_constant_zero(in_class, context)))
        return false;
    return std::all_of(record.ctor_begin(), record.ctor_end(), [&](const auto* each) {
        if (each->isDeleted() || (!each->isUserProvided() && each->isCopyOrMoveConstructor()))
            return true;
        if (!each->isUserProvided()) return count->hasInClassInitializer();
        const FunctionDecl* definition = nullptr;
        if (!each->isDefined(definition)) return false;
        const auto* constructor = cast<CXXConstructorDecl>(definition);
        return constructor->isDelegatingConstructor() ||
               std::any_of(constructor->init_begin(), constructor->init_end(),
                           [&](const CXXCtorInitializer* initial) {
                               return initial->isMemberInitializer() &&
                                      initial->getMember()->getCanonicalDecl() == count &&
                                      is_constant_zero(initial->getInit(), context);
                           });
    });
}

}  // namespace

filled_counts::filled_counts(const std::vector<filler>& more_fillers) {
    for (const filler& each : known_fillers()) fillers_[each.name] = each;
    for (const filler& each : more_fillers) fillers_[each.name] = each;
}

const member_uses& filled_counts::uses(ASTContext& context) {
    if (!uses_) uses_ = uses_in_file(context, fillers_);
    return *uses_;
}

bool filled_counts::is_exposed(const CXXRecordDecl* record, ASTContext& context) {
    return uses(context).exposed.count(record->getCanonicalDecl()) != 0;
}

bool filled_counts::is_bound(const FieldDecl* elements, const FieldDecl* count,
                             ASTContext& context) {
    const member_uses& all = uses(context);
    const auto* record = dyn_cast<CXXRecordDecl>(elements->getParent());
    if (record == nullptr || is_exposed(record, context) ||
        !context.getSourceManager().isInMainFile(record->getLocation()) ||
        all.raised.count(count->getCanonicalDecl()) != 0)
        return false;
    const auto appended = all.appended.find(count->getCanonicalDecl());
    if (appended != all.appended.end() && appended->second.count(elements->getCanonicalDecl()) == 0)
        return false;
    const auto found = all.bounds.find(elements->getCanonicalDecl());
    return found == all.bounds.end() || found->second.count(count->getCanonicalDecl()) != 0;
}

bool filled_counts::is_read_in_file(const FieldDecl* elements, ASTContext& context) {
    return uses(context).bounds.count(elements->getCanonicalDecl()) != 0;
}

SourceLocation filled_counts::filled_below_count(const FieldDecl* elements, ASTContext& context) {
    const member_uses& all = uses(context);
    elements = elements->getCanonicalDecl();
    const auto bounds = all.bounds.find(elements);
    const auto* record = dyn_cast<CXXRecordDecl>(elements->getParent());
    if (record == nullptr || bounds == all.bounds.end() || all.replaced.count(elements) != 0 ||
        !is_plain_number(element_type_of(elements)))
        return {};
    const bool is_filled =
        std::any_of(bounds->second.begin(), bounds->second.end(), [&](const FieldDecl* count) {
            return all.appended.count(count) != 0 && all.set_when_new.count(count) == 0 &&
                   !count->getType().isVolatileQualified() && is_bound(elements, count, context) &&
                   begins_at_zero(count, *record, context);
        });
    const auto where = all.filled_at.find(elements);
    return is_filled && where != all.filled_at.end() ? where->second : SourceLocation();
}

}  // namespace freehold::check
