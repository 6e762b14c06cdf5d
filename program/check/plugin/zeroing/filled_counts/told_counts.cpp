// SPDX-License-Identifier: BSL-1.0
#include "told_counts.hpp"

#include "check/plugin/syntax/syntax.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/FoldingSet.h>

namespace freehold::check {

using namespace clang;

namespace {

using fields = std::set<const FieldDecl*>;

const FieldDecl* field_of(const MemberExpr* member) {
    const auto* field = dyn_cast<FieldDecl>(member->getMemberDecl());
    return field != nullptr ? field->getCanonicalDecl() : nullptr;
}

/// True for an expression that names the same object each time.
bool is_steady(const Expr* object) {
    object = strip_casts(object);
    if (isa<CXXThisExpr>(object) || isa<DeclRefExpr>(object) || isa<IntegerLiteral>(object))
        return true;
    if (const auto* member = dyn_cast<MemberExpr>(object)) return is_steady(member->getBase());
    if (const auto* element = dyn_cast<ArraySubscriptExpr>(object))
        return is_steady(element->getBase()) && is_steady(element->getIdx());
    if (const auto* unary = dyn_cast<UnaryOperator>(object))
        return unary->getOpcode() == UO_Deref && is_steady(unary->getSubExpr());
    if (const auto* call = dyn_cast<CXXOperatorCallExpr>(object)) {
        const OverloadedOperatorKind kind = call->getOperator();
        return (kind == OO_Star || kind == OO_Arrow || kind == OO_Subscript) &&
               std::all_of(call->arg_begin(), call->arg_end(), is_steady);
    }
    constexpr std::array same = {"back", "front", "get", "top", "value"};
    const auto* call = dyn_cast<CXXMemberCallExpr>(object);
    return call != nullptr && call->getNumArgs() == 0 &&
           is_one_of(name_of(call->getMethodDecl()), same) &&
           is_steady(call->getImplicitObjectArgument());
}

bool is_same(const Expr* a, const Expr* b, const ASTContext& context) {
    llvm::FoldingSetNodeID first;
    llvm::FoldingSetNodeID second;
    strip_casts(a)->Profile(first, context, true);
    strip_casts(b)->Profile(second, context, true);
    return first == second;
}

/// True if the part may change the variable, or lets others do so.
bool may_change(const Stmt* part, const VarDecl* variable) {
    if (part == nullptr) return false;
    if (const auto* cast = dyn_cast<ImplicitCastExpr>(part))
        if (cast->getCastKind() == CK_LValueToRValue && isa<DeclRefExpr>(strip(cast->getSubExpr())))
            return false;
    if (const auto* name = dyn_cast<DeclRefExpr>(part)) return name->getDecl() == variable;
    if (isa<LambdaExpr>(part)) return true;
    return std::any_of(part->child_begin(), part->child_end(),
                       [&](const Stmt* each) { return may_change(each, variable); });
}

bool is_constant_zero(const Expr* value, const ASTContext& context) {
    if (const auto* in_class = dyn_cast<CXXDefaultInitExpr>(value)) value = in_class->getExpr();
    Expr::EvalResult result;
    return isa<ImplicitValueInitExpr>(value) ||
           (value->EvaluateAsInt(result, context) && result.Val.getInt() == 0);
}

/// True for storage that a count beside it may describe.
bool is_buffer(QualType type) {
    if (type->isArrayType() || type->isPointerType()) return true;
    const auto* record = type->getAsCXXRecordDecl();
    constexpr std::array names = {"unique_ptr", "shared_ptr", "vector", "basic_string", "array"};
    return record != nullptr && record->isInStdNamespace() && is_one_of(name_of(record), names);
}

}  // namespace

bool names_new_object(const VarDecl* variable) {
    if (!variable->isLocalVarDecl()) return false;
    const Expr* initial = variable->getInit();
    for (; initial != nullptr;) {
        initial = strip_casts(initial);
        const auto* construct = dyn_cast<CXXConstructExpr>(initial);
        if (construct == nullptr || construct->getNumArgs() != 1) break;
        initial = construct->getArg(0);
    }
    if (const auto* call = dyn_cast_or_null<CallExpr>(initial)) {
        constexpr std::array makers = {"emplace_back",
                                       "make_unique",
                                       "make_shared",
                                       "calloc",
                                       "make_unique_for_overwrite",
                                       "make_shared_for_overwrite"};
        const llvm::StringRef made = name_of(call->getDirectCallee());
        return is_one_of(made, makers);
    }
    if (isa_and_nonnull<CXXNewExpr>(initial)) return true;
    const QualType type = variable->getType();
    return type->isRecordType() &&
           (initial == nullptr || isa<InitListExpr>(initial) ||
            (isa<CXXConstructExpr>(initial) &&
             !cast<CXXConstructExpr>(initial)->getConstructor()->isCopyOrMoveConstructor()));
}

/// Looks at each use of each member, and at what leads to a whole object.
class reader_of_file : public RecursiveASTVisitor<reader_of_file> {
    using base = RecursiveASTVisitor<reader_of_file>;

public:
    reader_of_file(told_counts& into, ASTContext& context) : into_(into), context_(context) {}
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
        above_.push_back(each);
        look_at(each);
        const bool result = base::TraverseStmt(each);
        above_.pop_back();
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
        if (record == nullptr || !into_.exposed_.insert(record->getCanonicalDecl()).second) return;
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

