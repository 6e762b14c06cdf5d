// SPDX-License-Identifier: BSL-1.0
#include "overwrite_fix.hpp"

#include "check/plugin/syntax/clang_version.hpp"
#include "check/plugin/syntax/names.hpp"
#include "check/plugin/syntax/source_text.hpp"
#include "check/plugin/syntax/syntax.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include <clang/AST/ParentMapContext.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

namespace freehold::check {
namespace {

using namespace clang;

/// A statement of a block that zeroes, and the statements after it.
struct block_part {
    const Stmt* own = nullptr;
    std::vector<const Stmt*> following;
};

std::optional<block_part> block_part_of(const Expr* expression, ASTContext& context) {
    DynTypedNode node = DynTypedNode::create(*expression);
    const Stmt* own = expression;
    for (;;) {
        const auto above = context.getParents(node);
        if (above.size() != 1) return std::nullopt;
        node = above[0];
        if (const auto* block = node.get<CompoundStmt>()) {
            const auto* const found = std::find(block->body_begin(), block->body_end(), own);
            if (found == block->body_end()) return std::nullopt;
            return block_part{own, {found + 1, block->body_end()}};
        }
        if (node.get<VarDecl>() != nullptr) continue;
        const auto* statement = node.get<Stmt>();
        if (statement == nullptr || !(isa<ExprWithCleanups>(statement) || isa<DeclStmt>(statement)))
            return std::nullopt;
        own = statement;
    }
}

void add_parts(const Stmt* part, std::set<const Stmt*>& into) {
    if (part == nullptr || !into.insert(part).second) return;
    if (const auto* declarations = dyn_cast<DeclStmt>(part))
        for (const Decl* each : declarations->decls())
            if (const auto* variable = dyn_cast<VarDecl>(each))
                if (variable->getInit() != nullptr) add_parts(variable->getInit(), into);
    for (const Stmt* child : part->children()) add_parts(child, into);
}

std::string unused_name(const std::set<std::string>& used,
                        std::initializer_list<const char*> choices) {
    for (const char* each : choices)
        if (used.count(each) == 0) return each;
    return {};
}

bool is_plain(QualType type) {
    type = type.getNonReferenceType();
    const auto* record = type->getAsCXXRecordDecl();
    return type->isScalarType() || type->isArrayType() ||
           (record != nullptr && name_of(record) == "__normal_iterator");
}

/// resize_and_overwrite requires a function that does not throw.
bool never_throws(const FunctionDecl* callee, llvm::ArrayRef<const Expr*> arguments,
                  const ASTContext& context) {
    if (callee == nullptr) return false;
    const auto* type = callee->getType()->getAs<FunctionProtoType>();
    if (type != nullptr && !isUnresolvedExceptionSpec(type->getExceptionSpecType()) &&
        type->isNothrow())
        return true;
    if (callee->getBuiltinID() != 0) return true;
    if (!is_in_system_header(callee, context)) return false;
    if (callee->isExternC()) return true;
    constexpr std::array algorithms = {
        "std::copy", "std::copy_n", "std::fill",         "std::fill_n", "std::min",
        "std::max",  "std::move",   "std::reverse_copy", "std::iota",   "std::copy_backward"};
    return is_one_of(qualified_name(callee), algorithms) &&
           std::all_of(arguments.begin(), arguments.end(),
                       [](const Expr* each) { return is_plain(each->getType()); });
}

/// The text to be moved: whether it may be moved, and where it names the string.
class moved_text {
public:
    moved_text(const path& string, const CXXRecordDecl* record, bool is_local, values& names)
        : string_(string), record_(record), is_local_(is_local), names_(names) {}

    std::vector<std::pair<SourceRange, char>> mentions;  ///< 'd' for the data, 's' for the size.

