// SPDX-License-Identifier: BSL-1.0
// Tables for `freehold-owns-itself`: the handles that own, and what functions do to what they get.
#pragma once

#include <string_view>

#include <clang/AST/Type.h>

namespace freehold::check {

struct owning_handle {
    std::string_view owner;
    std::string_view weak;
};
/// The handle whose copies own the object together. Null for other types.
const owning_handle* owning_handle_of(clang::QualType type);
/// True for a handle and for what has its one object alone, such as `std::unique_ptr`.
bool leads_to_one_object(clang::QualType type);
/// False for pointers, references, views, and containers of them.
bool keeps_its_objects(clang::QualType type);

/// Functions of libraries, by their names without namespaces.
bool is_storing(llvm::StringRef name);         ///< Adds its arguments to a container or a signal.
bool is_element_access(llvm::StringRef name);  ///< Returns an element, or an iterator.
bool is_reading(llvm::StringRef name);         ///< Changes no container, and no callable.
bool is_moving(llvm::StringRef name);          ///< Takes from its arguments what they have.
bool is_binding(llvm::StringRef name);         ///< Returns a callable with copies of its arguments.
bool is_making(llvm::StringRef name);   ///< Makes an object from its arguments, and returns it.
bool is_casting(llvm::StringRef name);  ///< Returns another handle of the same object.

}  // namespace freehold::check