    [[nodiscard]] const Stmt* parent(std::size_t height = 1) const {
        return above_.size() > height ? above_[above_.size() - 1 - height] : nullptr;
    }

    void look_at(const Stmt* each) {
        if (const auto* cast = dyn_cast<CastExpr>(each)) {
            const bool is_raw = cast->getCastKind() == CK_BitCast ||
                                cast->getCastKind() == CK_LValueBitCast ||
                                cast->getCastKind() == CK_PointerToIntegral;
            const auto* call = dyn_cast_or_null<CallExpr>(parent());
            if (is_raw && (call == nullptr || without_std(name_of_callee(call)) != "free"))
                expose(cast->getSubExpr()->getType());
        } else if (const auto* call = dyn_cast<CallExpr>(each)) {
            const std::string name = name_of_callee(call);
            if (name == "std::bit_cast" || name == "std::as_bytes" ||
                name == "std::as_writable_bytes" || name == "__builtin_bit_cast")
                for (const Expr* argument : call->arguments()) expose(argument->getType());
        } else if (const auto* list = dyn_cast<InitListExpr>(each)) {
            look_at_list(*list);
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
                look_at_count(*member, field);
            else if (is_buffer(field->getType()))
                look_at_buffer(*member, field);
        }
    }
    [[nodiscard]] bool is_unevaluated() const {
        return std::any_of(above_.begin(), above_.end(), [](const Stmt* each) {
            return isa<UnaryExprOrTypeTraitExpr>(each) || isa<CXXNoexceptExpr>(each);
        });
    }

    /// Finds the counts that begin with another value than 0.
    void look_at_list(const InitListExpr& list) {
        const InitListExpr* whole = list.isSemanticForm() ? &list : list.getSemanticForm();
        const auto* record = whole != nullptr ? whole->getType()->getAsCXXRecordDecl() : nullptr;
        if (record == nullptr || record->isUnion()) return;
        unsigned i = record->getNumBases();
        for (const FieldDecl* each : record->fields()) {
            if (each->isBitField() && !each->getDeclName()) continue;
            if (i >= whole->getNumInits()) return;
            if (each->getType()->isIntegerType() && !is_constant_zero(whole->getInit(i), context_))
                into_.set_.insert(each->getCanonicalDecl());
            ++i;
        }
    }

    /// True if the object was made by the function that names it.
    [[nodiscard]] static bool is_new(const Expr* object) {
        object = strip_casts(object);
        if (const auto* call = dyn_cast<CXXOperatorCallExpr>(object))
            if (call->getNumArgs() == 1) object = strip_casts(call->getArg(0));
        if (const auto* unary = dyn_cast<UnaryOperator>(object))
            if (unary->getOpcode() == UO_Deref) object = strip_casts(unary->getSubExpr());
        const auto* name = dyn_cast<DeclRefExpr>(object);
        const auto* variable = name != nullptr ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
        return variable != nullptr && names_new_object(variable);
    }