    [[nodiscard]] bool may_move(const Stmt* part) {
        if (part == nullptr) return true;
        if (isa<ReturnStmt>(part) || isa<GotoStmt>(part) || isa<LabelStmt>(part) ||
            isa<CXXThrowExpr>(part) || isa<CXXTryStmt>(part) || isa<AsmStmt>(part) ||
            isa<StmtExpr>(part) || isa<LambdaExpr>(part) || isa<CXXNewExpr>(part) ||
            isa<CXXDeleteExpr>(part) || isa<CoroutineSuspendExpr>(part) || isa<CoreturnStmt>(part))
            return false;
        const auto* expression = dyn_cast<Expr>(part);
        if (expression == nullptr) {
            if (const auto* declarations = dyn_cast<DeclStmt>(part)) {
                for (const Decl* each : declarations->decls()) {
                    const auto* variable = dyn_cast<VarDecl>(each);
                    if (variable == nullptr || variable->isStaticLocal() ||
                        !is_plain(variable->getType()))
                        return false;
                    if (variable->getInit() != nullptr && !may_move(variable->getInit()))
                        return false;
                }
                return true;
            }
            return children_may_move(part);
        }
        if (const auto* call = dyn_cast<CXXMemberCallExpr>(expression)) {
            const Expr* object = call->getImplicitObjectArgument();
            const auto named = object != nullptr ? names_.object_path(object) : std::nullopt;
            if (named && *named == string_) return member(call);
        }
        if (const auto* operation = dyn_cast<CXXOperatorCallExpr>(expression)) {
            if (operation->getOperator() == OO_Subscript && is_string(operation->getArg(0))) {
                mentions.emplace_back(operation->getArg(0)->getSourceRange(), 'd');
                return may_move(operation->getArg(1));
            }
        }
        if (is_string(expression) || may_be_string(expression)) return false;
        if (const auto* reference = dyn_cast<DeclRefExpr>(expression))
            if (reference->getDecl() == string_.root || isa<BindingDecl>(reference->getDecl()))
                return false;
        if (const auto* call = dyn_cast<CallExpr>(expression)) {
            const auto* callee = dyn_cast_or_null<FunctionDecl>(call->getCalleeDecl());
            const std::vector<const Expr*> arguments(call->arg_begin(), call->arg_end());
            if (!never_throws(callee, arguments, names_.context())) return false;
        } else if (const auto* construction = dyn_cast<CXXConstructExpr>(expression)) {
            if (!never_throws(construction->getConstructor(), {}, names_.context()) &&
                !construction->getConstructor()->isTrivial())
                return false;
        }
        return children_may_move(part);
    }

private:
    bool children_may_move(const Stmt* part) {
        return std::all_of(part->child_begin(), part->child_end(),
                           [&](const Stmt* each) { return may_move(each); });
    }

    [[nodiscard]] bool is_string(const Expr* expression) const {
        const auto named = names_.path_of(expression);
        return named && *named == string_;
    }

    /// True if the expression may be another name of the string.
    [[nodiscard]] bool may_be_string(const Expr* expression) const {
        if (!isa<DeclRefExpr>(expression) && !isa<MemberExpr>(expression)) return false;
        const QualType type = expression->getType();
        const auto* record = class_of(type);
        if (record == nullptr || record->getCanonicalDecl() != record_->getCanonicalDecl())
            return false;
        const auto* reference = dyn_cast<DeclRefExpr>(expression);
        const auto* variable =
            reference != nullptr ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
        const bool is_other_object = variable != nullptr && variable->hasLocalStorage() &&
                                     !variable->getType()->isReferenceType() &&
                                     !variable->getType()->isPointerType();
        if (is_other_object) return false;
        // A parameter or a member cannot refer to a local string.
        return !is_local_ || (variable != nullptr && !isa<ParmVarDecl>(variable));
    }

    bool member(const CXXMemberCallExpr* call) {
        const llvm::StringRef name = name_of(call->getMethodDecl());
        if (call->getNumArgs() != 0) return false;
        const bool is_data = name == "data" || name == "begin";
        const bool is_size = name == "size" || name == "length";
        if (!is_data && !is_size) return false;
        if (name == "begin" && !is_argument(call)) return false;
        mentions.emplace_back(call->getSourceRange(), is_data ? 'd' : 's');
        return true;
    }

