// SPDX-License-Identifier: BSL-1.0
// Reads and writes of the object's bytes.
#include "check/plugin/syntax/syntax.hpp"
#include "check/plugin/zeroing/values/padding.hpp"
#include "flow.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <clang/AST/RecordLayout.h>
#include <clang/Basic/SourceManager.h>

namespace freehold::check {

using namespace clang;

namespace {

/// True if a function that is not of a library is called between two statements of the block. Then
/// optimisers keep what was written to the heap.
bool calls_between(const CFGBlock& block, const void* first, const Stmt* last,
                   const ASTContext& context) {
    bool begun = false;
    for (const CFGElement& element : block) {
        const auto statement = element.getAs<CFGStmt>();
        const Stmt* each = statement ? statement->getStmt() : nullptr;
        if (each == last) return false;
        const auto* call = dyn_cast_or_null<CallExpr>(each);
        const FunctionDecl* callee = call != nullptr ? call->getDirectCallee() : nullptr;
        if (begun && call != nullptr &&
            (callee == nullptr || !is_in_system_header(callee, context)))
            return true;
        begun = begun || each == first;
        if (const auto* declarations = dyn_cast_or_null<DeclStmt>(each))
            for (const Decl* declared : declarations->decls()) begun = begun || declared == first;
    }
    return false;
}

bool contains(const Stmt* whole, const Stmt* part) {
    return whole == part || (whole != nullptr &&
                             std::any_of(whole->child_begin(), whole->child_end(),
                                         [&](const Stmt* each) { return contains(each, part); }));
}

/// The innermost block that declares the variable. Null if there is none.
const CompoundStmt* scope_of(const VarDecl* variable, const Stmt* within) {
    if (within == nullptr) return nullptr;
    for (const Stmt* each : within->children()) {
        const auto* declarations = dyn_cast_or_null<DeclStmt>(each);
        if (declarations != nullptr &&
            std::find(declarations->decl_begin(), declarations->decl_end(), variable) !=
                declarations->decl_end())
            return dyn_cast<CompoundStmt>(within);
        if (const auto* found = scope_of(variable, each)) return found;
    }
    return nullptr;
}

}  // namespace

void flow::activate(facts& now) {
    const evaluation here(values_, &now);
    const bool is_new_storage = what_.extent.how == zeroed_extent::growth::fixed ||
                                what_.extent.how == zeroed_extent::growth::counted;
    if (now.live && !now.is_all_covered() && !is_new_storage) {
        needed();
        return;
    }
    if (start_block_ == nullptr) start_block_ = block_;
    const zeroed_extent& extent = what_.extent;
    const polynomial size = values_.size_of(what_.object.type);
    const auto translated = [&](polynomial value) {
        for (const auto& [parameter, argument] : extent.arguments)
            value = value.replaced(values_.value_atom({parameter->getCanonicalDecl(), {}}),
                                   values_.value_of(argument));
        return now.normal(value);
    };
    const auto count = [&] {
        polynomial result = values_.value_of(extent.count);
        if (extent.second_count != nullptr) result = result * values_.value_of(extent.second_count);
        return translated(result);
    };
    for (const auto& [member, value] : extent.beside) {
        path other = what_.object.root;
        other.members.back() = member;
        assign(now, values_.value_atom(other), translated(values_.value_of(value)));
    }
    const atom container_size = values_.size_atom(what_.object.root);
    now.end();
    now.live = true;
    switch (extent.how) {
        case zeroed_extent::growth::fixed:
            now.zeroed = {extent.offset, extent.offset + extent.bytes};
            break;
        case zeroed_extent::growth::counted:
            now.zeroed = {0, size * count()};
            if (what_.object.kind == object_kind::container) assign(now, container_size, count());
            break;
        case zeroed_extent::growth::unknown:
            now.zeroed = {0, size * polynomial::of(what_.object.kind == object_kind::container
                                                       ? container_size
                                                       : values_.fresh_atom())};
            break;
        case zeroed_extent::growth::resized:
            now.zeroed = {now.normal(size * polynomial::of(container_size)), size * count()};
            assign(now, container_size, count());
            break;
        case zeroed_extent::growth::appended: {
            const polynomial old = now.normal(polynomial::of(container_size));
            now.zeroed = {size * old, size * old + size};
            assign(now, container_size, old + 1);
            break;
        }
    }
    if (!now.at_least_zero(polynomial(what_.least_bytes - 1) - now.zeroed.size()))
        verdict_.large = true;
    // The number of elements is not negative, even if its type is signed.
    for (const atom each : now.zeroed.high.atoms()) values_.axioms.push_back(polynomial::of(each));
    for (const auto& [low, high] : extent.initialised) now.cover({low, high});
    if (now.at_least_zero(now.zeroed.low - now.zeroed.high)) now.end();
}

byte_range flow::extent_of(const place& where) {
    switch (where.how) {
        case form::object:
            return {where.offset, where.offset + polynomial(values_.size_of(where.type))};
        case form::view:
            if (where.size) return {where.offset, where.offset + *where.size};
            break;
        case form::handle:
            if (what_.object.kind == object_kind::container)
                return {0, polynomial(values_.size_of(what_.object.type)) *
                               polynomial::of(values_.size_atom(what_.object.root))};
            break;
        case form::address:
            break;
    }
    return {where.offset, where.offset};
}

void flow::needed() {
    verdict_.needed = true;
    finished_ = true;
}

/// If loops wrote the members, the padding after the members counts as written only after the loops
/// have ended.
void flow::cover_padding(facts& now) const {
    if (padding_.empty() || what_.extent.how != zeroed_extent::growth::fixed) return;
    facts wider = now;
    for (const auto& [begin, size] : padding_) wider.cover({begin, begin + size});
    if (!wider.is_all_covered()) return;
    now = std::move(wider);
    now.padding_left = true;
}

void flow::read(facts& now, const byte_range& range, const Stmt* where, bool raw) {
    if (!now.live || finished_) return;
    if (!now.is_covered(range) && is_unnamed_from(where, now)) cover_unfilled(now);
    if (!now.is_covered(range) && !raw) cover_padding(now);
    if (!now.is_covered(range) || (raw && now.padding_left)) {
        verdict_.needed_by = unknown_reader_in(where, now);
        needed();
        return;
    }
    if (!now.covered.empty() && !now.at_least_zero(range.low - range.high))
        verdict_.overwritten = true;
}

std::vector<path> flow::names_of_struct(const facts& now) {
    path whole = what_.object.root;
    if (what_.object.kind == object_kind::storage) return {whole};
    if (what_.object.kind == object_kind::pointer) {
        whole.members.emplace_back(nullptr);
        return {whole};
    }
    std::vector<path> result;
    if (what_.extent.how != zeroed_extent::growth::appended) return result;
    for (const auto& [variable, how] : values_.aliases) {
        path name{variable, {}};
        const polynomial at = polynomial::of(values_.value_atom(name));
        if (!(now.normal(at) == now.normal(now.zeroed.low))) continue;
        if (how == form::address) name.members.emplace_back(nullptr);
        if (how == form::object || how == form::address) result.push_back(std::move(name));
    }
    return result;
}

void flow::cover_unfilled(facts& now) {
    const auto* record =
        what_.object.type.isNull() ? nullptr : what_.object.type->getAsCXXRecordDecl();
    auto& context = values_.context();
    const bool is_appended = what_.extent.how == zeroed_extent::growth::appended;
    if (!now.live || record == nullptr || !record->hasDefinition() || record->isUnion() ||
        (what_.extent.how != zeroed_extent::growth::fixed && !is_appended) ||
        what_.extent.offset != 0 || !context.getSourceManager().isInMainFile(record->getLocation()))
        return;
    const std::vector<path> names = names_of_struct(now);
    const auto& layout = context.getASTRecordLayout(record);
    // True if a member holds the count, and no reader goes further.
    const auto is_read_below = [&](const FieldDecl* array, const polynomial& count) {
        // Any number may be 0. Only a reader shows that it is the count of the array.
        if (count == 0 && !filled_counts_.is_read_in_file(array, context)) return false;
        const auto is_count = [&](const path& whole, const FieldDecl* each) {
            path member = whole;
            member.members.emplace_back(each->getCanonicalDecl());
            return each->getType()->isIntegerType() &&
                   now.normal(polynomial::of(values_.value_atom(member))) == count &&
                   filled_counts_.is_bound(array, each, context);
        };
        return std::any_of(names.begin(), names.end(), [&](const path& whole) {
            return std::any_of(record->field_begin(), record->field_end(),
                               [&](const FieldDecl* each) { return is_count(whole, each); });
        });
    };
    facts wider = now;
    for (const FieldDecl* field : record->fields()) {
        const auto* array = context.getAsConstantArrayType(field->getType());
        if (array == nullptr) continue;
        const auto offset =
            static_cast<std::int64_t>(layout.getFieldOffset(field->getFieldIndex()) / 8);
        const polynomial begin =
            is_appended ? now.zeroed.low + polynomial(offset) : polynomial(offset);
        const polynomial end = begin + polynomial(values_.size_of(field->getType()));
        if (is_read_below(field, 0)) wider.cover({begin, end});
        for (const byte_range& each : now.covered) {
            const auto count =
                (each.high - begin).divided(values_.size_of(array->getElementType()));
            if (each.is_one() && count && now.at_least_zero(begin - each.low) &&
                is_read_below(field, *count))
                wider.cover({each.high, end});
        }
    }
    now = std::move(wider);
}

/// True if no statement from this one on raises a count of the element that was appended.
bool flow::is_unnamed_from(const Stmt* where, const facts& now) {
    if (what_.extent.how != zeroed_extent::growth::appended || where == nullptr) return false;
    const std::vector<path> names = names_of_struct(now);
    return std::all_of(names.begin(), names.end(), [&](const path& name) {
        const auto* variable = variable_of(name);
        if (variable != nullptr && !names_new_object(variable)) return true;
        const auto* function =
            variable != nullptr ? dyn_cast<FunctionDecl>(variable->getDeclContext()) : nullptr;
        if (function == nullptr || !contains(function->getBody(), where)) return false;
        const CompoundStmt* scope = scope_of(variable, function->getBody());
        return scope != nullptr && !contains(scope, where);
    });
}

void flow::read_all(facts& now, const Stmt* where, bool raw) {
    constexpr std::array keepers = {"push_back", "emplace_back", "push", "insert", "emplace"};
    const auto* call = dyn_cast_or_null<CXXMemberCallExpr>(where);
    const bool is_kept = isa_and_nonnull<CXXConstructExpr>(where) ||
                         (call != nullptr && is_one_of(name_of(call->getMethodDecl()), keepers));
    // After a copy of a pointer, its other owner may raise the count.
    const auto is_moved = [](const Expr* argument) {
        const Expr* moved = argument->IgnoreImplicit();
        const auto* move = dyn_cast<CallExpr>(moved);
        return move != nullptr ? name_of_callee(move) == "std::move"
                               : isa<DeclRefExpr>(moved) && argument->isXValue();
    };
    const auto is_given_away = [&] {
        const std::vector<const Expr*> arguments = written_arguments(cast<Expr>(where));
        return what_.object.kind == object_kind::storage ||
               std::any_of(arguments.begin(), arguments.end(), is_moved);
    };
    if (isa_and_nonnull<ReturnStmt>(where) || (is_kept && is_given_away())) cover_unfilled(now);
    read(now, now.zeroed, where, raw);
}

void flow::write(facts& now, const byte_range& range, const Stmt* where, bool one_operation) {
    if (!now.live || finished_) return;
    byte_range wide{now.normal(range.low), now.normal(range.high)};
    const std::int64_t size = values_.size_of(what_.object.type);
    if (!padding_.empty() && wide.high.is_multiple_but_for_constant(size)) {
        const auto padding = padding_.find(((wide.high.constant_term() % size) + size) % size);
        if (padding != padding_.end()) {
            wide.high += polynomial(padding->second);
            now.padding_left = true;
        }
    }
    // What assigns a value need not write its padding. What fills a buffer writes all bytes.
    const auto* call = dyn_cast<CallExpr>(where);
    const bool is_filler = call != nullptr && fillers_.count(name_of_callee(call)) != 0;
    if (!is_filler && (has_padding(now) || assigns_padding(where, values_)))
        now.padding_left = true;
    const bool before = now.is_all_covered();
    if (one_operation && now.is_covered({range.low, range.high}) == false &&
        now.at_least_zero(now.zeroed.low - range.low) &&
        now.at_least_zero(range.high - now.zeroed.high) && what_.is_storage &&
        block_ == start_block_ && now.zeroed.high.constant() &&
        (what_.object.kind == object_kind::storage ||
         !calls_between(*block_, what_.start, where, values_.context())))
        verdict_.optimised = true;
    now.cover(wide);
    if (!verdict_.filled_at.isValid()) verdict_.filled_at = where->getBeginLoc();
    if (!before && now.is_all_covered()) verdict_.overwritten = true;
}

}  // namespace freehold::check