    void look_at_count(const MemberExpr& member, const FieldDecl* field) {
        const Stmt* user = parent();
        for (std::size_t height = 1; isa_and_nonnull<ParenExpr>(user); ++height)
            user = parent(height + 1);
        if (const auto* conversion = dyn_cast_or_null<ImplicitCastExpr>(user)) {
            if (conversion->getCastKind() == CK_LValueToRValue) return;
            if (conversion->getCastKind() == CK_NoOp && conversion->getType().isConstQualified())
                return;
        }
        if (member.getType().isConstQualified() && !isa_and_nonnull<UnaryOperator>(user)) return;
        if (const auto* assigned = dyn_cast_or_null<BinaryOperator>(user)) {
            if (assigned->getOpcode() == BO_SubAssign && never_wraps(field) &&
                is_positive(assigned->getRHS()))
                return;
            if (assigned->getOpcode() == BO_Assign &&
                is_constant_zero(assigned->getRHS(), context_))
                return;
        }
        if (const auto* unary = dyn_cast_or_null<UnaryOperator>(user))
            if (unary->isDecrementOp() && never_wraps(field)) return;
        if (is_new(member.getBase())) {
            into_.set_.insert(field);
            return;
        }
        const fields filled = filled_before(member, user);
        if (filled.empty())
            into_.raised_.insert(field);
        else
            narrow(into_.appended_, field, filled);
    }

    [[nodiscard]] bool is_positive(const Expr* value) const {
        Expr::EvalResult result;
        return strip_casts(value)->getType()->isUnsignedIntegerType() ||
               (value->EvaluateAsInt(result, context_) && result.Val.getInt().isStrictlyPositive());
    }
    /// If a smaller number wraps, it is larger than any buffer.
    [[nodiscard]] bool never_wraps(const FieldDecl* count) const {
        return !count->isBitField() && (count->getType()->isSignedIntegerType() ||
                                        context_.getTypeSize(count->getType()) == 64);
    }

