// SPDX-License-Identifier: BSL-1.0
#include "told_counts.hpp"

#include "syntax.hpp"

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

/// True for storage that a count beside it may describe.
bool is_buffer(QualType type) {
    if (type->isArrayType() || type->isPointerType()) return true;
    const auto* record = type->getAsCXXRecordDecl();
    constexpr std::array names = {"unique_ptr", "shared_ptr", "vector", "basic_string", "array"};
    return record != nullptr && record->isInStdNamespace() && is_one_of(name_of(record), names);
}

}  // namespace

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
        } else if (const auto* name = dyn_cast<DeclRefExpr>(each)) {
            if (const auto* field = dyn_cast<FieldDecl>(name->getDecl()))
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

    /// True if the object was made by the function that names it.
    [[nodiscard]] static bool is_new(const Expr* object) {
        object = strip_casts(object);
        if (const auto* call = dyn_cast<CXXOperatorCallExpr>(object))
            if (call->getNumArgs() == 1) object = strip_casts(call->getArg(0));
        if (const auto* unary = dyn_cast<UnaryOperator>(object))
            if (unary->getOpcode() == UO_Deref) object = strip_casts(unary->getSubExpr());
        const auto* name = dyn_cast<DeclRefExpr>(object);
        const auto* variable = name != nullptr ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
        if (variable == nullptr || !variable->isLocalVarDecl()) return false;
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
            if (assigned->getOpcode() == BO_SubAssign) return;
            Expr::EvalResult value;
            if (assigned->getOpcode() == BO_Assign &&
                assigned->getRHS()->EvaluateAsInt(value, context_) && value.Val.getInt() == 0)
                return;
        }
        if (const auto* unary = dyn_cast_or_null<UnaryOperator>(user))
            if (unary->isDecrementOp()) return;
        if (!is_new(member.getBase())) into_.raised_.insert(field);
    }

    void bound(const FieldDecl* field, const fields& by) {
        const auto [found, is_first] = into_.bounds_.try_emplace(field, by);
        if (is_first) return;
        fields both;
        std::set_intersection(found->second.begin(), found->second.end(), by.begin(), by.end(),
                              std::inserter(both, both.end()));
        found->second = std::move(both);
    }

    /// The members of the same object that the value cannot exceed.
    [[nodiscard]] fields counts_in(const Expr* value, const Expr* object, int depth = 0) const {
        constexpr int deepest = 3;
        value = strip_casts(value);
        if (depth > deepest || !value->getType()->isIntegerType()) return {};
        if (const auto* member = dyn_cast<MemberExpr>(value)) {
            const FieldDecl* field = field_of(member);
            if (field != nullptr && is_same(member->getBase(), object, context_)) return {field};
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
                constexpr std::array harmless = {"size",   "empty",        "reset",   "capacity",
                                                 "resize", "clear",        "reserve", "max_size",
                                                 "length", "shrink_to_fit"};
                constexpr std::array leading = {"data", "get", "begin", "cbegin", "c_str"};
                if (record == nullptr || height != 1) break;
                if (is_one_of(name, harmless) || isa<CXXConversionDecl>(callee->getMemberDecl()))
                    return;
                if (!is_one_of(name, leading)) break;
                ++height;  // Its call.
                continue;
            }
            if (const auto* binary = dyn_cast<BinaryOperator>(user)) {
                if (binary->isAssignmentOp() && binary->getLHS() == below && below == &member)
                    return;
                if (binary->isEqualityOp()) return;
                if (binary->getOpcode() != BO_Add || binary->getLHS() != below) break;
                has_moved = true;
                continue;
            }
            const auto* subscript = dyn_cast<ArraySubscriptExpr>(user);
            const auto* operation = dyn_cast<CXXOperatorCallExpr>(user);
            if (operation != nullptr && operation->getNumArgs() == 2 && record != nullptr) {
                if (operation->getOperator() == OO_Equal && operation->getArg(0) == below) return;
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
                if (fills || without_std(name) == "free") return;
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
    const auto found = bounds_.find(elements->getCanonicalDecl());
    return found == bounds_.end() || found->second.count(count->getCanonicalDecl()) != 0;
}

}  // namespace freehold::check
