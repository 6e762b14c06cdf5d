// SPDX-License-Identifier: BSL-1.0
// Bytes of a type that an assignment need not write.
#pragma once

#include "values.hpp"

#include <cstdint>
#include <map>

#include <clang/AST/ASTContext.h>

namespace freehold::check {

/// The sizes of the gaps between and behind the members of a class, by where they begin.
std::map<std::int64_t, std::int64_t> padding_of(clang::QualType type, const values& values);

/// True for an x87 `long double`, and for what contains one: it has 10 bytes, in 12 or 16.
bool has_padded_numbers(clang::QualType type, const clang::ASTContext& context);

/// True if the statement assigns a value whose type has such bytes.
bool assigns_padding(const clang::Stmt* statement, const values& values);

}  // namespace freehold::check