    /// The buffer of the same object as the count, if the expression is its element at an index for
    /// which the function returns true.
    template <class Predicate>
    [[nodiscard]] const FieldDecl* element_of(const Expr* expression, const MemberExpr& count,
                                              Predicate is_index) const {
        expression = strip(expression);
        const Expr* buffer = nullptr;
        const Expr* index = nullptr;
        const auto* call = dyn_cast<CXXOperatorCallExpr>(expression);
        if (const auto* element = dyn_cast<ArraySubscriptExpr>(expression)) {
            buffer = element->getBase();
            index = element->getIdx();
        } else if (call != nullptr && call->getOperator() == OO_Subscript) {
            buffer = call->getArg(0);
            index = call->getArg(1);
        }
        return buffer != nullptr && is_index(strip_casts(index)) ? buffer_beside(buffer, count)
                                                                 : nullptr;
    }
    [[nodiscard]] const FieldDecl* buffer_beside(const Expr* buffer,
                                                 const MemberExpr& count) const {
        const auto* member = dyn_cast<MemberExpr>(beginning(buffer));
        return member != nullptr && is_steady(count.getBase()) &&
                       is_same(member->getBase(), count.getBase(), context_)
                   ? field_of(member)
                   : nullptr;
    }
    /// The buffers whose elements at the count are written before `user` raises it by their number.
    [[nodiscard]] fields filled_before(const MemberExpr& count, const Stmt* user) {
        // Before C++17, the value of an assignment may be computed after its target.
        if (!context_.getLangOpts().CPlusPlus17 || user == nullptr) return {};
        const auto note = [&](const FieldDecl* buffer, const Stmt* where) -> fields {
            if (buffer == nullptr) return {};
            into_.filled_at_.try_emplace(buffer, where->getBeginLoc());
            return {buffer};
        };
        const auto is_count = [&](const Expr* index) { return is_same(index, &count, context_); };
        const auto assigned_element = [&](const Stmt* statement, auto is_index) -> fields {
            const auto* assigned = dyn_cast_or_null<BinaryOperator>(statement);
            if (assigned == nullptr || assigned->getOpcode() != BO_Assign) return {};
            return note(element_of(assigned->getLHS(), count, is_index), statement);
        };
        const auto* unary = dyn_cast<UnaryOperator>(user);
        const auto* sum = dyn_cast<BinaryOperator>(user);
        if (unary != nullptr && unary->getOpcode() == UO_PostInc) {
            for (std::size_t height = 2; height <= most_wrappers; ++height) {
                const auto by_raise = [&](const Expr* index) { return index == unary; };
                if (const fields found = assigned_element(parent(height), by_raise); !found.empty())
                    return found;
            }
        }
        // A statement of its own, behind the one that writes.
        const Stmt* before = nullptr;
        if (const auto* block = dyn_cast_or_null<CompoundStmt>(parent(2))) {
            for (const Stmt* each : block->body()) {
                if (each == user) break;
                before = each;
            }
        }
        if (const auto* wrapped = dyn_cast_or_null<ExprWithCleanups>(before))
            before = wrapped->getSubExpr();
        if (before == nullptr) return {};
        Expr::EvalResult value;
        const bool adds = sum != nullptr && sum->getOpcode() == BO_AddAssign;
        const bool is_one =
            (unary != nullptr && unary->isIncrementOp()) ||
            (adds && sum->getRHS()->EvaluateAsInt(value, context_) && value.Val.getInt() == 1);
        if (is_one) return assigned_element(before, is_count);
        const auto* call = dyn_cast<CallExpr>(before);
        if (!adds || call == nullptr || call->getNumArgs() != 3) return {};
        const std::string name = name_of_callee(call);
        const bool from_first = name == "std::copy_n";
        if (!from_first && without_std(name) != "memcpy") return {};
        const auto* target =
            dyn_cast<BinaryOperator>(strip_casts(call->getArg(from_first ? 2 : 0)));
        if (target == nullptr || target->getOpcode() != BO_Add ||
            !is_same(target->getRHS(), &count, context_) ||
            !is_number(call->getArg(from_first ? 1 : 2)) ||
            !is_same(call->getArg(from_first ? 1 : 2), sum->getRHS(), context_))
            return {};
        const FieldDecl* buffer = buffer_beside(target->getLHS(), count);
        if (buffer == nullptr || (!from_first && size_of_element(buffer) != 1)) return {};
        return note(buffer, before);
    }
    /// True for a variable's or a member's value.
    [[nodiscard]] static bool is_number(const Expr* value) {
        value = strip_casts(value);
        const auto* size = dyn_cast<CXXMemberCallExpr>(value);
        return isa<DeclRefExpr>(value) || isa<MemberExpr>(value) ||
               (size != nullptr && size->getNumArgs() == 0 &&
                is_steady(size->getImplicitObjectArgument()) &&
                is_one_of(name_of(size->getMethodDecl()), std::array{"size", "length"}));
    }

public:
    [[nodiscard]] static QualType element_of(const FieldDecl* buffer) {
        QualType type = buffer->getType();
        if (type->isPointerType())
            type = type->getPointeeType();
        else if (!type->isArrayType())
            type = first_type_argument(type);
        return type.isNull() || !type->isArrayType()
                   ? type
                   : QualType(type->getArrayElementTypeNoTypeQual(), 0);
    }

private:
    [[nodiscard]] std::int64_t size_of_element(const FieldDecl* buffer) const {
        const QualType element = element_of(buffer);
        return element.isNull() || element->isIncompleteType()
                   ? 0
                   : context_.getTypeSizeInChars(element).getQuantity();
    }

    /// Keeps what is in both sets.
    static void narrow(std::map<const FieldDecl*, fields>& of, const FieldDecl* field,
                       const fields& by) {
        const auto [found, is_first] = of.try_emplace(field, by);
        if (is_first) return;
        fields both;
        std::set_intersection(found->second.begin(), found->second.end(), by.begin(), by.end(),
                              std::inserter(both, both.end()));
        found->second = std::move(both);
    }

    void bound(const FieldDecl* field, const fields& by) { narrow(into_.bounds_, field, by); }

