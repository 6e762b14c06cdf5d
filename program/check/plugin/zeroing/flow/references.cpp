// SPDX-License-Identifier: BSL-1.0
// Finds the expressions that refer to the object.
#include "check/plugin/syntax/syntax.hpp"
#include "check/plugin/zeroing/values/returned_pointers.hpp"
#include "flow.hpp"

#include <algorithm>
#include <array>

namespace freehold::check {
namespace {

using namespace clang;

/// True if the part names the variable, except to call it.
bool is_named(const Stmt* part, const VarDecl* variable) {
    if (part == nullptr) return false;
    if (const auto* name = dyn_cast<DeclRefExpr>(part)) return name->getDecl() == variable;
    const auto* call = dyn_cast<CXXOperatorCallExpr>(part);
    const bool calls = call != nullptr && call->getOperator() == OO_Call;
    for (const Stmt* child : part->children()) {
        const auto* name = child != nullptr && calls && child == call->getArg(0)
                               ? dyn_cast<DeclRefExpr>(call->getArg(0)->IgnoreImplicit())
                               : nullptr;
        if (!(name != nullptr && name->getDecl() == variable) && is_named(child, variable))
            return true;
    }
    return false;
}

/// The variable in `i-- > 0`, in `i--` as a condition, and in similar conditions. Null if there is
/// none.
const VarDecl* counted_down(const Expr* condition) {
    condition = strip_casts(condition);
    if (const auto* comparison = dyn_cast<BinaryOperator>(condition))
        return comparison->isComparisonOp() ? counted_down(comparison->getLHS()) : nullptr;
    const auto* step = dyn_cast<UnaryOperator>(condition);
    if (step == nullptr || step->getOpcode() != UO_PostDec) return nullptr;
    const auto* name = dyn_cast<DeclRefExpr>(strip(step->getSubExpr()));
    return name != nullptr ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
}

bool is_parts_member(const Expr* expression) {
    const auto* member = dyn_cast<MemberExpr>(strip(expression));
    return member != nullptr && name_of(member->getMemberDecl()) == "msg_iov";
}

bool is_room_member(const FieldDecl* member) {
    constexpr std::array names = {"next_out", "dst"};
    return member != nullptr && is_one_of(name_of(member), names);
}

/// True if the lambda copies or moves an object into itself. A copied pointer or view is none.
bool takes_objects(const LambdaExpr* lambda) {
    return std::any_of(lambda->captures().begin(), lambda->captures().end(), [](const auto& each) {
        if (!is_copy(each)) return false;
        const auto* record = each.getCapturedVar()->getType()->getAsCXXRecordDecl();
        return record != nullptr && !is_view_class(record);
    });
}

/// A variable that holds a lambda.
bool holds_lambda(const VarDecl* variable) {
    const auto* record = variable->getType()->getAsCXXRecordDecl();
    return record != nullptr && record->isLambda();
}

}  // namespace

bool flow::is_alias_type(QualType type) const {
    if (type->isReferenceType() || type->isPointerType()) return true;
    const auto* record = type->getAsCXXRecordDecl();
    if (record == nullptr) return false;
    const llvm::StringRef name = name_of(record);
    return is_view_class(record) || name == "__normal_iterator" || name == "__wrap_iter";
}

void flow::find_aliases(const Stmt* part) {
    if (part == nullptr) return;
    if (isa<LambdaExpr>(part)) return;
    const Expr* condition = nullptr;
    if (const auto* loop = dyn_cast<ForStmt>(part))
        condition = loop->getCond();
    else if (const auto* other = dyn_cast<WhileStmt>(part))
        condition = other->getCond();
    else if (const auto* last = dyn_cast<DoStmt>(part))
        condition = last->getCond();
    const VarDecl* wraps = condition != nullptr ? counted_down(condition) : nullptr;
    if (wraps != nullptr) values_.may_wrap.insert(wraps->getCanonicalDecl());
    if (const auto* statement = dyn_cast<DeclStmt>(part)) {
        for (const Decl* declaration : statement->decls()) {
            const auto* variable = dyn_cast<VarDecl>(declaration);
            if (variable == nullptr || variable->getInit() == nullptr ||
                !variable->hasLocalStorage() || variable == what_.object.root.root)
                continue;
            find_pointers({variable, {}}, variable->getInit());
            note_raw(variable, variable->getInit());
            if (!is_alias_type(variable->getType()) || values_.aliases.count(variable) != 0)
                continue;
            const auto from = values_.place_of(variable->getInit());
            if (!from) {
                if (variable->getType()->isReferenceType())
                    if (const auto named = values_.path_of(variable->getInit()))
                        values_.bound[variable] = *named;
                continue;
            }
            if (from->how == form::handle && variable->getType()->isReferenceType())
                values_.bound[variable] = what_.object.root;
            else if (variable->getType()->isPointerType() && !values_.is_address(from))
                continue;
            else if (from->how == form::handle)
                values_.aliases[variable] = form::address;
            else
                values_.aliases[variable] = from->how;
        }
    }
    const auto* assignment = dyn_cast<BinaryOperator>(part);
    if (assignment != nullptr && assignment->getOpcode() == BO_Assign &&
        is_parts_member(assignment->getLHS())) {
        const auto target = values_.path_of(assignment->getLHS());
        if (target && holds_pointer_at(assignment->getRHS()) && parts_.count(*target) == 0) {
            parts_[*target] = assignment->getRHS();
            storing_.insert(assignment);
        }
    }
    if (assignment != nullptr && assignment->getOpcode() == BO_Assign &&
        assignment->getType()->isPointerType()) {
        const auto target = values_.path_of(assignment->getLHS());
        const bool is_local = target && !(*target == what_.object.root) &&
                              std::none_of(target->members.begin(), target->members.end(),
                                           [](const step& each) { return each == step(nullptr); });
        const VarDecl* variable = is_local ? variable_of(*target) : nullptr;
        // The place where a decompressor writes next, whoever owns its struct.
        const bool is_room =
            target && !target->members.empty() && is_room_member(target->members.back().field);
        if (((variable != nullptr && variable->hasLocalStorage() &&
              !variable->getType()->isReferenceType() && values_.aliases.count(variable) == 0) ||
             is_room) &&
            values_.is_address(values_.place_of(assignment->getRHS())))
            values_.pointers.insert(*target);
    }
    for (const Stmt* child : part->children()) find_aliases(child);
}

void flow::find_pointers(const path& within, const Expr* initial) {
    initial = strip(initial);
    const auto* list = dyn_cast<InitListExpr>(initial);
    if (list == nullptr) {
        if (!within.members.empty() && initial->getType()->isPointerType() &&
            values_.is_address(values_.place_of(initial)))
            values_.pointers.insert(within);
        return;
    }
    for (const auto& [part, value] : parts_of_list(within, *list)) {
        find_pointers(part, value);
        const auto* field = part.members.back().field;
        if (field != nullptr && name_of(field) == "msg_iov" && holds_pointer_at(value)) {
            parts_[part] = value;
            storing_.insert(list);
        }
        if (values_.pointers.count(part) != 0) storing_.insert(list);
    }
}

/// True for the address of a variable or of an array's first element, if a part of it points to the
/// object.
bool flow::holds_pointer_at(const Expr* address) const {
    address = strip_casts(address);
    const auto named =
        address->getType()->isArrayType() ? values_.path_of(address) : values_.pointee_of(address);
    return named && holds_pointer(*named);
}

bool flow::holds_pointer(const path& whole) const {
    const auto is_part = [&](const auto& each) {
        return each.first.starts_with(whole) && !(each.first == whole);
    };
    if (std::any_of(parts_.begin(), parts_.end(), is_part)) return true;
    return std::any_of(values_.pointers.begin(), values_.pointers.end(), [&](const path& each) {
        return each.starts_with(whole) && !(each == whole);
    });
}

/// True if the expression names something that contains the object.
bool flow::reaches_object(const Expr* expression) const {
    if (!isa<DeclRefExpr>(expression) && !isa<MemberExpr>(expression) &&
        !isa<CXXThisExpr>(expression))
        return false;
    const auto named = values_.path_of(expression);
    return named && !(*named == what_.object.root) && what_.object.root.starts_with(*named);
}

/// Finds the user of the whole that this part names: a call, or any other user if `in_any`.
void flow::use_whole(const Stmt* part, const void* parent, bool in_any, function_uses& into) {
    const auto* above = static_cast<const Stmt*>(parent);
    const Stmt* below = part;
    while (above != nullptr && into.parents.count(above) != 0 &&
           (isa<ImplicitCastExpr>(above) || isa<ParenExpr>(above) || isa<UnaryOperator>(above) ||
            isa<FullExpr>(above))) {
        below = above;
        above = into.parents[above];
    }
    const bool is_known_parent = above != nullptr && into.parents.count(above) != 0;
    const auto* member = is_known_parent ? dyn_cast<MemberExpr>(above) : nullptr;
    if (member != nullptr && !isa<FieldDecl>(member->getMemberDecl())) above = into.parents[above];
    if (in_any || (is_known_parent && (isa<CallExpr>(above) || isa<CXXConstructExpr>(above) ||
                                       isa<InitListExpr>(above))))
        into.uses[above].push_back(cast<Expr>(below));
}

void flow::collect_from(const Stmt* part, const void* parent, bool within_place,
                        function_uses& into) {
    if (part == nullptr) return;
    if (isa<UnaryExprOrTypeTraitExpr>(part) || isa<CXXNoexceptExpr>(part) ||
        isa<CXXTypeidExpr>(part))
        return;
    // Declarations and constructor initialisers have no parents in this map.
    const auto remember_parent = [&](const Stmt* child) {
        into.parents[child] = static_cast<const Stmt*>(parent);
    };
    const void* as_parent = part;
    const auto* expression = dyn_cast<Expr>(part);
    bool is_place = false;
    if (expression != nullptr) {
        remember_parent(part);
        is_place = values_.place_of(expression).has_value();
        if (is_place && !within_place) into.uses[parent].push_back(expression);
        if (!is_place && reaches_object(expression)) use_whole(part, parent, false, into);
        if (!values_.pointers.empty() && expression->isGLValue()) {
            const auto named = values_.path_of(expression);
            if (named && holds_pointer(*named)) {
                use_whole(part, parent, true, into);
                return;
            }
            if (named && holds_pointer({named->root, {}})) return;
        }
    }
    const auto descend = [&](const Stmt* child) {
        const auto* child_expression = dyn_cast_or_null<Expr>(child);
        const auto* call = dyn_cast<CallExpr>(part);
        const bool selects =
            call != nullptr &&
            (returned_parameter(call) || returned_target(name_of_callee(call), call->getNumArgs()));
        const bool chain = is_place && !selects && child_expression != nullptr &&
                           values_.place_of(child_expression);
        collect_from(child, as_parent, chain, into);
    };
    if (const auto* lambda = dyn_cast<LambdaExpr>(part)) {
        for (const Expr* capture : lambda->capture_inits())
            if (capture != nullptr) collect_from(capture, part, false, into);
        return;
    }
    if (const auto* statement = dyn_cast<DeclStmt>(part)) {
        // A lambda that is only called, and shares what it captures.
        const auto is_followed_where_it_is_called = [&](const VarDecl* variable) {
            if (!holds_lambda(variable) || is_named(values_.frames.back()->getBody(), variable))
                return false;
            const LambdaExpr* lambda = lambda_of(variable->getInit());
            return lambda != nullptr && !takes_objects(lambda);
        };
        for (const Decl* declaration : statement->decls())
            if (const auto* variable = dyn_cast<VarDecl>(declaration))
                if (variable->getInit() != nullptr && !is_followed_where_it_is_called(variable))
                    collect_from(variable->getInit(), variable, false, into);
        return;
    }
    if (const auto* call = dyn_cast<CallExpr>(part)) {
        if (const auto* member = dyn_cast<CXXMemberCallExpr>(call)) {
            if (const auto* callee = dyn_cast<MemberExpr>(strip(member->getCallee()))) {
                into.parents[callee] = call;
                descend(callee->getBase());
            }
        } else if (call->getDirectCallee() == nullptr) {
            descend(call->getCallee());
        }
        const auto* operation = dyn_cast<CXXOperatorCallExpr>(call);
        if (operation != nullptr && operation->getOperator() == OO_Call) {
            const auto* name = dyn_cast<DeclRefExpr>(operation->getArg(0)->IgnoreImplicit());
            const auto* held = name != nullptr ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
            if (held != nullptr && holds_lambda(held))
                into.uses[call].push_back(operation->getArg(0));
        }
        for (const Expr* argument : call->arguments()) descend(argument);
        return;
    }
    if (const auto* rewritten = dyn_cast<CXXRewrittenBinaryOperator>(part)) {
        descend(rewritten->getSemanticForm());
        return;
    }
    for (const Stmt* child : part->children()) descend(child);
}

flow::function_uses flow::collect(const FunctionDecl* function) {
    function_uses result;
    const Stmt* body = function->getBody();
    escaping_.merge(escaping_variables(body, values_.context()));
    // The second pass finds aliases of aliases.
    find_aliases(body);
    find_aliases(body);
    if (const auto* constructor = dyn_cast<CXXConstructorDecl>(function))
        for (const CXXCtorInitializer* each : constructor->inits())
            if (each != what_.start) collect_from(each->getInit(), each, false, result);
    collect_from(body, nullptr, false, result);
    return result;
}

}  // namespace freehold::check
