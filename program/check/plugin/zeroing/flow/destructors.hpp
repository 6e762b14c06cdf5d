// SPDX-License-Identifier: BSL-1.0
// What destructors that the user wrote may read when an object ends.
#pragma once

#include "check/plugin/zeroing/values/paths.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Type.h>

namespace freehold::check {

/// True if an object of the type contains a pointer, which a destructor may use.
bool has_pointers(clang::QualType type);

/// True if code of the user's runs when an object of the type ends.
bool has_written_destructor(clang::QualType type, const clang::ASTContext& context);

/// True if a class on the path has a destructor that may read the elements of its member on the
/// path. `elements` is their type. A destructor that the check cannot see reads pointers only.
bool is_read_by_destructor(const path& object, clang::QualType elements,
                           const clang::ASTContext& context);

}  // namespace freehold::check