    /// The members of the same object that the value cannot exceed.
    [[nodiscard]] fields counts_in(const Expr* value, const Expr* object, int depth = 0) const {
        constexpr int deepest = 3;
        value = strip_casts(value);
        if (depth > deepest || !value->getType()->isIntegerType()) return {};
        if (const auto* member = dyn_cast<MemberExpr>(value)) {
            const FieldDecl* field = field_of(member);
            if (field != nullptr && is_steady(object) &&
                is_same(member->getBase(), object, context_))
                return {field};
        }
        if (const auto* name = dyn_cast<DeclRefExpr>(value)) {
            const auto* variable = dyn_cast<VarDecl>(name->getDecl());
            if (variable != nullptr && variable->getType().isConstQualified() &&
                variable->getInit() != nullptr)
                return counts_in(variable->getInit(), object, depth + 1);
        }
        if (const auto* call = dyn_cast<CallExpr>(value)) {
            fields result;
            if (name_of_callee(call) == "std::min" && call->getNumArgs() == 2)
                for (const Expr* each : call->arguments())
                    result.merge(counts_in(each, object, depth + 1));
            return result;
        }
        return {};
    }

    /// The counts that a condition holds the index below, while the condition is true.
    [[nodiscard]] fields counts_above(const Expr* condition, const VarDecl* index,
                                      const Expr* object) const {
        condition = strip(condition);
        if (const auto* cast = dyn_cast<ImplicitCastExpr>(condition)) condition = strip_casts(cast);
        const auto* comparison = dyn_cast<BinaryOperator>(condition);
        if (comparison == nullptr) return {};
        if (comparison->getOpcode() == BO_LAnd) {
            fields result = counts_above(comparison->getLHS(), index, object);
            result.merge(counts_above(comparison->getRHS(), index, object));
            return result;
        }
        const bool is_less = comparison->getOpcode() == BO_LT;
        if (!is_less && comparison->getOpcode() != BO_GT) return {};
        const Expr* low = is_less ? comparison->getLHS() : comparison->getRHS();
        const Expr* high = is_less ? comparison->getRHS() : comparison->getLHS();
        const auto* name = dyn_cast<DeclRefExpr>(strip_casts(low));
        if (name == nullptr || name->getDecl() != index) return {};
        return counts_in(high, object);
    }

    /// The counts that the index stays below at this place.
    [[nodiscard]] fields counts_over(const Expr* index, const Expr* object) const {
        index = strip_casts(index);
        const auto* unary = dyn_cast<UnaryOperator>(index);
        if (unary != nullptr && unary->getOpcode() == UO_PreDec)
            return counts_in(unary->getSubExpr(), object);
        if (const auto* minus = dyn_cast<BinaryOperator>(index)) {
            Expr::EvalResult value;
            if (minus->getOpcode() == BO_Sub && minus->getRHS()->EvaluateAsInt(value, context_) &&
                value.Val.getInt().isStrictlyPositive())
                return counts_in(minus->getLHS(), object);
            return {};
        }
        const auto* name = dyn_cast<DeclRefExpr>(index);
        const auto* variable = name != nullptr ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
        if (variable == nullptr) return {};
        fields result;
        for (std::size_t i = 0; i + 1 < above_.size(); ++i) {
            const Stmt* within = above_[i + 1];
            if (const auto* loop = dyn_cast<ForStmt>(above_[i])) {
                if (loop->getBody() == within && loop->getCond() != nullptr &&
                    !may_change(within, variable))
                    result.merge(counts_above(loop->getCond(), variable, object));
            } else if (const auto* choice = dyn_cast<IfStmt>(above_[i])) {
                if (choice->getThen() == within && !may_change(within, variable))
                    result.merge(counts_above(choice->getCond(), variable, object));
            } else if (const auto* value = dyn_cast<ConditionalOperator>(above_[i])) {
                if (value->getTrueExpr() == within)
                    result.merge(counts_above(value->getCond(), variable, object));
            } else if (const auto* both = dyn_cast<BinaryOperator>(above_[i])) {
                if (both->getOpcode() == BO_LAnd && both->getRHS() == within)
                    result.merge(counts_above(both->getLHS(), variable, object));
            }
        }
        return result;
    }

    /// The arguments of a call, with the lists in them.
    [[nodiscard]] static std::vector<const Expr*> arguments_of(const Stmt* user) {
        std::vector<const Expr*> result;
        if (const auto* call = dyn_cast<CallExpr>(user)) {
            result.assign(call->arg_begin(), call->arg_end());
        } else if (const auto* construct = dyn_cast<CXXConstructExpr>(user)) {
            result.assign(construct->arg_begin(), construct->arg_end());
        } else if (const auto* list = dyn_cast<InitListExpr>(user)) {
            for (unsigned i = 0; i < list->getNumInits(); ++i) result.push_back(list->getInit(i));
        }
        return result;
    }

