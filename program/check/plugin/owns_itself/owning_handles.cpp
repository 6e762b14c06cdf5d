// SPDX-License-Identifier: BSL-1.0
#include "owning_handles.hpp"

#include "check/plugin/syntax/syntax.hpp"

#include <array>

#include <clang/AST/DeclTemplate.h>

namespace freehold::check {

using namespace clang;

const owning_handle* owning_handle_of(QualType type) {
    static constexpr std::array table = {
        owning_handle{"std::shared_ptr", "std::weak_ptr"},
        owning_handle{"boost::shared_ptr", "boost::weak_ptr"},
        owning_handle{"freehold::shared_ptr", "freehold::weak_ptr"},
        owning_handle{"freehold::arc", "freehold::weak_arc"},
    };
    type = type.getNonReferenceType();
    const auto* record = type.isNull() ? nullptr : type->getAsCXXRecordDecl();
    if (record == nullptr) return nullptr;
    const std::string name = qualified_name(record);
    for (const owning_handle& each : table)
        if (name == each.owner) return &each;
    return nullptr;
}

bool leads_to_one_object(QualType type) {
    constexpr std::array names = {"std::unique_ptr", "std::optional", "boost::optional",
                                  "boost::scoped_ptr", "boost::unique_ptr"};
    if (owning_handle_of(type) != nullptr) return true;
    const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
    return record != nullptr && is_one_of(qualified_name(record), names);
}

bool keeps_its_objects(QualType type) {
    constexpr std::array views = {"reference_wrapper", "weak_ptr",    "observer_ptr", "not_null",
                                  "function_ref",      "FunctionRef", "span",         "weak_arc"};
    if (type->isPointerType() || type->isReferenceType()) return false;
    const auto* record = type->getAsCXXRecordDecl();
    if (record != nullptr && is_one_of(name_of(record), views)) return false;
    const auto* special = dyn_cast_or_null<ClassTemplateSpecializationDecl>(record);
    if (special == nullptr) return true;
    return llvm::all_of(special->getTemplateArgs().asArray(), [](const TemplateArgument& each) {
        return each.getKind() != TemplateArgument::Type || keeps_its_objects(each.getAsType());
    });
}

bool is_storing(llvm::StringRef name) {
    constexpr std::array names = {"push_back",   "emplace_back", "push_front",  "emplace_front",
                                  "push",        "emplace",      "insert",      "insert_or_assign",
                                  "try_emplace", "connect",      "emplace_hint"};
    return is_one_of(name, names);
}

bool is_element_access(llvm::StringRef name) {
    constexpr std::array names = {"at",   "front",  "back", "begin",       "end",        "rbegin",
                                  "rend", "find",   "data", "lower_bound", "top",        "cbegin",
                                  "cend", "second", "get",  "value",       "upper_bound"};
    return is_one_of(name, names);
}

bool is_reading(llvm::StringRef name) {
    constexpr std::array names = {
        "size", "empty", "reserve", "count",        "contains",       "forward",   "as_const",
        "ref",  "cref",  "invoke",  "get_executor", "get_io_context", "addressof", "distance"};
    return is_one_of(name, names) || is_element_access(name);
}

bool is_binding(llvm::StringRef name) {
    constexpr std::array names = {"bind",         "bind_front",   "bind_back", "bind_front_handler",
                                  "bind_handler", "bind_executor"};
    return is_one_of(name, names);
}

bool is_making(llvm::StringRef name) {
    constexpr std::array names = {"make_shared", "make_unique",   "make_pair",      "make_tuple",
                                  "make_arc",    "make_optional", "allocate_shared"};
    return is_one_of(name, names);
}

bool is_casting(llvm::StringRef name) {
    constexpr std::array names = {"static_pointer_cast", "dynamic_pointer_cast",
                                  "const_pointer_cast", "reinterpret_pointer_cast"};
    return is_one_of(name, names);
}

bool is_moving(llvm::StringRef name) {
    return name == "move" || name == "swap" || name == "exchange";
}

}  // namespace freehold::check
