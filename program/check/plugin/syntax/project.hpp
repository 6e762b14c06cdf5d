// SPDX-License-Identifier: BSL-1.0
// Which files are the user's own.
#pragma once

#include <clang/Basic/SourceLocation.h>
#include <clang/Basic/SourceManager.h>

namespace freehold::check {

/// True for the file that is compiled, and for what is below the folder that `freehold check` names
/// in the environment. clang-tidy's own filter sees only how a header's name is written, which is
/// relative after `-I../include`. Without the variable, that filter alone decides.
bool is_in_project(clang::SourceLocation where, const clang::SourceManager& sources);

}  // namespace freehold::check