    /// The counts in `buffer + count`, the end of a range.
    [[nodiscard]] fields counts_at_end(const Expr* argument, const MemberExpr& buffer) const {
        argument = strip_casts(argument);
        const Expr* from = nullptr;
        const Expr* count = nullptr;
        if (const auto* sum = dyn_cast<BinaryOperator>(argument)) {
            if (sum->getOpcode() != BO_Add) return {};
            from = sum->getLHS();
            count = sum->getRHS();
        } else if (const auto* call = dyn_cast<CXXOperatorCallExpr>(argument)) {
            if (call->getOperator() != OO_Plus || call->getNumArgs() != 2) return {};
            from = call->getArg(0);
            count = call->getArg(1);
        }
        if (from == nullptr || !is_same(beginning(from), &buffer, context_)) return {};
        return counts_in(count, buffer.getBase());
    }
    /// Without calls of `data()` and the like.
    [[nodiscard]] static const Expr* beginning(const Expr* from) {
        for (;;) {
            from = strip_casts(from);
            const auto* construct = dyn_cast<CXXConstructExpr>(from);
            const auto* call = dyn_cast<CXXMemberCallExpr>(from);
            if (construct != nullptr && construct->getNumArgs() == 1)
                from = construct->getArg(0);
            else if (call != nullptr && call->getNumArgs() == 0)
                from = call->getImplicitObjectArgument();
            else
                return from;
        }
    }

    /// The counts that bound what a call reads of the buffer, which is one of its arguments.
    [[nodiscard]] fields counts_of_call(const std::vector<const Expr*>& arguments, const Stmt* user,
                                        const MemberExpr& buffer, QualType element) const {
        const auto* call = dyn_cast<CallExpr>(user);
        const std::string name = call != nullptr ? name_of_callee(call) : std::string();
        const std::int64_t size = element.isNull() || element->isIncompleteType()
                                      ? 1
                                      : context_.getTypeSizeInChars(element).getQuantity();
        const auto* array = context_.getAsConstantArrayType(buffer.getType());
        const std::int64_t all =
            array != nullptr ? static_cast<std::int64_t>(array->getSize().getZExtValue()) : 0;
        fields result;
        for (const Expr* each : arguments) {
            if (is_same(beginning(each), &buffer, context_)) continue;
            if (fields ends = counts_at_end(each, buffer); !ends.empty()) {
                result.merge(ends);
                continue;
            }
            if (!each->getType()->isIntegerType() || each->getType()->isBooleanType()) continue;
            if (isa<CXXDefaultArgExpr>(each)) continue;
            Expr::EvalResult value;
            if (each->EvaluateAsInt(value, context_)) {
                const std::int64_t number = value.Val.getInt().getExtValue();
                const bool is_size = name == "fwrite" || name == "std::fwrite";
                if (number > size || (number > 1 && !is_size) || number == all ||
                    number == all * size)
                    return {};
                continue;
            }
            const Expr* count = each;
            if (const auto* product = dyn_cast<BinaryOperator>(strip_casts(each))) {
                if (product->getOpcode() != BO_Mul) return {};
                const auto is_element = [&](const Expr* factor) {
                    return factor->EvaluateAsInt(value, context_) &&
                           value.Val.getInt().getExtValue() <= size;
                };
                count = is_element(product->getRHS())   ? product->getLHS()
                        : is_element(product->getLHS()) ? product->getRHS()
                                                        : nullptr;
            }
            fields counts = count != nullptr ? counts_in(count, buffer.getBase()) : fields();
            // Another number is a file or a position, if one of the numbers is the count.
            if (counts.empty() && !(call != nullptr && each == arguments.front())) return {};
            result.merge(counts);
        }
        return result;
    }