    /// True if the iterator is an argument of an algorithm, which would also accept a pointer.
    [[nodiscard]] bool is_argument(const Expr* iterator) const {
        DynTypedNode node = DynTypedNode::create(*iterator);
        for (;;) {
            const auto above = names_.context().getParents(node);
            if (above.size() != 1) return false;
            node = above[0];
            const auto* part = node.get<Expr>();
            if (part == nullptr) return false;
            if (isa<ImplicitCastExpr>(part) || isa<MaterializeTemporaryExpr>(part) ||
                isa<CXXConstructExpr>(part))
                continue;
            const auto* sum = dyn_cast<CXXOperatorCallExpr>(part);
            if (sum != nullptr && sum->getOperator() == OO_Plus) continue;
            const auto* call = dyn_cast<CallExpr>(part);
            const auto* callee = call != nullptr ? call->getDirectCallee() : nullptr;
            return callee != nullptr && callee->isTemplateInstantiation() &&
                   callee->isInStdNamespace() && !isa<CXXOperatorCallExpr>(call) &&
                   !isa<CXXMethodDecl>(callee);
        }
    }

    const path& string_;
    const CXXRecordDecl* record_;
    bool is_local_;
    values& names_;
};

bool names_variable(const Expr* expression, const VarDecl* variable) {
    const auto* reference = dyn_cast<DeclRefExpr>(strip_casts(expression));
    return reference != nullptr && reference->getDecl() == variable;
}

bool mentions_any(const Stmt* part, const void* variable) {
    if (part == nullptr) return false;
    if (const auto* reference = dyn_cast<DeclRefExpr>(part))
        if (reference->getDecl() == variable) return true;
    return std::any_of(part->child_begin(), part->child_end(),
                       [&](const Stmt* each) { return mentions_any(each, variable); });
}

bool has_try(const Stmt* part) {
    return part != nullptr &&
           (isa<CXXTryStmt>(part) || std::any_of(part->child_begin(), part->child_end(), has_try));
}

/// `T got = read(descriptor, text.data(), n);`, perhaps a check, and `text.resize(got);`.
struct short_read {
    explicit operator bool() const { return got != nullptr; }

