// SPDX-License-Identifier: BSL-1.0
#include "constructs.hpp"

#include "check/plugin/syntax/clang_version.hpp"
#include "check/plugin/syntax/syntax.hpp"

#include <algorithm>
#include <array>

#include <clang/AST/RecordLayout.h>
#include <llvm/ADT/StringSwitch.h>

namespace freehold::check {
namespace {

using namespace clang;

using ranges = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// True if value-initialisation or empty braces zero objects of the type before any constructor
/// runs. Adds to `initialised` the bytes that the members' own constructors and initialisers write.
bool is_zeroed(QualType type, bool braces, const ASTContext& context, std::int64_t offset,
               ranges& initialised) {
    type = type.getCanonicalType();
    if (type->isDependentType() || type.isVolatileQualified()) return false;
    if (const auto* array = context.getAsConstantArrayType(type)) {
        ranges of_element;
        if (!is_zeroed(array->getElementType(), braces, context, 0, of_element)) return false;
        if (of_element.empty()) return true;
        const auto size = context.getTypeSizeInChars(array->getElementType()).getQuantity();
        const auto count = array->getSize().getZExtValue();
        if (count > 16) return false;
        for (std::uint64_t i = 0; i < count; ++i)
            for (const auto& [low, high] : of_element)
                initialised.emplace_back(offset + size * static_cast<std::int64_t>(i) + low,
                                         offset + size * static_cast<std::int64_t>(i) + high);
        return true;
    }
    if (type->isScalarType()) return true;
    const auto* record = type->getAsCXXRecordDecl();
    if (record == nullptr || !record->hasDefinition()) return false;
    record = record->getDefinition();
    if (record->isInvalidDecl() || record->isPolymorphic() || record->getNumVBases() != 0)
        return false;
    const bool memberwise = braces && record->isAggregate();
    // The library's constructor gives values to all members.
    if (record->isInStdNamespace() && !record->isAggregate() &&
        !record->hasTrivialDefaultConstructor())
        return false;
    if (!memberwise &&
        (record->hasUserProvidedDefaultConstructor() || !record->hasDefaultConstructor()))
        return false;
    if (record->isUnion()) return record->hasTrivialDefaultConstructor();
    const auto& layout = context.getASTRecordLayout(record);
    const auto size_of = [&](QualType of) { return context.getTypeSizeInChars(of).getQuantity(); };
    for (const auto& base : record->bases()) {
        const auto* base_record = base.getType()->getAsCXXRecordDecl();
        if (base_record == nullptr) return false;
        const auto begin = offset + layout.getBaseClassOffset(base_record).getQuantity();
        ranges within;
        if (is_zeroed(base.getType(), braces, context, begin, within))
            initialised.insert(initialised.end(), within.begin(), within.end());
        else if (memberwise || base_record->isInStdNamespace())
            initialised.emplace_back(begin, begin + size_of(base.getType()));
    }
    for (const FieldDecl* field : record->fields()) {
        const auto begin =
            offset + static_cast<std::int64_t>(layout.getFieldOffset(field->getFieldIndex()) / 8);
        if (field->isBitField()) continue;
        if (field->getType()->isReferenceType()) return false;
        if (field->hasInClassInitializer()) {
            initialised.emplace_back(begin, begin + size_of(field->getType()));
            continue;
        }
        ranges within;
        if (is_zeroed(field->getType(), braces, context, begin, within)) {
            initialised.insert(initialised.end(), within.begin(), within.end());
            continue;
        }
        const auto* member = field->getType()->getAsCXXRecordDecl();
        if (memberwise || member == nullptr || member->isInStdNamespace())
            initialised.emplace_back(begin, begin + size_of(field->getType()));
    }
    return true;
}

bool is_zero(const Expr* value, const ASTContext& context) {
    value = strip(value);
    if (isa<ImplicitValueInitExpr>(value) || isa<CXXDefaultInitExpr>(value) ||
        isa<CXXScalarValueInitExpr>(value))
        return true;
    if (const auto* list = dyn_cast<InitListExpr>(value)) {
        if (list->hasArrayFiller() && list->getArrayFiller() != nullptr &&
            !isa<NoInitExpr>(list->getArrayFiller()) && !is_zero(list->getArrayFiller(), context))
            return false;
        for (const Expr* each : list->inits())
            if (!is_zero(each, context)) return false;
        return true;
    }
    if (const auto* text = dyn_cast<StringLiteral>(value)) return text->getByteLength() == 0;
    if (const auto* construct = dyn_cast<CXXConstructExpr>(value))
        return construct->getNumArgs() == 0;
    if (const auto* cast = dyn_cast<CastExpr>(value)) {
        if (cast->getCastKind() == CK_NullToPointer) return true;
        return is_zero(cast->getSubExpr(), context);
    }
    Expr::EvalResult constant;
    if (!value->isValueDependent() && value->getType()->isIntegralOrEnumerationType() &&
        value->EvaluateAsInt(constant, context))
        return constant.Val.getInt() == 0;
    return false;
}

/// True if std::allocator_traits value-initialises the elements. An allocator with its own
/// `construct` may leave the bytes uninitialised.
bool is_plain_allocator(QualType type) {
    const auto* record = type->getAsCXXRecordDecl();
    if (record == nullptr || !record->hasDefinition()) return false;
    if (record->isInStdNamespace()) return name_of(record) == "allocator";
    // Its `construct` also value-initialises.
    if (qualified_name(record) == "std::pmr::polymorphic_allocator") return true;
    const auto constructs = [](const CXXRecordDecl* of) {
        return std::any_of(of->decls_begin(), of->decls_end(), [](const Decl* each) {
            const auto* named = dyn_cast<NamedDecl>(each);
            return named != nullptr && name_of(named) == "construct";
        });
    };
    record = record->getDefinition();
    return !constructs(record) &&
           record->forallBases([&](const CXXRecordDecl* base) { return !constructs(base); });
}

bool has_plain_allocator(const ClassTemplateSpecializationDecl* container, unsigned index) {
    const auto& arguments = container->getTemplateArgs();
    return arguments.size() > index && arguments[index].getKind() == TemplateArgument::Type &&
           is_plain_allocator(arguments[index].getAsType());
}

/// Sets the size of one object, or of `count` objects. Returns false if that is too small to
/// report.
bool set_extent(construct& what, const Expr* count, values& names, std::int64_t min_bytes,
                bool braces = false) {
    ranges initialised;
    if (!is_zeroed(what.type, braces, names.context(), 0, initialised)) return false;
    const std::int64_t size = names.size_of(what.type);
    if (count == nullptr) {
        std::int64_t zeroed = size;
        for (const auto& [low, high] : initialised) zeroed -= high - low;
        what.extent.bytes = size;
        what.extent.initialised = std::move(initialised);
        return zeroed >= min_bytes;
    }
    if (!initialised.empty()) return false;
    what.extent.how = zeroed_extent::growth::counted;
    what.extent.count = count;
    if (const auto constant = names.value_of(count).constant()) {
        what.extent.bytes = *constant * size;
        return what.extent.bytes >= min_bytes;
    }
    return true;
}

bool is_container(QualType type, llvm::StringRef name) {
    const auto* record = class_of(type);
    return record != nullptr && record->isInStdNamespace() && name_of(record) == name;
}

/// The element type of vectors and strings with the standard's allocators. Null for other types.
QualType element_of(QualType type) {
    const auto* special = dyn_cast_or_null<ClassTemplateSpecializationDecl>(class_of(type));
    if (special == nullptr) return {};
    const bool vector = is_container(type, "vector");
    const bool string = is_container(type, "basic_string");
    if ((!vector && !string) || !has_plain_allocator(special, vector ? 1 : 2)) return {};
    const QualType element = first_type_argument(type);
    return element->isBooleanType() ? QualType() : element;
}

std::optional<construct> make_call(const CallExpr* call, values& names, std::int64_t min_bytes) {
    struct maker {
        const char* name;
        unsigned before;  ///< The number of arguments before the count.
    };
    constexpr std::array makers = {
        maker{"std::make_unique", 0},       maker{"std::make_shared", 0},
        maker{"std::allocate_shared", 1},   maker{"boost::make_unique", 0},
        maker{"boost::make_shared", 0},     maker{"boost::allocate_shared", 1},
        maker{"boost::allocate_unique", 1}, maker{"freehold::make_shared", 0},
        maker{"freehold::make_arc", 0},     maker{"std::experimental::make_shared", 0}};
    const std::string name = name_of_callee(call);
    const auto* found = std::find_if(makers.begin(), makers.end(),
                                     [&](const maker& each) { return name == each.name; });
    if (found == makers.end()) return std::nullopt;
    auto arguments = written_arguments(call);
    if (arguments.size() < found->before) return std::nullopt;
    if (found->before == 1) {
        if (!is_plain_allocator(arguments[0]->getType().getNonReferenceType())) return std::nullopt;
        arguments.erase(arguments.begin());
    }
    construct result;
    result.kind = construct_kind::make;
    result.expression = call;
    result.location = call->getBeginLoc();
    QualType type = first_type_argument(call->getType());
    if (type.isNull()) return std::nullopt;
    const ASTContext& context = names.context();
    result.name = name + "<" + type.getAsString(PrintingPolicy(context.getLangOpts())) + ">()";
    if (type->isIncompleteArrayType()) {
        if (arguments.size() != 1 || !arguments[0]->getType()->isIntegralOrEnumerationType())
            return std::nullopt;
        result.type = context.getAsArrayType(type)->getElementType();
        result.name.insert(result.name.size() - 1, "n");
        if (!set_extent(result, arguments[0], names, min_bytes)) return std::nullopt;
    } else {
        if (!arguments.empty()) return std::nullopt;
        result.type = type;
        if (!set_extent(result, nullptr, names, min_bytes)) return std::nullopt;
    }
    return result;
}

bool is_nothrow(const Expr* argument) {
    return name_of(class_of(argument->getType())) == "nothrow_t";
}

std::optional<construct> new_expression(const CXXNewExpr* expression, values& names,
                                        std::int64_t min_bytes) {
    if (has_no_initializer(*expression) || expression->getInitializer() == nullptr)
        return std::nullopt;
    // `new (std::nothrow) T()`, or `new (where) T()` with a single place.
    if (expression->getNumPlacementArgs() > 1 ||
        (expression->getNumPlacementArgs() == 1 && !is_nothrow(expression->getPlacementArg(0)) &&
         !expression->getPlacementArg(0)->getType()->isPointerType()))
        return std::nullopt;
    const Expr* initial = expression->getInitializer();
    if (const auto* list = dyn_cast<ParenListExpr>(initial)) {
        if (list->getNumExprs() != 0) return std::nullopt;
    } else if (!is_zero(initial, names.context())) {
        return std::nullopt;
    }
    construct result;
    result.kind = construct_kind::new_object;
    result.expression = expression;
    result.location = expression->getBeginLoc();
    result.type = expression->getAllocatedType();
    const Expr* count = nullptr;
    if (expression->isArray())
        if (const auto size = expression->getArraySize()) count = *size;
    result.name = "new " + result.type.getAsString(PrintingPolicy(names.context().getLangOpts())) +
                  (expression->isArray() ? "[n]" : "");
    const bool braces = isa<InitListExpr>(initial);
    result.name += braces ? "{}" : "()";
    if (!set_extent(result, count, names, min_bytes, braces)) return std::nullopt;
    return result;
}

/// As users write the type of a container of these elements.
std::string name_of_container(QualType element, bool string, const ASTContext& context) {
    const std::string spelled = element.getAsString(PrintingPolicy(context.getLangOpts()));
    if (!string) return "std::vector<" + spelled + ">";
    const llvm::StringRef prefix = llvm::StringSwitch<llvm::StringRef>(spelled)
                                       .Case("char", "")
                                       .Case("wchar_t", "w")
                                       .Case("char8_t", "u8")
                                       .Case("char16_t", "u16")
                                       .Case("char32_t", "u32")
                                       .Default("basic_");
    return ("std::" + prefix + "string" + (prefix == "basic_" ? "<" + spelled + ">" : "")).str();
}

std::optional<construct> container_constructor(const CXXConstructExpr* expression, values& names,
                                               std::int64_t min_bytes) {
    const QualType element = element_of(expression->getType());
    if (element.isNull()) return std::nullopt;
    const auto arguments = written_arguments(expression);
    const bool string = is_container(expression->getType(), "basic_string");
    if (arguments.empty() || arguments.size() > 2 || (string && arguments.size() != 2))
        return std::nullopt;
    const auto* constructor = expression->getConstructor();
    if (!constructor->getParamDecl(0)->getType()->isIntegerType()) return std::nullopt;
    if (arguments.size() == 2) {
        const QualType second = constructor->getParamDecl(1)->getType().getNonReferenceType();
        if (!names.context().hasSameUnqualifiedType(second, element) &&
            !(second->getAsCXXRecordDecl() != nullptr && !string))
            return std::nullopt;
        if (!element.isTriviallyCopyableType(names.context())) return std::nullopt;
    }
    construct result;
    result.kind = construct_kind::container;
    result.expression = expression;
    result.location = expression->getBeginLoc();
    result.object = object_kind::container;
    result.type = element;
    result.name = name_of_container(element, string, names.context()) + (string ? "(n, c)"
                                                                         : arguments.size() == 2
                                                                             ? "(n, value)"
                                                                             : "(n)");
    if (!set_extent(result, arguments[0], names, min_bytes)) return std::nullopt;
    return result;
}

std::optional<construct> method_call(const CXXMemberCallExpr* call, values& names,
                                     std::int64_t min_bytes) {
    const auto* method = call->getMethodDecl();
    if (method == nullptr || call->getImplicitObjectArgument() == nullptr) return std::nullopt;
    const llvm::StringRef name = name_of(method);
    const QualType object = call->getImplicitObjectArgument()->getType();
    const auto arguments = written_arguments(call);
    construct result;
    result.expression = call;
    result.location = call->getExprLoc();
    const auto& context = names.context();
    if (name == "emplace" && arguments.empty() && is_container(object, "optional")) {
        result.kind = construct_kind::emplace;
        result.type = first_type_argument(object);
        result.name = "std::optional<" +
                      result.type.getAsString(PrintingPolicy(context.getLangOpts())) +
                      ">::emplace()";
        if (!set_extent(result, nullptr, names, min_bytes)) return std::nullopt;
        return result;
    }
    const QualType element = element_of(object);
    if (element.isNull()) return std::nullopt;
    const bool string = is_container(object, "basic_string");
    const std::string container = name_of_container(element, string, context);
    result.object = object_kind::container;
    result.type = element;
    if (name == "emplace_back" && arguments.empty()) {
        result.kind = construct_kind::emplace_back;
        result.name = container + "::emplace_back()";
        if (!set_extent(result, nullptr, names, min_bytes) || !result.extent.initialised.empty())
            return std::nullopt;
        result.extent.how = zeroed_extent::growth::appended;
        return result;
    }
    if (name == "resize" && (arguments.size() == 1 || arguments.size() == 2)) {
        result.kind = construct_kind::resize;
        result.name = container + "::resize(n)";
        if (arguments.size() == 2 && !element.isTriviallyCopyableType(context)) return std::nullopt;
        if (!set_extent(result, arguments[0], names, min_bytes)) return std::nullopt;
        result.extent.how = zeroed_extent::growth::resized;
        return result;
    }
    return std::nullopt;
}

}  // namespace

std::optional<construct> zeroing_expression(const Expr* expression, values& names,
                                            std::int64_t min_bytes) {
    if (expression->isTypeDependent() || expression->isValueDependent()) return std::nullopt;
    if (const auto* call = dyn_cast<CXXMemberCallExpr>(expression))
        return method_call(call, names, min_bytes);
    if (const auto* call = dyn_cast<CallExpr>(expression)) {
        const std::string name = name_of_callee(call);
        if ((name == "calloc" || name == "std::calloc") && call->getNumArgs() == 2) {
            construct result;
            result.kind = construct_kind::calloc;
            result.expression = call;
            result.location = call->getBeginLoc();
            result.name = "calloc(n, size)";
            result.type = names.context().CharTy;
            result.extent.how = zeroed_extent::growth::counted;
            result.extent.count = call->getArg(0);
            result.extent.second_count = call->getArg(1);
            const polynomial size =
                names.value_of(call->getArg(0)) * names.value_of(call->getArg(1));
            if (const auto constant = size.constant()) {
                result.extent.bytes = *constant;
                if (*constant < min_bytes) return std::nullopt;
            }
            return result;
        }
        return make_call(call, names, min_bytes);
    }
    if (const auto* creation = dyn_cast<CXXNewExpr>(expression))
        return new_expression(creation, names, min_bytes);
    if (const auto* construction = dyn_cast<CXXConstructExpr>(expression))
        return container_constructor(construction, names, min_bytes);
    return std::nullopt;
}

std::optional<construct> zeroing_variable(const VarDecl* variable, values& names,
                                          std::int64_t min_bytes) {
    const Expr* initial = variable->getInit();
    const QualType type = variable->getType();
    if (initial == nullptr || !variable->hasLocalStorage() || type->isReferenceType() ||
        isa<ParmVarDecl>(variable) || type->isScalarType() || type->isDependentType() ||
        initial->isTypeDependent())
        return std::nullopt;
    initial = strip(initial->IgnoreImplicit());
    if (const auto* cast = dyn_cast<CXXFunctionalCastExpr>(initial))
        initial = strip(cast->getSubExpr()->IgnoreImplicit());
    const auto* construct_expression = dyn_cast<CXXConstructExpr>(initial);
    // `T x = T();` is an elided copy before C++17.
    while (construct_expression != nullptr && construct_expression->isElidable() &&
           construct_expression->getNumArgs() == 1) {
        initial = strip(construct_expression->getArg(0)->IgnoreImplicit());
        construct_expression = dyn_cast<CXXConstructExpr>(initial);
    }
    const bool braces = isa<InitListExpr>(initial) || isa<StringLiteral>(initial);
    if (construct_expression != nullptr) {
        if (construct_expression->getNumArgs() != 0 ||
            !construct_expression->requiresZeroInitialization())
            return std::nullopt;
    } else if (!braces && !isa<CXXScalarValueInitExpr>(initial)) {
        return std::nullopt;
    }
    if (!is_zero(initial, names.context())) return std::nullopt;
    construct result;
    result.kind = construct_kind::variable;
    result.expression = initial;
    result.location = variable->getLocation();
    result.object = object_kind::storage;
    result.type = type;
    result.name = type.getAsString(PrintingPolicy(names.context().getLangOpts())) + " x{}";
    if (!set_extent(result, nullptr, names, min_bytes, braces)) return std::nullopt;
    return result;
}

std::optional<construct> zeroing_member(const FieldDecl* field, const Expr* initial,
                                        SourceLocation where, values& names,
                                        std::int64_t min_bytes) {
    const QualType type = field->getType();
    if (initial == nullptr || type->isDependentType() || type->isReferenceType() ||
        type->isScalarType() || field->isBitField())
        return std::nullopt;
    initial = strip(initial->IgnoreImplicit());
    if (const auto* construct_expression = dyn_cast<CXXConstructExpr>(initial)) {
        if (construct_expression->getNumArgs() != 0 ||
            !construct_expression->requiresZeroInitialization())
            return std::nullopt;
    } else if (!isa<InitListExpr>(initial) && !isa<ImplicitValueInitExpr>(initial) &&
               !isa<StringLiteral>(initial)) {
        return std::nullopt;
    }
    if (!is_zero(initial, names.context())) return std::nullopt;
    construct result;
    result.kind = construct_kind::member;
    result.expression = initial;
    result.location = where;
    result.object = object_kind::storage;
    result.type = type;
    result.name = "member " + field->getQualifiedNameAsString() + "{}";
    if (!set_extent(result, nullptr, names, min_bytes, isa<InitListExpr>(initial)))
        return std::nullopt;
    return result;
}

parents::parents(const FunctionDecl* function) {
    if (const auto* constructor = dyn_cast<CXXConstructorDecl>(function))
        for (const CXXCtorInitializer* each : constructor->inits())
            add(each->getInit(), {nullptr, nullptr, each});
    add(function->getBody(), {});
}

void parents::add(const Stmt* part, const parent& above) {
    if (part == nullptr) return;
    if (above.statement != nullptr || above.variable != nullptr || above.initializer != nullptr)
        above_[part] = above;
    if (const auto* expression = dyn_cast<Expr>(part)) expressions_.push_back(expression);
    if (const auto* lambda = dyn_cast<LambdaExpr>(part)) {
        lambdas_.push_back(lambda);
        return;
    }
    if (const auto* statement = dyn_cast<DeclStmt>(part)) {
        for (const Decl* each : statement->decls()) {
            const auto* variable = dyn_cast<VarDecl>(each);
            if (variable == nullptr) continue;
            variables_.push_back(variable);
            if (variable->getInit() != nullptr)
                add(variable->getInit(), {nullptr, variable, nullptr});
        }
        return;
    }
    for (const Stmt* child : part->children()) add(child, {part, nullptr, nullptr});
}

namespace {

/// True if the expression creates the object in memory of unknown origin, with unknown readers.
bool is_placed(const Expr* expression) {
    const auto* creation = dyn_cast<CXXNewExpr>(expression);
    return creation != nullptr && creation->getNumPlacementArgs() == 1 &&
           !is_nothrow(creation->getPlacementArg(0));
}

}  // namespace

const CXXCtorInitializer* parents::base_initializer(const Expr* expression) const {
    const auto found = above_.find(expression);
    const auto* above = found != above_.end() ? found->second.initializer : nullptr;
    return above != nullptr && above->isBaseInitializer() ? above : nullptr;
}

bool is_local_object(const path& root) {
    const VarDecl* variable = variable_of(root);
    return variable != nullptr && variable->hasLocalStorage() &&
           !variable->getType()->isReferenceType() &&
           std::none_of(root.members.begin(), root.members.end(),
                        [](const step& each) { return each == step(nullptr); });
}

/// True if a smart pointer gets a deleter that is neither the standard's nor free(): it may read
/// the object.
bool may_read_when_it_deletes(const CXXConstructExpr* smart) {
    if (smart->getNumArgs() < 2 || smart->getConstructor()->isCopyOrMoveConstructor()) return false;
    const Expr* deleter = strip(smart->getArg(1)->IgnoreImplicit());
    if (isa<CXXDefaultArgExpr>(deleter) || deleter->getType()->isBooleanType()) return false;
    if (const auto* record = deleter->getType()->getAsCXXRecordDecl())
        return name_of(record) != "default_delete" || !record->isInStdNamespace();
    if (const auto* address = dyn_cast<UnaryOperator>(deleter))
        deleter = strip(address->getSubExpr());
    const auto* function = dyn_cast<DeclRefExpr>(deleter);
    return function == nullptr || name_of(function->getDecl()) != "free";
}

std::optional<binding> parents::binding_of(const Expr* expression, values& names) const {
    const Stmt* each = expression;
    // The steps through the enclosing initialiser lists, the outermost first.
    std::vector<step> part;
    std::vector<std::pair<step, const Expr*>> beside;
    const auto to_path = [&](const Expr* target, const void* start) -> std::optional<binding> {
        auto root = names.path_of(target);
        if (!root) return std::nullopt;
        const VarDecl* variable = variable_of(*root);
        if (variable != nullptr && !variable->hasLocalStorage() && root->members.empty())
            return std::nullopt;
        const bool is_local = is_local_object(*root);
        root->members.insert(root->members.end(), part.begin(), part.end());
        return binding{start, std::move(root), is_local, {}, {}};
    };
    for (;;) {
        const auto found = above_.find(each);
        if (found == above_.end()) return std::nullopt;
        const parent& above = found->second;
        if (above.variable != nullptr) {
            const VarDecl* variable = above.variable;
            if (!variable->hasLocalStorage() || variable->getType()->isReferenceType())
                return std::nullopt;
            return binding{
                variable, path{variable->getCanonicalDecl(), part}, !is_placed(expression), {}, {}};
        }
        if (above.initializer != nullptr) {
            const auto* member = above.initializer->getMember();
            if (member == nullptr) return std::nullopt;
            path root{names.frames.back(), {nullptr, member->getCanonicalDecl()}};
            root.members.insert(root.members.end(), part.begin(), part.end());
            return binding{above.initializer, std::move(root), false, {}, {}};
        }
        const Stmt* outer = above.statement;
        if (const auto* assignment = dyn_cast<BinaryOperator>(outer)) {
            if (assignment->getOpcode() != BO_Assign || assignment->getRHS() != each)
                return std::nullopt;
            return to_path(assignment->getLHS(), assignment);
        }
        if (isa<ReturnStmt>(outer)) return binding{outer, std::nullopt, true, part, beside};
        if (const auto* operation = dyn_cast<CXXOperatorCallExpr>(outer)) {
            if (operation->getOperator() != OO_Equal || operation->getArg(1) != each)
                return std::nullopt;
            return to_path(operation->getArg(0), operation);
        }
        if (const auto* call = dyn_cast<CXXMemberCallExpr>(outer)) {
            const bool is_reset = call->getMethodDecl() != nullptr &&
                                  name_of(call->getMethodDecl()) == "reset" &&
                                  call->getNumArgs() >= 1 && call->getArg(0) == each;
            if (!is_reset) return std::nullopt;
            return to_path(call->getImplicitObjectArgument(), call);
        }
        if (const auto* construct = dyn_cast<CXXConstructExpr>(outer)) {
            const llvm::StringRef name = name_of(construct->getConstructor()->getParent());
            constexpr std::array smart = {"unique_ptr",   "shared_ptr", "scoped_array",
                                          "shared_array", "scoped_ptr", "arc",
                                          "intrusive_ptr"};
            const bool is_smart = is_one_of(name, smart);
            const bool copies = construct->getConstructor()->isCopyOrMoveConstructor();
            if (!(is_smart || copies) || construct->getNumArgs() == 0 ||
                construct->getArg(0) != each || (is_smart && may_read_when_it_deletes(construct)))
                return std::nullopt;
        } else if (const auto* list = dyn_cast<InitListExpr>(outer);
                   list != nullptr && list->getType()->isRecordType()) {
            const auto parts = parts_of_list({}, *list);
            const auto is_it = [&](const auto& of) { return of.second == each; };
            const auto of = std::find_if(parts.begin(), parts.end(), is_it);
            if (of == parts.end()) return std::nullopt;
            part.insert(part.begin(), of->first.members.front());
            beside.clear();
            for (const auto& [other, value] : parts)
                if (part.size() == 1 && value->getType()->isIntegralOrEnumerationType())
                    beside.emplace_back(other.members.front(), value);
        } else if (!isa<CastExpr>(outer) && !isa<FullExpr>(outer) && !isa<ParenExpr>(outer) &&
                   !isa<CXXBindTemporaryExpr>(outer) && !isa<MaterializeTemporaryExpr>(outer) &&
                   !(isa<InitListExpr>(outer) && cast<InitListExpr>(outer)->getNumInits() == 1)) {
            return std::nullopt;
        }
        each = outer;
    }
}

}  // namespace freehold::check