    /// True if the algorithm only writes to the argument's range.
    [[nodiscard]] static bool is_output(llvm::StringRef name,
                                        const std::vector<const Expr*>& arguments,
                                        const Stmt* argument) {
        constexpr std::array to_last = {"copy", "copy_n", "copy_if", "reverse_copy", "move"};
        constexpr std::array to_first = {"fill", "fill_n", "generate", "generate_n", "iota"};
        if (!name.consume_front("std::") || arguments.size() < 2) return false;
        return (is_one_of(name, to_last) && arguments.size() >= 3 &&
                arguments.back() == argument) ||
               (is_one_of(name, to_first) &&
                (arguments[0] == argument || (arguments.size() == 3 && arguments[1] == argument)));
    }

    void look_at_buffer(const MemberExpr& member, const FieldDecl* field) {
        const auto* record = field->getType()->getAsCXXRecordDecl();
        const auto* array = context_.getAsArrayType(field->getType());
        const QualType element = array != nullptr ? array->getElementType()
                                 : field->getType()->isPointerType()
                                     ? field->getType()->getPointeeType()
                                     : first_type_argument(field->getType());
        const Stmt* below = &member;
        bool has_moved = false;  // The pointer is not the buffer's first byte any more.
        for (std::size_t height = 1;; below = parent(height), ++height) {
            const Stmt* user = parent(height);
            if (user == nullptr) break;
            if (const auto* cast = dyn_cast<CastExpr>(user)) {
                if (cast->getCastKind() == CK_PointerToBoolean ||
                    cast->getCastKind() == CK_ToVoid || cast->getType()->isBooleanType())
                    return;
                continue;
            }
            if (isa<ParenExpr>(user) || isa<FullExpr>(user) ||
                isa<MaterializeTemporaryExpr>(user) || isa<CXXBindTemporaryExpr>(user) ||
                isa<CXXDeleteExpr>(user)) {
                if (isa<CXXDeleteExpr>(user)) return;
                continue;
            }
            if (const auto* callee = dyn_cast<MemberExpr>(user)) {
                // A member function of the smart pointer or container.
                const llvm::StringRef name = name_of(callee->getMemberDecl());
                constexpr std::array harmless = {"size",     "empty",  "capacity",     "reserve",
                                                 "max_size", "length", "shrink_to_fit"};
                constexpr std::array replacing = {"reset", "resize", "clear"};
                constexpr std::array leading = {"data", "get", "begin", "cbegin", "c_str"};
                if (record == nullptr || strip_casts(callee->getBase()) != &member) break;
                if (is_one_of(name, replacing)) into_.replaced_.insert(field);
                if (is_one_of(name, harmless) || is_one_of(name, replacing) ||
                    isa<CXXConversionDecl>(callee->getMemberDecl()))
                    return;
                if (!is_one_of(name, leading)) break;
                ++height;  // Its call.
                continue;
            }
            if (const auto* binary = dyn_cast<BinaryOperator>(user)) {
                if (binary->isAssignmentOp() && binary->getLHS() == below && below == &member) {
                    into_.replaced_.insert(field);
                    return;
                }
                if (binary->isEqualityOp()) return;
                if (binary->getOpcode() != BO_Add || binary->getLHS() != below) break;
                has_moved = true;
                continue;
            }
            const auto* subscript = dyn_cast<ArraySubscriptExpr>(user);
            const auto* operation = dyn_cast<CXXOperatorCallExpr>(user);
            if (operation != nullptr && operation->getNumArgs() == 2 && record != nullptr) {
                if (operation->getOperator() == OO_Equal && operation->getArg(0) == below) {
                    into_.replaced_.insert(field);
                    return;
                }
                if (operation->isComparisonOp() &&
                    std::any_of(operation->arg_begin(), operation->arg_end(), [](const Expr* each) {
                        return each->getType()->isNullPtrType() ||
                               isa<CXXNullPtrLiteralExpr>(strip_casts(each));
                    }))
                    return;
                if (operation->getOperator() == OO_Plus && operation->getArg(0) == below) {
                    has_moved = true;
                    continue;
                }
            }
            const bool is_element =
                subscript != nullptr ||
                (operation != nullptr && operation->getOperator() == OO_Subscript);
            if (is_element) {
                const Stmt* above = parent(height + 1);
                const auto* assigned = dyn_cast_or_null<BinaryOperator>(above);
                if (assigned != nullptr && assigned->getOpcode() == BO_Assign &&
                    assigned->getLHS() == user)
                    return;
                const auto* read = dyn_cast_or_null<ImplicitCastExpr>(above);
                if (has_moved || read == nullptr || read->getCastKind() != CK_LValueToRValue) break;
                bound(field,
                      counts_over(subscript != nullptr ? subscript->getIdx() : operation->getArg(1),
                                  member.getBase()));
                return;
            }
            const std::vector<const Expr*> arguments = arguments_of(user);
            if (std::find(arguments.begin(), arguments.end(), below) == arguments.end()) break;
            if (const auto* call = dyn_cast<CallExpr>(user)) {
                const std::string name = name_of_callee(call);
                const auto found = into_.fillers_.find(name);
                const bool fills =
                    found != into_.fillers_.end() && found->second.how != filled::by_room &&
                    found->second.how != filled::by_parts &&
                    found->second.how != filled::by_message &&
                    arguments[std::min(static_cast<std::size_t>(found->second.buffer),
                                       arguments.size() - 1)] == below;
                if (fills || without_std(name) == "free" || is_output(name, arguments, below))
                    return;
            } else if (const auto* construct = dyn_cast<CXXConstructExpr>(user)) {
                // A copied iterator.
                if (construct->getNumArgs() == 1 && is_iterator(construct->getType())) continue;
            }
            if (isa<CXXOperatorCallExpr>(user)) break;
            const bool has_beginning =
                !has_moved ||
                std::any_of(arguments.begin(), arguments.end(), [&](const Expr* each) {
                    return is_same(beginning(each), &member, context_);
                });
            if (!has_beginning) break;
            bound(field, counts_of_call(arguments, user, member, element));
            return;
        }
        bound(field, {});
    }