    const VarDecl* got = nullptr;
    const Expr* call = nullptr;
    const Stmt* cut = nullptr;  ///< The last statement.
};

std::int64_t constant_of(const Expr* expression, const ASTContext& context,
                         std::int64_t otherwise) {
    Expr::EvalResult result;
    if (expression->isValueDependent() || !expression->EvaluateAsInt(result, context))
        return otherwise;
    return result.Val.getInt().getExtValue();
}

/// True if the statement leaves the function when the result is negative.
bool leaves_on_error(const Stmt* statement, const short_read& read, const path& string,
                     const FunctionDecl* within, const ASTContext& context) {
    const auto* test = dyn_cast<IfStmt>(statement);
    if (test == nullptr || test->getElse() != nullptr || test->getInit() != nullptr ||
        mentions_any(test, string.root))
        return false;
    const auto* condition = dyn_cast<BinaryOperator>(strip(test->getCond()->IgnoreImplicit()));
    if (condition == nullptr || !names_variable(condition->getLHS(), read.got)) return false;
    const std::int64_t bound = constant_of(condition->getRHS(), context, -2);
    const bool is_error = (condition->getOpcode() == BO_LT && bound >= 0) ||
                          (condition->getOpcode() == BO_LE && bound >= -1);
    if (!is_error) return false;
    const Stmt* last = test->getThen();
    if (const auto* block = dyn_cast<CompoundStmt>(last)) {
        if (block->body_empty()) return false;
        last = block->body_back();
    }
    if (const auto* full = dyn_cast<ExprWithCleanups>(last)) last = full->getSubExpr();
    return isa<ReturnStmt>(last) || (isa<CXXThrowExpr>(last) && !has_try(within->getBody()));
}

short_read short_read_of(const block_part& part, const path& string, const FunctionDecl* within,
                         values& names) {
    const auto& context = names.context();
    short_read result;
    const auto* declarations = dyn_cast<DeclStmt>(part.following[0]);
    if (declarations == nullptr || !declarations->isSingleDecl()) return {};
    result.got = dyn_cast<VarDecl>(declarations->getSingleDecl());
    if (result.got == nullptr || result.got->getInit() == nullptr ||
        result.got->getInitStyle() != VarDecl::CInit || !result.got->getType()->isIntegerType())
        return {};
    result.call = result.got->getInit();
    const auto* call = dyn_cast<CallExpr>(strip_casts(result.call));
    const std::string name = call != nullptr ? name_of_callee(call) : "";
    const auto& fillers = known_fillers();
    const auto found = std::find_if(fillers.begin(), fillers.end(),
                                    [&](const filler& each) { return each.name == name; });
    if (found == fillers.end() || found->how != filled::by_result) return {};
    const bool is_signed = call->getType()->isSignedIntegerType();
    const bool may_fail = is_signed;
    // Other functions with unsigned results report errors by large values.
    if (!is_signed && name != "fread") return {};
    if (found->unit != no_argument &&
        constant_of(call->getArg(static_cast<unsigned>(found->unit)), context, 0) != 1)
        return {};
    if (is_signed && !result.got->getType()->isSignedIntegerType()) return {};
    // The buffer must begin where the string begins.
    const Expr* buffer = strip_casts(call->getArg(static_cast<unsigned>(found->buffer)));
    if (const auto* address = dyn_cast<UnaryOperator>(buffer)) {
        const auto* element = dyn_cast<CXXOperatorCallExpr>(strip(address->getSubExpr()));
        if (address->getOpcode() != UO_AddrOf || element == nullptr ||
            element->getOperator() != OO_Subscript ||
            constant_of(element->getArg(1), context, 1) != 0)
            return {};
    } else if (!isa<CXXMemberCallExpr>(buffer)) {
        return {};
    }
    std::size_t next = 1;
    bool is_checked = !may_fail;
    if (part.following.size() > next &&
        leaves_on_error(part.following[next], result, string, within, context)) {
        is_checked = true;
        ++next;
    }
    if (part.following.size() <= next) return {};
    result.cut = part.following[next];
    const Stmt* last = result.cut;
    if (const auto* full = dyn_cast<ExprWithCleanups>(last)) last = full->getSubExpr();
    const auto* resize = dyn_cast<CXXMemberCallExpr>(last);
    if (resize == nullptr || name_of(resize->getMethodDecl()) != "resize" ||
        resize->getNumArgs() == 0)
        return {};
    const auto target = names.object_path(resize->getImplicitObjectArgument());
    if (!target || !(*target == string)) return {};
    const Expr* size = strip_casts(resize->getArg(0));
    if (const auto* choice = dyn_cast<ConditionalOperator>(size)) {
        // `got > 0 ? got : 0`
        const auto* condition = dyn_cast<BinaryOperator>(strip(choice->getCond()));
        if (condition == nullptr ||
            (condition->getOpcode() != BO_GT && condition->getOpcode() != BO_GE) ||
            !names_variable(condition->getLHS(), result.got) ||
            constant_of(condition->getRHS(), context, 1) != 0 ||
            constant_of(choice->getFalseExpr(), context, 1) != 0)
            return {};
        size = choice->getTrueExpr();
        is_checked = true;
    }
    if (!is_checked || !names_variable(size, result.got)) return {};
    return result;
}

/// The location after the statement's semicolon. Invalid if there is none.
SourceLocation behind(const Stmt* statement, const ASTContext& context) {
    const SourceLocation end = end_of(statement->getEndLoc(), context);
    if (isa<DeclStmt>(statement)) return end;
    if (!isa<Expr>(statement)) {
        // A loop ends with its body and has no semicolon.
        const auto [last, where] = neighbour(end, -1, context);
        if (last == '}' || last == ';') return end;
    }
    const auto [next, where] = neighbour(end, +1, context);
    return next == ';' ? where.getLocWithOffset(1) : SourceLocation();
}

/// Text that contains a directive or a raw string cannot be moved.
bool has_lines_of_their_own(const std::string& text) {
    if (text.find("R\"") != std::string::npos) return true;
    for (std::size_t line = text.find('\n'); line != std::string::npos;
         line = text.find('\n', line + 1)) {
        const std::size_t first = text.find_first_not_of(" \t", line + 1);
        if (first != std::string::npos && text[first] == '#') return true;
    }
    return false;
}

}  // namespace

bool has_resize_and_overwrite(const CXXRecordDecl* string, const ASTContext& context) {
    const auto identifier = context.Idents.find("resize_and_overwrite");
    return is_cpp23(context.getLangOpts()) && string != nullptr &&
           identifier != context.Idents.end() &&
           !string->lookup(DeclarationName(identifier->second)).empty();
}

std::vector<FixItHint> overwrite_fix(const construct& what, const FunctionDecl* within,
                                     values& names, const fills_whole& fills) {
    ASTContext& context = names.context();
    const auto part = block_part_of(what.expression, context);
    if (!part || part->following.empty() || within->isTemplateInstantiation()) return {};
    const bool is_variable = what.kind == construct_kind::container;
    std::optional<path> string;
    const CXXRecordDecl* record = nullptr;
    std::string object;          // In the user's words.
    const Expr* size = nullptr;  // The new size.
    SourceLocation before_arguments;
    const VarDecl* variable = nullptr;
    if (is_variable) {
        const auto* declarations = dyn_cast<DeclStmt>(part->own);
        const auto* construction = cast<CXXConstructExpr>(what.expression);
        if (declarations == nullptr || !declarations->isSingleDecl()) return {};
        variable = dyn_cast<VarDecl>(declarations->getSingleDecl());
        const SourceRange parentheses = construction->getParenOrBraceRange();
        if (variable == nullptr || !variable->hasLocalStorage() ||
            variable->getType().isConstQualified() ||
            variable->getInitStyle() != VarDecl::CallInit ||
            variable->getTypeSourceInfo()->getType()->getContainedDeducedType() != nullptr ||
            in_macro(parentheses))
            return {};
        string = path{variable->getCanonicalDecl(), {}};
        record = variable->getType()->getAsCXXRecordDecl();
        object = variable->getNameAsString();
        size = construction->getArg(0);
        before_arguments = parentheses.getBegin();
    } else {
        const auto* call = cast<CXXMemberCallExpr>(what.expression);
        const Expr* of = call->getImplicitObjectArgument();
        string = names.object_path(of);
        record = class_of(of->getType());
        size = call->getArg(0);
        const auto* named = dyn_cast<DeclRefExpr>(strip(of));
        variable = named != nullptr ? dyn_cast<VarDecl>(named->getDecl()) : nullptr;
        if (call->getNumArgs() > 1 && call->getArg(1)->HasSideEffects(context)) return {};
    }
    if (!string || record == nullptr || !has_resize_and_overwrite(record, context)) return {};
    const bool is_local = variable != nullptr && variable->hasLocalStorage() &&
                          !variable->getType()->isReferenceType() &&
                          !variable->getType()->isPointerType();

    const Stmt* filling = part->following[0];
    const short_read read = is_local ? short_read_of(*part, *string, within, names) : short_read();
    if (!read) {
        const bool is_loop = isa<ForStmt>(filling) || isa<WhileStmt>(filling) ||
                             isa<DoStmt>(filling) || isa<CXXForRangeStmt>(filling);
        if (!is_loop && !isa<Expr>(filling)) return {};
        std::set<const Stmt*> parts;
        add_parts(part->own, parts);
        add_parts(filling, parts);
        if (!fills(parts)) return {};
    }
    moved_text moved(*string, record, is_local, names);
    if (!moved.may_move(read ? read.call : filling)) return {};

    const std::set<std::string> used = names_of(within).unqualified;
    const std::string data_name = unused_name(used, {"data", "to", "bytes", "target"});
    const std::string size_name = unused_name(used, {"size", "count", "length", "limit"});
    if (data_name.empty() || size_name.empty()) return {};
    const SourceLocation own_end = behind(part->own, context);
    const SourceLocation filling_end = behind(filling, context);
    if (in_macro(size->getSourceRange()) || in_macro(part->own->getSourceRange()) ||
        in_macro(filling->getSourceRange()) || own_end.isInvalid() || filling_end.isInvalid())
        return {};
    const std::string text = text_of(filling->getSourceRange(), context);
    if (text.empty() || has_lines_of_their_own(text)) return {};

    const std::string indent = indentation_at(part->own->getBeginLoc(), context);
    const std::string element =
        what.type.getUnqualifiedType().getAsString(PrintingPolicy(context.getLangOpts()));
    const auto uses = [&](char which) {
        return std::any_of(moved.mentions.begin(), moved.mentions.end(),
                           [&](const auto& each) { return each.second == which; });
    };
    if (!uses('d')) return {};
    // An unused parameter gets no name, so that no compiler warns about it.
    const std::string head = ", [&](" + element + "* " + data_name + ", std::size_t" +
                             (read && !uses('s') ? "" : " " + size_name) + ") {";
    std::vector<FixItHint> result;
    std::string declared;
    if (read)
        declared = read.got->getType().getUnqualifiedType().getAsString(
                       PrintingPolicy(context.getLangOpts())) +
                   " " + read.got->getNameAsString() + " = 0;\n" + indent;
    if (is_variable) {
        result.push_back(FixItHint::CreateReplacement(
            CharSourceRange::getCharRange(before_arguments, own_end),
            ";\n" + indent + declared + object + ".resize_and_overwrite(" +
                text_of(size->getSourceRange(), context) + head));
    } else {
        const auto* member =
            dyn_cast<MemberExpr>(strip(cast<CXXMemberCallExpr>(what.expression)->getCallee()));
        if (member == nullptr || in_macro(member->getMemberLoc())) return {};
        if (!declared.empty())
            result.push_back(FixItHint::CreateInsertion(part->own->getBeginLoc(), declared));
        result.push_back(FixItHint::CreateReplacement(
            CharSourceRange::getTokenRange(member->getMemberLoc()), "resize_and_overwrite"));
        result.push_back(FixItHint::CreateReplacement(
            CharSourceRange::getCharRange(end_of(size->getEndLoc(), context), own_end), head));
    }
    if (read) {
        if (in_macro(read.call->getSourceRange()) || in_macro(read.cut->getSourceRange()))
            return {};
        result.push_back(FixItHint::CreateReplacement(
            CharSourceRange::getCharRange(filling->getBeginLoc(), read.call->getBeginLoc()),
            "    " + read.got->getNameAsString() + " = "));
    } else {
        result.push_back(FixItHint::CreateInsertion(filling->getBeginLoc(), "    "));
    }
    // The other lines get the indentation of the first line.
    for (std::size_t line = text.find('\n'); line != std::string::npos;
         line = text.find('\n', line + 1))
        result.push_back(FixItHint::CreateInsertion(
            filling->getBeginLoc().getLocWithOffset(static_cast<int>(line + 1)), "    "));
    for (const auto& [range, which] : moved.mentions) {
        if (in_macro(range)) return {};
        result.push_back(FixItHint::CreateReplacement(range, which == 'd' ? data_name : size_name));
    }
    std::string returned = size_name;
    if (read) {
        const std::string got = read.got->getNameAsString();
        returned = read.got->getType()->isSignedIntegerType() ? got + " < 0 ? 0 : " + got : got;
    }
    result.push_back(FixItHint::CreateInsertion(
        filling_end, "\n" + indent + "    return " + returned + ";\n" + indent + "});"));
    if (read) {
        const SourceLocation cut_end = behind(read.cut, context);
        if (cut_end.isInvalid()) return {};
        const SourceLocation begin = read.cut->getBeginLoc();
        const auto before = neighbour(begin, -1, context).second.getLocWithOffset(1);
        result.push_back(FixItHint::CreateRemoval(CharSourceRange::getCharRange(before, cut_end)));
    }
    return result;
}

}  // namespace freehold::check