    // Casts and parentheses between an index and the assignment to its element.
    static constexpr std::size_t most_wrappers = 5;

    told_counts& into_;
    ASTContext& context_;
    std::vector<const Stmt*> above_;
};

told_counts::told_counts(const std::vector<filler>& more_fillers) {
    for (const filler& each : known_fillers()) fillers_[each.name] = each;
    for (const filler& each : more_fillers) fillers_[each.name] = each;
}

void told_counts::look(ASTContext& context) {
    if (has_looked_) return;
    has_looked_ = true;
    reader_of_file(*this, context).TraverseDecl(context.getTranslationUnitDecl());
}

bool told_counts::is_exposed(const CXXRecordDecl* record, ASTContext& context) {
    look(context);
    return exposed_.count(record->getCanonicalDecl()) != 0;
}

bool told_counts::is_bound(const FieldDecl* elements, const FieldDecl* count, ASTContext& context) {
    look(context);
    const auto* record = dyn_cast<CXXRecordDecl>(elements->getParent());
    if (record == nullptr || is_exposed(record, context) ||
        !context.getSourceManager().isInMainFile(record->getLocation()) ||
        raised_.count(count->getCanonicalDecl()) != 0)
        return false;
    const auto appended = appended_.find(count->getCanonicalDecl());
    if (appended != appended_.end() && appended->second.count(elements->getCanonicalDecl()) == 0)
        return false;
    const auto found = bounds_.find(elements->getCanonicalDecl());
    return found == bounds_.end() || found->second.count(count->getCanonicalDecl()) != 0;
}

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

SourceLocation told_counts::filled_below_count(const FieldDecl* elements, ASTContext& context) {
    look(context);
    elements = elements->getCanonicalDecl();
    const auto bounds = bounds_.find(elements);
    const auto* record = dyn_cast<CXXRecordDecl>(elements->getParent());
    if (record == nullptr || bounds == bounds_.end() || replaced_.count(elements) != 0 ||
        !is_plain_number(reader_of_file::element_of(elements)))
        return {};
    const bool is_filled =
        std::any_of(bounds->second.begin(), bounds->second.end(), [&](const FieldDecl* count) {
            return appended_.count(count) != 0 && set_.count(count) == 0 &&
                   !count->getType().isVolatileQualified() && is_bound(elements, count, context) &&
                   begins_at_zero(count, *record, context);
        });
    const auto where = filled_at_.find(elements);
    return is_filled && where != filled_at_.end() ? where->second : SourceLocation();
}

}  // namespace freehold::check
